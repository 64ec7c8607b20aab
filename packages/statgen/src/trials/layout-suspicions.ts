import { fitTrial, type TrialFit, trialLogLikelihood } from './fit-trial.ts';
import { type TrialPlots, usedPlots } from './trial-plots.ts';

/** Something in the map of a trial that the values contradict. */
export type LayoutSuspicion =
  | { kind: 'map'; change: MapChange; gain: number }
  | { kind: 'swap'; plots: [number, number]; gain: number };

/** How the lines would have to be moved over the field. */
export type MapChange =
  | 'rows-reversed'
  | 'columns-reversed'
  | 'turned'
  | 'rows-and-columns-exchanged'
  | 'serpentine-rows'
  | 'serpentine-columns';

export interface LayoutCheck {
  suspicions: LayoutSuspicion[];
  /** Why the values cannot say anything about the map; null when they can. */
  reason: string | null;
}

/** Gain of log-likelihood from which a changed map is reported: e⁷ ≈ 1,100 times as likely, among six. */
const MAP_GAIN = 7;
/** Gain above the logarithm of the number of pairs compared from which a swap is reported. */
const SWAP_GAIN = 3;
const MOST_SWAPS = 5;

/**
 * Asks the restricted likelihood whether the lines stand where the map says: the model of random lines, rows and
 * columns is fitted again with the lines moved as they would be when the map were reversed, turned, filled row by row
 * instead of column by column, or walked in serpentines; and with the lines of two plots exchanged, for the pairs whose
 * values would gain most when swapped. Only lines with several plots can speak.
 */
export function checkLayout(plots: TrialPlots): LayoutCheck {
  const used = usedPlots(plots);
  if (plots.places === null) return { suspicions: [], reason: 'the plots have no common rows and columns' };
  const counts = new Int32Array(plots.lines.length);
  for (const plot of used) counts[plots.line[plot]]++;
  if (counts.every((count) => count < 2)) return { suspicions: [], reason: 'no line has two plots' };
  const moved = (line: Int32Array): TrialPlots => {
    return { ...plots, line, fixed: [], random: [], covariates: [], checks: null };
  };
  const choice = { model: 'rowcol', lines: 'random' } as const;
  const likelihoodOf = (line: Int32Array): number => trialLogLikelihood(moved(line), choice);
  const base = fitTrial(moved(plots.line), choice);
  if ((base.variances['lines']?.value ?? 0) === 0) {
    const suspicions = movedMaps(plots, likelihoodOf, base.logLikelihood);
    return { suspicions, reason: suspicions.length > 0 ? null : 'the lines do not differ' };
  }
  return {
    suspicions: [...movedMaps(plots, likelihoodOf, base.logLikelihood), ...swaps(plots, base, likelihoodOf)],
    reason: null,
  };
}

function movedMaps(plots: TrialPlots, likelihoodOf: (line: Int32Array) => number, before: number): LayoutSuspicion[] {
  const found: LayoutSuspicion[] = [];
  for (const { change, from } of mapChanges(plots)) {
    const line = Int32Array.from(from, (plot) => plots.line[plot]);
    if (line.every((value, plot) => value === plots.line[plot])) continue;
    const gain = likelihoodOf(line) - before;
    if (gain > MAP_GAIN) found.push({ kind: 'map', change, gain });
  }
  return found.sort((a, b) => b.gain - a.gain).slice(0, 1);
}

