import { ploidyOf } from '@heterosis/file-formats/genotype/panel/dosages';
import { createFixedDesign } from '@heterosis/statgen/genomic-prediction/fixed-effects';
import {
  averageKernel,
  centredKernel,
  centreOf,
  chooseBandwidth,
  gaussianKernel,
  type MarkerDistances,
  markerDistances,
} from '@heterosis/statgen/kernels/gaussian-kernel';
import type { KinshipResult } from '@heterosis/statgen/kinship/accumulate-kinship';
import { type Matrix, setComputeThreads } from '@heterosis/statgen/linear-algebra';
import { type AnalysisContext, reportProgress } from '../../context.ts';
import { describeError } from '../../describe-error.ts';
import { createTraitFitter } from '../fit-trait.ts';
import { type FixedMarker, fixedMarkerModel, withFixedMarkers } from '../fixed-markers/fixed-markers.ts';
import { threadsFor } from '../multi-trait.ts';
import { kinshipSource } from '../own-kinship.ts';
import { keptMarkers, modelSettings, type TrainInput, trainedTrait } from '../train-model.ts';
import { type KernelFigures, MODEL_VERSION, type TrainedModel, type TrainedTrait } from '../trained-model.ts';
import { requireEnough, type TrainingTrait, trainingData } from '../training-data.ts';
import { AVERAGED, type DistanceKernel, requireKernelMemory } from './kernel-models.ts';

/**
 * Trains y = Xb + u + e, u ~ N(0, σ²K), K a Gaussian kernel of the squared distances between marker codes: of the
 * bandwidth with the largest REML likelihood, or the mean over three of them. Filters, missing calls and names are
 * those of `trainModel`. Distances, their median and the mean that the kernel is centred by are those of all genotyped
 * individuals; its mean with themselves is 1, so that σ² is the variance of such individuals. Markers have no effects,
 * but those that are fixed. A trait that cannot be fitted carries its reason.
 *
 * @throws AnalysisError when the names or traits do not fit; `analysis/does-not-fit`; StatgenError `no-markers-left`,
 * `model-not-applicable`
 */
export async function trainByKernel(
  input: TrainInput,
  name: DistanceKernel,
  context: AnalysisContext,
): Promise<TrainedModel> {
  const { panel, fixedMarkers = [] } = input;
  // Distances are those of the counts, whatever the kinship of other models.
  const settings = { ...modelSettings(input), kinship: 'vanraden1' } as const;
  reportProgress(context, 'match', 0, 1);
  const source = kinshipSource(panel, input, [settings.kinship], settings);
  const { individuals } = source;
  const { traits } = trainingData(individuals, input.phenotype, input.traits, settings, input);
  requireKernelMemory(individuals.length, input);
  setComputeThreads(context.threads);
  const kinship = await source.kernels({}, context);
  const { vanraden1: products } = kinship.kernels;
  const divisor = kinship.divisors.vanraden1;
  if (products === undefined || divisor === undefined) throw new TypeError('the kinship was not computed');
  const distances = markerDistances(products);
  const markers = keptMarkers(panel.markers, kinship.scan, ploidyOf(panel));
  const trained: TrainedTrait[] = [];
  setComputeThreads(threadsFor(individuals.length, context));
  for (const [t, trait] of traits.entries()) {
    reportProgress(context, 'fit', t, traits.length);
    try {
      requireEnough(trait, fixedMarkers, settings);
      const started = performance.now();
      const { kernel, figures } = chosenKernel(name, distances, trait, fixedMarkers);
      const centred = centredKernel(kernel, centreOf(kernel, kernel.rows));
      const fitTrait = createTraitFitter(withKernel(kinship, centred), settings, fixedMarkers);
      const variances = fitTrait(trait.values, null);
      const effects = { intercept: variances.mean, additive: new Float64Array(markers.id.length) };
      const { fit, ...named } = trainedTrait(trait, fixedMarkers, variances, effects);
      if (fit === null) throw new TypeError('a trait that was fitted has a fit');
      const seconds = (performance.now() - started) / 1000;
      const median_distance = distances.median * divisor;
      trained.push({
        ...named,
        fit: { ...fit, seconds, kernel: { ...figures, median_distance, weights: variances.weights } },
      });
    } catch (error) {
      const described = describeError(error);
      if (described === null) throw error;
      trained.push({ name: trait.column.name, unit: trait.column.unit, error: described, fit: null });
    }
  }
  setComputeThreads(context.threads);
  const model: TrainedModel = {
    format: 'heterosis-model',
    version: MODEL_VERSION,
    settings,
    markers,
    individuals,
    kinshipFrom: source.from,
    markersRead: panel.markers.id.length,
    imputedCalls: kinship.scan.imputedCalls,
    traits: trained,
  };
  return fixedMarkers.length === 0 ? model : withFixedMarkers(model, fixedMarkers);
}

const withKernel = (kinship: KinshipResult, kernel: Matrix): KinshipResult => ({
  ...kinship,
  kernels: { vanraden1: kernel },
});

function chosenKernel(
  model: DistanceKernel,
  distances: MarkerDistances,
  { values }: TrainingTrait,
  fixed: readonly FixedMarker[],
): { kernel: Matrix; figures: Omit<KernelFigures, 'median_distance' | 'weights'> } {
  if (model === 'kernel-average') {
    const figures = { model, bandwidths: [...AVERAGED], profile: [], is_at_end: false };
    return { kernel: averageKernel(distances, AVERAGED), figures };
  }
  const observed = Int32Array.from(values.keys()).filter((i) => !Number.isNaN(values[i]));
  const { x } = createFixedDesign(fixedMarkerModel(fixed), observed);
  const seen = Float64Array.from(observed, (i) => values[i]);
  const { bandwidth, profile, isAtEnd } = chooseBandwidth(distances, observed, x, seen);
  return {
    kernel: gaussianKernel(distances, bandwidth),
    figures: {
      model,
      bandwidths: [bandwidth],
      profile: profile.map(({ bandwidth, logLikelihood }) => ({ bandwidth, log_likelihood: logLikelihood })),
      is_at_end: isAtEnd,
    },
  };
}
