import type { PedigreeTable } from '@heterosis/file-formats/tables/pedigree/pedigree-table';
import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import { type Matrix, selectRowsAndColumns } from '@heterosis/statgen/linear-algebra';
import { type Inbreeding, inbreedingOf } from '@heterosis/statgen/pedigree/inbreeding';
import { inverseRelationships, type SparseSymmetric } from '@heterosis/statgen/pedigree/inverse-relationships';
import { createPedigree, type Pedigree } from '@heterosis/statgen/pedigree/pedigree';
import { type PolyploidModel, polyploidRelationships } from '@heterosis/statgen/pedigree/polyploid-relationships';
import { relationshipsAmong, relationshipsTimes } from '@heterosis/statgen/pedigree/relationships';
import { AnalysisError } from '../context.ts';

/** A pedigree with what follows for single individuals; arrays by position in the table. */
export interface PedigreeFigures {
  pedigree: Pedigree;
  inbreeding: Inbreeding;
  /** F. */
  coefficients: Float64Array;
  /** Longest way down from a founder. */
  generation: Int32Array;
  /** Mean coancestry with all individuals of the pedigree, itself included. */
  meanCoancestry: Float64Array;
}

/** Inbreeding, generations and mean coancestries of a pedigree. O(n) besides the inbreeding. */
export function pedigreeFigures(table: Pick<PedigreeTable, 'maternal' | 'paternal' | 'selfings'>): PedigreeFigures {
  const pedigree = createPedigree(table);
  const inbreeding = inbreedingOf(pedigree);
  const n = pedigree.size;
  const relationship = relationshipsTimes(pedigree, inbreeding, new Float64Array(n).fill(1 / Math.max(1, n)));
  return {
    pedigree,
    inbreeding,
    coefficients: Float64Array.from(pedigree.place, (k) => inbreeding.coefficients[k]),
    generation: Int32Array.from(pedigree.place, (k) => pedigree.generation[k]),
    meanCoancestry: Float64Array.from(pedigree.place, (k) => 0.5 * relationship[k]),
  };
}

/** The pedigree as CSV with id,female,male,selfings,generation,inbreeding,mean_coancestry. */
export function inbreedingCsv(
  table: PedigreeTable,
  figures: Pick<PedigreeFigures, 'generation' | 'coefficients' | 'meanCoancestry'>,
): Iterable<string> {
  const { names, maternal, paternal, selfings } = table;
  const header = ['id', 'female', 'male', 'selfings', 'generation', 'inbreeding', 'mean_coancestry'];
  function* rows() {
    for (const [i, name] of names.entries()) {
      const selfed = selfings[i] === Number.POSITIVE_INFINITY ? 'inbred' : selfings[i] < 0 ? 'clone' : selfings[i];
      yield [
        ...[name, maternal[i] < 0 ? '' : names[maternal[i]], paternal[i] < 0 ? '' : names[paternal[i]]],
        ...[selfed, figures.generation[i], figures.coefficients[i], figures.meanCoancestry[i]],
      ];
    }
  }
  return csvChunks(header, rows());
}

/** A matrix of all pairs beyond this many individuals would take more than 800 MB. */
const MOST_RELATED = 10_000;

/**
 * Additive relationships of chosen individuals.
 *
 * @param chosen names; all individuals when undefined
 * @throws AnalysisError `pedigree/not-in-pedigree`, `pedigree/too-many-individuals`
 */
export function relationshipsOf(
  table: PedigreeTable,
  { pedigree, inbreeding }: PedigreeFigures,
  chosen?: readonly string[],
): { individuals: string[]; matrix: Matrix } {
  const individuals = [...(chosen ?? table.names)];
  requireFew(individuals.length, `Name at most ${MOST_RELATED} individuals, or use the sparse inverse.`);
  const rows = rowsOfNames(individuals, table.names, 'The pedigree has');
  const places = rows.map((row) => pedigree.place[row]);
  return { individuals, matrix: relationshipsAmong(pedigree, inbreeding, places) };
}

/** Relationships by pedigree of plants with several copies of each chromosome; arrays by position in the table. */
export interface PolyploidFigures {
  generation: Int32Array;
  coefficients: Float64Array;
  /** Mean coancestry with all individuals of the pedigree, itself included. */
  meanCoancestry: Float64Array;
  /** n × n, in the order of the table. */
  relationships: Matrix;
}

/**
 * Relationships, inbreeding and mean coancestries of a pedigree of polyploids, see `polyploidRelationships`. O(n²).
 *
 * @throws AnalysisError `pedigree/too-many-individuals`
 */
export function polyploidFigures(table: PedigreeTable, model: PolyploidModel): PolyploidFigures {
  requireFew(table.names.length, 'Take the part of the pedigree that matters.');
  const pedigree = createPedigree(table);
  const { matrix, inbreeding } = polyploidRelationships(pedigree, pedigree.place, model);
  const n = table.names.length;
  const meanCoancestry = Float64Array.from({ length: n }, (_, i) => {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += matrix.data[j + i * n];
    return sum / (n * model.ploidy);
  });
  return {
    generation: Int32Array.from(pedigree.place, (k) => pedigree.generation[k]),
    coefficients: inbreeding,
    meanCoancestry,
    relationships: matrix,
  };
}

/** The relationships of chosen individuals; as {@link relationshipsOf}. */
export function polyploidRelationshipsOf(
  table: PedigreeTable,
  { relationships }: PolyploidFigures,
  chosen?: readonly string[],
): { individuals: string[]; matrix: Matrix } {
  const individuals = [...(chosen ?? table.names)];
  const rows = rowsOfNames(individuals, table.names, 'The pedigree has');
  return { individuals, matrix: selectRowsAndColumns(relationships, rows, rows) };
}

function requireFew(count: number, suggestion: string): void {
  if (count <= MOST_RELATED) return;
  throw new AnalysisError(
    'pedigree/too-many-individuals',
    `The relationships of ${count} individuals do not fit in memory.`,
    suggestion,
  );
}

/**
 * Places of names in a list.
 *
 * @param where what has the list, for the message: `The pedigree has`
 * @throws AnalysisError `pedigree/not-in-pedigree`
 */
export function rowsOfNames(names: readonly string[], list: readonly string[], where: string): Int32Array {
  const rowOf = new Map(list.map((name, row) => [name, row]));
  return Int32Array.from(names, (name) => {
    const row = rowOf.get(name);
    if (row !== undefined) return row;
    throw new AnalysisError(
      'pedigree/not-in-pedigree',
      `${where} no individual "${name}".`,
      'Write its name as in the file.',
    );
  });
}

/**
 * The sparse A⁻¹ as CSV, lower triangle: row,column,value by name. Individuals that others determine have no row in it;
 * see `inverseRelationships`.
 */
export function inverseCsv(
  table: PedigreeTable,
  { pedigree, inbreeding }: PedigreeFigures,
): { csv: Iterable<string>; leftOut: number } {
  const { basis, inverse } = inverseRelationships(pedigree, inbreeding);
  const names = Array.from(basis, (place) => table.names[pedigree.original[place]]);
  return {
    csv: csvChunks(['row', 'column', 'value'], sparseRows(inverse, names)),
    leftOut: pedigree.size - basis.length,
  };
}

function* sparseRows(
  { order, starts, rows, values }: SparseSymmetric,
  names: readonly string[],
): Generator<(string | number)[]> {
  for (let j = 0; j < order; j++) {
    for (let at = starts[j]; at < starts[j + 1]; at++) yield [names[rows[at]], names[j], values[at]];
  }
}
