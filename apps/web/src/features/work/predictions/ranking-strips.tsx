import { histogramOf } from '@heterosis/charts/distribution';
import { countsIn, histogramOption, histogramRows } from '@heterosis/charts/histogram';
import type { PredictionDetail } from '@heterosis/contracts/work/predictions';
import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../../../components/charts/figure.tsx';
import { FigureSkeleton } from '../../../components/charts/figure-skeleton.tsx';
import { useChartColors } from '../../../components/charts/use-chart-colors.ts';
import { IconX } from '../../../components/icons.tsx';
import { formatCount, formatStatistic } from '../../../lib/format/format.ts';
import { meanAndSd } from '../../../lib/format/mean-and-sd.ts';
import classes from './ranking.module.css';
import { INDEX, inRanges, type Ranges, type ResultRow, valueOf } from './ranking.ts';

const HEIGHT_PX = 120;
/** Strips beyond the index: those of more traits are too narrow to drag in. */
export const MOST_STRIPS = 4;

interface StripsProps {
  prediction: PredictionDetail;
  /** Undefined while they are read. */
  rows: readonly ResultRow[] | undefined;
  /** The values that have a strip: traits, and the index. */
  shown: readonly string[];
  labelOf: (id: string) => string;
  ranges: Ranges;
  onRanges: (ranges: Ranges) => void;
}

/** How the values lie, a strip each. Dragging over one keeps the lines between its ends in the table. */
export function RankingStrips(props: StripsProps) {
  const { rows, shown, labelOf, ranges, onRanges } = props;
  const { t } = useTranslation();
  if (rows === undefined)
    return (
      <div className={classes.strips}>
        {shown.map((id) => (
          <FigureSkeleton key={id} height={HEIGHT_PX} />
        ))}
      </div>
    );
  const without = (gone: string): Ranges => Object.fromEntries(Object.entries(ranges).filter(([id]) => id !== gone));
  return (
    <>
      <div className={classes.strips}>
        {shown.map((id) => (
          <Strip key={id} {...props} rows={rows} id={id} />
        ))}
      </div>
      {Object.keys(ranges).length > 0 && (
        <div className={classes.filters} role="status">
          {t('predictions.inRanges', {
            count: inRanges(rows, props.prediction.traits, ranges).length,
            total: formatCount(rows.length),
          })}
          {Object.entries(ranges).map(([id, [from, to]]) => (
            <Button
              key={id}
              size="compact-xs"
              variant="default"
              rightSection={<IconX size={12} />}
              aria-label={t('predictions.dropRange', { what: labelOf(id) })}
              onClick={() => onRanges(without(id))}
            >
              {`${labelOf(id)} ${formatStatistic(from)} – ${formatStatistic(to)}`}
            </Button>
          ))}
        </div>
      )}
    </>
  );
}

function Strip(props: Omit<StripsProps, 'rows'> & { rows: readonly ResultRow[]; id: string }) {
  const { prediction, rows, id, labelOf, ranges, onRanges } = props;
  const { traits } = prediction;
  const { t } = useTranslation();
  const colors = useChartColors();
  const values = useMemo(() => numbersOf(rows, traits, id), [rows, traits, id]);
  const histogram = useMemo(() => histogramOf(values), [values]);
  const isNarrowed = Object.keys(ranges).length > 0;
  const option = useMemo(() => {
    const kept = isNarrowed ? numbersOf(inRanges(rows, traits, ranges), traits, id) : [];
    const option = histogramOption(
      histogram,
      { x: '', y: '', format: formatStatistic },
      colors,
      countsIn(histogram, histogram.counts.length, kept),
    );
    return {
      ...option,
      grid: { left: 6, right: 6, top: 4, bottom: 22 },
      yAxis: { type: 'value', show: false, min: 0 },
    };
  }, [histogram, isNarrowed, rows, traits, ranges, id, colors]);
  const label = labelOf(id);
  const { mean: computed, sd } = meanAndSd(values);
  // That of the index is 0 but for rounding.
  const mean = id === INDEX && !traits.includes(INDEX) ? 0 : computed;
  return (
    <Figure
      title={label}
      label={t('predictions.stripLabel', {
        what: label,
        n: formatCount(values.length),
        mean: formatStatistic(mean),
        sd: formatStatistic(sd),
      })}
      option={option}
      height={HEIGHT_PX}
      onBrush={(from, to) => onRanges({ ...ranges, [id]: [from, to] })}
      fileName={`${prediction.name} ${id === INDEX ? INDEX : label} distribution`}
      pictureNote={`${prediction.name} · n = ${formatCount(values.length)} · ${formatStatistic(mean)} ± ${formatStatistic(sd)}`}
      table={{
        head: [t('word.from'), t('word.to'), t('word.individuals')],
        rows: histogramRows(histogram),
        format: formatStatistic,
      }}
    />
  );
}

const numbersOf = (rows: readonly ResultRow[], traits: readonly string[], id: string): number[] =>
  rows.flatMap((row) => valueOf(row, traits, id) ?? []);
