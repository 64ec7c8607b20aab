import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import type { CrossRow } from './cross-figures.ts';
import { progenyName } from './progeny-vcf.ts';

type Cell = string | number | null;

/** Columns of `crosses.csv`; new ones are added at the end. */
const COLUMNS: readonly (readonly [string, (row: CrossRow) => Cell])[] = [
  ['cross', (row) => row.cross],
  ['parent1', (row) => row.parent1],
  ['parent2', (row) => row.parent2],
  ['trait', (row) => row.trait],
  ['mean', (row) => row.mean],
  ['variance', (row) => row.variance],
  ['sd', (row) => row.sd],
  ['usefulness', (row) => row.usefulness],
  ['p_transgress', (row) => row.pTransgress],
  ['expected_best', (row) => row.expectedBest],
  ['sim_mean', (row) => row.simMean],
  ['sim_variance', (row) => row.simVariance],
  ['population', (row) => row.population],
  ['parent3', (row) => row.parent3],
  ['parent4', (row) => row.parent4],
  ['kinship', (row) => row.kinship],
  ['segregating_markers', (row) => row.segregatingMarkers],
];

/** The rows as CSV, one per cross and trait. */
export function crossesCsv(rows: readonly CrossRow[]): Iterable<string> {
  return csvChunks(
    COLUMNS.map(([name]) => name),
    crossCells(rows),
  );
}

function* crossCells(rows: readonly CrossRow[]): Generator<Cell[]> {
  for (const row of rows) yield COLUMNS.map(([, cellOf]) => cellOf(row));
}

/** Header of the progeny table: cross,id,value_T for each trait T. */
export function progenyHeader(traits: readonly string[]): string[] {
  return ['cross', 'id', ...traits.map((trait) => `value_${trait}`)];
}

/** Rows of the progeny table for the simulated values of one cross; individuals are named `CROSS-1`, `CROSS-2` … */
export function* progenyRows(cross: string, values: Float64Array, traits: number): Generator<(string | number)[]> {
  for (let i = 0; (i + 1) * traits <= values.length; i++) {
    yield [cross, progenyName(cross, i), ...values.subarray(i * traits, (i + 1) * traits)];
  }
}
