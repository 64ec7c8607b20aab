import type { Factorial } from '@heterosis/contracts/work/predictions';
import type { Heatmap } from '../heatmap.ts';

export type HybridValue = 'gebv' | 'genotypic';

export interface FactorialGrid extends Heatmap {
  min: number;
  max: number;
  hybrids: { name: string; female: string; male: string; value: number }[];
}

/** Females in rows, males in columns, each ordered by the mean of their hybrids: the best first, or the lowest. */
export function factorialGrid(
  { females, males, hybrids }: Factorial,
  { which, isLow }: { which: HybridValue; isLow: boolean },
): FactorialGrid {
  const known = hybrids.flatMap((hybrid) => {
    const value = hybrid[which];
    return value === null ? [] : [{ ...hybrid, value }];
  });
  const rows = byMean(females, known, 'female', isLow);
  const columns = byMean(males, known, 'male', isLow);
  const values: (number | null)[] = Array.from({ length: females.length * males.length }, () => null);
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const { female, male, value } of known) {
    values[(rows.place[female] ?? 0) * males.length + (columns.place[male] ?? 0)] = value;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return {
    rows: rows.names,
    columns: columns.names,
    values,
    min,
    max,
    hybrids: known.map(({ name, female, male, value }) => ({
      name,
      female: females[female] ?? '',
      male: males[male] ?? '',
      value,
    })),
  };
}

type Known = { female: number; male: number; value: number };

/** The names in their order, and the place that each has in it. */
function byMean(
  names: readonly string[],
  hybrids: readonly Known[],
  parent: 'female' | 'male',
  isLow: boolean,
): { names: string[]; place: number[] } {
  const sums = names.map(() => ({ sum: 0, count: 0 }));
  for (const hybrid of hybrids) {
    const one = sums[hybrid[parent]];
    if (one === undefined) continue;
    one.sum += hybrid.value;
    one.count++;
  }
  const merit = sums.map(({ sum, count }) => (count === 0 ? Number.NEGATIVE_INFINITY : (isLow ? -sum : sum) / count));
  const order = names.map((_, at) => at).sort((a, b) => (merit[b] ?? 0) - (merit[a] ?? 0) || a - b);
  const place: number[] = [];
  for (const [rank, at] of order.entries()) place[at] = rank;
  return { names: order.map((at) => names[at] ?? ''), place };
}
