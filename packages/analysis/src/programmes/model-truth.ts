import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { DOSAGE_OF_CODE, packedLength, unpackCalls } from '@heterosis/file-formats/genotype/panel/packed-calls';
import { drawEffects, type EffectPosterior, effectPosterior } from '@heterosis/statgen/programmes/draw-effects';
import type { PackedGenome } from '@heterosis/statgen/programmes/packed-genome';
import type { TrueTrait } from '@heterosis/statgen/programmes/programme-world';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import { matchMarkers } from '../inputs/match-markers.ts';
import { markerRanges } from '../inputs/open-panel.ts';
import type { TrainedModel, TraitFit } from '../prediction/trained-model.ts';

/** What a fitted model says of the truth: its effects are drawn anew for each replicate. */
export interface ModelTruth {
  traits: readonly { name: string; posterior: EffectPosterior }[];
  /** Place in the genome by marker of the model; −1 for markers without one. */
  place: Int32Array;
  /** What a marker without a place counts: its mean dosage in the training. */
  meanDosage: Float64Array;
  /** Markers of the model that have a place. */
  placed: number;
}

/** Effects that are refitted must agree with those of the model to this share of the largest. */
const AGREEMENT = 1e-4;

/**
 * The posterior of a model's effects, from the genotypes that it was trained on.
 *
 * @throws AnalysisError `programmes/model-without-posterior` for a model without a posterior of normal effects,
 * `programmes/not-the-training-genotype` when its effects do not follow from the genotype
 */
export async function modelTruth(
  model: TrainedModel,
  panel: GenotypePanel,
  genome: PackedGenome,
  context: AnalysisContext,
): Promise<ModelTruth> {
  requirePosterior(model);
  const rows = new Map(panel.samples.map((name, i) => [name, i]));
  const placeOf = new Map(genome.loci.map((locus, j) => [locus, j]));
  const dosages = await dosagesOf(model, panel, context);
  const individuals = model.individuals.map((name) => rows.get(name) ?? -1);
  const scale = model.markers.freqA2.reduce((sum, p) => sum + 2 * p * (1 - p), 0);
  const traits = model.traits.flatMap(({ name, fit }) => {
    if (fit === null) return [];
    const chosen = [...fit.observed.keys()].filter((i) => !Number.isNaN(fit.observed[i]));
    if (chosen.some((i) => individuals[i] < 0)) throw notTheTraining(name);
    const n = chosen.length;
    const data = new Float64Array(n * fit.additive.length);
    for (let j = 0; j < fit.additive.length; j++) {
      for (let i = 0; i < n; i++) data[i + j * n] = dosages[j * panel.samples.length + individuals[chosen[i]]];
    }
    const y = Float64Array.from(chosen, (i) => fit.observed[i]);
    const variances = { varianceEffect: fit.variance.additive / scale, varianceResidual: fit.variance.residual };
    const posterior = effectPosterior({ rows: n, columns: fit.additive.length, data }, y, variances);
    requireAgreement(name, fit, posterior);
    return [{ name, posterior }];
  });
  const place = Int32Array.from(model.markers.id, (id) => placeOf.get(id) ?? -1);
  const placed = place.filter((j) => j >= 0).length;
  if (placed === 0) {
    throw new AnalysisError(
      'programmes/no-shared-markers',
      'No marker of the model is a locus of the map.',
      'Write the loci of map and haplotypes as the genotype file names its markers.',
    );
  }
  return { traits, place, meanDosage: model.markers.freqA2.map((p) => 2 * p), placed };
}

/** Effects of one replicate, by locus in genome order. Traits are drawn independently of each other. */
export function drawTruth(truth: ModelTruth, genome: PackedGenome, seed: number, replicate: number): TrueTrait[] {
  return truth.traits.map(({ name, posterior }) => {
    const random = createRandomStream(seed, 'programme effects', replicate, name);
    const drawn = drawEffects(posterior, random);
    const additive = new Float64Array(genome.loci.length);
    let { intercept } = drawn;
    for (const [j, at] of truth.place.entries()) {
      if (at >= 0) additive[at] = drawn.effects[j];
      else intercept += truth.meanDosage[j] * drawn.effects[j];
    }
    return { name, intercept, additive, dominance: null };
  });
}

function requirePosterior(model: TrainedModel): void {
  const trained = model.traits.flatMap(({ fit }) => (fit === null ? [] : [fit]));
  const reason =
    trained.length === 0
      ? 'no trait of it was trained'
      : model.kinshipFrom !== 'markers'
        ? 'it was trained on a kinship or a pedigree'
        : model.settings.kinship !== 'vanraden1'
          ? 'its kinship is standardized'
          : model.multiTrait !== undefined
            ? 'its traits were fitted together'
            : trained.some(({ dominance }) => dominance !== null)
              ? 'it has dominance'
              : trained.some(({ errors, sampling }) => errors !== undefined || sampling !== undefined)
                ? 'it is not RR-BLUP with one residual variance'
                : trained.some(({ kernel }) => kernel !== undefined)
                  ? 'it has no marker effects'
                  : trained.some(({ design }) => design.length > 0)
                    ? 'it has fixed effects'
                    : model.markers.ploidy !== undefined && model.markers.ploidy !== 2
                      ? 'its plants are no diploids'
                      : null;
  if (reason === null) return;
  throw new AnalysisError(
    'programmes/model-without-posterior',
    `Effects cannot be drawn from this model: ${reason}.`,
    'Train with heterosis train on the markers, without further options; or give effects with --effects.',
  );
}

/** Dosages of A2 of the model's markers, one marker after the other; missing calls have the mean of training. */
async function dosagesOf(model: TrainedModel, panel: GenotypePanel, context: AnalysisContext): Promise<Float32Array> {
  const match = matchMarkers(model.markers, panel.markers);
  const n = panel.samples.length;
  const dosages = new Float32Array(n * model.markers.id.length);
  const modelIndex = new Int32Array(panel.markers.id.length).fill(-1);
  for (const [j, k] of match.panelIndex.entries()) if (k >= 0) modelIndex[k] = j;
  const codes = new Uint8Array(n);
  const ranges = markerRanges(panel.markers.id.length);
  for (const [block, { first, count }] of ranges.entries()) {
    reportProgress(context, 'read', block, ranges.length);
    const packed = await panel.readPacked(first, count);
    for (let k = 0; k < count; k++) {
      const j = modelIndex[first + k];
      if (j < 0) continue;
      unpackCalls(packed, codes, k * packedLength(n));
      for (let i = 0; i < n; i++) {
        const dosage = DOSAGE_OF_CODE[codes[i]];
        const counted = match.isSwapped[j] === 1 ? 2 - dosage : dosage;
        dosages[j * n + i] = Number.isNaN(counted) ? 2 * model.markers.freqA2[j] : counted;
      }
    }
  }
  return dosages;
}

function requireAgreement(name: string, fit: TraitFit, { effects }: EffectPosterior): void {
  let largest = 0;
  let apart = 0;
  for (let j = 0; j < effects.length; j++) {
    largest = Math.max(largest, Math.abs(fit.additive[j]));
    apart = Math.max(apart, Math.abs(fit.additive[j] - effects[j]));
  }
  if (apart > AGREEMENT * largest) throw notTheTraining(name);
}

function notTheTraining(trait: string): AnalysisError {
  return new AnalysisError(
    'programmes/not-the-training-genotype',
    `The effects of ${trait} do not follow from this genotype and the records of the model.`,
    'Give the genotype file that the model was trained on.',
  );
}
