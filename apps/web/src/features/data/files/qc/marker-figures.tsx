import { densityOption } from '@heterosis/charts/density';
import type { FileDetail } from '@heterosis/contracts/data/files';
import type { GenotypeQcBody } from '@heterosis/contracts/data/files-qc';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../../components/charts/figure.tsx';
import { useChartColors } from '../../../../components/charts/use-chart-colors.ts';
import classes from '../../../../components/page/figures.module.css';
import { formatCount } from '../../../../lib/format/format.ts';
import { DosageFigures } from './dosage-figures.tsx';
import { HistogramFigure } from './histogram-figure.tsx';
import { LdDecayFigure } from './ld-decay-figure.tsx';
import { MarkerClassesFigure } from './marker-classes.tsx';

const MIDDLE = 280;

function HardyWeinbergCaption(props: { hwe: NonNullable<GenotypeQcBody['hwe']>; isOfPolyploids: boolean }) {
  const { hwe, isOfPolyploids } = props;
  const { t } = useTranslation();
  const counts = t(isOfPolyploids ? 'files.qc.hweOfPolyploids' : 'files.qc.hweCaption', {
    below: formatCount(hwe.below_1e_6),
    tested: formatCount(hwe.tested),
    fewer: formatCount(hwe.fewer_heterozygotes),
    more: formatCount(hwe.more_heterozygotes),
  });
  return hwe.is_inbred_panel ? `${counts} ${t('files.qc.hweInbred')}` : counts;
}

export function MarkerFigures({ file, qc }: { file: FileDetail; qc: GenotypeQcBody }) {
  const { t } = useTranslation();
  const colors = useChartColors();
  const density = useMemo(
    () =>
      densityOption(
        qc.contigs.map((contig) => ({ name: contig.name, lengthBp: contig.length_bp, counts: contig.density })),
        { x: t('word.positionMb') },
        colors,
      ),
    [qc, colors, t],
  );
  const markers = t('word.markers');
  return (
    <>
      <div className={classes.figures}>
        <HistogramFigure
          title={t('files.qc.markerCallRate')}
          x={t('files.qc.callRate')}
          y={markers}
          histogram={qc.marker_call_rate}
          fileName={`${file.name} marker call rate`}
        />
        <HistogramFigure
          title={t('files.qc.maf')}
          x="MAF"
          y={markers}
          histogram={qc.marker_maf}
          fileName={`${file.name} MAF`}
        />
        <HistogramFigure
          title={t('files.qc.markerHeterozygosity')}
          x={t('files.qc.heterozygosity')}
          y={markers}
          histogram={qc.marker_heterozygosity}
          fileName={`${file.name} marker heterozygosity`}
        />
      </div>
      <div className={classes.figures}>
        <DosageFigures file={file} qc={qc} height={MIDDLE} />
        {qc.hwe && (qc.ploidy === undefined || qc.hwe.tested > 0) && (
          <HistogramFigure
            title={t('files.qc.hwe')}
            height={MIDDLE}
            caption={<HardyWeinbergCaption hwe={qc.hwe} isOfPolyploids={qc.ploidy !== undefined} />}
            x="−log₁₀ p"
            y={markers}
            histogram={qc.hwe.neg_log10_p}
            fileName={`${file.name} HWE`}
          />
        )}
        {qc.ld_decay && <LdDecayFigure file={file} decay={qc.ld_decay} height={MIDDLE} />}
        {!qc.ploidies && <MarkerClassesFigure file={file} height={MIDDLE} />}
      </div>
      <Figure
        title={t('files.qc.density')}
        caption={t('files.qc.densityCaption')}
        label={t('files.qc.density')}
        option={density}
        height={Math.max(160, 60 + qc.contigs.length * 18)}
        renderer="canvas"
        fileName={`${file.name} marker density`}
        table={{
          head: [t('word.chromosome'), markers, t('files.qc.lengthBp')],
          rows: qc.contigs.map((contig) => [contig.name, contig.markers, contig.length_bp]),
          format: formatCount,
        }}
      />
    </>
  );
}
