import {
  type BlockDosages,
  DOSAGE_UNITS,
  MISSING_DOSAGE,
  MISSING_POLYPLOID,
  POLYPLOID_UNITS,
  ploidyOf,
} from '@heterosis/file-formats/genotype/panel/dosages';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import {
  callsOfFour,
  DOSAGE_OF_CODE,
  HET,
  MISSING,
  packedLength,
} from '@heterosis/file-formats/genotype/panel/packed-calls';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import { type MarkerMatch, matchMarkers } from '../inputs/match-markers.ts';
import { markerRanges, readRange } from '../inputs/open-panel.ts';
import { candidateReliabilities, trainingGenotype } from './candidates/candidate-reliability.ts';
import {
  type KnownRecords,
  knownRecords,
  predictTogether,
  type TogetherPrediction,
} from './candidates/predict-together.ts';
import { isKernelFit } from './kernels/kernel-models.ts';
import { predictByKernel } from './kernels/predict-by-kernel.ts';
import { missingMarkerValue } from './missing-marker.ts';
import type { KernelFigures, ModelMarkers, TrainedModel, TraitFit } from './trained-model.ts';

export interface PredictInput {
  model: TrainedModel;
  panel: GenotypePanel;
  /** Smallest share of the model's markers that the panel must have. Default 0.5. */
  minMarkerShare?: number;
  /** The training genotype, needed for the reliabilities of new individuals, with known records, and by kernels. */
  training?: GenotypePanel;
  /** Records of individuals of the panel, for a model of several traits together. */
  known?: PhenotypeTable;
}

/** How the markers of the model matched those of the predicted panel; field names of the API. */
export interface PredictionReport {
  model_markers: number;
  shared: number;
  by_position: number;
  missing: number;
  swapped: number;
  mismatched: number;
  /**
   * Share of the model's genetic variance that the shared markers carry, the lowest over the traits; null without
   * variance.
   */
  variance_share: number | null;
  imputed_calls: number;
  individuals: number;
  /** Individuals without reliability: not in the training, and its genotype was not given. */
  without_reliability: number;
  /** Individuals with known records; absent where none were given. */
  known?: number;
  /** The kernel of a model that predicts by one; absent for others. */
  kernel?: KernelFigures['model'];
}

export interface PredictedTrait {
  name: string;
  unit: string | null;
  /** Breeding values. */
  gebv: Float64Array;
  /** NaN where it is not known: for new individuals when the genotype of the training was not given. */
  reliability: Float64Array;
  /** Prediction error variance of the breeding value, without that of the mean; NaN where it is not known. */
  pev: Float64Array;
  /** What the individuals themselves are expected to show; null without dominance, where it is the breeding value. */
  genotypic: { value: Float64Array; reliability: Float64Array } | null;
  /** Of a model by sampling, for the individuals of its training; NaN for others. Null for other models. */
  posteriorSd: Float64Array | null;
}

export interface Prediction {
  individuals: string[];
  traits: PredictedTrait[];
  report: PredictionReport;
}

const DEFAULT_MIN_MARKER_SHARE = 0.5;
/** Two GEBVs of one name that agree to this share of the trait's range come from the same genotype. */
const SAME_GENOTYPE_TOLERANCE = 1e-7;
/** Share of the summands' size that rounding may amount to in a sum over markers. */
const SUM_ROUNDING = 1e-13;

/**
 * Predicts every individual of a panel with a trained model. Markers are found by id, then by chromosome and
 * position; exchanged alleles are turned round; a marker that the panel lacks and a missing call count as the
 * training mean, so they neither raise nor lower a value. Reliabilities are those of training for individuals that
 * were genotyped there with the same genotype. Those of others need the genotypes of the training, which a model does
 * not hold. With known records values and reliabilities are those of {@link predictTogether}. A model by a kernel needs
 * the genotypes of the training, see {@link predictByKernel}.
 *
 * @throws AnalysisError `predictions/known-records`, `predictions/too-few-shared-markers`,
 * `predictions/model-not-trained`, `predictions/training-genotype`, `predictions/not-the-training-genotype`
 */
