import { classNames, dosageClassesOption } from '@heterosis/charts/dosage-classes';
import type { FileDetail } from '@heterosis/contracts/data/files';
import type { MarkerClasses } from '@heterosis/contracts/data/files-qc';
import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../../components/charts/figure.tsx';
import { useChartColors } from '../../../../components/charts/use-chart-colors.ts';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../../components/page/loading.tsx';
import { formatCount, formatStatistic } from '../../../../lib/format/format.ts';
import { markerClassesQuery } from '../files.api.ts';
import classes from './marker-classes.module.css';

/** The classes of one marker, which is asked for by its name, beside those of random mating. */
export function MarkerClassesFigure({ file, height }: { file: FileDetail; height: number }) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [marker, setMarker] = useState('');
  const query = useQuery({ ...markerClassesQuery(file.project_id, file.id, marker), enabled: marker !== '' });
  return (
    <div>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          setMarker(name.trim());
        }}
      >
        <TextInput
          label={t('files.qc.classesOfMarker')}
          description={t('files.qc.classesOfMarkerHint')}
          value={name}
          maxLength={255}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={name.trim() === ''}>
          {t('files.qc.showMarker')}
        </Button>
      </form>
      {query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {marker !== '' && query.isPending && <SkeletonLines lines={4} />}
      {query.data && <Classes file={file} marker={query.data} height={height} />}
    </div>
  );
}

function Classes({ file, marker, height }: { file: FileDetail; marker: MarkerClasses; height: number }) {
  const { t } = useTranslation();
  const colors = useChartColors();
  const { ploidy, counts, expected, expected_with_double_reduction: doubled } = marker;
  const labels = {
    x: t('files.qc.dosageClass'),
    y: t('files.qc.plants'),
    expected: t(doubled === null ? 'files.qc.expectedShare' : 'files.qc.expectedDoubled'),
    format: formatStatistic,
  };
  const bars = useMemo(
    () =>
      classNames(ploidy).map((name, copies) => ({
        ...{ name, count: counts[copies] ?? 0, expected: (doubled ?? expected)[copies] ?? 0 },
      })),
    [ploidy, counts, expected, doubled],
  );
  const option = useMemo(() => dosageClassesOption(bars, labels, colors), [bars, colors, t]);
  const title = t('files.qc.classesOf', { marker: marker.id });
  return (
    <Figure
      title={title}
      caption={[
        t('files.qc.classesOfCaption', {
          place: `${marker.chromosome}:${formatCount(marker.position_bp)}`,
          alleles: `${marker.a1}/${marker.a2}`,
          missing: formatCount(marker.missing),
        }),
        ...(doubled === null || !marker.double_reduction
          ? []
          : [t('files.qc.classesDoubled', { value: formatStatistic(marker.double_reduction) })]),
        ...(marker.neg_log10_p === null
          ? [t('files.qc.oneAllele')]
          : [
              t(ploidy === 2 ? 'files.qc.randomMating' : 'files.qc.randomMatingOfBivalents', {
                value: formatStatistic(marker.neg_log10_p),
              }),
            ]),
      ].join(' ')}
      label={title}
      option={option}
      height={height}
      fileName={`${file.name} ${marker.id}`}
      table={{
        head: [
          ...[labels.x, t('files.qc.copies'), t('files.qc.plants'), t('files.qc.expectedShare')],
          ...(doubled === null ? [] : [t('files.qc.expectedDoubled')]),
        ],
        rows: bars.map(({ name, count }, copies) => [
          ...[name, copies, count, expected[copies] ?? 0],
          ...(doubled === null ? [] : [doubled[copies] ?? 0]),
        ]),
        format: (value) => (Number.isInteger(value) ? formatCount(value) : formatStatistic(value)),
      }}
    />
  );
}
