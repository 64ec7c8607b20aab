import type { FileProblem } from '@heterosis/file-formats/problem';
import { type KinshipTable, readKinshipTable } from '@heterosis/file-formats/tables/kinship/read-kinship-table';
import { requirePositiveSemidefinite } from '@heterosis/statgen/kinship/positive-semidefinite';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import type { NameMatching } from './align-phenotype.ts';
import { openFileSource } from './byte-source.ts';
import { matchIndividuals } from './match-names.ts';
import { FileRefused } from './open-genotype.ts';

/** Reads a kinship file from disk, see `readKinshipTable`. Throws FileRefused with the problems of a bad file. */
export async function openKinship(
  path: string,
  context: AnalysisContext,
): Promise<{ table: KinshipTable; problems: readonly FileProblem[] }> {
  const source = await openFileSource(path);
  try {
    reportProgress(context, 'read', 0, source.size);
    const { table, report } = await readKinshipTable(source, context.signal);
    if (table === null) throw new FileRefused(path, report.problems);
    return { table, problems: report.problems };
  } finally {
    await source.close();
  }
}

/** A kinship from a file, matched to the individuals of a genotype. */
export interface AlignedKinship {
  table: KinshipTable;
  /** Table index of each genotyped individual, in panel order; −1 for those without kinships. */
  rows: Int32Array;
}

/**
 * Finds the individuals of a genotype in a kinship table, by the same rules as for a phenotype.
 *
 * @throws AnalysisError `match/nothing-in-common`
 */
export function alignKinship(
  samples: readonly string[],
  table: KinshipTable,
  { renames, catalogue }: NameMatching = {},
): AlignedKinship {
  const { both } = matchIndividuals(samples, table.individuals, {
    ...(renames === undefined ? {} : { renames }),
    ...(catalogue === undefined ? {} : { catalogue }),
    suggestionsPerName: 0,
  });
  if (both.length === 0) {
    throw new AnalysisError(
      'match/nothing-in-common',
      'The genotype and the kinship file have no individual in common.',
      'Choose the files of the same material, or write the names in both files in the same way.',
      { genotyped: samples.length, inKinship: table.individuals.length },
    );
  }
  const rowOf = new Map(table.individuals.map((name, row) => [name, row]));
  const partnerOf = new Map(both.map(({ left, right }) => [left, right]));
  return { table, rows: Int32Array.from(samples, (name) => rowOf.get(partnerOf.get(name) ?? '') ?? -1) };
}

/**
 * The kinship of some individuals, n × n, symmetric, usable as a covariance.
 *
 * @param individuals panel positions, all of them in the table
 * @returns the matrix, and the amount added to its diagonal to correct an eigenvalue made negative by rounding (0:
 * none)
 * @throws StatgenError `not-positive-semidefinite`
 */
export function kinshipAmong(
  { table, rows }: AlignedKinship,
  individuals: Int32Array,
): { kinship: { rows: number; columns: number; data: Float64Array }; addedToDiagonal: number } {
  const n = individuals.length;
  const size = table.individuals.length;
  const data = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    const row = rows[individuals[j]] * size;
    for (let i = 0; i < n; i++) data[j * n + i] = table.values[row + rows[individuals[i]]];
  }
  const kinship = { rows: n, columns: n, data };
  return { addedToDiagonal: requirePositiveSemidefinite(kinship), kinship };
}

/** Names of the genotyped individuals that are not in the kinship. */
export function withoutKinship(samples: readonly string[], { rows }: AlignedKinship): string[] {
  return samples.filter((_, i) => rows[i] < 0);
}
