import { createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import type { MarkerFilter, PanelSelection } from '../genotypes/call-counts.ts';
import type { FractionalDosages } from '../genotypes/fractional-dosages.ts';
import { createRandomStream } from '../random/random-stream.ts';
import { StatgenError } from '../statgen-error.ts';
import type { GwasNull, NullModel } from './prepare-gwas.ts';
import { createMarkerRotation } from './rotated-markers.ts';
import type { AssociationTest } from './test-markers.ts';

export interface PermutationScanOptions extends PanelSelection {
  filter: MarkerFilter;
  tests: readonly AssociationTest[];
  permutations: number;
  seed: number;
}

/** The largest share of a trait's variation that a marker explains, in each permutation: a test → its shares. */
export type LargestShares = { [test in AssociationTest]?: Float64Array };

export interface PermutationScan {
  /** Adds the next markers; `packed` and `dosages` as in `createMarkerTester`. */
  add(packed: Uint8Array, count: number, dosages?: FractionalDosages): void;
  /** One entry a trait. Of several scans of the same permutations the larger shares count. */
  finish(): LargestShares[];
}

/** Fewer permutations cannot give a threshold of 5 %. */
const FEWEST_PERMUTATIONS = 19;

/**
 * What chance alone makes of the strongest marker: permutes what the null model leaves of each trait, decorrelated,
 * and keeps the largest share of it that any marker explains (Churchill & Doerge 1994, Genetics 138:963; for mixed
 * models Abney 2015, Genet Epidemiol 39:249). The contrasts of the trait divided by their standard deviations at the
 * variances of the null model are independent and equally distributed, so their order can be exchanged, fixed effects
 * and kinship notwithstanding. Variances stay those of the null model in every permutation. One product a block beside
 * the rotation; permutations depend on the seed only.
 *
 * @throws StatgenError `bad-option`, `shape-mismatch`
 */
export function createPermutationScan(state: GwasNull, options: PermutationScanOptions): PermutationScan {
  const { permutations, seed, tests } = options;
  if (!Number.isInteger(permutations) || permutations < FEWEST_PERMUTATIONS) {
    throw new StatgenError(
      'bad-option',
      `a threshold needs at least ${FEWEST_PERMUTATIONS} permutations, not ${permutations}`,
    );
  }
  const rotation = createMarkerRotation(state, options);
  const scans = state.traits.map((model) =>
    [...Map.groupBy(tests, (test) => nullH2(model, test))].map(([h2, sharing]) =>
      scanAt(state, model, { h2, tests: sharing, permutations, seed }),
    ),
  );
  return {
    add(packed, count, dosages) {
      for (const { rotated } of rotation(packed, count, dosages)) {
        for (const scan of scans.flat()) scan.add(rotated);
      }
    },
    finish: () =>
      scans.map((ofTrait) => {
        const shares: LargestShares = {};
        for (const { tests: sharing, largest, scoreFactor } of ofTrait) {
          for (const test of sharing) {
            shares[test] = test === 'SCORE' ? largest.map((share) => share * scoreFactor) : largest;
          }
        }
        return shares;
      }),
  };
}

/** h² of the null model that each test starts from. */
function nullH2(model: Pick<NullModel, 'scoreH2' | 'remlH2' | 'mlH2'>, test: AssociationTest): number {
  return test === 'SCORE' ? model.scoreH2 : test === 'WALD' ? model.remlH2 : model.mlH2;
}

interface ScanAt {
  tests: readonly AssociationTest[];
  largest: Float64Array;
  /** y'Py at the h² over its expectation at the variance of SCORE; 1 unless that is of another null model. */
  scoreFactor: number;
  add(rotated: Matrix): void;
}

function scanAt(
  { contrastEigenvalues: d }: GwasNull,
  { rotated: y, scoreVariance }: NullModel,
  {
    h2,
    tests,
    permutations,
    seed,
  }: { h2: number; tests: readonly AssociationTest[]; permutations: number; seed: number },
): ScanAt {
  const order = d.length;
  const scale = d.map((value) => 1 / Math.sqrt(1 + h2 * (value - 1)));
  const residual = y.map((value, i) => value * scale[i]);
  const square = residual.reduce((sum, value) => sum + value * value, 0);
  const permuted = createMatrix(order, permutations);
  for (let b = 0; b < permutations; b++) {
    permuted.data.set(createRandomStream(seed, 'permutation', b).shuffle(residual.slice()), b * order);
  }
  const largest = new Float64Array(permutations);
  let scaled = new Float64Array(0);
  let products = new Float64Array(0);
  return {
    tests,
    largest,
    scoreFactor: square / (order * scoreVariance),
    add(rotated) {
      const size = rotated.columns;
      if (scaled.length < order * size) {
        scaled = new Float64Array(order * size);
        products = new Float64Array(permutations * size);
      }
      // Each marker is scaled to unit length, so that a squared product is its share of y'Py.
      for (let j = 0, at = 0; j < size; j++, at += order) {
        let length = 0;
        for (let i = 0; i < order; i++) {
          const value = rotated.data[at + i] * scale[i];
          scaled[at + i] = value;
          length += value * value;
        }
        const unit = 1 / Math.sqrt(length * square);
        for (let i = 0; i < order; i++) scaled[at + i] *= unit;
      }
      const into = matrixOf(permutations, size, products);
      multiply(permuted, matrixOf(order, size, scaled), { transposeA: true, into });
      for (let j = 0, at = 0; j < size; j++) {
        for (let b = 0; b < permutations; b++, at++) {
          const share = into.data[at] * into.data[at];
          if (share > largest[b]) largest[b] = share;
        }
      }
    },
  };
}

/**
 * The smallest χ² statistic that is significant at `alpha` over all markers: no more than `alpha` of the permutations,
 * counting the trait as it is for one of them, have a larger maximum (Phipson & Smyth 2010, Stat Appl Genet Mol Biol
 * 9:39).
 *
 * @param shares of `createPermutationScan`
 * @param sizes of its null model
 */
export function permutationThreshold(
  shares: Float64Array,
  test: AssociationTest,
  { n, order }: { n: number; order: number },
  alpha = 0.05,
): number {
  const above = Math.floor(alpha * (shares.length + 1) + ROUNDING);
  const share = shares.toSorted()[shares.length - above] ?? Number.NaN;
  // What the share means for each test at the variances of the null model.
  if (test === 'SCORE') return share * order;
  return test === 'WALD' ? (share * (order - 1)) / (1 - share) : -n * Math.log1p(-share);
}

/** 0.05 × 1000 must not count as 49. */
const ROUNDING = 1e-9;
