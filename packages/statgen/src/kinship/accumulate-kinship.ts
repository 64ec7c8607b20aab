import { createMatrix, type Matrix, mirrorLower } from '@heterosis/linalg/matrix';
import { addOuterProduct } from '@heterosis/linalg/products';
import { createCallBlock } from '../genotypes/call-block.ts';
import {
  type CallCounts,
  countCalls,
  heterozygotes,
  isAllHeterozygous,
  type MarkerFilter,
  passesFilter,
  ploidyOf,
  requireFilter,
} from '../genotypes/call-counts.ts';
import {
  baseFrequency,
  type CallValues,
  centredValues,
  dominanceValues,
  standardizedValues,
} from '../genotypes/decode-block.ts';
import { dosagesOfPart, type FractionalDosages } from '../genotypes/fractional-dosages.ts';
import { type MarkerScan, MarkerScanBuilder } from '../genotypes/marker-scan.ts';
import { bytesPerMarker, type PanelSelection, requirePacked, selectionSize } from '../genotypes/packed-calls.ts';
import { StatgenError } from '../statgen-error.ts';
import { WholeDosages } from './whole-dosages.ts';

/**
 * Relationship estimators from m markers with A2 frequencies p:
 * - `standardized`: K = ZZᵀ/(m − 1), Z = (dosage − 2p)/√(2p(1 − p)) (VanRaden 2008 method 2; the divisor is that of
 *   the R package gaston, GCTA divides by m). gaston accumulates in single precision, we in double: its entries are
 *   off by about 1e-5, which moves −log₁₀ p of its tests by up to 3e-5 with 2,000 markers and 2e-3 with 30,000
 *   (`createSinglePrecisionAccumulator` reproduces its matrix bit for bit);
 * - `vanraden1`: K = (dosage − 2p)(dosage − 2p)ᵀ / 2Σp(1 − p) (VanRaden 2008 method 1, J Dairy Sci 91:4414);
 * - `dominance`: D = WWᵀ/Σ(2p(1 − p))², W being the deviations of `dominanceValues` (Vitezica et al. 2013, Genetics
 *   195:1223), over the markers at which not everybody is heterozygous.
 *
 * In polyploids of ploidy k the dosage runs from 0 to k and k stands for the 2 of the additive kinships; `dominance` is
 * the digenic relationship of Endelman et al. 2018 (Genetics 209:77), D = QQᵀ / Σ (k choose 2)·p²(1 − p)².
 */
export type KinshipMethod = 'standardized' | 'vanraden1' | 'dominance';

export interface KinshipOptions extends PanelSelection {
  filter: MarkerFilter;
  /**
   * Panel positions of the individuals that define p, for example those with a phenotype; by default the individuals
   * of the kinship. In either case filters and the value of a missing call use all individuals of the kinship.
   */
  frequenciesOf?: Int32Array;
  methods: readonly KinshipMethod[];
  /** False drops the figures of single markers, so that memory does not grow with their number. Default true. */
  withMarkerColumns?: boolean;
}

export interface KinshipResult {
  /** n × n per requested method, both triangles filled. */
  kernels: { [method in KinshipMethod]?: Matrix };
  /** Divisor of each kernel, over the markers kept: m − 1, 2Σp(1 − p), Σ(2p(1 − p))². */
  divisors: { [method in KinshipMethod]?: number };
  scan: MarkerScan;
  /**
   * Whether one of the individuals that define p, and not all, is heterozygous at any marker kept: if not, they carry
   * no information on dominance.
   */
  hasHeterozygotes: boolean;
}

export interface KinshipAccumulator {
  /**
   * Adds the next `count` markers in file order.
   *
   * @param packed count × ceil(panelSize / 4) bytes (see `PanelSelection`)
   * @param dosages of the same markers; undefined where all are whole numbers
   */
  add(packed: Uint8Array, count: number, dosages?: FractionalDosages): void;
  /** @throws StatgenError `no-markers-left` when no marker passed the filter */
  finish(): KinshipResult;
}

/** Markers decoded at a time: wide enough for full speed of `dsyrk`, small enough to stay near the cache. */
const MARKERS_PER_PRODUCT = 1024;

/**
 * Builds kinship matrices from blocks of markers, one `dsyrk` per block: O(n²m) time, O(n² + n·1024) memory. Missing
 * calls take the marker's mean, that is 0 after centring. Markers that fail the filter, or are monomorphic, are left
 * out. `vanraden1` takes the markers without missing calls and fractions in single precision, without rounding.
 *
 * @throws StatgenError `bad-option`, `too-few-individuals`
 */