export async function predict(input: PredictInput, context: AnalysisContext): Promise<Prediction> {
  const { model, panel } = input;
  const trained = model.traits.flatMap((trait) => (trait.fit === null ? [] : [{ trait, fit: trait.fit }]));
  if (trained.length === 0) {
    throw new AnalysisError(
      'predictions/model-not-trained',
      'No trait of this model was trained.',
      'Look at the reason shown for each trait of the model.',
    );
  }
  if (model.kinshipFrom === 'file') {
    throw new AnalysisError(
      'predictions/no-marker-effects',
      'This model was trained on a kinship file and has no marker effects, so it says nothing about other genotypes.',
      'Train on the markers; or put the new individuals into the kinship file and into the genotype, and train again: the model holds their values.',
    );
  }
  requireSamePloidy(model.markers, panel);
  reportProgress(context, 'match', 0, 1);
  const match = matchMarkers(model.markers, panel.markers);
  // A trait without genetic variance has no share and must not affect the minimum.
  const shares = trained
    .map(({ fit }) => sharedVariance(model.markers, fit, match))
    .filter((share) => !Number.isNaN(share));
  requireSharedMarkers(match, model.markers.id.length, input.minMarkerShare ?? DEFAULT_MIN_MARKER_SHARE);

  const start = (effects: AddedEffects): Sum => ({
    effects,
    values: new Float64Array(panel.samples.length).fill(effects.intercept),
  });
  const sums = trained.map(({ fit }) => ({
    breeding: start(breedingEffects(fit, model.markers.ploidy)),
    genotypic: fit.dominance === null ? null : start(fit),
  }));
  const all = sums.flatMap(({ breeding, genotypic }) => (genotypic === null ? [breeding] : [breeding, genotypic]));
  for (let j = 0; j < match.panelIndex.length; j++) {
    if (match.panelIndex[j] >= 0) continue;
    for (const { effects, values } of all) addConstant(values, missingMarkerValue(model.markers, effects, j));
  }
  const imputedCalls = await addSharedMarkers(panel, model.markers, match, all, context);
  const fits = trained.map(({ fit }) => fit);
  const byKernel = fits.every(isKernelFit)
    ? await predictByKernel({ model, fits, training: input.training, panel, match }, context)
    : null;
  for (const [t, { values }] of byKernel?.entries() ?? []) addValues(sums[t].breeding.values, values);
  const traits = trained.map(({ trait, fit }, t) => ({
    name: trait.name,
    unit: trait.unit,
    ...predictedValues(model, fit, panel.samples, sums[t]),
  }));
  const isUnknown = (i: number): boolean => traits.some(({ reliability }) => Number.isNaN(reliability[i]));
  // A single-step model has relationships by pedigree too, which new individuals do not bring with them.
  const hasMarkerKinship = model.kinshipFrom === 'markers';
  // Reliabilities of new individuals follow from normal effects with one variance.
  const isSampled = fits.some(({ sampling }) => sampling !== undefined);
  const known = input.known === undefined ? null : knownRecords(model, panel.samples, input.known);
  const together = hasMarkerKinship ? await togetherOf(input, { match, known, isUnknown }, context) : null;
  if (together !== null) {
    for (const [t, trait] of traits.entries()) {
      if (known === null) {
        fillUnknown(trait.reliability, together.reliability[t]);
        fillUnknown(trait.pev, together.pev[t]);
      } else {
        trait.gebv.set(together.gebv[t]);
        trait.reliability.set(together.reliability[t]);
        trait.pev.set(together.pev[t]);
      }
    }
  } else if (known !== null) {
    throw new AnalysisError(
      'predictions/known-records',
      'The model has relationships by pedigree too, which new individuals do not bring with them.',
      'Train again with the known records among the phenotypes.',
    );
  } else if (byKernel !== null) {
    for (const [t, { reliability, pev }] of traits.entries()) {
      fillUnknown(reliability, byKernel[t].reliability);
      fillUnknown(pev, byKernel[t].pev);
    }
  } else if (
    hasMarkerKinship &&
    !isSampled &&
    input.training !== undefined &&
    panel.samples.some((_, i) => isUnknown(i))
  ) {
    const found = await candidateReliabilities({ model, fits, training: input.training, panel, match }, context);
    for (const [t, { reliability, pev, genotypic }] of traits.entries()) {
      fillUnknown(reliability, found[t].breeding);
      fillUnknown(pev, found[t].pev);
      if (genotypic !== null) fillUnknown(genotypic.reliability, found[t].genotypic ?? found[t].breeding);
    }
  }
  return {
    individuals: panel.samples,
    traits,
    report: {
      model_markers: model.markers.id.length,
      shared: match.shared,
      by_position: match.byPosition,
      missing: match.missing,
      swapped: match.swapped,
      mismatched: match.mismatched,
      variance_share: shares.length === 0 ? null : Math.min(...shares),
      imputed_calls: imputedCalls,
      individuals: panel.samples.length,
      without_reliability: panel.samples.filter((_, i) => isUnknown(i)).length,
      ...(known === null ? {} : { known: known.individuals }),
      ...(fits[0].kernel === undefined ? {} : { kernel: fits[0].kernel.model }),
    },
  };
}

