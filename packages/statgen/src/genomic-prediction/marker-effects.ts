import { createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { countCalls, ploidyOf } from '../genotypes/call-counts.ts';
import {
  baseFrequency,
  centredValues,
  decodeBlock,
  dominanceValues,
  standardizedValues,
} from '../genotypes/decode-block.ts';
import { dosagesOfPart, type FractionalDosages } from '../genotypes/fractional-dosages.ts';
import { bytesPerMarker, type PanelSelection, requirePacked, selectionSize } from '../genotypes/packed-calls.ts';
import { positionsOf } from '../kinship/accumulate-kinship.ts';
import { StatgenError } from '../statgen-error.ts';

/** Input for the marker effects of one trait. */
export interface EffectSource {
  /** b̂ of the fit. */
  mean: number;
  /** Py, one value an individual analysed (0 without observation). */
  weights: Float64Array;
  /** Those of the additive part where they are others: with principal components as fixed effects. */
  additiveWeights?: Float64Array;
  /** σ²a divided by the divisor of the additive kinship. */
  additiveScale: number;
  /** σ²d divided by the divisor of the dominance kinship; absent without dominance. */
  dominanceScale?: number;
}

export interface MarkerEffectOptions extends PanelSelection {
  /** Kinship the additive variance belongs to. */
  method: 'vanraden1' | 'standardized';
  /** 1 for the markers kept, as in the `MarkerScan` of the kinship. */
  kept: Uint8Array;
  /** As for the kinship. */
  frequenciesOf?: Int32Array;
  traits: readonly EffectSource[];
}

/**
 * Effects of one trait in the coding in which they are used: value = intercept + Σ dosage·additive + Σ
 * [heterozygous]·dominance over the markers kept, dosage = copies of A2. In polyploids of ploidy k, [heterozygous] of x
 * copies is 4x(k − x)/k², 1 for half of the copies. A missing call counts as the mean dosage
 * and, for dominance, as the share of heterozygotes among the individuals of the kinship.
 */
export interface MarkerEffects {
  intercept: number;
  /** One entry a marker **kept**, in file order. */
  additive: Float64Array;
  /** As `additive`; absent without dominance. */
  dominance?: Float64Array;
  /** p to which the dominance deviations refer, as `additive`; absent without dominance. */
  frequencyA2?: Float64Array;
}

export interface MarkerEffectAccumulator {
  /** Adds the next `count` markers in file order. */
  add(packed: Uint8Array, count: number, dosages?: FractionalDosages): void;
  /** @throws StatgenError `shape-mismatch` when not every marker of `kept` was added */
  finish(): MarkerEffects[];
}

/** Markers decoded at a time. */
const MARKERS_PER_PRODUCT = 512;

/**
 * Marker effects û = σ²u·Zᵀ·Py (RR-BLUP of all markers from the n × n model; Henderson 1977, Strandén & Garrick 2009
 * J Dairy Sci 92:2971) in one pass over the genotypes, O(nm) a trait. The same individuals, in the same order, as for
 * the kinship.
 *
 * A dominance effect v on the deviations −2p², 2pq, −2q² is the same as v for heterozygotes, (p − q)·v per copy of A2
 * and −2p²·v for everyone, so the additive effects reported beside dominance are genotypic (half the difference of
 * the homozygotes), as crossing needs them. The average effect of substitution is α = additive + (1 − 2p)·dominance
 * (Falconer & Mackay 1996, eq. 7.5, in copies of A2).
 *
 * @throws StatgenError `shape-mismatch`
 */
export function createMarkerEffectAccumulator(options: MarkerEffectOptions): MarkerEffectAccumulator {
  const n = selectionSize(options);
  const { traits, kept, method, panelSize, frequenciesOf } = options;
  for (const trait of traits) {
    if (trait.weights.length !== n || (trait.additiveWeights ?? trait.weights).length !== n) {
      throw new StatgenError(
        'shape-mismatch',
        `${n} individuals are selected, a trait has ${trait.weights.length} weights`,
      );
    }
  }
  const withDominance = traits.some((trait) => trait.dominanceScale !== undefined);
  const keptCount = kept.reduce((sum, flag) => sum + flag, 0);
  const effects = traits.map((trait) => ({
    intercept: trait.mean,
    additive: new Float64Array(keptCount),
    ...(trait.dominanceScale === undefined
      ? {}
      : { dominance: new Float64Array(keptCount), frequencyA2: new Float64Array(keptCount) }),
  }));
  const matrixOfTraits = (weightsOf: (trait: EffectSource) => Float64Array): Matrix => {
    const weights = createMatrix(n, traits.length);
    for (const [t, trait] of traits.entries()) weights.data.set(weightsOf(trait), t * n);
    return weights;
  };
  const additiveWeights = matrixOfTraits((trait) => trait.additiveWeights ?? trait.weights);
  const dominanceWeights = matrixOfTraits((trait) => trait.weights);
  const block = new Float64Array(n * MARKERS_PER_PRODUCT);
  const stride = bytesPerMarker(options.panelSize);
  let read = 0;
  let written = 0;

  const addPart = (packed: Uint8Array, count: number, dosages: FractionalDosages | undefined): void => {
    const markers = positionsOf(kept.subarray(read, read + count));
    read += count;
    if (markers.length === 0) return;
    const counts = countCalls(packed, count, options, dosages);
    const base =
      frequenciesOf === undefined
        ? counts
        : countCalls(packed, count, { panelSize, individuals: frequenciesOf }, dosages);
    const frequency = (j: number): number => baseFrequency(counts, base, j);
    const values = method === 'vanraden1' ? centredValues(counts, base) : standardizedValues(counts, base);
    decodeBlock(packed, count, options, markers, values, block, dosages);
    const additive = multiply(matrixOf(n, markers.length, block), additiveWeights, { transposeA: true }).data;
    const at = { ploidy: ploidyOf(counts), frequency, markers, written };
    addAdditive(effects, traits, additive, method, at);
    if (withDominance) {
      decodeBlock(packed, count, options, markers, dominanceValues(counts, base), block, dosages);
      const dominance = multiply(matrixOf(n, markers.length, block), dominanceWeights, { transposeA: true }).data;
      addDominance(effects, traits, dominance, at);
    }
    written += markers.length;
  };

  return {
    add(packed, count, dosages) {
      requirePacked(packed, count, options);
      if (read + count > kept.length) {
        throw new StatgenError('shape-mismatch', `more than the ${kept.length} markers of the kinship were added`);
      }
      for (let first = 0; first < count; first += MARKERS_PER_PRODUCT) {
        const part = Math.min(MARKERS_PER_PRODUCT, count - first);
        addPart(packed.subarray(first * stride, (first + part) * stride), part, dosagesOfPart(dosages, first, part));
      }
    },
    finish() {
      if (read !== kept.length) {
        throw new StatgenError('shape-mismatch', `${read} of the ${kept.length} markers of the kinship were added`);
      }
      return effects;
    },
  };
}

/** Markers of a block and where their effects go. */
interface WrittenMarkers {
  ploidy: number;
  frequency: (j: number) => number;
  markers: Int32Array;
  written: number;
}

function addAdditive(
  effects: MarkerEffects[],
  traits: readonly EffectSource[],
  products: Float64Array,
  method: 'vanraden1' | 'standardized',
  { ploidy, frequency, markers, written }: WrittenMarkers,
): void {
  for (let t = 0; t < traits.length; t++) {
    for (let column = 0; column < markers.length; column++) {
      const p = frequency(markers[column]);
      const perCopy = method === 'vanraden1' ? 1 : scaleOf(p, ploidy);
      const effect = traits[t].additiveScale * products[column + t * markers.length] * perCopy;
      effects[t].additive[written + column] = effect;
      effects[t].intercept -= ploidy * p * effect;
    }
  }
}

/** A marker without variance among the individuals that define p cannot be standardized and gets no effect. */
function scaleOf(p: number, ploidy: number): number {
  const variance = ploidy * p * (1 - p);
  return variance > 0 ? 1 / Math.sqrt(variance) : 0;
}

function addDominance(
  effects: MarkerEffects[],
  traits: readonly EffectSource[],
  products: Float64Array,
  { ploidy: k, frequency, markers, written }: WrittenMarkers,
): void {
  for (let t = 0; t < traits.length; t++) {
    const { dominanceScale } = traits[t];
    const { dominance, frequencyA2 } = effects[t];
    if (dominanceScale === undefined || dominance === undefined || frequencyA2 === undefined) continue;
    for (let column = 0; column < markers.length; column++) {
      const p = frequency(markers[column]);
      const effect = dominanceScale * products[column + t * markers.length];
      dominance[written + column] = ((k * k) / 4) * effect;
      frequencyA2[written + column] = p;
      effects[t].additive[written + column] += (k - 1) * (2 * p - 1) * effect;
      effects[t].intercept -= k * (k - 1) * p * p * effect;
    }
  }
}
