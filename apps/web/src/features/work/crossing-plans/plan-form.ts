import { PLAN_OPTIONS } from '@heterosis/contracts/options/crossing';
import type {
  CandidatesFrom,
  CrossingPlanDetail,
  createCrossingPlanBody,
  MadeSource,
} from '@heterosis/contracts/work/crossing-plans';
import { type Population, population } from '@heterosis/contracts/work/crossing-simulations';
import type { TFunction } from 'i18next';
import type * as z from 'zod';
import { type FieldNumber, numberOf } from '../../../lib/form/field-number.ts';
import { numberError } from '../../../lib/form/form.ts';
import { type ChosenFile, limitsOf } from '../run-dialog/index.ts';

/** The fields have the names of the request, so that what the server complains of lands on them. */
export interface PlanValues extends Record<string, unknown> {
  name: string;
  model_id: { id: string; name: string } | undefined;
  /** Undefined: the genotype that the model was trained on. */
  genotype_id: ChosenFile | undefined;
  /** Undefined: coancestries from the markers. */
  pedigree_id: ChosenFile | undefined;
  /** Those of the genotype, or the individuals of a single-step model. */
  candidates_from: CandidatesFrom;
  /** Undefined: distances from base pairs. */
  linkage_map_id: ChosenFile | undefined;
  /** Where pairs already made are known from, beside one crossing table. */
  made_from: MadeSource[];
  crossing_table_id: ChosenFile | undefined;
  allow_made: boolean;
  /** None: all of the model. */
  traits: string[];
  low_traits: string[];
  /** Who may be crossed, and the list that says so; null for everyone. */
  candidates: { list: string; names: string[] } | null;
  crosses: FieldNumber;
  max_uses: FieldNumber;
  population: Population | '';
}

export const LIMITS = {
  crosses: limitsOf(PLAN_OPTIONS.crosses),
  max_uses: limitsOf(PLAN_OPTIONS.max_uses),
};

/** The two parents of a backcross are not alike, and a plan pairs parents that are. */
export const POPULATIONS: Population[] = population.options.filter((one) => !one.startsWith('BC'));

/** Values to begin with: the usual ones, or those of a plan that is made again with changes. */
export function planValues(source: CrossingPlanDetail | undefined, name: string): PlanValues {
  const parameters = source?.provenance.parameters;
  return {
    name,
    model_id: source?.model ?? undefined,
    genotype_id: source?.genotype ?? undefined,
    pedigree_id: source?.pedigree ?? undefined,
    candidates_from: parameters?.candidates_from ?? 'genotype',
    linkage_map_id: source?.linkage_map ?? undefined,
    made_from: parameters?.made_from ?? ['germplasm'],
    crossing_table_id: source?.crossing_table ?? undefined,
    allow_made: parameters?.allow_made ?? false,
    traits: source?.traits ?? [],
    low_traits: parameters?.low_traits ?? [],
    candidates: parameters?.candidates == null ? null : { list: '', names: parameters.candidates },
    crosses: parameters?.crosses ?? PLAN_OPTIONS.crosses.default,
    max_uses: parameters?.max_uses ?? PLAN_OPTIONS.max_uses.default,
    population: parameters === undefined ? 'DH' : (parameters.population ?? ''),
  };
}

/** Field → what is wrong with its number. */
export function planNumberErrors(
  t: TFunction,
  { crosses, max_uses }: Pick<PlanValues, 'crosses' | 'max_uses'>,
): Record<'crosses' | 'max_uses', string | undefined> {
  return {
    crosses: numberError(t, crosses, LIMITS.crosses),
    max_uses: numberError(t, max_uses, LIMITS.max_uses),
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

/** What the request holds; a repeated plan keeps the settings that the dialog does not show. */
export function planBody(
  values: PlanValues,
  known: readonly string[],
  source: CrossingPlanDetail | undefined,
): z.input<typeof createCrossingPlanBody> {
  const { genotype_id: genotype, linkage_map_id: map, crossing_table_id: made, made_from: madeFrom } = values;
  const withMarkers = candidatesFromOf(values) === 'genotype';
  const of = (traits: readonly string[]) => traits.filter((trait) => known.includes(trait));
  const traits = of(values.traits);
  const kept = source?.provenance.parameters;
  return {
    ...(kept === undefined
      ? {}
      : {
          index_method: kept.index_method,
          mates: kept.mates,
          cap: kept.cap,
          selected_fraction: kept.selected_fraction,
          accuracy: kept.accuracy,
        }),
    name: values.name,
    model_id: values.model_id?.id ?? '',
    candidates_from: candidatesFromOf(values),
    ...(genotype && withMarkers ? { genotype_id: genotype.id } : {}),
    ...(values.pedigree_id ? { pedigree_id: values.pedigree_id.id } : {}),
    ...(map && withMarkers
      ? { linkage_map_id: map.id }
      : { bp_per_cm: kept?.bp_per_cm ?? PLAN_OPTIONS.bp_per_cm.default }),
    // All tables hold the one, too.
    ...(made && !madeFrom.includes('crossing_tables') ? { crossing_table_id: made.id } : {}),
    made_from: madeFrom,
    allow_made: values.allow_made,
    ...(traits.length > 0 ? { traits } : {}),
    candidates: values.candidates?.names ?? null,
    low_traits: of(values.low_traits),
    crosses: numberOf(values.crosses),
    max_uses: numberOf(values.max_uses),
    population: values.population === '' || !withMarkers ? null : values.population,
  };
}