/** For each change of the map, the plot from which each plot would take its line. */
function mapChanges({ places, line }: TrialPlots): { change: MapChange; from: Int32Array }[] {
  if (places === null) return [];
  const { rows, columns } = places;
  const n = line.length;
  const plotAt = new Map(Array.from({ length: n }, (_, plot) => [`${rows[plot]} ${columns[plot]}`, plot]));
  const mirror = (values: Float64Array) => {
    const sum = Math.min(...values) + Math.max(...values);
    return (value: number) => sum - value;
  };
  const [overRows, overColumns] = [mirror(rows), mirror(columns)];
  const same = (value: number) => value;
  const changes: { change: MapChange; from: Int32Array }[] = [];
  const reflect = (change: MapChange, row: (value: number) => number, column: (value: number) => number) => {
    const from = Array.from({ length: n }, (_, plot) => plotAt.get(`${row(rows[plot])} ${column(columns[plot])}`));
    if (from.every((plot) => plot !== undefined)) changes.push({ change, from: Int32Array.from(from) });
  };
  reflect('rows-reversed', overRows, same);
  reflect('columns-reversed', same, overColumns);
  reflect('turned', overRows, overColumns);
  // The k-th plot of one walk over the field takes the line of the k-th plot of another.
  const walk = (outer: Float64Array, inner: Float64Array, serpentine: boolean): number[] => {
    const order = [...new Set(outer)].sort((a, b) => a - b);
    const turn = new Map(order.map((value, i) => [value, serpentine && i % 2 === 1 ? -1 : 1]));
    return [...line.keys()].sort((a, b) => outer[a] - outer[b] || (inner[a] - inner[b]) * (turn.get(outer[a]) ?? 1));
  };
  const reorder = (change: MapChange, to: number[], by: number[]) => {
    const from = new Int32Array(n);
    to.forEach((plot, k) => {
      from[plot] = by[k];
    });
    changes.push({ change, from });
  };
  const byRow = walk(rows, columns, false);
  const byColumn = walk(columns, rows, false);
  reorder('rows-and-columns-exchanged', byRow, byColumn);
  reorder('rows-and-columns-exchanged', byColumn, byRow);
  reorder('serpentine-rows', byRow, walk(rows, columns, true));
  reorder('serpentine-columns', byColumn, walk(columns, rows, true));
  return changes;
}

interface Pair {
  plots: [number, number];
  estimate: number;
  threshold: number;
}

function swaps(plots: TrialPlots, base: TrialFit, likelihoodOf: (line: Int32Array) => number): LayoutSuspicion[] {
  const found: LayoutSuspicion[] = [];
  for (const {
    plots: [a, b],
    threshold,
  } of likelySwaps(plots, base)) {
    const line = plots.line.slice();
    line[a] = plots.line[b];
    line[b] = plots.line[a];
    const gain = likelihoodOf(line) - base.logLikelihood;
    if (gain > threshold) found.push({ kind: 'swap', plots: [Math.min(a, b), Math.max(a, b)], gain });
  }
  return found.sort((a, b) => b.gain - a.gain);
}

/**
 * Disjoint pairs whose likelihood would gain most when their values were swapped, at the parameters found and without
 * the covariance of the two residuals.
 */
function likelySwaps(plots: TrialPlots, { used, py, projectionDiagonal }: TrialFit): Pair[] {
  const { places, line, values } = plots;
  if (places === null) return [];
  const n = used.length;
  const farThreshold = Math.log((n * (n - 1)) / 2) + SWAP_GAIN;
  const nearThreshold = Math.log(4 * n) + SWAP_GAIN;
  const pairs: Pair[] = [];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const [a, b] = [used[i], used[j]];
      if (line[a] === line[b]) continue;
      const difference = values[b] - values[a];
      const estimate =
        -difference * (py[i] - py[j]) - 0.5 * difference ** 2 * (projectionDiagonal[i] + projectionDiagonal[j]);
      if (estimate < nearThreshold / 2) continue;
      const distance = Math.abs(places.rows[a] - places.rows[b]) + Math.abs(places.columns[a] - places.columns[b]);
      const threshold = distance <= 1 ? nearThreshold : farThreshold;
      if (estimate > threshold / 2) pairs.push({ plots: [a, b], estimate, threshold });
    }
  }
  pairs.sort((one, other) => other.estimate - other.threshold - (one.estimate - one.threshold));
  const taken = new Set<number>();
  return pairs.filter(({ plots: [a, b] }) => {
    if (taken.has(a) || taken.has(b) || taken.size >= 2 * MOST_SWAPS) return false;
    taken.add(a).add(b);
    return true;
  });
}
