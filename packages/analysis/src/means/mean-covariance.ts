import { normalizeName } from '@heterosis/file-formats/names/normalize-name';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import { type CsvValue, csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import { selectRowsAndColumns } from '@heterosis/statgen/linear-algebra';
import { type ErrorCovariance, packErrors, unpackErrors } from '@heterosis/statgen/mixed-model/whitening';
import { AnalysisError } from '../context.ts';
import type { TraitErrors, ValueErrors } from '../inputs/value-errors.ts';
import { COVARIANCE_COLUMNS } from '../trials/trial-tables.ts';

/** Ω of the means of a trait, as stored with a phenotype file that was made of them. */
export interface MeanCovariance {
  lines: string[];
  /** Lower triangle by columns; see `packErrors`. */
  covariance: Float64Array;
}

/**
 * Covariances as errors of the values of a phenotype file. Lines without a value in the file may be there.
 *
 * @param covariances by the name of the trait in the file
 * @throws AnalysisError `errors/of-plots`, `errors/not-in-covariance`
 */
export function errorsOfCovariances(
  phenotype: PhenotypeTable,
  covariances: ReadonlyMap<string, MeanCovariance>,
): ValueErrors {
  const traits = [...covariances].map(([trait, own]) => [trait, errorsOf(phenotype, trait, own)] as const);
  return { from: 'covariance', traits: new Map(traits) };
}

function errorsOf(phenotype: PhenotypeTable, trait: string, { lines, covariance }: MeanCovariance): TraitErrors {
  const column = phenotype.traits.findIndex(({ name }) => name === trait);
  if (phenotype.reductions[column] !== 'as given') {
    throw new AnalysisError(
      'errors/of-plots',
      `"${trait}" has several values a line, and the covariance is that of one mean a line.`,
      'Make the file from its trial analysis again.',
      { trait },
    );
  }
  const placeOf = new Map(lines.map((line, place) => [line, place]));
  const values = phenotype.values[column] ?? new Float64Array();
  const places = Int32Array.from(values, (value, row) =>
    Number.isNaN(value) ? -1 : (placeOf.get(phenotype.individuals[row] ?? '') ?? -1),
  );
  const without = places.findIndex((place, row) => place < 0 && !Number.isNaN(values[row]));
  if (without >= 0) {
    const individual = phenotype.individuals[without] ?? '';
    throw new AnalysisError(
      'errors/not-in-covariance',
      `${individual} has a value of "${trait}", and the covariance of the means has no such line.`,
      'Read the file as it was made, make it from its trial analysis again, or weigh by standard errors.',
      { trait, individual },
    );
  }
  return { places, covariance: unpackErrors(covariance, lines.length) };
}

/**
 * A covariance with other names of its lines. A line with a new name that another takes is left out: it was left out of
 * the file, whose names are settled one by one.
 *
 * @param renames by the normalised name
 */
export function renamedCovariance(
  { lines, covariance }: MeanCovariance,
  renames: ReadonlyMap<string, string>,
): MeanCovariance {
  const taken = new Set(renames.values());
  const names = lines.map((line) => renames.get(normalizeName(line)));
  const kept = [...lines.keys()].filter((place) => names[place] !== undefined || !taken.has(lines[place] ?? ''));
  const errors = unpackErrors(covariance, lines.length);
  return {
    lines: kept.map((place) => names[place] ?? lines[place] ?? ''),
    covariance: kept.length === lines.length ? covariance : packErrors(errorsAmong(errors, kept)),
  };
}

function errorsAmong(errors: ErrorCovariance, kept: readonly number[]): ErrorCovariance {
  if (errors instanceof Float64Array) return Float64Array.from(kept, (place) => errors[place] ?? Number.NaN);
  const places = Int32Array.from(kept);
  return selectRowsAndColumns(errors, places, places);
}

/** As `heterosis trial --covariance` writes it: a row a pair of lines, the lower triangle with the diagonal. */
export function meanCovarianceCsv(
  { environment, trait, withHeader }: { environment: string; trait: string; withHeader: boolean },
  { lines, covariance }: MeanCovariance,
): Generator<string> {
  const n = lines.length;
  return csvChunks(withHeader ? COVARIANCE_COLUMNS : null, rows());
  function* rows(): Generator<CsvValue[]> {
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++)
        yield [environment, trait, lines[i], lines[j], covariance[j * n - (j * (j - 1)) / 2 + i - j]];
  }
}
