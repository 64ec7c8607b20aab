import { decayOption } from '@heterosis/charts/decay';
import type { FileDetail } from '@heterosis/contracts/data/files';
import type { LdDecayBody } from '@heterosis/contracts/data/files-qc';
import { NativeSelect } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../../components/charts/figure.tsx';
import { useChartColors } from '../../../../components/charts/use-chart-colors.ts';
import { formatCount, formatStatistic } from '../../../../lib/format/format.ts';

const LOW_R2 = 0.2;

/** Mean r² of markers by their distance, of all chromosomes or of one, with the curve of Hill and Weir. */
export function LdDecayFigure({ file, decay, height }: { file: FileDetail; decay: LdDecayBody; height: number }) {
  const { t } = useTranslation();
  const colors = useChartColors();
  const [chromosome, setChromosome] = useState('');
  const curve = decay.chromosomes.find(({ name }) => name === chromosome) ?? decay;
  const { bins, fit, mean } = curve;
  const formatDistance = (value: number): string => distanceText(value, decay.unit);
  const option = useMemo(
    () =>
      decayOption(
        bins.map((bin) => [bin.distance, bin.r2]),
        fit === null ? [] : bins.map((bin, k) => [bin.distance, fit.r2[k] ?? 0]),
        {
          x: t('word.distance'),
          y: t('files.qc.meanR2'),
          fit: t('files.qc.fittedR2'),
          threshold: { value: LOW_R2, label: 'r² = 0.2' },
          formatDistance: (value) => distanceText(value, decay.unit),
          format: formatStatistic,
        },
        colors,
      ),
    [bins, fit, decay.unit, colors, t],
  );
  const at = (distance: number | null | undefined): string =>
    distance == null ? t('files.qc.notReached') : formatDistance(distance);
  // Where the markers are far apart; it then never crosses the line.
  const isBelow = mean.r2_02_distance == null && (bins[0]?.r2 ?? 1) < LOW_R2;
  const sentences = [
    t(isBelow ? 'files.qc.decayBelow' : 'files.qc.decayMean', {
      low: at(mean.r2_02_distance),
      half: at(mean.half_distance),
    }),
    fit === null
      ? t('files.qc.decayNoFit')
      : t('files.qc.decayFit', { low: at(fit.r2_02_distance), half: at(fit.half_distance) }),
    t(
      decay.pairs < decay.of_pairs || decay.markers < decay.of_markers ? 'files.qc.decaySampled' : 'files.qc.decayAll',
      {
        pairs: formatCount(decay.pairs),
        ofPairs: formatCount(decay.of_pairs),
        markers: formatCount(decay.markers),
        ofMarkers: formatCount(decay.of_markers),
      },
    ),
  ];
  return (
    <Figure
      title={t('files.qc.decay')}
      label={t('files.qc.decay')}
      caption={sentences.join(' ')}
      option={option}
      height={height}
      fileName={`${file.name} LD decay${chromosome === '' ? '' : ` ${chromosome}`}`}
      tools={
        decay.chromosomes.length > 1 && (
          <NativeSelect
            size="xs"
            maw="16rem"
            aria-label={t('word.chromosome')}
            value={chromosome}
            onChange={(event) => setChromosome(event.currentTarget.value)}
            data={[
              { value: '', label: t('word.allChromosomes') },
              ...decay.chromosomes.map(({ name }) => ({
                value: name,
                label: t('files.qc.chromosomeNamed', { name }),
              })),
            ]}
          />
        )
      }
      table={{
        head: [
          `${t('word.distance')} ≥ (${decay.unit})`,
          `< (${decay.unit})`,
          t('files.qc.pairs'),
          `${t('files.qc.meanDistance')} (${decay.unit})`,
          t('files.qc.meanR2'),
          t('files.qc.fittedR2'),
        ],
        rows: bins.map((bin, k) => [bin.from, bin.to, bin.pairs, bin.distance, bin.r2, fit?.r2[k] ?? null]),
        format: formatStatistic,
      }}
    />
  );
}

/** `340 bp`, `12.5 kb`, `1.2 Mb`, `0.5 cM`: a distance to three digits at most. */
function distanceText(value: number, unit: LdDecayBody['unit']): string {
  const short = (number: number): string => String(Number(number.toPrecision(3)));
  if (unit === 'cM') return `${short(value)} cM`;
  if (value >= 1e6) return `${short(value / 1e6)} Mb`;
  return value >= 1e3 ? `${short(value / 1e3)} kb` : `${short(value)} bp`;
}
