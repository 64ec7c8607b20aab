import { PLAN_OPTIONS } from '@heterosis/contracts/options/crossing';
import type {
  CandidatesFrom,
  CrossingPlanDetail,
  createCrossingPlanBody,
} from '@heterosis/contracts/work/crossing-plans';
import type * as z from 'zod';
import { type ChosenFile, optionBody, optionsKept, optionValues } from '../run-dialog/index.ts';

/** The fields have the names of the request, so that what the server complains of lands on them. */
export type PlanValues = ReturnType<typeof planValues>;

/** Values to begin with: the usual ones, or those of a plan that is made again with changes. */
export function planValues(source: CrossingPlanDetail | undefined, name: string) {
  const parameters = source?.provenance.parameters;
  const candidates = parameters?.candidates ?? null;
  return {
    name,
    model_id: (source?.model ?? undefined) as ChosenFile | undefined,
    // Undefined: the genotype that the model was trained on.
    genotype_id: (source?.genotype ?? undefined) as ChosenFile | undefined,
    // Undefined: coancestries from the markers.
    pedigree_id: (source?.pedigree ?? undefined) as ChosenFile | undefined,
    // Undefined: distances from base pairs.
    linkage_map_id: (source?.linkage_map ?? undefined) as ChosenFile | undefined,
    crossing_table_id: (source?.crossing_table ?? undefined) as ChosenFile | undefined,
    // None: all of the model.
    traits: source?.traits ?? [],
    ...optionValues(PLAN_OPTIONS, parameters),
    // Who may be crossed, and the list that says so; null for everyone.
    candidates: (candidates && { list: '', names: candidates }) as { list: string; names: string[] } | null,
    kept: optionsKept(PLAN_OPTIONS, parameters),
  };
}

/** Only with a pedigree may candidates be without genotype. */
export const candidatesFromOf = ({
  pedigree_id,
  candidates_from,
}: Pick<PlanValues, 'pedigree_id' | 'candidates_from'>): CandidatesFrom =>
  pedigree_id === undefined ? 'genotype' : candidates_from;

/** Who of those with heterozygous calls without phase would be refused: the spread within crosses needs phase. */
export const unphasedCandidates = (
  values: Pick<PlanValues, 'pedigree_id' | 'candidates_from' | 'population' | 'candidates'>,
  unphased: readonly string[],
): readonly string[] => {
  if (candidatesFromOf(values) !== 'genotype' || values.population === '') return [];
  const named = values.candidates && new Set(values.candidates.names);
  return named === null ? unphased : unphased.filter((name) => named.has(name));
};

/**
 * What the request holds; a repeated plan keeps the settings that the dialog does not show.
 *
 * @param ofGenotype ploidy of the candidates, once it is known
 */
export function planBody(
  values: PlanValues,
  known: readonly string[],
  ofGenotype?: number,
): z.input<typeof createCrossingPlanBody> {
  const { genotype_id: genotype, linkage_map_id: map, crossing_table_id: made, kept } = values;
  const from = candidatesFromOf(values);
  const withMarkers = from === 'genotype';
  const ploidy = ofGenotype ?? 2;
  const isPedigreed = ploidy > 2 && values.pedigree_id !== undefined;
  const options = optionBody(PLAN_OPTIONS, {
    ...values,
    ...(ofGenotype === undefined || isPedigreed ? {} : { double_reduction: 0, founders: 'non-inbred' as const }),
  });
  // Until the traits of the model are known, what was chosen stays.
  const isKnown = (trait: string) => known.length === 0 || known.includes(trait);
  const of = (traits: readonly string[]) => traits.filter(isKnown);
  const ofRecord = (name: 'weights' | 'trait_accuracy') => {
    const entries = Object.entries((kept[name] ?? {}) as Record<string, number>).filter(([trait]) => isKnown(trait));
    return entries.length > 0 ? { [name]: Object.fromEntries(entries) } : {};
  };
  const traits = of(values.traits);
  return {
    ...kept,
    ...(Array.isArray(kept['kept_traits']) ? { kept_traits: of(kept['kept_traits']) } : {}),
    weights: {},
    trait_accuracy: {},
    ...ofRecord('weights'),
    ...ofRecord('trait_accuracy'),
    ...options,
    name: values.name,
    model_id: values.model_id?.id ?? '',
    candidates_from: from,
    ...(genotype && withMarkers ? { genotype_id: genotype.id } : {}),
    ...(values.pedigree_id ? { pedigree_id: values.pedigree_id.id } : {}),
    ...(map && withMarkers ? { linkage_map_id: map.id } : {}),
    // All tables hold the one, too.
    ...(made && !options.made_from.includes('crossing_tables') ? { crossing_table_id: made.id } : {}),
    ...(traits.length > 0 ? { traits } : {}),
    candidates: values.candidates?.names ?? null,
    low_traits: of(values.low_traits),
    population: !withMarkers ? null : ploidy === 2 || options.population === null ? options.population : 'F1',
  };
}