/** What a model of several traits says by the genotypes of its training; null where it is not asked. */
async function togetherOf(
  { model, panel, training }: PredictInput,
  { match, known, isUnknown }: { match: MarkerMatch; known: KnownRecords | null; isUnknown: (i: number) => boolean },
  context: AnalysisContext,
): Promise<TogetherPrediction | null> {
  const { multiTrait: figures, traits } = model;
  if (figures === undefined) return null;
  const isAsked = known !== null || (training !== undefined && panel.samples.some((_, i) => isUnknown(i)));
  if (!isAsked) return null;
  const fits = traits.flatMap(({ fit }) => (fit === null ? [] : [fit]));
  const genotype = trainingGenotype({ model, training, panel }, 'Known records are joined by kinships with those of');
  return await predictTogether({ model, figures, fits, training: genotype, panel, match, known }, context);
}

function fillUnknown(values: Float64Array, found: Float64Array): void {
  for (let i = 0; i < values.length; i++) if (Number.isNaN(values[i])) values[i] = found[i];
}

/** What the copies of A2 and the heterozygotes of each marker add to a value. */
type AddedEffects = Pick<TraitFit, 'intercept' | 'additive' | 'dominance'>;

/** Values being accumulated, one per individual of the panel. */
interface Sum {
  effects: AddedEffects;
  values: Float64Array;
}

/**
 * Breeding value = intercept + Σ dosage·α, α = a + (1 − 2p)d the average effect of substitution at the frequencies p
 * of the model (Vitezica et al. 2013, Genetics 195:1223). What is left of a genotypic value are dominance deviations
 * of mean zero, d·([heterozygous] + (2p − 1)·dosage − 2p²), so that their constant 2p²d belongs to the intercept. In
 * polyploids of ploidy k they are 4d/k² times x(k − x) + (k − 1)(2p − 1)·x − k(k − 1)p² for x copies.
 */
function breedingEffects({ intercept, additive, dominance, frequencyA2 }: TraitFit, k = 2): AddedEffects {
  if (dominance === null || frequencyA2 === null) return { intercept, additive, dominance };
  const perDeviation = 4 / (k * k);
  return {
    intercept: dominance.reduce((sum, d, j) => sum + k * (k - 1) * frequencyA2[j] ** 2 * (perDeviation * d), intercept),
    additive: additive.map((a, j) => a + (k - 1) * (1 - 2 * frequencyA2[j]) * (perDeviation * dominance[j])),
    dominance: null,
  };
}

/** Reliabilities and error variances are those of training for individuals genotyped there with the same genotype. */
function predictedValues(
  model: TrainedModel,
  fit: TraitFit,
  samples: readonly string[],
  { breeding, genotypic }: { breeding: Sum; genotypic: Sum | null },
): Pick<PredictedTrait, 'gebv' | 'reliability' | 'pev' | 'genotypic' | 'posteriorSd'> {
  const trainedValues = fit.genotypic === null ? fit.gebv : fit.genotypic.value;
  const trainedAs = sameGenotypes(
    model.individuals,
    trainedValues,
    fit.intercept,
    samples,
    (genotypic ?? breeding).values,
  );
  const known = (reliability: Float64Array) =>
    Float64Array.from(trainedAs, (at) => (at < 0 ? Number.NaN : reliability[at]));
  return {
    gebv: breeding.values,
    posteriorSd: fit.sampling === undefined ? null : known(fit.sampling.gebv_sd),
    reliability: known(fit.reliability),
    pev: known(fit.pev ?? new Float64Array(fit.gebv.length).fill(Number.NaN)),
    genotypic:
      genotypic === null || fit.genotypic === null
        ? null
        : { value: genotypic.values, reliability: known(fit.genotypic.reliability) },
  };
}

