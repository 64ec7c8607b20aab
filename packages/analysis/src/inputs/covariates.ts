import { trigramSimilarity } from '@heterosis/file-formats/names/trigram-index';
import type { GroupColumn, PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import type { CovariateUse } from '@heterosis/statgen/association/add-covariates';
import { MINIMUM_INDIVIDUALS } from '@heterosis/statgen/mixed-model/fit-reml';
import { AnalysisError } from '../context.ts';
import { type AlignedTrait, type NameMatching, phenotypeRows } from './align-phenotype.ts';
import { type CodeLike, looksLikeCode } from './looks-like-code.ts';

/** `numeric`: one regression coefficient. `factor`: one effect for each group except the first. */
export type CovariateKind = 'numeric' | 'factor';

/**
 * A column of the phenotype file to use as covariate. By default numbers are numeric, words and design columns
 * factors.
 */
export interface CovariateChoice {
  name: string;
  kind?: CovariateKind | undefined;
}

/** A covariate by its name in the table, and how it enters the model. */
export interface Covariate {
  name: string;
  kind: CovariateKind;
}

/**
 * The columns of a phenotype table requested as covariates, each once, by their names in the table; ignores case. A
 * column of numbers can be a factor: its numbers are then codes, each naming a group.
 *
 * @throws AnalysisError `gwas/unknown-covariate`, `gwas/covariate-is-trait`, `gwas/covariate-varies`,
 * `gwas/too-many-groups`,
 *   `gwas/covariate-not-numeric`
 */
export function requireCovariates(
  phenotype: PhenotypeTable,
  choices: readonly (string | CovariateChoice)[],
  traits: readonly string[],
): Covariate[] {
  const found = new Map<string, Covariate>();
  for (const choice of choices) {
    const { name, kind, groups } = resolveCovariate(phenotype, choice);
    if (groups !== null) requireGroups(groups);
    if (traits.some((trait) => sameName(trait, name))) {
      throw new AnalysisError(
        'gwas/covariate-is-trait',
        `"${name}" cannot be a trait and a covariate at once.`,
        'Leave it out of the traits or out of the covariates.',
        { covariate: name },
      );
    }
    if (!found.has(name)) found.set(name, { name, kind });
  }
  return [...found.values()];
}

/** A numeric covariate whose numbers look like group codes. */
export interface CodeLikeCovariate extends CodeLike {
  name: string;
}

/** Covariates taken as numeric by default whose numbers look like codes (see `looksLikeCode`). */
export function codeLikeCovariates(
  phenotype: PhenotypeTable,
  choices: readonly (string | CovariateChoice)[],
): CodeLikeCovariate[] {
  return choices.flatMap((choice) => {
    const { name, values, kind } = resolveCovariate(phenotype, choice);
    const isChosen = typeof choice !== 'string' && choice.kind !== undefined;
    const code = isChosen || kind === 'factor' || values === null ? null : looksLikeCode(values);
    return code === null ? [] : [{ name, ...code }];
  });
}

/** Columns of numbers that look like group codes; the user is asked about them when choosing covariates. */
export function codeLikeColumns(phenotype: PhenotypeTable): string[] {
  const numeric = phenotype.traits.filter(({ kind }) => kind === 'numeric').map(({ name }) => name);
  return codeLikeCovariates(phenotype, numeric).map(({ name }) => name);
}

/** Group columns worth offering as covariates: at least two groups, with at least two individuals each on average. */
export function groupCovariates({ groups }: PhenotypeTable): string[] {
  return groups.flatMap(({ name, groups: { length }, codes }) => {
    const known = codes.reduce((count, code) => count + Number(code >= 0), 0);
    return length > 1 && known >= 2 * length ? [name] : [];
  });
}

/** A column as it enters the model; either `values` or `groups` is null. */
interface ResolvedCovariate extends Covariate {
  values: Float64Array | null;
  groups: GroupColumn | null;
}

/** @throws AnalysisError `gwas/unknown-covariate`, `gwas/covariate-not-numeric`, `gwas/covariate-varies` */
function resolveCovariate(phenotype: PhenotypeTable, choice: string | CovariateChoice): ResolvedCovariate {
  const { name, kind }: CovariateChoice = typeof choice === 'string' ? { name: choice } : choice;
  const found = findColumn(phenotype, name);
  if (found === null) throw unknownCovariate(phenotype, name);
  if (found.groups !== null && kind === 'numeric') {
    throw new AnalysisError(
      'gwas/covariate-not-numeric',
      `The covariate "${found.name}" holds words, not numbers.`,
      'Take it as a factor, or replace its words with numbers.',
      { covariate: found.name },
    );
  }
  if (found.groups !== null) return { ...found, kind: 'factor' };
  if (kind !== 'factor') return { ...found, kind: 'numeric' };
  return { name: found.name, kind, values: null, groups: groupsOfNumbers(phenotype, found) };
}

type FoundColumn = Omit<ResolvedCovariate, 'kind'>;

function findColumn({ traits, values, groups }: PhenotypeTable, name: string): FoundColumn | null {
  const numeric = traits.flatMap((trait, index): FoundColumn[] =>
    trait.kind === 'numeric' ? [{ name: trait.name, values: values[index] ?? null, groups: null }] : [],
  );
  const candidates = [
    ...numeric,
    ...groups.map((column): FoundColumn => ({ name: column.name, values: null, groups: column })),
  ];
  return (
    candidates.find((candidate) => candidate.name === name) ??
    candidates.find((candidate) => sameName(candidate.name, name)) ??
    null
  );
}

/** With more distinct numbers than this, a column is a measurement. */
const MAX_GROUPS = 1000;

/** Each number of a column as a group, in ascending order. */
function groupsOfNumbers({ traits, reductions, individuals }: PhenotypeTable, column: FoundColumn): GroupColumn {
  const index = traits.findIndex((trait) => trait.name === column.name);
  const isReduced = reductions[index] !== 'as given';
  // The mean of a code over the rows of an individual equals the code up to rounding, unless the rows differ.
  const values = Float64Array.from(column.values ?? [], (value) =>
    isReduced && Math.abs(value - Math.round(value)) < 1e-6 ? Math.round(value) : value,
  );
  const odd = isReduced ? values.findIndex((value) => !Number.isNaN(value) && !Number.isInteger(value)) : -1;
  if (odd >= 0) {
    throw new AnalysisError(
      'gwas/covariate-varies',
      `The covariate "${column.name}" has different numbers in the rows of "${individuals[odd]}".`,
      'Give all rows of an individual the same code, or leave the covariate out.',
      { covariate: column.name, individual: individuals[odd] ?? '' },
    );
  }
  const levels = [...new Set(values)].filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  const hasTooMany = levels.length > MAX_GROUPS;
  const placeOf = new Map(levels.map((level, place) => [level, place]));
  return {
    name: column.name,
    origin: 'trait',
    groups: hasTooMany ? [] : levels.map(String),
    codes: hasTooMany ? new Int32Array(0) : Int32Array.from(values, (value) => placeOf.get(value) ?? -1),
    conflict: null,
    hasTooMany,
  };
}

function unknownCovariate(phenotype: PhenotypeTable, name: string): AnalysisError {
  const possible = [
    ...phenotype.traits.flatMap((trait) => (trait.kind === 'numeric' ? [trait.name] : [])),
    ...groupCovariates(phenotype),
  ];
  const nearest = nearestName(name, possible);
  return new AnalysisError(
    'gwas/unknown-covariate',
    `The phenotype file has no column "${name}" to take as covariate.`,
    `${nearest === null ? '' : `Did you mean "${nearest}"? `}Its columns are ${listed(possible)}.`,
    { covariate: name },
  );
}

function requireGroups({ name, origin, conflict, hasTooMany }: GroupColumn): void {
  if (conflict !== null) {
    const [one, other] = conflict.groups;
    throw new AnalysisError(
      'gwas/covariate-varies',
      `The covariate "${name}" puts "${conflict.individual}" into two groups, "${one}" and "${other}".`,
      origin === 'design'
        ? 'Leave it out: repeated rows are adjusted for their environment and replicate when the file is read.'
        : 'Give all rows of an individual the same group, or leave the covariate out.',
      { covariate: name, individual: conflict.individual },
    );
  }
  if (hasTooMany) {
    throw new AnalysisError(
      'gwas/too-many-groups',
      `The covariate "${name}" has more than ${groupedNumber(MAX_GROUPS)} different values.`,
      'Choose a column with few groups; names, dates and notes are no covariates.',
      { covariate: name },
    );
  }
}

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Names less similar than this are not suggested; lower than for individuals, because column names are short. */
const NEAR = 0.3;

/** The most similar name; null if none is close. */
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

/** Values of a covariate for the individuals of a genotype. */
export interface AlignedCovariate {
  name: string;
  /** Null for a column of numbers. */
  groups: readonly string[] | null;
  /**
   * One entry per genotyped individual, in panel order: its number, or the index of its group in `groups`; NaN =
   * missing.
   */
  values: Float64Array;
  /** Counts of a marker, which belong to the genetic value. */
  isGenetic?: boolean;
}

/**
 * Values of covariates of a phenotype table for the individuals of a genotype.
 *
 * @param choices result of {@link requireCovariates}
 * @throws AnalysisError `match/nothing-in-common`, and those of {@link requireCovariates}
 */
export function alignCovariates(
  samples: readonly string[],
  phenotype: PhenotypeTable,
  choices: readonly (string | CovariateChoice)[],
  matching: NameMatching = {},
): AlignedCovariate[] {
  if (choices.length === 0) return [];
  const rows = phenotypeRows(samples, phenotype, matching);
  return choices.map((choice) => {
    const { name, values, groups } = resolveCovariate(phenotype, choice);
    const valueOf = (row: number): number => {
      if (row < 0) return Number.NaN;
      if (groups === null) return values?.[row] ?? Number.NaN;
      const code = groups.codes[row] ?? -1;
      return code < 0 ? Number.NaN : code;
    };
    return { name, groups: groups?.groups ?? null, values: Float64Array.from(rows, valueOf) };
  });
}

/** Positions of the individuals with the trait and every covariate, and the number of those with the trait only. */
export function observedPositions(
  trait: AlignedTrait,
  covariates: readonly AlignedCovariate[],
): { positions: Int32Array; withoutCovariate: number } {
  const { values } = trait;
  const withTrait = Int32Array.from(values.keys()).filter((i) => !Number.isNaN(values[i]));
  const positions = withTrait.filter((i) => covariates.every((covariate) => !Number.isNaN(covariate.values[i])));
  return { positions, withoutCovariate: withTrait.length - positions.length };
}

/** A covariate among the individuals analysed. */
export interface AnalysedCovariate {
  name: string;
  /** Its groups with their individuals, the reference first; empty groups are dropped. Null for numbers. */
  groups: { name: string; n: number }[] | null;
  /** A marker that the tests are conditioned on. */
  isMarker?: true;
}

/**
 * Covariates of some individuals as columns, individuals × columns, column-major. Groups are coded against the first
 * group as reference (treatment coding): one 0/1 column for each other group. The choice of reference changes no
 * marker test, because columns and intercept span the same space.
 */
export function covariateColumns(
  covariates: readonly AlignedCovariate[],
  individuals: Int32Array,
): { matrix: { rows: number; columns: number; data: Float64Array }; analysed: AnalysedCovariate[] } {
  const rows = individuals.length;
  const columns: Float64Array[] = [];
  const analysed = covariates.map(({ name, groups, values }): AnalysedCovariate => {
    const chosen = Float64Array.from(individuals, (i) => values[i] ?? Number.NaN);
    if (groups === null) {
      columns.push(chosen);
      return { name, groups: null };
    }
    const present = groups.flatMap((group, place) => {
      const n = chosen.reduce((count, value) => count + Number(value === place), 0);
      return n === 0 ? [] : [{ name: group, n, place }];
    });
    for (const { place } of present.slice(1)) columns.push(chosen.map((value) => Number(value === place)));
    return { name, groups: present.map(({ name: group, n }) => ({ name: group, n })) };
  });
  const data = new Float64Array(rows * columns.length);
  for (const [k, column] of columns.entries()) data.set(column, k * rows);
  return { matrix: { rows, columns: columns.length, data }, analysed };
}

/**
 * Refuses groups that leave too few degrees of freedom for the variances and the marker.
 *
 * @param otherEffects fixed effects besides the covariates
 * @throws AnalysisError `gwas/too-many-groups`
 */
export function requireFewGroups(analysed: readonly AnalysedCovariate[], n: number, otherEffects: number): void {
  const grouped = analysed.flatMap(({ name, groups }) => (groups === null ? [] : [{ name, groups }]));
  if (grouped.length === 0) return;
  const effects = analysed.reduce(
    (sum, { groups }) => sum + (groups === null ? 1 : Math.max(0, groups.length - 1)),
    otherEffects,
  );
  // Below the minimum of any analysis, that reason takes precedence.
  if (n < MINIMUM_INDIVIDUALS || n - effects >= MINIMUM_INDIVIDUALS) return;
  const named = grouped.map(({ name, groups }) => `"${name}" (${groups.length} groups)`).join(', ');
  throw new AnalysisError(
    'gwas/too-many-groups',
    `With ${named} there are ${effects} fixed effects for ${n} individuals.`,
    `At least ${MINIMUM_INDIVIDUALS} individuals more than fixed effects are needed: put small groups together, or leave the covariate out.`,
    { n, fixed: effects, covariates: grouped.map(({ name }) => name) },
  );
}

/** Outcome for a covariate. */
export interface CovariateSummary {
  name: string;
  /** For groups: `explained` when all of them are, `constant` when all individuals are in one. */
  use: CovariateUse;
  /** For groups only. */
  groups?: {
    /** Groups with individuals. */
    count: number;
    /** The reference group. */
    reference: string;
    /** Groups of one individual: the group effect fits it exactly, so it carries no information on markers. */
    alone: string[];
    /** Groups that are linear combinations of preceding terms of the model. */
    explained: string[];
  };
}

/** @param uses one per column of {@link covariateColumns} */
export function summarizeCovariates(
  analysed: readonly AnalysedCovariate[],
  uses: readonly CovariateUse[],
): CovariateSummary[] {
  let column = 0;
  return analysed.map(({ name, groups }): CovariateSummary => {
    if (groups === null) return { name, use: uses[column++] ?? 'constant' };
    const [reference, ...others] = groups;
    const explained = others.flatMap((group) => (uses[column++] === 'explained' ? [group.name] : []));
    return {
      name,
      use: others.length === 0 ? 'constant' : explained.length === others.length ? 'explained' : 'used',
      groups: {
        count: groups.length,
        reference: reference?.name ?? '',
        alone: groups.flatMap((group) => (group.n === 1 ? [group.name] : [])),
        explained,
      },
    };
  });
}
