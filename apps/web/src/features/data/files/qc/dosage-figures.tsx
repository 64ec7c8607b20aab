import { classNames, dosageClassesOption } from '@heterosis/charts/dosage-classes';
import type { FileDetail } from '@heterosis/contracts/data/files';
import type { GenotypeQcBody } from '@heterosis/contracts/data/files-qc';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../../components/charts/figure.tsx';
import { useChartColors } from '../../../../components/charts/use-chart-colors.ts';
import { formatCount, formatShare, formatStatistic } from '../../../../lib/format/format.ts';
import { HistogramFigure } from './histogram-figure.tsx';

/** Classes of dosage of all calls, and the gametic heterozygosity of markers; nothing for diploids. */
export function DosageFigures({ file, qc, height }: { file: FileDetail; qc: GenotypeQcBody; height: number }) {
  const { t } = useTranslation();
  const colors = useChartColors();
  const { ploidy, dosage_classes: counts, expected_dosage_classes: expected } = qc;
  const doubled = qc.expected_with_double_reduction ?? undefined;
  const total = (counts ?? []).reduce((sum, count) => sum + count, 0);
  const classes = useMemo(() => {
    const all = (counts ?? []).reduce((sum, count) => sum + count, 0);
    return classNames(ploidy ?? 2).map((name, copies) => ({
      name,
      count: (counts?.[copies] ?? 0) / Math.max(1, all),
      expected: (expected?.[copies] ?? 0) / Math.max(1, all),
    }));
  }, [ploidy, counts, expected]);
  const labels = {
    x: t('files.qc.dosageClass'),
    y: t('files.qc.shareOfCalls'),
    expected: t('files.qc.expectedShare'),
    format: formatShare,
  };
  const option = useMemo(() => dosageClassesOption(classes, labels, colors), [classes, colors, t]);
  if (ploidy === undefined || counts === undefined) return null;
  return (
    <>
      <Figure
        title={t('files.qc.dosageClasses')}
        caption={[
          t('files.qc.dosageClassesCaption'),
          ...(qc.double_reduction == null
            ? []
            : qc.double_reduction === 0
              ? [t('files.qc.doubleReductionNone')]
              : [t('files.qc.doubleReductionOf', { value: formatStatistic(qc.double_reduction) })]),
        ].join(' ')}
        label={t('files.qc.dosageClasses')}
        option={option}
        height={height}
        fileName={`${file.name} dosage classes`}
        table={{
          head: [
            ...[labels.x, t('files.qc.copies'), t('files.qc.calls'), labels.expected],
            ...(doubled === undefined ? [] : [t('files.qc.expectedDoubled')]),
          ],
          rows: classes.map(({ name, expected: share }, copies) => [
            ...[name, copies, counts[copies] ?? 0, share],
            ...(doubled === undefined ? [] : [(doubled[copies] ?? 0) / Math.max(1, total)]),
          ]),
          format: (value) => (Number.isInteger(value) ? formatCount(value) : formatShare(value)),
        }}
      />
      {qc.marker_gametic_heterozygosity && (
        <HistogramFigure
          title={t('files.qc.gameticOfMarkers')}
          height={height}
          x={t('files.qc.gametic')}
          y={t('word.markers')}
          histogram={qc.marker_gametic_heterozygosity}
          fileName={`${file.name} gametic heterozygosity`}
        />
      )}
    </>
  );
}
