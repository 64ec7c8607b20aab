import { trigramSimilarity } from '@heterosis/file-formats/names/trigram-index';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype-table';
import type { AlignedTrait } from './align-phenotype.ts';
import { AnalysisError } from './context.ts';

/**
 * The columns of a phenotype table that are meant as covariates, each once, by their names in the table; upper and lower case
 * may differ.
 *
 * @throws AnalysisError `gwas/unknown-covariate`, `gwas/text-covariate`, `gwas/covariate-is-trait`
 */
export function requireCovariates(
  phenotype: PhenotypeTable,
  names: readonly string[],
  traits: readonly string[],
): string[] {
  const found = names.map((name) => requireCovariate(phenotype, name));
  for (const covariate of found) {
    if (traits.some((trait) => sameName(trait, covariate))) {
      throw new AnalysisError(
        'gwas/covariate-is-trait',
        `"${covariate}" cannot be a trait and a covariate at once.`,
        'Leave it out of the traits or out of the covariates.',
        { covariate },
      );
    }
  }
  return [...new Set(found)];
}

function requireCovariate({ traits, shape }: PhenotypeTable, name: string): string {
  const column = traits.find((trait) => trait.name === name) ?? traits.find((trait) => sameName(trait.name, name));
  const numeric = traits.filter(({ kind }) => kind === 'numeric').map((trait) => trait.name);
  if (column === undefined) {
    const nearest = nearestName(name, numeric);
    throw new AnalysisError(
      'gwas/unknown-covariate',
      `The phenotype file has no column "${name}" to take as covariate.`,
      `${nearest === null ? '' : `Did you mean "${nearest}"? `}Its columns of numbers are ${listed(numeric)}.${shape === 'wide' ? '' : DESIGN_HINT}`,
      { covariate: name },
    );
  }
  if (column.kind === 'categorical') {
    throw new AnalysisError(
      'gwas/text-covariate',
      `The covariate "${column.name}" holds text, not numbers.`,
      'Write two classes as 0 and 1; for more classes make one column of 0 and 1 for each but one of them.',
      { covariate: column.name },
    );
  }
  return column.name;
}

const DESIGN_HINT =
  ' Design columns (year, location, block …) are not among them: repeated values are adjusted for the environment when they are read.';

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Names less similar than this are no help; lower than for individuals, because the names of columns are short. */
const NEAR = 0.3;

/** The name most like the one asked for; null when none is. */
function nearestName(asked: string, names: readonly string[]): string | null {
  let best: string | null = null;
  let similarity = NEAR;
  for (const name of names) {
    const of = trigramSimilarity(asked, name);
    if (of > similarity) [best, similarity] = [name, of];
  }
  return best;
}

const SHOWN_NAMES = 10;

const listed = (names: readonly string[]): string =>
  names.slice(0, SHOWN_NAMES).join(', ') + (names.length > SHOWN_NAMES ? ' …' : '');

/** Positions of the individuals that have the trait and every covariate, and how many have the trait only. */
export function observedPositions(
  trait: AlignedTrait,
  covariates: readonly AlignedTrait[],
): { positions: Int32Array; withoutCovariate: number } {
  const { values } = trait;
  const withTrait = Int32Array.from(values.keys()).filter((i) => !Number.isNaN(values[i]));
  const positions = withTrait.filter((i) => covariates.every((covariate) => !Number.isNaN(covariate.values[i])));
  return { positions, withoutCovariate: withTrait.length - positions.length };
}

/** Covariates of some individuals: individuals × covariates, column-major. */
export function covariateMatrix(
  covariates: readonly AlignedTrait[],
  individuals: Int32Array,
): { rows: number; columns: number; data: Float64Array } {
  const rows = individuals.length;
  const data = new Float64Array(rows * covariates.length);
  for (const [k, { values }] of covariates.entries()) {
    for (let i = 0; i < rows; i++) data[k * rows + i] = values[individuals[i]];
  }
  return { rows, columns: covariates.length, data };
}