export function createKinshipAccumulator(options: KinshipOptions): KinshipAccumulator {
  requireFilter(options.filter);
  const { panelSize, frequenciesOf } = options;
  const n = selectionSize(options);
  if (n < 1) throw new StatgenError('too-few-individuals', 'a kinship matrix needs at least one individual', { n });
  const parts = [...new Set(options.methods)].map((method) => ({ method, kernel: createMatrix(n, n), divisor: 0 }));
  const scan = new MarkerScanBuilder(n, options.withMarkerColumns ?? true);
  const block = createCallBlock(options, MARKERS_PER_PRODUCT);
  const stride = bytesPerMarker(options.panelSize);
  const whole = new WholeDosages(n);
  let hasHeterozygotes = false;

  const addPart = (packed: Uint8Array, count: number, dosages: FractionalDosages | undefined): void => {
    const counts = block.load(packed, count, dosages);
    const kept = new Uint8Array(count);
    for (let j = 0; j < count; j++) kept[j] = passesFilter(counts, j, options.filter) ? 1 : 0;
    scan.add(counts, kept);
    const markers = positionsOf(kept);
    if (markers.length === 0) return;
    const base =
      frequenciesOf === undefined
        ? counts
        : countCalls(packed, count, { panelSize, individuals: frequenciesOf }, dosages);
    hasHeterozygotes ||= markers.some((j) => heterozygotes(base, j) > 0 && !isAllHeterozygous(base, j));
    for (const part of parts) {
      let others = markers;
      if (part.method === 'vanraden1' && whole.room >= count) {
        const isWhole = (j: number): boolean => counts.missing[j] === 0 && counts.fractional?.isFractional[j] !== 1;
        const complete = markers.filter(isWhole);
        others = markers.filter((j) => !isWhole(j));
        const centres = Float64Array.from(complete, (j) => 2 * baseFrequency(counts, base, j));
        if (complete.length > 0) whole.add(block.decode(complete, rawDosages(count)), centres);
      }
      if (others.length > 0) {
        addOuterProduct(part.kernel, block.decode(others, KINSHIP_CODINGS[part.method](counts, base)));
      }
      part.divisor += divisorOf(part.method, counts, base, markers);
    }
  };

  return {
    add(packed, count, dosages) {
      requirePacked(packed, count, options);
      for (let first = 0; first < count; first += MARKERS_PER_PRODUCT) {
        const part = Math.min(MARKERS_PER_PRODUCT, count - first);
        addPart(packed.subarray(first * stride, (first + part) * stride), part, dosagesOfPart(dosages, first, part));
      }
    },
    finish() {
      const found = scan.finish();
      if (found.keptCount === 0) {
        throw new StatgenError(
          'no-markers-left',
          `none of the ${found.readCount} markers passes the limits of allele frequency and call rate`,
          { markers: found.readCount, maf: options.filter.maf, callRate: options.filter.callRate },
        );
      }
      const result: KinshipResult = { kernels: {}, divisors: {}, scan: found, hasHeterozygotes };
      for (const { method, kernel, divisor } of parts) {
        if (method === 'vanraden1') whole.addTo(kernel);
        const divideBy = kinshipDivisor(method, divisor);
        for (let i = 0; i < kernel.data.length; i++) kernel.data[i] /= divideBy;
        result.kernels[method] = mirrorLower(kernel);
        result.divisors[method] = divideBy;
      }
      return result;
    },
  };
}

/** Copies of A2 as they are. */
function rawDosages(count: number): CallValues {
  return Float64Array.from({ length: 4 * count }, (_, at) => COPIES[at & 3]);
}

/** Of the two-bit codes 00, 01 (missing), 10, 11. */
const COPIES = Float64Array.of(0, 0, 1, 2);

/** The value of each call in each kinship, from the counts among all individuals and among those that define p. */
export const KINSHIP_CODINGS: { [method in KinshipMethod]: (counts: CallCounts, base: CallCounts) => CallValues } = {
  standardized: standardizedValues,
  vanraden1: centredValues,
  dominance: dominanceValues,
};

/** The divisor of a kinship from the sum of {@link divisorOf} over all its markers. */
export function kinshipDivisor(method: KinshipMethod, sum: number): number {
  // With one marker, gaston's m − 1 would divide by zero; a constant factor changes no test.
  return method === 'standardized' ? Math.max(1, sum - 1) : sum;
}

/** Contribution of some markers to the divisor of a kinship. */
export function divisorOf(method: KinshipMethod, counts: CallCounts, base: CallCounts, markers: Int32Array): number {
  if (method === 'standardized') return markers.length;
  let sum = 0;
  for (const j of markers) {
    if (method === 'dominance' && isAllHeterozygous(base, j)) continue;
    const p = baseFrequency(counts, base, j);
    const k = ploidyOf(counts);
    const variance = k * p * (1 - p);
    // Deviations are −2 times those of Endelman, see `dominanceValues`: the divisor is 4·(k choose 2)·p²(1 − p)².
    sum += method === 'vanraden1' ? variance : (2 - 2 / k) * variance * variance;
  }
  return sum;
}

/** Positions of the ones. */
export function positionsOf(flags: Uint8Array): Int32Array {
  let count = 0;
  const positions = new Int32Array(flags.length);
  for (let j = 0; j < flags.length; j++) if (flags[j] === 1) positions[count++] = j;
  return positions.subarray(0, count);
}
