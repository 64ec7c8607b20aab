import { adjustedMeans, type TraitObservations } from '@heterosis/file-formats/tables/phenotype/adjusted-means';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import type { LeftOutPart } from '@heterosis/statgen/genomic-prediction/cross-validate';
import { AnalysisError } from '../context.ts';
import { type NameMatching, phenotypeRows } from '../inputs/align-phenotype.ts';
import { alignCovariates, type Covariate, requireCovariates } from '../inputs/covariates.ts';

/** Leaves out the environments that the design of a phenotype file makes, instead of a column. */
export const ENVIRONMENT = 'environment';

/** Whether whole environments are meant, which needs the plots behind the means. */
export function leavesOutEnvironments({ groups }: Pick<PhenotypeTable, 'groups'>, column: string): boolean {
  // A column of this name with one value per individual groups individuals rather than plots.
  const isColumn = groups.some(({ name, conflict }) => sameName(name, ENVIRONMENT) && conflict === null);
  return sameName(column, ENVIRONMENT) && !isColumn;
}

/** The plots behind a phenotype table, see `PhenotypeReading`. */
export interface PlotData {
  /** One entry a trait of the table. */
  observations: readonly TraitObservations[];
  /** Names of the environments that the observations refer to. */
  environments: readonly string[];
}

/** Groups of individuals that are predicted from the others, one after the other. */
export interface LeftOutGroups {
  names: string[];
  /** By genotyped individual: 1 … names.length, 0 = takes no part. */
  folds: Int32Array;
}

/** More groups than this are names or measurements. */
const MOST_GROUPS = 1000;

/**
 * The column that is meant, by its name in the phenotype: words, or numbers of which each is a group.
 *
 * @throws AnalysisError `evaluation/group-varies`, `gwas/unknown-covariate`, `gwas/too-many-groups`
 */
export function requireGroupColumn(phenotype: PhenotypeTable, column: string): Covariate {
  const varying = phenotype.groups.find(({ name, conflict }) => sameName(name, column) && conflict !== null);
  if (varying?.conflict) {
    throw new AnalysisError(
      'evaluation/group-varies',
      `"${varying.name}" says different things of one individual: ${varying.conflict.individual} is in ${varying.conflict.groups.join(' and ')}.`,
      `Choose a column that says one thing of each individual, or leave out one environment after the other (${ENVIRONMENT}).`,
      { column: varying.name },
    );
  }
  const [found] = requireCovariates(phenotype, [column], []);
  return found;
}

/**
 * Groups of the individuals of a genotype by a column of the phenotype.
 *
 * @throws AnalysisError `evaluation/groups` and those of `requireGroupColumn`
 */
export function leftOutGroups(
  samples: readonly string[],
  phenotype: PhenotypeTable,
  column: string,
  matching: NameMatching,
): LeftOutGroups {
  const names = [requireGroupColumn(phenotype, column)];
  const [{ values, groups, name }] = alignCovariates(samples, phenotype, names, matching);
  const present = [...new Set(values)].filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  if (present.length < 2 || present.length > MOST_GROUPS) {
    throw new AnalysisError(
      'evaluation/groups',
      `"${name}" puts the genotyped individuals into ${present.length} groups.`,
      `Choose a column with 2 to ${MOST_GROUPS} groups, such as the family.`,
      { column: name, groups: present.length },
    );
  }
  const place = new Map(present.map((value, k) => [value, k + 1]));
  return {
    names: present.map((value) => groups?.[value] ?? String(value)),
    folds: Int32Array.from(values, (value) => place.get(value) ?? 0),
  };
}

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Environments that are left out, with what is learned from and what is predicted. */
export interface LeftOutEnvironments {
  names: string[];
  parts: LeftOutPart[];
}

/**
 * For each environment, the means of the individuals over the other environments, to learn from, and their means in
 * it, to be predicted: adjusted means of the observations of each part alone. An individual may be in both.
 *
 * @param trait place in the table
 * @param takesPart genotyped individuals with all covariates
 * @throws AnalysisError `evaluation/environments`
 */
export function leftOutEnvironments(
  samples: readonly string[],
  phenotype: PhenotypeTable,
  plots: PlotData,
  trait: number,
  takesPart: (individual: number) => boolean,
  matching: NameMatching,
): LeftOutEnvironments {
  const observations = plots.observations[trait];
  const environmentOf = (row: number): number => observations.cellEnvironment[observations.cell[row]];
  const present = new Set<number>();
  for (let row = 0; row < observations.value.length; row++) {
    if (!Number.isNaN(observations.value[row])) present.add(environmentOf(row));
  }
  if (present.size < 2) {
    throw new AnalysisError(
      'evaluation/environments',
      `The phenotype file has "${phenotype.traits[trait].name}" in ${present.size === 0 ? 'no environment' : 'one environment'}.`,
      'Leaving out environments needs a file with design columns (environment, location, year) and at least two of them.',
      { environments: present.size },
    );
  }
  const rows = phenotypeRows(samples, phenotype, matching);
  const meansOf = (isChosen: (environment: number) => boolean): Float64Array => {
    const value = Float64Array.from({ length: observations.value.length }, (_, row) =>
      isChosen(environmentOf(row)) ? observations.value[row] : Number.NaN,
    );
    const { values } = adjustedMeans({ ...observations, value });
    return Float64Array.from(rows, (row, i) => (row < 0 || !takesPart(i) ? Number.NaN : values[row]));
  };
  const environments = [...present].sort((a, b) => a - b);
  return {
    names: environments.map((environment) => plots.environments[environment] ?? String(environment)),
    parts: environments.map((environment) => ({
      train: meansOf((other) => other !== environment),
      test: meansOf((other) => other === environment),
    })),
  };
}
