import type { PedigreeTable } from '@heterosis/file-formats/tables/pedigree/pedigree-table';
import { pedigreeFigures } from './pedigree-figures.ts';

/** What the page of a pedigree file shows; field names of the API. */
export interface PedigreeSummary {
  kind: 'pedigree';
  individuals: number;
  founders: number;
  added_founders: number;
  added_crosses: number;
  generations: number[];
  one_parent: number;
  selfed: number;
  mean_inbreeding: number;
  mean_coancestry: number;
  inbreeding: { min: number; max: number; counts: number[] };
  most_inbred: { name: string; inbreeding: number; mean_coancestry: number }[];
}

const BINS = 20;
const MOST_LISTED = 100;

/** Figures of a pedigree: who founds it, its generations, inbreeding and coancestry. */
export function summarizePedigree(table: PedigreeTable): PedigreeSummary {
  const { names, maternal, paternal, origins } = table;
  const { coefficients, generation, meanCoancestry } = pedigreeFigures(table);
  const everybody = Array.from(names.keys());
  const count = (isCounted: (i: number) => boolean): number => everybody.filter(isCounted).length;
  const generations: number[] = [];
  const counts = Array.from({ length: BINS }, () => 0);
  for (const i of everybody) {
    generations[generation[i]] = (generations.at(generation[i]) ?? 0) + 1;
    counts[Math.min(BINS - 1, Math.floor(coefficients[i] * BINS))]++;
  }
  const mean = (values: Float64Array): number =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, names.length);
  return {
    kind: 'pedigree',
    individuals: names.length,
    founders: count((i) => maternal[i] < 0 && paternal[i] < 0),
    added_founders: count((i) => origins[i] === 'founder'),
    added_crosses: count((i) => origins[i] === 'cross'),
    generations,
    one_parent: count((i) => maternal[i] < 0 !== paternal[i] < 0),
    selfed: count((i) => maternal[i] >= 0 && maternal[i] === paternal[i]),
    mean_inbreeding: mean(coefficients),
    mean_coancestry: mean(meanCoancestry),
    inbreeding: { min: 0, max: 1, counts },
    most_inbred: everybody
      .filter((i) => coefficients[i] > 0 && coefficients[i] < 1)
      .sort((a, b) => coefficients[b] - coefficients[a] || a - b)
      .slice(0, MOST_LISTED)
      .map((i) => ({ name: names[i], inbreeding: coefficients[i], mean_coancestry: meanCoancestry[i] })),
  };
}
