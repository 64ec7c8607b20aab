import {
  evaluateKernels,
  type KernelEvaluation,
  type KernelModel,
} from '@heterosis/analysis/prediction/evaluation/evaluate-kernels';
import type { EvaluateInput } from '@heterosis/analysis/prediction/evaluation/evaluate-model';
import type { ChainLengths } from '@heterosis/analysis/prediction/sampling/chains';
import { MODEL_OPTIONS } from '@heterosis/contracts/options/models';
import type { ComputeContext } from '../../../../platform/compute/compute.ts';
import { type Compared, comparedModels, type ModelOnFolds } from './compared-models.ts';

/** Models beside the one that is trained, the simplest first. */
export const comparedModelsOf = (trained: KernelModel, others: readonly string[]): KernelModel[] =>
  MODEL_OPTIONS.compared_models.choices.filter((model) => model === trained || others.includes(model));

/** Evaluates models of each trait on the same folds; a trait that cannot be evaluated is absent. */
export async function modelsOnFolds(
  input: EvaluateInput & { models: readonly KernelModel[]; lengths: ChainLengths },
  context: ComputeContext,
): Promise<Map<string, Compared>> {
  const { evaluations } = await evaluateKernels(input, overParts(context, input.models.length * input.traits.length));
  const byTrait = Map.groupBy(evaluations, ({ trait }) => trait);
  return new Map([...byTrait].map(([trait, own]) => [trait, comparedModels(trait, own.map(onFolds))]));
}

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
