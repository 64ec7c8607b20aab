import { refusedTogether } from '@heterosis/contracts/options/model-types';
import { MODEL_OPTIONS } from '@heterosis/contracts/options/models';
import type { createModelBody, ModelDetail } from '@heterosis/contracts/work/models';
import type { TFunction } from 'i18next';
import type * as z from 'zod';
import {
  type ChosenFile,
  type CovariateChoice,
  excludedBy,
  optionBody,
  optionsKept,
  optionValues,
  runInputValues,
  traitRunBody,
  traitRunValues,
  type WeightChoice,
} from '../run-dialog/index.ts';

/** The fields have the names of the request, so that what the server complains of lands on them. */
export type ModelValues = ReturnType<typeof modelValues>;

/** Values to begin with: the usual ones, or those of a model that is trained again, with `given` markers fixed. */
export function modelValues(source: ModelDetail | undefined, t: TFunction, given: readonly string[] = []) {
  const parameters = source?.provenance.parameters;
  const leaveOut = parameters?.leave_out;
  return {
    ...runInputValues(source, t),
    pedigree_id: (source?.pedigree ?? undefined) as ChosenFile | undefined,
    ...optionValues(MODEL_OPTIONS, {
      ...parameters,
      dominance_effect: source?.include_dominance_effects ?? undefined,
    }),
    ...traitRunValues(parameters),
    fixed_markers: [...new Set([...(parameters?.fixed_markers ?? []), ...given])],
    crossValidation: (leaveOut === undefined ? 'folds' : 'groups') as 'folds' | 'groups',
    leave_out: leaveOut ?? (null as string | null),
    kept: optionsKept(MODEL_OPTIONS, {
      ...parameters,
      // Its field is that of the covariates.
      covariate_kinds: undefined,
      seed: source?.provenance.seed,
    }),
  };
}

/** Whether these traits are as many as can be fitted together, more than six of them with factors. */
export const mayBeTogether = ({ length }: readonly string[]): boolean => refusedTogether(length, 1) === undefined;

/** Whether so many traits are fitted together only with factors, and none are given. */
export const needsFactors = (values: Pick<ModelValues, 'traits' | 'multi_trait' | 'genetic_factors'>): boolean =>
  values.multi_trait &&
  values.genetic_factors === '' &&
  mayBeTogether(values.traits) &&
  refusedTogether(values.traits.length, null) !== undefined;

const SAMPLED: readonly string[] = ['brr', 'bayescpi', 'bayesb', 'bayesr'];

/** Whether a model is sampled in chains. */
export const isSampled = (model: string): boolean => SAMPLED.includes(model.toLowerCase());

interface ChosenModel extends Record<string, unknown> {
  pedigree_id: unknown;
  weights: WeightChoice['weights'];
  model_type: ModelDetail['model_type'];
  ploidy: number;
}

/** Beside the additive relationships of the markers alone, whose effects are not sampled. */
export const mayFixMarkers = (values: Readonly<ChosenModel>): boolean =>
  values.pedigree_id === undefined &&
  (!mayChooseType(values) || !isSampled(values.model_type)) &&
  excludedBy(MODEL_OPTIONS, 'fixed_markers', values) === undefined;

/** By its markers, with the mean as the only fixed effect and unknown errors. */
const mayBe = (option: 'compared_models' | 'model_type', values: Readonly<ChosenModel>): boolean =>
  values.pedigree_id === undefined &&
  values.weights === 'none' &&
  excludedBy(MODEL_OPTIONS, option, values) === undefined;

export const mayBeCompared = (values: Readonly<ChosenModel>): boolean => mayBe('compared_models', values);
export const mayChooseType = (values: Readonly<ChosenModel>): boolean => mayBe('model_type', values);

type ModelBody = z.input<typeof createModelBody>;

/** What the request holds; columns that the chosen file does not have are left out. */
export function modelBody(
  values: ModelValues,
  renames: Pick<ModelBody, 'renames'>,
  {
    weighing,
    leaveOut,
    ploidy: ofGenotype,
    ...choice
  }: Pick<CovariateChoice, 'covariates' | 'kinds'> & {
    weighing: WeightChoice;
    leaveOut: string | null;
    ploidy?: number;
  },
): ModelBody {
  const ploidy = ofGenotype ?? 2;
  const chosen = {
    ...values,
    ...weighing,
    leave_out: leaveOut ?? undefined,
    multi_trait: values.multi_trait && mayBeTogether(values.traits),
    compared_models: values.compared_models.filter((model) => ploidy === 2 || !isSampled(model)),
    ploidy,
  };
  return {
    ...values.kept,
    ...optionBody(MODEL_OPTIONS, {
      ...chosen,
      ...(mayBeCompared(chosen) ? {} : { compared_models: [] }),
      ...(mayFixMarkers(chosen) ? {} : { fixed_markers: [] }),
      ...(mayChooseType(chosen) ? {} : { model_type: 'RRBLUP' }),
      ...(ofGenotype === undefined || (ploidy > 2 && values.pedigree_id !== undefined)
        ? {}
        : { double_reduction: 0, founders: 'non-inbred' }),
    }),
    ...traitRunBody(values, renames, choice),
    ...(values.pedigree_id === undefined ? {} : { pedigree_id: values.pedigree_id.id }),
    leave_out: leaveOut ?? undefined,
  };
}
