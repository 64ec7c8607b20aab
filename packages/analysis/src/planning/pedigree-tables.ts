import type { PedigreeTable } from '@heterosis/file-formats/tables/pedigree/pedigree-table';
import type { PlanTables } from '@heterosis/statgen/mating/plan-tables';
import { inbreedingOf } from '@heterosis/statgen/pedigree/inbreeding';
import { createPedigree } from '@heterosis/statgen/pedigree/pedigree';
import { relationshipsAmong } from '@heterosis/statgen/pedigree/relationships';
import { AnalysisError } from '../context.ts';
import { matchIndividuals } from '../inputs/match-names.ts';
import { type PolyploidDescent, polyploidModelOf, polyploidRelationships } from '../pedigree/polyploid-model.ts';
import type { TrainedModel } from '../prediction/trained-model.ts';
import { lowerTriangle, requirePlanSize } from './plan-tables.ts';

const SHOWN_NAMES = 5;

/** A pedigree from which coancestries follow, and how polyploids descend by it. */
export interface PlanPedigree extends PolyploidDescent {
  table: PedigreeTable;
}

/**
 * Twice the coancestries of candidates by pedigree, from all of their ancestors: of diploids additive relationships
 * (Colleau 2002), of plants of k copies 2/k times those of Kerr et al. 2012. Names are matched by the shared rule.
 *
 * @returns lower triangle with the diagonal by rows, in the order of the candidates
 * @throws AnalysisError `pedigree/not-in-pedigree`: a candidate without pedigree would count as related to nobody;
 * `pedigree/no-double-reduction`
 */
export function relationshipByPedigree(
  { table, ...descent }: PlanPedigree,
  candidates: readonly string[],
  ploidy = 2,
): Float64Array {
  const placeOf = placesIn(table, candidates);
  const missing = candidates.filter((name) => !placeOf.has(name));
  if (missing.length > 0)
    throw new AnalysisError('pedigree/not-in-pedigree', lackingCandidates(missing), ADD_TO_PEDIGREE);
  const pedigree = createPedigree(table);
  const places = Int32Array.from(candidates, (name) => pedigree.place[placeOf.get(name) ?? 0]);
  const model = polyploidModelOf(ploidy, descent);
  if (model === null) {
    const { data } = relationshipsAmong(pedigree, inbreedingOf(pedigree), places);
    return lowerTriangle(data, candidates.length);
  }
  const { matrix } = polyploidRelationships(pedigree, places, model);
  return lowerTriangle(matrix.data, candidates.length).map((value) => (2 * value) / ploidy);
}

/** What is wrong when the pedigree lacks these candidates. */
export function lackingCandidates(missing: readonly string[]): string {
  const rest = missing.length - SHOWN_NAMES;
  const names = missing.slice(0, SHOWN_NAMES).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  return `The pedigree lacks ${missing.length === 1 ? 'a candidate' : 'candidates'}: ${names}.`;
}

export const ADD_TO_PEDIGREE = 'Add a row for each, or leave them out of the candidates.';

/** Row of the pedigree of each name that it has. */
function placesIn({ names }: PedigreeTable, wanted: readonly string[]): Map<string, number> {
  const rowOf = new Map(names.map((name, row) => [name, row]));
  const { both } = matchIndividuals(wanted, names, { suggestionsPerName: 0 });
  return new Map(both.map(({ left, right }) => [left, rowOf.get(right) ?? 0]));
}

/** Individuals of a model with a breeding value of each of these traits, genotyped or not. */
export function candidatesOfModel(model: TrainedModel, traits: readonly string[]): string[] {
  const values = gebvsOf(model, traits);
  return model.individuals.filter((_, i) => values.every((gebv) => Number.isFinite(gebv[i])));
}

/**
 * What a plan needs of candidates without markers: their GEBVs from a single-step model, and their relationships by
 * pedigree. What segregates within their crosses is not known.
 *
 * @param candidates names of {@link candidatesOfModel}; null: all of them that the pedigree has
 * @throws AnalysisError `pedigree/not-in-pedigree`, `planning/too-many-candidates`, `planning/too-many-traits`
 */
export function planTablesOfModel(
  model: TrainedModel,
  traits: readonly string[],
  pedigree: PlanPedigree,
  candidates: readonly string[] | null,
): PlanTables {
  const names = candidates === null ? inPedigree(pedigree.table, candidatesOfModel(model, traits)) : [...candidates];
  requirePlanSize(traits.length, names.length, null);
  const rowOf = new Map(model.individuals.map((name, row) => [name, row]));
  const gebvs = gebvsOf(model, traits);
  const values = new Float64Array(names.length * traits.length);
  for (const [i, name] of names.entries()) {
    const row = rowOf.get(name);
    if (row === undefined) throw new RangeError(`not in the model: ${name}`);
    for (const [t, gebv] of gebvs.entries()) values[i * traits.length + t] = gebv[row];
  }
  return {
    ...{ candidates: names, traits: [...traits], values, covariances: null },
    relationship: relationshipByPedigree(pedigree, names, model.markers.ploidy),
  };
}

function inPedigree(table: PedigreeTable, names: readonly string[]): string[] {
  const placeOf = placesIn(table, names);
  return names.filter((name) => placeOf.has(name));
}

const gebvsOf = ({ traits }: TrainedModel, wanted: readonly string[]): Float64Array[] =>
  wanted.flatMap((name) =>
    traits.flatMap((trait) => (trait.name === name && trait.fit !== null ? [trait.fit.gebv] : [])),
  );