/**
 * Share of Σ 2pq·a² (plus (2pq·d)² with dominance), the genetic variance at linkage equilibrium, on shared markers;
 * NaN when there is none. In polyploids of ploidy k, Σ kpq·a² plus 2k(k − 1)(pq·4d/k²)².
 */
export function sharedVariance(
  markers: Pick<ModelMarkers, 'id' | 'freqA2' | 'ploidy'>,
  fit: Pick<TraitFit, 'additive' | 'dominance'>,
  match: MarkerMatch,
): number {
  const k = markers.ploidy ?? 2;
  let total = 0;
  let shared = 0;
  for (let j = 0; j < markers.id.length; j++) {
    const p = markers.freqA2[j];
    const perPlant = k * p * (1 - p);
    const d = fit.dominance === null ? 0 : (4 / (k * k)) * fit.dominance[j];
    const substitution = fit.additive[j] + (k - 1) * d * (1 - 2 * p);
    const variance = perPlant * substitution ** 2 + (2 - 2 / k) * (perPlant * d) ** 2;
    total += variance;
    if (match.panelIndex[j] >= 0) shared += variance;
  }
  return shared / total;
}

function requireSamePloidy({ ploidy = 2 }: ModelMarkers, panel: GenotypePanel): void {
  if (ploidy === ploidyOf(panel)) return;
  throw new AnalysisError(
    'predictions/other-ploidy',
    `The model was trained on plants of ploidy ${ploidy}, and the genotype has ploidy ${ploidyOf(panel)}.`,
    'Give a genotype of the same ploidy, or train a model on such plants.',
  );
}

function requireSharedMarkers(match: MarkerMatch, markers: number, minShare: number): void {
  if (match.shared > 0 && match.shared >= minShare * markers) return;
  const different = match.mismatched > 0 ? ` (${match.mismatched} of them are there with other alleles)` : '';
  throw new AnalysisError(
    'predictions/too-few-shared-markers',
    `The genotype has ${groupedNumber(match.shared)} of the model's ${groupedNumber(markers)} markers; ${groupedNumber(match.missing)} are missing${different}.`,
    'Predict a genotype of the same marker set, or check that marker names or positions are written as in the training file.',
    { shared: match.shared, missing: match.missing, mismatched: match.mismatched, model_markers: markers },
  );
}

async function addSharedMarkers(
  panel: GenotypePanel,
  markers: ModelMarkers,
  match: MarkerMatch,
  sums: readonly Sum[],
  context: AnalysisContext,
): Promise<number> {
  const modelIndex = new Int32Array(panel.markers.id.length).fill(-1);
  for (let j = 0; j < match.panelIndex.length; j++) {
    if (match.panelIndex[j] >= 0) modelIndex[match.panelIndex[j]] = j;
  }
  const samples = panel.samples.length;
  const rowBytes = packedLength(samples);
  const calls = new Uint8Array(4 * rowBytes);
  const values = new Float64Array(256);
  let imputedCalls = 0;
  const ranges = markerRanges(panel.markers.id.length);
  for (const [block, { first, count }] of ranges.entries()) {
    reportProgress(context, 'predict', block, ranges.length);
    const known = Int32Array.from({ length: count }, (_, k) => first + k).filter((at) => modelIndex[at] >= 0);
    if (known.length === 0) continue;
    const { packed, dosages } = await readRange(panel, { first, count });
    const shared = dosages === undefined ? known : known.filter((at) => dosages.rows[at - first] < 0);
    if (dosages !== undefined) {
      for (const at of known) {
        const row = dosages.rows[at - first];
        if (row < 0) continue;
        const units = dosages.values.subarray(row * samples, (row + 1) * samples);
        const absent = markers.ploidy === undefined ? MISSING_DOSAGE : MISSING_POLYPLOID;
        for (const unit of units) if (unit === absent) imputedCalls++;
        const j = modelIndex[at];
        for (const sum of sums)
          addDosages(
            units,
            markers.ploidy,
            valuesOfCalls(markers, sum.effects, j, match.isSwapped[j] === 1),
            sum.values,
          );
      }
    }
    for (let k = 0; k < shared.length; k += 4) {
      const four = shared.subarray(k, k + 4);
      callsOfFour(
        packed,
        four.map((at) => (at - first) * rowBytes),
        calls,
      );
      for (let i = 0; i < samples; i++) imputedCalls += MISSING_OF_FOUR[calls[i]];
      for (const sum of sums) {
        valuesOfFour(
          four.map((at) => modelIndex[at]),
          (j) => valuesOfCalls(markers, sum.effects, j, match.isSwapped[j] === 1),
          values,
        );
        for (let i = 0; i < samples; i++) sum.values[i] += values[calls[i]];
      }
    }
  }
  reportProgress(context, 'predict', ranges.length, ranges.length);
  return imputedCalls;
}

