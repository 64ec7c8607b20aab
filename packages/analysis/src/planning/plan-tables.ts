import type { ProblemReport } from '@heterosis/file-formats/problem';
import { type LinkageMap, mapOfPositions } from '@heterosis/file-formats/tables/linkage-map/linkage-map';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import { geneticValue } from '@heterosis/statgen/crossing/crossing-genome';
import { pairCovariances } from '@heterosis/statgen/crossing/pair-covariances';
import type { Population } from '@heterosis/statgen/crossing/population';
import { hasPairMoments } from '@heterosis/statgen/crossing/rank-pairs';
import type { PlanTables } from '@heterosis/statgen/mating/plan-tables';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import type { CrossingEffects } from '../crossing/crossing-effects.ts';
import { type CrossReport, matchCrossing } from '../crossing/match-crossing.ts';
import type { ParentalHaplotypes } from '../crossing/parental-haplotypes.ts';

/** Most candidates of a plan: their two million pairs are held in memory, by the browser too. */
const MAX_CANDIDATES = 2000;
/** Most traits of an index: each pair of them has a covariance for every pair of candidates. */
const MAX_INDEX_TRAITS = 6;
/** Most numbers of within-cross covariances in all: 256 MB. */
const MAX_COVARIANCES = 64_000_000;

/** Candidates of a plan. */
export interface PlanTablesInput {
  effects: CrossingEffects;
  parents: ParentalHaplotypes;
  /** A linkage map, or base pairs per cM to make distances of positions. */
  map: LinkageMap | { bpPerCm: number };
  missingMapMarkers?: 'interpolate' | 'drop';
  /** What is grown from each cross; null leaves out the spread within crosses, and needs no phase. */
  population: Population | null;
  /** Twice their coancestries by pedigree, in place of those by markers; lower triangle by rows. */
  relationship?: Float64Array;
}

/**
 * Breeding values of the candidates, their relationship (VanRaden 2008, method 1, unless given) and the exact
 * covariances of the traits within the progeny of every pair. Breeding values and covariances are additive.
 *
 * @throws AnalysisError `planning/too-many-candidates`, `planning/too-many-traits`, `planning/backcross`,
 * `planning/no-variation`, and those of `matchCrossing`
 */
export function planTables(
  input: PlanTablesInput,
  context: AnalysisContext,
): { tables: PlanTables; report: CrossReport; mapReport: ProblemReport } {
  const { effects, parents, population } = input;
  requirePlanSize(effects.traits.length, parents.names.length, population);
  reportProgress(context, 'match', 0, 1);
  const map = 'bpPerCm' in input.map ? mapOfPositions(parents.markers, input.map.bpPerCm) : input.map;
  // Without dominance from the beginning: what markers that the genotype lacks add to a value is additive too.
  const traits = effects.traits.map((trait) => ({ ...trait, dominance: null }));
  const matched = matchCrossing({ ...input, effects: { ...effects, traits }, map });
  const relationship = input.relationship ?? relationshipByMarkers(parents, parents.names.length);
  const n = parents.names.length;
  const plants = parents.names.map((name) => matched.parentOf(name));
  const values = new Float64Array(n * traits.length);
  for (const [t, trait] of matched.traits.entries())
    for (const [i, plant] of plants.entries()) values[i * traits.length + t] = geneticValue(trait, plant);
  reportProgress(context, 'cross', 0, 1);
  const covariances = population === null ? null : pairCovariances(matched.genome, matched.traits, plants, population);
  reportProgress(context, 'cross', 1, 1);
  return {
    tables: {
      candidates: parents.names,
      traits: effects.traits.map(({ name }) => name),
      values,
      relationship,
      covariances,
      ...(effects.isTogether === true ? { isTogether: true } : {}),
    },
    report: matched.report,
    mapReport: matched.mapReport,
  };
}

/**
 * The lower triangle of the relationship of `candidates` plants.
 *
 * @throws AnalysisError `planning/no-variation`
 */
export function relationshipByMarkers(
  { kinship }: Pick<ParentalHaplotypes, 'kinship'>,
  candidates: number,
): Float64Array {
  if (kinship !== null) return lowerTriangle(kinship, candidates);
  throw new AnalysisError(
    'planning/no-variation',
    'No marker varies among the individuals of the genotype, so that it has no relationships.',
    'Choose a genotype with markers that vary.',
  );
}

/** The lower triangle of a symmetric n × n matrix with its diagonal, by rows. */
export function lowerTriangle(matrix: Float64Array, n: number): Float64Array {
  const triangle = new Float64Array((n * (n + 1)) / 2);
  for (let i = 0, at = 0; i < n; i++) for (let j = 0; j <= i; j++, at++) triangle[at] = matrix[i * n + j];
  return triangle;
}

/** @throws AnalysisError `planning/too-many-candidates`, `planning/too-many-traits`, `planning/backcross` */
export function requirePlanSize(traits: number, candidates: number, population: Population | null): void {
  if (candidates > MAX_CANDIDATES)
    throw new AnalysisError(
      'planning/too-many-candidates',
      `A plan has at most ${groupedNumber(MAX_CANDIDATES)} candidates, and these are ${groupedNumber(candidates)}.`,
      'Name the best of them as candidates.',
    );
  const pairs = ((traits * (traits + 1)) / 2) * ((candidates * (candidates - 1)) / 2);
  if (traits > MAX_INDEX_TRAITS || (population !== null && pairs > MAX_COVARIANCES))
    throw new AnalysisError(
      'planning/too-many-traits',
      `An index of ${traits} traits over ${groupedNumber(candidates)} candidates is too large.`,
      `Choose fewer traits (at most ${MAX_INDEX_TRAITS}) or fewer candidates.`,
    );
  if (population !== null && !hasPairMoments(population))
    throw new AnalysisError(
      'planning/backcross',
      `The two parents of ${population} are not alike, and a plan pairs parents that are.`,
      'Choose F1, F2 to F9, RIL or doubled haploids.',
    );
}
