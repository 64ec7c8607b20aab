import { blocksOf } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import type { PackedMarkers } from '@heterosis/statgen/marker-space/packed-markers';
import type { ChainAgreement } from '@heterosis/statgen/sampler/chain-diagnostics';
import { haveMet } from '@heterosis/statgen/sampler/pool-chains';
import { type AnalysisContext, reportProgress } from '../../context.ts';
import { describeError } from '../../describe-error.ts';
import { panelMarkers } from '../../inputs/panel-markers.ts';
import { keptMarkers, modelSettings, type TrainInput } from '../train-model.ts';
import {
  type Agreement,
  MODEL_VERSION,
  type SamplingFigures,
  type TrainedModel,
  type TrainedTrait,
  type TraitFit,
} from '../trained-model.ts';
import { requireEnough, type TrainingTrait, trainingData } from '../training-data.ts';
import { requireDiploids, type SampledTrait, type SamplingChoice, sampleTrait } from './sample-trait.ts';

/**
 * Trains models whose marker effects have other priors than the normal one of RR-BLUP, by sampling from the posterior.
 * Filters, missing calls and names are those of `trainModel`. A trait that cannot be fitted carries its reason.
 *
 * @throws AnalysisError when the names or traits do not fit; StatgenError `no-markers-left`
 */
export async function trainBySampling(
  input: TrainInput,
  choice: SamplingChoice,
  context: AnalysisContext,
): Promise<TrainedModel> {
  const { panel } = input;
  const settings = modelSettings(input);
  requireDiploids(panel);
  reportProgress(context, 'match', 0, 1);
  const individuals = panel.samples;
  const { traits } = trainingData(individuals, input.phenotype, input.traits, settings, input);
  const markers = await panelMarkers({ panel: blocksOf(panel), ...settings }, context);
  const trained: TrainedTrait[] = [];
  for (const [t, trait] of traits.entries()) {
    const { name, unit } = trait.column;
    try {
      requireEnough(trait, [], settings);
      const predicted = Int32Array.from(trait.values.keys()).filter((i) => Number.isNaN(trait.values[i]));
      const started = performance.now();
      const sampled = await sampleTrait(
        { markers, y: trait.values, predicted },
        choice,
        {
          ...(input.memoryMb === undefined ? {} : { memoryMb: input.memoryMb }),
          onCycles: (done, total) => reportProgress(context, 'fit', t * total + done, traits.length * total),
        },
        context,
      );
      const seconds = (performance.now() - started) / 1000;
      const fit = fitOf(trait, sampled, choice, valuesOf(markers, sampled));
      trained.push({ name, unit, error: null, fit: { ...fit, seconds } });
    } catch (error) {
      const described = describeError(error);
      if (described === null) throw error;
      trained.push({ name, unit, error: described, fit: null });
    }
  }
  return {
    format: 'heterosis-model',
    version: MODEL_VERSION,
    settings,
    markers: keptMarkers(panel.markers, markers.scan, 2),
    individuals: [...individuals],
    kinshipFrom: 'markers',
    markersRead: panel.markers.id.length,
    imputedCalls: markers.scan.imputedCalls,
    traits: trained,
  };
}

const figuresOf = ({ mean, sd, rHat, effectiveSize, monteCarloError }: ChainAgreement): Agreement => ({
  ...{ mean, sd, r_hat: rHat, effective_size: effectiveSize, monte_carlo_error: monteCarloError },
});

function samplingFigures({ pooled, gebvSd }: SampledTrait, { model, burnIn, seed }: SamplingChoice): SamplingFigures {
  const { residualVariance, geneticVariance, included, geneticRHat } = pooled.agreement;
  return {
    ...{ model, chains: pooled.chains, cycles: pooled.cycles + burnIn, burn_in: burnIn, seed },
    stopped_early: pooled.isEarly,
    residual_variance: figuresOf(residualVariance),
    genetic_variance: figuresOf(geneticVariance),
    markers_included: included === null ? null : figuresOf(included),
    gebv_r_hat: geneticRHat,
    has_met: haveMet(pooled),
    inclusion: pooled.inclusion,
    inclusion_error: pooled.inclusionError,
    effect_sd: pooled.effectSd,
    gebv_sd: gebvSd,
  };
}

function fitOf(
  trait: TrainingTrait,
  sampled: SampledTrait,
  choice: SamplingChoice,
  { gebv, shares }: { gebv: Float64Array; shares: Float64Array },
): TraitFit {
  const { pooled, intercept, gebvSd, valued } = sampled;
  const genetic = pooled.agreement.geneticVariance.mean;
  const residual = pooled.agreement.residualVariance.mean;
  const h2 = genetic / (genetic + residual);
  return {
    ...{ n: valued.length, m: pooled.effect.length, intercept, additive: pooled.effect, dominance: null },
    ...{ frequencyA2: null, fixedEffects: [], design: [], withoutCovariate: trait.withoutCovariate },
    variance: {
      ...{ additive: genetic, dominance: null, residual, h2, kinship_pve: h2, dominance_pve: null },
      standard_errors: null,
    },
    ...{ H2: h2, logLikelihood: Number.NaN, iterations: pooled.cycles, converged: haveMet(pooled), atBoundary: [] },
    seconds: 0,
    gebv,
    reliability: gebvSd.map((sd, i) => Math.max(0, 1 - sd ** 2 / (genetic * shares[i]))),
    pev: gebvSd.map((sd) => sd ** 2),
    genotypic: null,
    observed: trait.values,
    sampling: samplingFigures(sampled, choice),
  };
}

const MARKERS_AT_ONCE = 64;

/**
 * By individual of the panel: intercept + Σ count·effect, which a prediction adds up too, and Σ(x − x̄)² over its mean
 * among those with a value, x̄ the mean among these.
 */
function valuesOf(
  markers: PackedMarkers,
  { valued, intercept, pooled: { effect } }: SampledTrait,
): { gebv: Float64Array; shares: Float64Array } {
  const { m, panelSize } = markers;
  const gebv = new Float64Array(panelSize).fill(intercept);
  const sums = new Float64Array(panelSize);
  const tile = new Float64Array(panelSize * MARKERS_AT_ONCE);
  const coding = { centre: new Float64Array(m), scale: new Float64Array(m).fill(1) };
  for (let first = 0; first < m; first += MARKERS_AT_ONCE) {
    const count = Math.min(MARKERS_AT_ONCE, m - first);
    markers.decode(null, { first: 0, count: panelSize }, { first, count }, coding, tile);
    for (let k = 0; k < count; k++) {
      const own = tile.subarray(k * panelSize, (k + 1) * panelSize);
      const mean = valued.reduce((sum, i) => sum + own[i], 0) / valued.length;
      for (let i = 0; i < panelSize; i++) {
        gebv[i] += own[i] * effect[first + k];
        sums[i] += (own[i] - mean) ** 2;
      }
    }
  }
  const mean = valued.reduce((sum, i) => sum + sums[i], 0) / valued.length;
  return { gebv, shares: sums.map((sum) => sum / mean) };
}
