import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { createCandidateReliability } from '@heterosis/statgen/genomic-prediction/candidate-reliability';
import { multiplyVector, selectRowsAndColumns, setComputeThreads } from '@heterosis/statgen/linear-algebra';
import type { AnalysisContext } from '../../context.ts';
import type { MarkerMatch } from '../../inputs/match-markers.ts';
import {
  kinshipParts,
  observedIn,
  reliabilityModel,
  trainingGenotype,
  trainingPanel,
} from '../candidates/candidate-reliability.ts';
import type { TrainedModel } from '../trained-model.ts';
import { type FittedKernel, fittedKernel, type KernelFit } from './kernel-models.ts';

/** By the individuals predicted. */
export interface KernelPrediction {
  /** Without intercept and markers with fixed effects. */
  values: Float64Array;
  reliability: Float64Array;
  /** Prediction error variances, without that of the mean. */
  pev: Float64Array;
}

/**
 * Values of any individuals by the kernel of a model, and their reliabilities, from the genotypes of the training.
 * Markers that individuals lack, and missing calls, count as the training mean.
 *
 * @param match markers of the model in the panel
 * @returns one a fit
 * @throws AnalysisError `predictions/training-genotype`, `predictions/not-the-training-genotype`
 */
export async function predictByKernel(
  input: {
    model: TrainedModel;
    fits: readonly KernelFit[];
    training: GenotypePanel | undefined;
    panel: GenotypePanel;
    match: MarkerMatch;
  },
  context: AnalysisContext,
): Promise<KernelPrediction[]> {
  const { model, fits, panel, match } = input;
  setComputeThreads(context.threads);
  const training = trainingPanel(model, trainingGenotype(input, 'The kernel of this model needs the distances to'));
  const candidates = { panel, match, individuals: Int32Array.from(panel.samples.keys()) };
  const products = await kinshipParts({ model, observed: null, training, candidates }, context);
  const count = panel.samples.length;
  const predicted = fits.map((fit) => ({
    ...kernelOf(fit, fittedKernel(fit.kernel, products, model.individuals.length)),
    ...{ values: new Float64Array(count), reliability: new Float64Array(count), pev: new Float64Array(count) },
  }));
  for await (const { first, across, own } of products.chunks()) {
    const everyone = Int32Array.from({ length: own[0].length }, (_, i) => i);
    for (const { fit, seen, withOthers, reliabilityOf, ...into } of predicted) {
      const { additive } = fit.variance;
      const others = withOthers(across[0], own[0]);
      const kernel = selectRowsAndColumns(others.across, seen, everyone);
      const weights = Float64Array.from(seen, (i) => additive * fit.kernel.weights[i]);
      into.values.set(multiplyVector(kernel, weights, { transposeA: true }), first);
      const shares = reliabilityOf({ across: [kernel], own: [others.own] }, [0]);
      into.reliability.set(shares, first);
      into.pev.set(
        shares.map((share, j) => additive * others.own[j] * (1 - share)),
        first,
      );
    }
  }
  return predicted;
}

/** What a fit needs of its kernel, without the kernel among all. */
const kernelOf = (fit: KernelFit, { among, withOthers }: FittedKernel) => ({
  fit,
  seen: observedIn(fit),
  withOthers,
  reliabilityOf: createCandidateReliability(reliabilityModel(fit, [among])),
});
