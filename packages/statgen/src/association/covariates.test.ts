import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { expect, test } from 'vitest';
import { countCalls } from '../genotypes/call-counts.ts';
import { centredValues, decodeBlock } from '../genotypes/decode-block.ts';
import { createKinshipAccumulator } from '../kinship/accumulate-kinship.ts';
import { createRandomStream } from '../random/random-stream.ts';
import { plainTester } from './plain-association.test-data.ts';
import { prepareGwas } from './prepare-gwas.ts';
import { createMarkerTester, MARKER_TESTED } from './test-markers.ts';

const N = 90;
const MARKERS = 150;
const FILTER = { maf: 0.05, callRate: 0.9 };
const SELECTION = { panelSize: N };

/** A panel whose trait depends on age, on sex and on some markers. */
function simulated() {
  const random = createRandomStream(17, 'covariates');
  const packed = new Uint8Array(MARKERS * Math.ceil(N / 4));
  const age = Float64Array.from({ length: N }, () => 20 + Math.floor(60 * random.uniform()));
  const sex = Float64Array.from({ length: N }, () => Number(random.uniform() < 0.4));
  const y = Float64Array.from({ length: N }, (_, i) => 0.2 * age[i] - 5 * sex[i] + 2 * random.normal());
  for (let j = 0; j < MARKERS; j++) {
    const frequency = 0.2 + 0.6 * random.uniform();
    const effect = 0.4 * random.normal();
    for (let i = 0; i < N; i++) {
      const dosage = Number(random.uniform() < frequency) + Number(random.uniform() < frequency);
      packed[j * Math.ceil(N / 4) + (i >> 2)] |= (dosage === 0 ? 0 : dosage + 1) << (2 * (i & 3));
      y[i] += effect * dosage;
    }
  }
  const accumulator = createKinshipAccumulator({ ...SELECTION, filter: FILTER, methods: ['standardized'] });
  accumulator.add(packed, MARKERS);
  return { packed, age, sex, y, kinship: accumulator.finish().kernels.standardized as Matrix };
}

function columnsOf(...columns: readonly Float64Array[]): Matrix {
  const matrix = createMatrix(N, columns.length);
  for (const [k, column] of columns.entries()) matrix.data.set(column, k * N);
  return matrix;
}

const { packed, age, sex, y, kinship } = simulated();
const ones = new Float64Array(N).fill(1);

test.each([0, 2])('with covariates and %i components every marker equals generalised least squares', (components) => {
  const state = prepareGwas({ kinship, traits: [y], principalComponents: components, covariates: columnsOf(age, sex) });
  expect(state.covariates).toEqual(['used', 'used']);
  expect(state.fixed).toBe(3 + components);
  const tester = createMarkerTester(state, { ...SELECTION, filter: FILTER, tests: ['WALD', 'LRT'] });
  const columns = tester.test(packed, MARKERS);
  // The raw covariates, neither centred nor scaled.
  const axes = Array.from({ length: components }, (_, k) => state.axes.subarray(k * N, (k + 1) * N));
  const plainTest = plainTester(kinship, y, columnsOf(ones, ...axes, age, sex));
  const counts = countCalls(packed, MARKERS, SELECTION);
  const marker = new Float64Array(N);
  let compared = 0;
  for (let j = 0; j < MARKERS; j += 7) {
    if (columns.status[j] !== MARKER_TESTED) continue;
    decodeBlock(packed, MARKERS, SELECTION, Int32Array.of(j), centredValues(counts), marker);
    const { wald, lrt } = plainTest(marker);
    const { WALD, LRT } = columns.traits[0];
    expect(Math.abs((WALD?.statistic[j] ?? 0) - wald.statistic)).toBeLessThan(1e-7 * (1 + wald.statistic));
    expect(Math.abs((WALD?.beta[j] ?? 0) - wald.beta)).toBeLessThan(1e-7);
    expect(Math.abs((LRT?.statistic[j] ?? 0) - lrt.statistic)).toBeLessThan(1e-7 * (1 + lrt.statistic));
    compared++;
  }
  expect(compared).toBeGreaterThan(15);
});

