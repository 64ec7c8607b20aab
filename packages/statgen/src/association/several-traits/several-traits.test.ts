import { createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { setThreadCount } from '@heterosis/linalg/threads';
import {
  numberColumn,
  readReferenceCsv,
  readReferencePanel,
  textColumn,
  traitOfPanel,
} from '@heterosis/test-support/reference-data';
import { expect, test } from 'vitest';
import { countCalls } from '../../genotypes/call-counts.ts';
import { centredValues, decodeBlock } from '../../genotypes/decode-block.ts';
import { createKinshipAccumulator } from '../../kinship/accumulate-kinship.ts';
import { invertSymmetric } from '../../mixed-model/dense-reml.test-data.ts';
import { interceptOnly } from '../../mixed-model/error-contrasts.ts';
import { type SmallTraits, smallTraits } from '../../multi-trait/dense-traits.test-data.ts';
import { fitTraits, traitsAt } from '../../multi-trait/fit-traits.ts';
import { createTraitRecords } from '../../multi-trait/trait-records.ts';
import { createRandomStream } from '../../random/random-stream.ts';
import { chiSquareNegLog10P, chiSquareOfNegLog10P } from '../chi-square-tail.ts';
import { prepareGwas } from '../prepare-gwas.ts';
import { NO_FILTER, smallAssociation } from '../small-association.test-data.ts';
import { createMarkerTester, MARKER_COLLINEAR, MARKER_FILTERED } from '../test-markers.ts';
import { createSeveralTraitsTester, type SeveralTraitColumns } from './test-several-traits.ts';

setThreadCount(1);

const GENETIC = [
  [0.6, 0.2, -0.1],
  [0.2, 0.5, 0.15],
  [-0.1, 0.15, 0.4],
];
const RESIDUAL = [
  [0.5, 0.1, 0.05],
  [0.1, 0.7, -0.2],
  [0.05, -0.2, 0.6],
];
const MARKERS = 12;

/** Calls of some lines, a tenth of them missing. */
function randomCalls(lines: number, count: number, seed: number): Uint8Array {
  const random = createRandomStream(seed, 'calls of several traits');
  const stride = (lines + 3) >> 2;
  const packed = new Uint8Array(count * stride);
  for (let j = 0; j < count; j++) {
    for (let i = 0; i < lines; i++) {
      const code = random.uniform() < 0.1 ? 1 : [0, 2, 3][Math.floor(3 * random.uniform())];
      packed[j * stride + (i >> 2)] |= code << (2 * (i & 3));
    }
  }
  return packed;
}

function testsAt(
  small: Pick<SmallTraits, 'kinship' | 'values' | 'designs'> & { errorWeights?: Float64Array },
  packed: Uint8Array,
  { genetic, residual, count = MARKERS }: { genetic: number[][]; residual: number[][]; count?: number },
): SeveralTraitColumns {
  const records = createTraitRecords(small);
  const point = traitsAt(records, genetic, residual);
  if (point === null) throw new TypeError('no likelihood');
  const tester = createSeveralTraitsTester(records, point, { panelSize: small.kinship.rows, filter: NO_FILTER });
  return tester.test(packed, count);
}

/** Copies of A2 of a marker, less their mean, missing calls there. */
function centredMarker(packed: Uint8Array, lines: number, marker: number, count: number): Float64Array {
  const selection = { panelSize: lines };
  const values = centredValues(countCalls(packed, count, selection));
  const column = new Float64Array(lines);
  decodeBlock(packed, count, selection, Int32Array.of(marker), values, column);
  return column;
}

/** Generalised least squares of a marker on every trait, over the records present, with arrays of rows. */
function denseTests({ kinship, values, designs, errorWeights }: SmallTraits, marker: Float64Array) {
  const n = kinship.rows;
  const t = values.length;
  const records = values.flatMap((own, s) =>
    [...own.keys()].filter((i) => !Number.isNaN(own[i])).map((i) => ({ s, i, y: own[i] })),
  );
  const { inverse } = invertSymmetric(
    records.map((a) =>
      records.map(
        (b) =>
          GENETIC[a.s][b.s] * kinship.data[a.i + b.i * n] + (a.i === b.i ? RESIDUAL[a.s][b.s] * errorWeights[a.i] : 0),
      ),
    ),
  );
  const dot = (a: number[], b: number[]): number => a.reduce((sum, value, k) => sum + value * b[k], 0);
  const solve = (x: number[][]) => {
    const solved = x.map((column) => inverse.map((row) => dot(row, column)));
    const information = x.map((column) => solved.map((other) => dot(column, other)));
    const covariance = invertSymmetric(information).inverse;
    const seen = solved.map((column) =>
      dot(
        column,
        records.map(({ y }) => y),
      ),
    );
    return { covariance, b: covariance.map((row) => dot(row, seen)) };
  };
  const fixed = designs.flatMap((design, s) =>
    Array.from({ length: design.columns }, (_, c) =>
      records.map((record) => (record.s === s ? design.data[record.i + c * n] : 0)),
    ),
  );
  const ofMarker = values.map((_, s) => records.map((record) => (record.s === s ? marker[record.i] : 0)));
  const whole = solve([...fixed, ...ofMarker]);
  const effects = whole.b.slice(fixed.length);
  const covariance = whole.covariance.slice(fixed.length).map((row) => row.slice(fixed.length));
  const chiSquare = (b: number[], v: number[][]): number => {
    const { inverse: weight } = invertSymmetric(v);
    return b.reduce((sum, one, k) => sum + one * dot(weight[k], b), 0);
  };
  // Differences from the first trait span what is left beside one effect for all.
  const differences = effects.slice(1).map((effect) => effect - effects[0]);
  const ofDifferences = differences.map((_, a) =>
    differences.map(
      (__, b) => covariance[a + 1][b + 1] - covariance[a + 1][0] - covariance[0][b + 1] + covariance[0][0],
    ),
  );
  const same = solve([...fixed, records.map(({ i }) => marker[i])]);
  return {
    effects,
    errors: effects.map((_, s) => Math.sqrt(covariance[s][s])),
    any: chiSquare(effects, covariance),
    differences: t === 1 ? Number.NaN : chiSquare(differences, ofDifferences),
    main: same.b[fixed.length],
    mainError: Math.sqrt(same.covariance[fixed.length][fixed.length]),
  };
}

test.each([
  ['complete records', 0],
  ['missing records', 0.35],
])('tests are those of generalised least squares, %s, with covariates and weights', (_, holes) => {
  const small = smallTraits(3, { holes });
  const packed = randomCalls(small.kinship.rows, MARKERS, 4);
  const found = testsAt(small, packed, { genetic: GENETIC, residual: RESIDUAL });
  for (let j = 0; j < MARKERS; j++) {
    const dense = denseTests(small, centredMarker(packed, small.kinship.rows, j, MARKERS));
    expect(found.df[j]).toBe(3);
    for (const [s, effect] of dense.effects.entries()) {
      expect(found.effects[s][j]).toBeCloseTo(effect, 10);
      expect(found.errors[s][j]).toBeCloseTo(dense.errors[s], 10);
    }
    expect(found.any[j] / dense.any).toBeCloseTo(1, 9);
    expect(found.differences[j] / dense.differences).toBeCloseTo(1, 9);
    expect(found.main[j]).toBeCloseTo(dense.main, 10);
    expect(found.mainError[j]).toBeCloseTo(dense.mainError, 10);
  }
});

const largestShare = (a: Float64Array, b: Float64Array): number =>
  a.reduce((worst, value, k) => Math.max(worst, Math.abs(value / b[k] - 1)), 0);

test('units, signs and order of traits and the size of the kinship change no test', () => {
  const small = smallTraits(5);
  const packed = randomCalls(small.kinship.rows, MARKERS, 6);
  const before = testsAt(small, packed, { genetic: GENETIC, residual: RESIDUAL });
  const factors = [-1000, 0.01, 1];
  const order = [2, 0, 1];
  const scaled = (matrix: number[][], kernel: number): number[][] =>
    order.map((s) => order.map((r) => (factors[s] * factors[r] * matrix[s][r]) / kernel));
  const after = testsAt(
    {
      ...small,
      kinship: { ...small.kinship, data: small.kinship.data.map((value) => 7 * value) },
      values: order.map((s) => small.values[s].map((value) => factors[s] * value)),
      designs: order.map((s) => small.designs[s]),
    },
    packed,
    { genetic: scaled(GENETIC, 7), residual: scaled(RESIDUAL, 1) },
  );
  expect(largestShare(after.any, before.any)).toBeLessThan(1e-9);
  for (const [k, s] of order.entries()) {
    const effects = before.effects[s].map((effect) => factors[s] * effect);
    const errors = before.errors[s].map((error) => Math.abs(factors[s]) * error);
    expect(largestShare(after.effects[k], effects)).toBeLessThan(1e-9);
    expect(largestShare(after.errors[k], errors)).toBeLessThan(1e-9);
  }
});

test('traits without covariance are tested as each alone, and their χ² add up', () => {
  const { n, count, packed, kinship, y } = smallAssociation(60, 40, 7);
  const random = createRandomStream(8, 'another trait');
  const other = y.map((value) => 0.2 * value + 3 * random.normal());
  const state = prepareGwas({ kinship, traits: [y, other], principalComponents: 0 });
  const alone = createMarkerTester(state, { panelSize: n, filter: NO_FILTER, tests: ['SCORE'] }).test(packed, count);
  const diagonal = (of: (t: number) => number): number[][] => [
    [of(0), 0],
    [0, of(1)],
  ];
  const { traits } = state;
  const together = testsAt({ kinship, values: [y, other], designs: [interceptOnly(n), interceptOnly(n)] }, packed, {
    genetic: diagonal((t) => traits[t].scoreH2 * traits[t].scoreVariance),
    residual: diagonal((t) => (1 - traits[t].scoreH2) * traits[t].scoreVariance),
    count,
  });
  const ofTrait = (t: number) => alone.traits[t].SCORE ?? { beta: new Float64Array(), se: new Float64Array() };
  for (const t of [0, 1]) {
    expect(largestShare(together.effects[t], ofTrait(t).beta)).toBeLessThan(1e-8);
    expect(largestShare(together.errors[t], ofTrait(t).se)).toBeLessThan(1e-8);
  }
  const sums = together.any.map((_, j) =>
    [0, 1].reduce((sum, t) => sum + (ofTrait(t).beta[j] / ofTrait(t).se[j]) ** 2, 0),
  );
  expect(largestShare(together.any, sums)).toBeLessThan(1e-8);
});

test('a marker is tested on the traits where it says anything beside the fixed effects', () => {
  const small = smallTraits(9, { holes: 0 });
  const n = small.kinship.rows;
  const stride = (n + 3) >> 2;
  // The first two lines alone have A2; the second trait is not recorded for them.
  const packed = new Uint8Array(3 * stride);
  packed[0] = 3 | (3 << 2);
  // Monomorphic; then a marker that is a covariate of every trait.
  for (let i = 0; i < n; i += 2) packed[2 * stride + (i >> 2)] |= 3 << (2 * (i & 3));
  const even = Float64Array.from({ length: n }, (_, i) => 1 - (i % 2));
  const withEven = matrixOf(n, 2, Float64Array.from([...new Float64Array(n).fill(1), ...even]));
  const values = small.values.map((own, s) => own.map((value, i) => (s === 1 && i < 2 ? Number.NaN : value)));
  const found = testsAt({ kinship: small.kinship, values, designs: [withEven, withEven, withEven] }, packed, {
    genetic: GENETIC,
    residual: RESIDUAL,
    count: 3,
  });
  expect(found.df[0]).toBe(2);
  expect(found.effects[1][0]).toBeNaN();
  expect(found.any[0]).toBeGreaterThan(0);
  expect(Array.from(found.status.subarray(1))).toEqual([MARKER_FILTERED, MARKER_COLLINEAR]);
});

const WHEAT = new URL('../../../reference/wheat-cimmyt/', import.meta.url);

test('effects and p of wheat at the covariances of GEMMA are its own to the digits it prints', () => {
  const { samples, packed, markerIds } = readReferencePanel(new URL('genotypes.vcf.gz', WHEAT));
  const n = samples.length;
  const accumulator = createKinshipAccumulator({
    panelSize: n,
    filter: { maf: 0.05, callRate: 0.9 },
    methods: ['vanraden1'],
  });
  accumulator.add(packed, markerIds.length);
  const kinship: Matrix = accumulator.finish().kernels.vanraden1 ?? createMatrix(0, 0);
  const phenotypes = readReferenceCsv(new URL('phenotypes.csv', WHEAT));
  const values = ['GY_env1', 'GY_env2'].map((trait) => traitOfPanel(phenotypes, trait, samples));
  const small = { kinship, values, designs: [interceptOnly(n), interceptOnly(n)] };
  // The ML estimates of GEMMA 0.98.5 (-lmm 4), at which it makes its score test.
  const found = testsAt(small, packed, {
    genetic: [
      [0.295864, -0.0773139],
      [-0.0773139, 0.272917],
    ],
    residual: [
      [0.553476, 0.0831124],
      [0.0831124, 0.563782],
    ],
    count: markerIds.length,
  });
  const gemma = readReferenceCsv(new URL('multi-trait/wheat2.gemma.csv', WHEAT));
  const places = textColumn(gemma, 'marker').map((marker) => Number(marker) - 1);
  expect(places.length).toBe(64);
  const score = numberColumn(gemma, 'p_score');
  for (const [k, j] of places.entries()) {
    const p = 10 ** -chiSquareNegLog10P(found.any[j], 2);
    // Six digits of the covariances.
    expect(p / score[k]).toBeCloseTo(1, 5);
  }
  // Its Wald test of the strongest marker has variances by REML with the marker, to the last digits (-pnr 0.001).
  const strongest = textColumn(gemma, 'marker').indexOf('1141');
  const marker = centredMarker(packed, n, places[strongest], markerIds.length);
  const design = matrixOf(n, 2, Float64Array.from([...new Float64Array(n).fill(1), ...marker]));
  const fit = fitTraits(createTraitRecords({ ...small, designs: [design, design] }));
  for (const s of [0, 1]) {
    const [beta, variance] = [`beta_${s + 1}`, `Vbeta_${s + 1}_${s + 1}`].map(
      (name) => numberColumn(gemma, name)[strongest],
    );
    expect(fit.coefficients[s][1] / beta).toBeCloseTo(1, 5);
    expect(fit.fixedErrors[s][1] ** 2 / variance).toBeCloseTo(1, 5);
  }
});

test.each([1, 2, 3, 4, 5, 6])('the tail of χ² with %i degrees of freedom is its integral', (df) => {
  // Simpson's rule over √x, where the density of any degree is smooth.
  const gammaOfHalf = [1, 1 / Math.sqrt(Math.PI)].map((first, isOdd) => {
    let product = isOdd === 1 ? 1 / first : first;
    for (let k = isOdd === 1 ? 0.5 : 1; k < df / 2; k++) product *= k;
    return product;
  })[df % 2];
  const density = (z: number): number => (2 * z ** (df - 1) * Math.exp(-0.5 * z * z)) / (2 ** (df / 2) * gammaOfHalf);
  for (const x of [0.05, 0.9, 7.9, 8.1, 25]) {
    const [from, steps] = [Math.sqrt(x), 4000];
    const width = 12 / steps;
    let sum = 0;
    for (let k = 0; k <= steps; k++) {
      sum += (k === 0 || k === steps ? 1 : k % 2 === 1 ? 4 : 2) * density(from + k * width);
    }
    const tail = (sum * width) / 3;
    expect(10 ** -chiSquareNegLog10P(x, df) / tail).toBeCloseTo(1, 9);
    expect(chiSquareNegLog10P(chiSquareOfNegLog10P(chiSquareNegLog10P(x, df)))).toBeCloseTo(
      chiSquareNegLog10P(x, df),
      12,
    );
  }
});
