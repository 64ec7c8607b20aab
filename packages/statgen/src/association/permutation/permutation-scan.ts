import { createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import type { MarkerFilter } from '../../genotypes/call-counts.ts';
import type { FractionalDosages } from '../../genotypes/fractional-dosages.ts';
import type { PanelSelection } from '../../genotypes/packed-calls.ts';
import { StatgenError } from '../../statgen-error.ts';
import { chebyshevNodes, coefficientTransform, h2OfPosition } from '../chebyshev.ts';
import { type GwasNull, type NullModel, nullSeries, wholeScale } from '../prepare-gwas.ts';
import { createMarkerRotation } from '../rotated-markers.ts';
import type { AssociationTest } from '../test-markers.ts';
import { type PermutedTrait, permuteTrait } from './permuted-traits.ts';

export interface PermutationScanOptions extends PanelSelection {
  filter: MarkerFilter;
  tests: readonly AssociationTest[];
  permutations: number;
  seed: number;
  /** Results for other markers with the same permutations, one entry a trait: the larger statistics count. */
  before?: readonly LargestStatistics[];
  /** Default by the number of individuals. */
  screenedShare?: number;
}

/** The largest statistic of a trait over all markers, in each permutation: a test → its statistics. */
export type LargestStatistics = { [test in AssociationTest]?: Float64Array };

export interface PermutationScan {
  /** Adds the next markers; `packed` and `dosages` as in `createMarkerTester`. */
  add(packed: Uint8Array, count: number, dosages?: FractionalDosages): void;
  /** One entry a trait. */
  finish(): LargestStatistics[];
}

/** Fewer permutations cannot give a threshold of 5 %. */
const FEWEST_PERMUTATIONS = 19;
/** Permutations multiplied with a block at a time. */
const PERMUTATIONS_PER_PRODUCT = 256;
/**
 * WALD and LRT of a permuted trait are computed for the markers whose statistic at the variances of its null model is
 * at least this share of the largest so far. Estimating the variances again moves a statistic the more, the fewer
 * individuals there are. `bench/permutation-error.bench.ts` counts the maxima that this misses.
 */
const screenedShareOf = (n: number): number => Math.min(0.5, n / 1000);

/**
 * What chance alone makes of the strongest marker (Churchill & Doerge 1994, Genetics 138:963): permutes each trait (see
 * `permuteTrait`), analyses it as the trait itself is, and keeps the largest statistic of each test. Two products a
 * block beside the rotation, and a search for each of the few markers whose WALD or LRT may be the largest.
 *
 * @throws StatgenError `bad-option`, `shape-mismatch`
 */
export function createPermutationScan(state: GwasNull, options: PermutationScanOptions): PermutationScan {
  const { permutations, before } = options;
  if (!Number.isInteger(permutations) || permutations < FEWEST_PERMUTATIONS) {
    throw new StatgenError(
      'bad-option',
      `a threshold needs at least ${FEWEST_PERMUTATIONS} permutations, not ${permutations}`,
    );
  }
  const rotation = createMarkerRotation(state, options);
  const scans = state.traits.map((model, t) => scanTrait(state, model, options, before?.[t]));
  return {
    add(packed, count, dosages) {
      for (const { rotated } of rotation(packed, count, dosages)) {
        const squared = matrixOf(
          rotated.rows,
          rotated.columns,
          rotated.data.subarray(0, rotated.rows * rotated.columns).map((value) => value * value),
        );
        for (const scan of scans) scan.add(rotated, squared);
      }
    },
    finish: () => scans.map(({ largest }) => largest),
  };
}

interface TraitScan {
  largest: LargestStatistics;
  /** @param squared the squares of the rotated markers */
  add(rotated: Matrix, squared: Matrix): void;
}

function scanTrait(
  state: GwasNull,
  model: NullModel,
  options: PermutationScanOptions,
  before: LargestStatistics = {},
): TraitScan {
  const { tests, permutations, screenedShare = screenedShareOf(state.n) } = options;
  const { n, contrastEigenvalues: d } = state;
  const order = d.length;
  const series = nullSeries(state, wholeScale(state));
  const { weighted, traits } = permuteTrait(state, model, series, options);
  const weights = weightsOfSeries(d, series.scale, series.length);
  const largest: LargestStatistics = {};
  for (const test of tests) largest[test] = before[test]?.slice() ?? new Float64Array(permutations);
  const { SCORE, WALD, LRT } = largest;
  const isFitted = WALD !== undefined || LRT !== undefined;

  /** What a share of y'Py that a marker explains makes of WALD and LRT, over the largest so far. */
  const promise = (share: number, b: number): number => {
    const rest = Math.max(1 - share, Number.EPSILON);
    return Math.max(
      WALD === undefined ? 0 : ((order - 1) * share) / rest / WALD[b],
      LRT === undefined ? 0 : (-n * Math.log(rest)) / LRT[b],
    );
  };

  return {
    largest,
    add(rotated, squared) {
      const bSeries = isFitted ? multiply(weights, squared, { transposeA: true }) : null;
      for (let first = 0; first < permutations; first += PERMUTATIONS_PER_PRODUCT) {
        const some = traits.slice(first, first + PERMUTATIONS_PER_PRODUCT);
        const shares = sharesOf(some, weightedOf(weighted, first, some.length), { d, rotated, squared });
        for (const [k, trait] of some.entries()) {
          const b = first + k;
          const ofMarkers = shares.data.subarray(k * rotated.columns, (k + 1) * rotated.columns);
          const top = placeOfLargest(ofMarkers);
          if (SCORE !== undefined) SCORE[b] = Math.max(SCORE[b], ofMarkers[top] * order);
          if (bSeries === null) continue;
          const test = createSearch(trait, {
            rotated,
            bSeries,
            weights,
            weighted: weightedOf(weighted, b, 1),
            d,
            order,
          });
          const raise = (places: readonly number[]): void => {
            for (const found of test(places, tests)) {
              if (WALD !== undefined) WALD[b] = Math.max(WALD[b], found.wald);
              if (LRT !== undefined) LRT[b] = Math.max(LRT[b], found.lrt);
            }
          };
          // The most promising marker first: most others then need no search.
          if (promise(ofMarkers[top], b) >= screenedShare) raise([top]);
          const others: number[] = [];
          for (const [j, share] of ofMarkers.entries()) {
            if (j !== top && promise(share, b) >= screenedShare) others.push(j);
          }
          if (others.length > 0) raise(others);
        }
      }
    },
  };
}

const weightedOf = ({ rows, data }: Matrix, first: number, count: number): Matrix =>
  matrixOf(rows, count, data.subarray(first * rows, (first + count) * rows));

function placeOfLargest(values: Float64Array): number {
  let top = 0;
  for (let j = 1; j < values.length; j++) if (values[j] > values[top]) top = j;
  return top;
}

/** markers × permutations: the share of y'Py that each marker explains at the variances of the null model. */
function sharesOf(
  traits: readonly PermutedTrait[],
  weighted: Matrix,
  { d, rotated, squared }: { d: Float64Array; rotated: Matrix; squared: Matrix },
): Matrix {
  const order = d.length;
  const weights = createMatrix(order, traits.length);
  for (const [b, { scoreH2 }] of traits.entries()) {
    for (let i = 0; i < order; i++) weights.data[i + b * order] = 1 / (1 + scoreH2 * (d[i] - 1));
  }
  const shares = multiply(rotated, weighted, { transposeA: true });
  const lengths = multiply(squared, weights, { transposeA: true }).data;
  const markers = rotated.columns;
  for (const [b, { scoreVariance }] of traits.entries()) {
    for (let at = b * markers; at < (b + 1) * markers; at++) {
      shares.data[at] = shares.data[at] ** 2 / (lengths[at] * order * scoreVariance);
    }
  }
  return shares;
}

/** contrasts × coefficients: their products with squared contrasts are the series of g'Wg. */
function weightsOfSeries(d: Float64Array, scale: Parameters<typeof chebyshevNodes>[0], length: number): Matrix {
  const order = d.length;
  const nodes = chebyshevNodes(scale, length);
  const atNodes = createMatrix(order, length);
  for (const [k, s] of nodes.entries()) {
    const h2 = h2OfPosition(scale, s);
    for (let i = 0; i < order; i++) atNodes.data[i + k * order] = 1 / (1 + h2 * (d[i] - 1));
  }
  return multiply(atNodes, matrixOf(length, length, coefficientTransform(length)));
}

interface SearchedBlock {
  rotated: Matrix;
  /** coefficients × markers. */
  bSeries: Matrix;
  weights: Matrix;
  /** Column of the permuted trait. */
  weighted: Matrix;
  d: Float64Array;
  order: number;
}

/** WALD and LRT of some markers of a block, as `createMarkerTester` computes them. */
function createSearch(
  { scoreH2, starts, wald, lrt, mlValue }: PermutedTrait,
  { rotated, bSeries, weights, weighted, d, order }: SearchedBlock,
) {
  const length = weights.columns;
  let yWeights: Matrix | undefined;
  return (places: readonly number[], tests: readonly AssociationTest[]): { wald: number; lrt: number }[] => {
    yWeights ??= matrixOf(
      order,
      length,
      weights.data.map((value, at) => {
        const i = at % order;
        return value * weighted.data[i] * (1 + scoreH2 * (d[i] - 1));
      }),
    );
    const chosen = createMatrix(order, places.length);
    for (const [k, j] of places.entries()) {
      chosen.data.set(rotated.data.subarray(j * order, (j + 1) * order), k * order);
    }
    const aSeries = multiply(yWeights, chosen, { transposeA: true }).data;
    return places.map((j, k) => {
      const found = { wald: 0, lrt: 0 };
      if (tests.includes('WALD')) {
        wald.climb(starts.reml, aSeries, k * length, bSeries.data, j * length);
        found.wald = ((wald.a / wald.b) * wald.a * (order - 1)) / wald.residual;
      }
      if (tests.includes('LRT')) {
        lrt.climb(starts.ml, aSeries, k * length, bSeries.data, j * length);
        found.lrt = 2 * (lrt.value - mlValue);
      }
      return found;
    });
  };
}

/**
 * The smallest statistic that is significant at `alpha` over all markers: no more than `alpha` of the permutations,
 * counting the trait as it is for one of them, have a larger maximum (Phipson & Smyth 2010, Stat Appl Genet Mol Biol
 * 9:39).
 *
 * @param statistics of one test, by `createPermutationScan`
 */
export function permutationThreshold(statistics: Float64Array, alpha = 0.05): number {
  const above = Math.floor(alpha * (statistics.length + 1) + ROUNDING);
  return statistics.toSorted()[statistics.length - above] ?? Number.NaN;
}

/** 0.05 × 1000 must not count as 49. */
const ROUNDING = 1e-9;
