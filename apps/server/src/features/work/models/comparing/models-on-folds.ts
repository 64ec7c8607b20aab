import type { ErrorExtra } from '@heterosis/analysis/describe-error';
import { accuracyOf, heritabilityOfMeans } from '@heterosis/analysis/prediction/evaluation/accuracy-estimate';
import {
  evaluateKernels,
  type KernelEvaluation,
  type KernelModel,
} from '@heterosis/analysis/prediction/evaluation/evaluate-kernels';
import type {
  EvaluateInput,
  Evaluation,
  TraitEvaluation,
} from '@heterosis/analysis/prediction/evaluation/evaluate-model';
import { DISTANCE_KERNELS } from '@heterosis/analysis/prediction/kernels/kernel-models';
import type { ChainLengths } from '@heterosis/analysis/prediction/sampling/chains';
import { MODEL_OPTIONS } from '@heterosis/contracts/options/models';
import type { ComputeContext } from '../../../../platform/compute/compute.ts';
import { type Compared, comparedModels, type ModelOnFolds } from './compared-models.ts';

/** The model that is trained, GBLUP beside another one, and others that were asked for, the simplest first. */
export const comparedModelsOf = (trained: KernelModel, others: readonly string[]): KernelModel[] =>
  MODEL_OPTIONS.compared_models.choices.filter(
    (model) => model === trained || model === 'rrblup' || others.includes(model),
  );

interface OnFolds {
  /** A trait that cannot be evaluated is absent. */
  byTrait: Map<string, { evaluations: KernelEvaluation[]; compared: Compared }>;
  failed: { name: string; error: ErrorExtra }[];
}

/** Evaluates models of each trait on the same folds. */
export async function modelsOnFolds(
  input: EvaluateInput & { models: readonly KernelModel[]; lengths: ChainLengths },
  context: ComputeContext,
): Promise<OnFolds> {
  const parts = input.models.length * input.traits.length;
  const { evaluations: all, failed } = await evaluateKernels(input, overParts(context, parts));
  const byTrait = [...Map.groupBy(all, ({ trait }) => trait)].map(([trait, evaluations]) => {
    const compared = comparedModels(trait, evaluations.map(onFolds));
    return [trait, { evaluations, compared }] as const;
  });
  return { byTrait: new Map(byTrait), failed };
}

/** The evaluations of the model that was trained. */
export function evaluationsOf(
  trained: KernelModel,
  { byTrait, failed }: OnFolds,
  { traits, phenotype, cullisH2 }: EvaluateInput,
): (TraitEvaluation & { compared?: Compared })[] {
  return traits.map((name) => {
    // The analysis spells a trait as its file does.
    const isMeant = (other: string): boolean => other.toLowerCase() === name.toLowerCase();
    const found = [...byTrait].find(([trait]) => isMeant(trait));
    const own = found?.[1].evaluations.find(({ model }) => model === trained);
    if (found === undefined || own === undefined) {
      const error = failed.find((one) => isMeant(one.name))?.error;
      if (error === undefined) throw new TypeError(`the trait ${name} was not evaluated`);
      return { trait: name, evaluation: null, error };
    }
    const [trait, { compared }] = found;
    const entryMean = phenotype.h2[phenotype.traits.findIndex((column) => column.name === trait)];
    const h2 = heritabilityOfMeans({ cullis: cullisH2?.get(trait), entryMean });
    const evaluation = {
      ...own,
      withoutCovariate: 0,
      engine: engineOf(trained),
      hasFixedEffects: false,
      accuracy: accuracyOf(own.summary.pearson_r.mean, h2 === undefined || h2.h2 <= 0 ? null : h2),
    };
    return { trait, evaluation, error: null, compared };
  });
}

const engineOf = (model: KernelModel): Evaluation['engine'] =>
  DISTANCE_KERNELS.some((kernel) => kernel === model)
    ? { name: 'individuals', reason: 'The kernel is that of the individuals.' }
    : { name: 'markers', reason: 'The effects of the markers are sampled.' };

const onFolds = ({ bandwidth, chains, ...evaluation }: KernelEvaluation): ModelOnFolds => ({
  ...evaluation,
  scheme: 'cv1',
  ...(bandwidth === null ? {} : { bandwidth }),
  ...(chains === null ? {} : { folds_not_met: chains.notMet, r_hat: chains.rHat }),
});

/** The folds of each model and trait are one part of all. */
function overParts(context: ComputeContext, parts: number): ComputeContext {
  let before = 0;
  return {
    ...context,
    onProgress(progress) {
      if (progress.stage !== 'cross-validate') {
        context.onProgress(progress);
        return;
      }
      const { stage, done, total } = progress;
      context.onProgress({ stage, done: before + done, total: parts * total });
      if (done >= total) before += total;
    },
  };
}