/**
 * Adds the values of fractional dosages, interpolated linearly between those of 0, 1 and 2 copies; of polyploids those
 * on the parabola through none, half and all of the copies.
 */
function addDosages(
  units: BlockDosages['values'],
  ploidy: number | undefined,
  [none, missing, one, two]: number[],
  values: Float64Array,
): void {
  if (ploidy !== undefined) {
    for (let i = 0; i < units.length; i++) {
      const share = units[i] / (ploidy * POLYPLOID_UNITS);
      const called = none + share * (4 * one - 3 * none - two + share * 2 * (two - 2 * one + none));
      values[i] += units[i] === MISSING_POLYPLOID ? missing : called;
    }
    return;
  }
  for (let i = 0; i < units.length; i++) {
    const copies = units[i] / DOSAGE_UNITS;
    if (units[i] === MISSING_DOSAGE) values[i] += missing;
    else values[i] += copies <= 1 ? none + copies * (one - none) : one + (copies - 1) * (two - one);
  }
}

/** Missing calls among four that lie in one byte. */
const MISSING_OF_FOUR = Uint8Array.from({ length: 256 }, (_, calls) =>
  [0, 2, 4, 6].reduce((count, shift) => count + Number(((calls >> shift) & 3) === MISSING), 0),
);

/** What each of the four calls of the model's marker `j` adds to a value. */
function valuesOfCalls(markers: ModelMarkers, effects: AddedEffects, j: number, isSwapped: boolean): number[] {
  const additive = effects.additive[j];
  const perCopy = (markers.ploidy ?? 2) / 2;
  const values = Array.from(DOSAGE_OF_CODE, (dosage) => (isSwapped ? 2 - dosage : dosage) * perCopy * additive);
  values[MISSING] = missingMarkerValue(markers, effects, j);
  if (effects.dominance !== null) values[HET] += effects.dominance[j];
  return values;
}

/** Fills a lookup table over the four calls in a byte, so that four markers are added at the cost of one. */
function valuesOfFour(models: Int32Array, valuesOf: (model: number) => number[], into: Float64Array): void {
  into.fill(0, 0, 1);
  let filled = 1;
  for (const model of models) {
    const values = valuesOf(model);
    for (let code = 3; code >= 0; code--) {
      for (let i = 0; i < filled; i++) into[code * filled + i] = into[i] + values[code];
    }
    filled *= 4;
  }
}

/**
 * Where each individual stands in training, −1 elsewhere: the same name with the same value, which only the same
 * genotype gives.
 */
function sameGenotypes(
  individuals: readonly string[],
  trained: Float64Array,
  intercept: number,
  samples: readonly string[],
  values: Float64Array,
): Int32Array {
  const trainingIndex = new Map(individuals.map((name, i) => [name, i]));
  const tolerance = genotypeTolerance(trained, intercept);
  return Int32Array.from(samples, (name, i) => {
    const at = trainingIndex.get(name);
    return at !== undefined && Math.abs(values[i] - trained[at]) <= tolerance ? at : -1;
  });
}

/** Differences of GEBVs up to this are rounding: a share of their range, and of the size of what is added up. */
function genotypeTolerance(gebv: Float64Array, intercept: number): number {
  let smallest = Number.POSITIVE_INFINITY;
  let largest = Number.NEGATIVE_INFINITY;
  for (const value of gebv) {
    smallest = Math.min(smallest, value);
    largest = Math.max(largest, value);
  }
  const size = Math.max(Math.abs(smallest), Math.abs(largest), Math.abs(intercept));
  return SAME_GENOTYPE_TOLERANCE * (largest - smallest) + SUM_ROUNDING * size;
}

function addValues(values: Float64Array, added: Float64Array): void {
  for (let i = 0; i < values.length; i++) values[i] += added[i];
}

function addConstant(values: Float64Array, constant: number): void {
  for (let i = 0; i < values.length; i++) values[i] += constant;
}
