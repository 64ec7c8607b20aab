import type { TrialPlots } from '@heterosis/contracts/work/trial-analyses';
import { formatStatistic } from '../format.ts';
import type { FieldPlaces } from './field-grid.ts';
import { amountRange, type FieldLayer } from './field-layers.ts';

/** What the first map shows. */
export type FirstLayer = 'value' | 'replicate' | 'block' | 'kind';
export type LayerName = FirstLayer | 'fitted' | 'trend' | 'residual';

/** The plots with a place in the field, as the maps number them. */
export interface PlacedPlots {
  /** Place of each in the answer. */
  plots: number[];
  places: FieldPlaces;
}

/** Plots without row or column are in the table only. */
export function placedPlots({ row, column, has_field }: TrialPlots): PlacedPlots {
  const isPlaced = (plot: number): boolean =>
    has_field && Number.isInteger(row[plot] ?? undefined) && Number.isInteger(column[plot] ?? undefined);
  const plots = row.flatMap((_, plot) => (isPlaced(plot) ? [plot] : []));
  return {
    plots,
    places: { row: plots.map((plot) => row[plot] ?? 0), column: plots.map((plot) => column[plot] ?? 0) },
  };
}

/** What the first map can show besides the values: what the design of this trial has. */
export function firstLayers({ replicate, block, kind }: TrialPlots): FirstLayer[] {
  const differ = (words: readonly (string | null)[]): boolean => new Set(words).size > 1;
  return [
    'value',
    ...(differ(replicate) ? (['replicate'] as const) : []),
    ...(differ(block) ? (['block'] as const) : []),
    ...(differ(kind) ? (['kind'] as const) : []),
  ];
}

type TitleOf = (layer: LayerName) => string;

/** The first map: the values, or what the design says of the plots. */
export function firstLayer(trial: TrialPlots, placed: PlacedPlots, first: FirstLayer, titleOf: TitleOf): FieldLayer {
  if (first === 'value') {
    const values = pick(placed, trial.value);
    return amount('value', titleOf, values, amountRange(values, false));
  }
  // Replicate and block belong together: block 1 of another replicate is another block.
  const groups = {
    replicate: trial.replicate,
    block: trial.block.map((block, plot) => {
      const replicate = trial.replicate[plot] ?? null;
      return block === null || replicate === null ? block : `${replicate} · ${block}`;
    }),
    kind: trial.kind,
  };
  return { kind: 'group', id: first, title: titleOf(first), groups: pick(placed, groups[first]) };
}

/**
 * The maps beside the first: fitted values on the scale of the values, trend and residuals around zero. A model without
 * a trend has no map of it.
 */
export function fittedLayers(trial: TrialPlots, placed: PlacedPlots, titleOf: TitleOf): FieldLayer[] {
  const [trend, residual] = [pick(placed, trial.trend), pick(placed, trial.residual)];
  const hasTrend = trend.some((one) => one !== null && one !== 0);
  return [
    amount('fitted', titleOf, pick(placed, trial.fitted), amountRange(pick(placed, trial.value), false)),
    ...(hasTrend ? [amount('trend', titleOf, trend, amountRange(trend, true))] : []),
    amount('residual', titleOf, residual, amountRange(residual, true)),
  ];
}

const pick = <Value>({ plots }: PlacedPlots, values: readonly Value[]): Value[] =>
  plots.map((plot) => values[plot] as Value);

const amount = (
  id: 'value' | 'fitted' | 'trend' | 'residual',
  titleOf: TitleOf,
  values: readonly (number | null)[],
  range: ReturnType<typeof amountRange>,
): FieldLayer => ({ kind: 'amount', id, title: titleOf(id), values, range, format: formatStatistic });
