import { PREDICTION_OPTIONS } from '@heterosis/contracts/options/predictions';
import type { Exclusions } from '@heterosis/contracts/work/exclusions';
import type { ModelDetail } from '@heterosis/contracts/work/models';
import type { createPredictionBody, PredictionDetail } from '@heterosis/contracts/work/predictions';
import type * as z from 'zod';
import {
  type ChosenFile,
  exclusionsBody,
  exclusionValues,
  optionBody,
  optionsKept,
  optionValues,
} from '../run-dialog/index.ts';

/** The fields have the names of the request, so that what the server complains of lands on them. */
export type PredictionValues = ReturnType<typeof predictionValues>;

/** Values to begin with: the usual ones, or those of a prediction that is made again with changes. */
export function predictionValues(source: PredictionDetail | undefined, name: string) {
  const parameters = source?.provenance.parameters;
  return {
    name,
    // Undefined: the model that the dialog was opened for.
    model_id: (source?.model ?? undefined) as ChosenFile | undefined,
    // Undefined: the genotype that the model was trained on.
    genotype_id: (source?.genotype ?? undefined) as ChosenFile | undefined,
    phenotype_id: (source?.phenotype ?? undefined) as ChosenFile | undefined,
    // Predict although the genotype has few of the model's markers.
    anyway: false,
    exclusions: exclusionValues(parameters?.['exclusions'] as Exclusions | undefined),
    ...optionValues(PREDICTION_OPTIONS, parameters),
    kept: optionsKept(PREDICTION_OPTIONS, parameters),
  };
}

/** Records of one trait say something of another where the traits were fitted together, without fixed effects. */
export const takesKnownRecords = (model: ModelDetail | undefined): boolean => {
  if (model === undefined || model.multi_trait === null) return false;
  const { covariates = [], fixed = 0 } = model.provenance.parameters;
  return covariates.length === 0 && fixed === 0;
};

/** What the request holds. `isSparse`: the genotype has too few markers of the model. */
export function predictionBody(
  {
    name,
    model_id: model,
    genotype_id: genotype,
    phenotype_id: phenotype,
    anyway,
    exclusions,
    kept,
    ...options
  }: PredictionValues,
  { isSparse, takesRecords }: { isSparse: boolean; takesRecords: boolean },
): z.input<typeof createPredictionBody> {
  return {
    ...kept,
    ...optionBody(PREDICTION_OPTIONS, options),
    name,
    model_id: model?.id ?? '',
    ...(genotype ? { genotype_id: genotype.id } : {}),
    ...(phenotype && takesRecords ? { phenotype_id: phenotype.id } : {}),
    ...exclusionsBody(exclusions),
    ...(isSparse && anyway ? { min_marker_share: 0 } : {}),
  };
}