test('a covariate that is constant or a combination of others is left out, and the tests are those without it', () => {
  const test = (...covariates: readonly Float64Array[]) => {
    const state = prepareGwas({ kinship, traits: [y], principalComponents: 1, covariates: columnsOf(...covariates) });
    const tester = createMarkerTester(state, { ...SELECTION, filter: FILTER, tests: ['LRT'] });
    return { state, statistic: tester.test(packed, MARKERS).traits[0].LRT?.statistic };
  };
  const alone = test(age, sex);
  const axis = alone.state.axes.subarray(0, N);
  const more = test(
    new Float64Array(N).fill(0.1),
    age,
    age.map((value) => 3 * value - 1e6),
    sex,
    sex.map((value, i) => value + age[i] / 7),
    axis.map((value, i) => 2 - 40 * value + sex[i]),
  );
  expect(more.state.covariates).toEqual(['constant', 'used', 'explained', 'used', 'explained', 'explained']);
  expect(more.state.fixed).toBe(alone.state.fixed);
  expect(more.statistic).toEqual(alone.statistic);
});

test('the scale of a covariate does not matter', () => {
  const statistics = [1e-6, 1, 1e9].map((factor) => {
    const covariates = columnsOf(age.map((value) => factor * (value + 1000)));
    const state = prepareGwas({ kinship, traits: [y], principalComponents: 0, covariates });
    expect(state.covariates).toEqual(['used']);
    const tester = createMarkerTester(state, { ...SELECTION, filter: FILTER, tests: ['WALD'] });
    return tester.test(packed, MARKERS).traits[0].WALD?.statistic ?? new Float64Array();
  });
  for (const other of statistics.slice(1)) {
    for (let j = 0; j < MARKERS; j++) {
      if (Number.isNaN(statistics[0][j])) expect(other[j]).toBeNaN();
      else expect(Math.abs(other[j] - statistics[0][j])).toBeLessThan(1e-9 * (1 + statistics[0][j]));
    }
  }
});

test('an individual alone in its group is fitted exactly: WALD and SCORE are those without it', () => {
  const alone = 41;
  const others = Int32Array.from({ length: N }, (_, i) => i).filter((i) => i !== alone);
  const group = Float64Array.from({ length: N }, (_, i) => Number(i === alone));
  const part = createMatrix(N - 1, N - 1);
  for (const [column, j] of others.entries()) {
    for (const [row, i] of others.entries()) part.data[row + column * (N - 1)] = kinship.data[i + j * N];
  }
  const without = (values: Float64Array): Float64Array => values.filter((_, i) => i !== alone);
  const tests = ['WALD', 'SCORE'] as const;
  // A marker at the limit of the filter could be tested in only one of the two.
  const filter = { maf: 0.1, callRate: 0 };
  const whole = createMarkerTester(
    prepareGwas({ kinship, traits: [y], principalComponents: 0, covariates: columnsOf(sex, group) }),
    { ...SELECTION, filter, tests },
  ).test(packed, MARKERS);
  const sexOfOthers = createMatrix(N - 1, 1);
  sexOfOthers.data.set(without(sex));
  const rest = createMarkerTester(
    prepareGwas({ kinship: part, traits: [without(y)], principalComponents: 0, covariates: sexOfOthers }),
    { panelSize: N, individuals: others, filter, tests },
  ).test(packed, MARKERS);
  let compared = 0;
  for (let j = 0; j < MARKERS; j++) {
    if (whole.status[j] !== MARKER_TESTED || rest.status[j] !== MARKER_TESTED) continue;
    for (const test of tests) {
      const one = whole.traits[0][test]?.statistic[j] ?? Number.NaN;
      const other = rest.traits[0][test]?.statistic[j] ?? Number.NaN;
      expect(Math.abs(one - other)).toBeLessThan(1e-8 * (1 + other));
    }
    compared++;
  }
  expect(compared).toBeGreaterThan(100);
});
