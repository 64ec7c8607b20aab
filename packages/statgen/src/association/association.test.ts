import { createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import {
  largestRelativeError,
  readReferenceCsv,
  readReferencePanel,
  traitOfPanel,
} from '@heterosis/test-support/reference-data';
import { expect, test } from 'vitest';
import { countCalls, frequencyA2 } from '../genotypes/call-counts.ts';
import { centredValues, decodeBlock } from '../genotypes/decode-block.ts';
import { createKinshipAccumulator } from '../kinship/accumulate-kinship.ts';
import { createRandomStream } from '../random/random-stream.ts';
import { positionOfH2 } from './chebyshev.ts';
import { chiSquareNegLog10P, chiSquareP } from './chi-square-tail.ts';
import { linkageDisequilibrium } from './linkage-disequilibrium.ts';
import { plainTester } from './plain-association.test-data.ts';
import { plainSummary } from './plain-summary.test-data.ts';
import { type GwasNull, prepareGwas, wholeScale } from './prepare-gwas.ts';
import { TestSummarizer, type TestSummary } from './summarize-tests.ts';
import {
  type AssociationTest,
  createMarkerTester,
  type GwasColumns,
  MARKER_COLLINEAR,
  MARKER_FILTERED,
  MARKER_TESTED,
  type TestColumns,
} from './test-markers.ts';

const MAIZE = new URL('../../reference/maize-mdp/', import.meta.url);
const filter = { maf: 0.05, callRate: 0.9 };
const ALL: AssociationTest[] = ['SCORE', 'WALD', 'LRT'];

interface Case {
  packed: Uint8Array;
  markers: number;
  panelSize: number;
  individuals: Int32Array;
  y: Float64Array;
}

function maize(trait: string): Case {
  const panel = readReferencePanel(new URL('genotypes.vcf.gz', MAIZE));
  const values = traitOfPanel(readReferenceCsv(new URL('phenotypes.csv', MAIZE)), trait, panel.samples);
  const individuals = Int32Array.from(values.keys()).filter((i) => !Number.isNaN(values[i]));
  return {
    packed: panel.packed,
    markers: panel.markerIds.length,
    panelSize: panel.samples.length,
    individuals,
    y: Float64Array.from(individuals, (i) => values[i]),
  };
}

/** Outbred genotypes with few missing calls; the trait has one large and many small effects. */
function simulated(n: number, markers: number, seed: number): Case {
  const random = createRandomStream(seed, 'association');
  const stride = (n + 3) >> 2;
  const packed = new Uint8Array(markers * stride);
  const y = new Float64Array(n);
  for (let j = 0; j < markers; j++) {
    const frequency = 0.2 + 0.6 * random.uniform();
    const effect = (j === 0 ? 3 : 0.3) * random.normal();
    for (let i = 0; i < n; i++) {
      const dosage = Number(random.uniform() < frequency) + Number(random.uniform() < frequency);
      const code = random.uniform() < 0.02 ? 1 : dosage === 0 ? 0 : dosage + 1;
      packed[j * stride + (i >> 2)] |= code << (2 * (i & 3));
      y[i] += effect * dosage;
    }
  }
  for (let i = 0; i < n; i++) y[i] += 2 * random.normal();
  return { packed, markers, panelSize: n, individuals: Int32Array.from({ length: n }, (_, i) => i), y };
}

function kinshipOf(input: Case): Matrix {
  const accumulator = createKinshipAccumulator({ ...input, filter, methods: ['standardized'] });
  accumulator.add(input.packed, input.markers);
  return accumulator.finish().kernels.standardized as Matrix;
}

function run(input: Case, principalComponents = 2, tests = ALL): { state: GwasNull; columns: GwasColumns } {
  const state = prepareGwas({ kinship: kinshipOf(input), traits: [input.y], principalComponents });
  return { state, columns: createMarkerTester(state, { ...input, filter, tests }).test(input.packed, input.markers) };
}

/** Every marker tested agrees with the plain tester; the intercept is the only fixed effect. */
function expectPlain(input: Case, columns: GwasColumns): void {
  const n = input.individuals.length;
  const plainTest = plainTester(kinshipOf(input), input.y, matrixOf(n, 1, new Float64Array(n).fill(1)));
  const counts = countCalls(input.packed, input.markers, input);
  const marker = new Float64Array(n);
  const { WALD, LRT } = columns.traits[0];
  for (let j = 0; j < input.markers; j++) {
    if (columns.status[j] !== MARKER_TESTED) continue;
    decodeBlock(input.packed, input.markers, input, Int32Array.of(j), centredValues(counts), marker);
    const { wald, lrt } = plainTest(marker);
    const fast = [WALD?.statistic[j], WALD?.beta[j], WALD?.se[j], WALD?.h2[j], LRT?.statistic[j], LRT?.h2[j]];
    const slow = [wald.statistic, wald.beta, wald.se, wald.h2, lrt.statistic, lrt.h2];
    expect(largestRelativeError(fast as number[], slow, 1e-2)).toBeLessThan(1e-7);
  }
}

test('every marker equals generalised least squares maximised one marker at a time', () => {
  for (const [trait, components] of [
    ['EarHT', 0],
    ['dpoll', 3],
    ['EarDia', 1],
  ] as const) {
    const input = maize(trait);
    const kinship = kinshipOf(input);
    const { state, columns } = run(input, components);
    const n = input.individuals.length;
    const x = createMatrix(n, 1 + components);
    x.data.fill(1, 0, n);
    x.data.set(state.axes, n);
    const counts = countCalls(input.packed, input.markers, input);
    const marker = new Float64Array(n);
    const plainTest = plainTester(kinship, input.y, x);
    for (let j = 0; j < input.markers; j += 41) {
      if (columns.status[j] !== MARKER_TESTED) continue;
      decodeBlock(input.packed, input.markers, input, Int32Array.of(j), centredValues(counts), marker);
      const plain = plainTest(marker);
      const { WALD, LRT } = columns.traits[0];
      const fast = [WALD?.statistic[j], WALD?.beta[j], WALD?.se[j], WALD?.h2[j], LRT?.statistic[j], LRT?.h2[j]];
      const slow = [
        plain.wald.statistic,
        plain.wald.beta,
        plain.wald.se,
        plain.wald.h2,
        plain.lrt.statistic,
        plain.lrt.h2,
      ];
      // h² is the maximum of a flat curve: both find it to about 1e-9.
      expect(largestRelativeError(fast as number[], slow, 1e-2)).toBeLessThan(1e-7);
      expect(Math.abs((WALD?.statistic[j] as number) - plain.wald.statistic)).toBeLessThan(
        1e-8 * (1 + plain.wald.statistic),
      );
      expect(Math.abs((LRT?.statistic[j] as number) - plain.lrt.statistic)).toBeLessThan(
        1e-8 * (1 + plain.lrt.statistic),
      );
    }
  }
});

/** Compares statistics to 1e-9 of max(1, value), and effects relative to their scale. */
function expectSame(actual: GwasColumns, expected: GwasColumns, betaFactor: number): void {
  for (const kind of ALL) {
    const a = actual.traits[0][kind];
    const e = expected.traits[0][kind];
    if (a === undefined || e === undefined) throw new Error(`no columns for ${kind}`);
    expect(largestRelativeError(a.statistic, e.statistic, 1)).toBeLessThan(1e-9);
    expect(largestRelativeError(a.negLog10P, e.negLog10P, 1)).toBeLessThan(1e-9);
    const scale = Math.max(...e.beta.filter(Number.isFinite).map(Math.abs));
    expect(
      largestRelativeError(
        a.beta.map((value) => value / betaFactor),
        e.beta,
        scale,
      ),
    ).toBeLessThan(1e-9);
    expect(
      largestRelativeError(
        a.se.map((value) => value / Math.abs(betaFactor)),
        e.se,
        0,
      ),
    ).toBeLessThan(1e-9);
  }
}

test('shifting and scaling the trait changes nothing but the scale of effects', () => {
  const input = maize('EarHT');
  const { columns } = run(input);
  expectSame(run({ ...input, y: input.y.map((value) => 1000 * value + 7) }).columns, columns, 1000);
});

test('individuals in another order give the same results', () => {
  const input = maize('dpoll');
  const { columns } = run(input);
  const order = createRandomStream(4).shuffle(Int32Array.from(input.individuals.keys()));
  const permuted = {
    ...input,
    individuals: Int32Array.from(order, (i) => input.individuals[i]),
    y: Float64Array.from(order, (i) => input.y[i]),
  };
  expectSame(run(permuted).columns, columns, 1);
});

test('exchanging A1 and A2 turns the effect and its frequency round and nothing else', () => {
  const input = maize('EarDia');
  const { columns } = run(input);
  const swapped = input.packed.map((byte) => {
    let result = 0;
    for (let shift = 0; shift < 8; shift += 2) {
      const call = (byte >> shift) & 3;
      result |= (call === 1 || call === 2 ? call : 3 - call) << shift;
    }
    return result;
  });
  const turned = run({ ...input, packed: swapped }).columns;
  expectSame(turned, columns, -1);
  expect(
    largestRelativeError(
      turned.frequencyA2.map((p) => 1 - p),
      columns.frequencyA2,
      0.1,
    ),
  ).toBeLessThan(1e-12);
});

test('blocks may be tested in any pieces, and traits share one decomposition', () => {
  const input = simulated(90, 300, 1);
  const second = input.y.map((value, i) => value + (i % 7));
  const kinship = kinshipOf(input);
  const both = prepareGwas({ kinship, traits: [input.y, second], principalComponents: 1 });
  const alone = prepareGwas({ kinship, traits: [second], principalComponents: 1 });
  const options = { ...input, filter, tests: ALL };
  const whole = createMarkerTester(both, options).test(input.packed, 300);
  const stored = structuredClone(alone);
  const stride = (90 + 3) >> 2;
  const tester = createMarkerTester(stored, options);
  const late = tester.test(input.packed.subarray(137 * stride), 163);
  const early = tester.test(input.packed.subarray(0, 137 * stride), 137);
  for (const kind of ALL) {
    const joined = [...(early.traits[0][kind]?.statistic ?? []), ...(late.traits[0][kind]?.statistic ?? [])];
    expect(largestRelativeError(joined, whole.traits[1][kind]?.statistic ?? [], 1)).toBeLessThan(1e-9);
  }
});

test('a marker that is filtered, monomorphic, all missing or a principal component has a status and no numbers', () => {
  const input = simulated(40, 60, 2);
  const stride = 10;
  input.packed.fill(0, 0, stride); // monomorphic
  input.packed.fill(0b01_01_01_01, stride, 2 * stride); // all missing
  const kinship = kinshipOf(input);
  // Marker 5 as covariate: exactly collinear with itself.
  const covariate = new Float64Array(40);
  const counts = countCalls(input.packed, 60, input);
  decodeBlock(input.packed, 60, input, Int32Array.of(5), centredValues(counts), covariate);
  const state = prepareGwas({
    kinship,
    traits: [input.y],
    principalComponents: 1,
    covariates: matrixOf(40, 1, covariate),
  });
  const columns = createMarkerTester(state, { ...input, filter, tests: ALL }).test(input.packed, 60);
  expect([...columns.status.subarray(0, 2), columns.status[5]]).toEqual([
    MARKER_FILTERED,
    MARKER_FILTERED,
    MARKER_COLLINEAR,
  ]);
  for (const j of [0, 1, 5]) {
    for (const kind of ALL) expect(columns.traits[0][kind]?.p[j]).toBeNaN();
  }
  expect(columns.frequencyA2[1]).toBeNaN();
  expect(columns.frequencyA2[5]).toBeCloseTo(frequencyA2(counts, 5), 15);
  expect(columns.status[7]).toBe(MARKER_TESTED);
});

test('a marker that carries much of the genetic variance is fitted as exactly, far from the h² without it', () => {
  // Two families that differ at every marker and in the trait; marker 7 identifies the family.
  const input = simulated(150, 60, 11);
  const random = createRandomStream(5, 'families');
  input.packed.fill(0);
  for (let i = 0; i < 150; i++) {
    for (let j = 0; j < 60; j++) {
      const isOther = j === 7 ? i % 2 === 0 : random.uniform() < (i % 2 === 0 ? 0.8 : 0.2);
      if (isOther) input.packed[j * 38 + (i >> 2)] |= 3 << (2 * (i & 3));
    }
    input.y[i] = 3 * (i % 2) + random.normal();
  }
  const counts = countCalls(input.packed, input.markers, input);
  const marker = new Float64Array(150);
  decodeBlock(input.packed, input.markers, input, Int32Array.of(7), centredValues(counts), marker);
  const { state, columns } = run(input, 0);
  const plain = plainTester(kinshipOf(input), input.y, matrixOf(150, 1, new Float64Array(150).fill(1)))(marker);
  const { WALD, LRT } = columns.traits[0];
  const scale = wholeScale(state);
  const moved = positionOfH2(scale, WALD?.h2[7] as number) - positionOfH2(scale, state.traits[0].remlH2);
  expect(Math.abs(moved)).toBeGreaterThan(1);
  const fast = [WALD?.statistic[7], WALD?.beta[7], WALD?.se[7], WALD?.h2[7], LRT?.statistic[7], LRT?.h2[7]];
  const { wald, lrt } = plain;
  const slow = [wald.statistic, wald.beta, wald.se, wald.h2, lrt.statistic, lrt.h2];
  expect(largestRelativeError(fast as number[], slow, 1e-2)).toBeLessThan(1e-7);
});

test('a trait without genetic variance is tested at h² = 0, where WALD is ordinary regression', () => {
  const input = simulated(200, 40, 3);
  const random = createRandomStream(17, 'noise');
  // Relatives have negative similarity: the likelihood decreases from h² = 0.
  const kinship = kinshipOf(input);
  let noise = input.y.map(() => random.normal());
  for (let attempt = 0; attempt < 20; attempt++) {
    const state = prepareGwas({ kinship, traits: [noise], principalComponents: 0 });
    if (state.traits[0].remlH2 === 0) break;
    noise = noise.map(() => random.normal());
  }
  const state = prepareGwas({ kinship, traits: [noise], principalComponents: 0 });
  expect(state.traits[0]).toMatchObject({ remlH2: 0, scoreH2: 0 });
  const columns = createMarkerTester(state, { ...input, filter, tests: ALL }).test(input.packed, 40);
  const wald = columns.traits[0].WALD;
  const j = columns.status.findIndex((status, i) => status === MARKER_TESTED && wald?.h2[i] === 0);
  expect(j).toBeGreaterThanOrEqual(0);
  expect(wald?.atBound[j]).toBe(1);
  const marker = new Float64Array(200);
  decodeBlock(input.packed, 40, input, Int32Array.of(j), centredValues(countCalls(input.packed, 40, input)), marker);
  const mean = noise.reduce((sum, value) => sum + value, 0) / 200;
  const meanX = marker.reduce((sum, value) => sum + value, 0) / 200;
  const xx = marker.reduce((sum, value) => sum + (value - meanX) ** 2, 0);
  const xy = marker.reduce((sum, value, i) => sum + (value - meanX) * (noise[i] - mean), 0);
  const yy = noise.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const beta = xy / xx;
  expect(wald?.beta[j]).toBeCloseTo(beta, 9);
  expect(wald?.se[j]).toBeCloseTo(Math.sqrt((yy - beta * xy) / 198 / xx), 9);
});

test('a trait that is all genetic stops at the bound of 0.99 and says so', () => {
  const input = simulated(60, 200, 4);
  // The trait is a random combination of the kinship's eigenvectors with variances equal to the eigenvalues.
  const kinship = kinshipOf(input);
  const random = createRandomStream(5);
  const y = new Float64Array(60);
  const block = new Float64Array(60 * 200);
  const counts = countCalls(input.packed, 200, input);
  decodeBlock(
    input.packed,
    200,
    input,
    Int32Array.from({ length: 200 }, (_, j) => j),
    centredValues(counts),
    block,
  );
  for (let j = 0; j < 200; j++) {
    const effect = random.normal();
    for (let i = 0; i < 60; i++) y[i] += effect * block[i + j * 60];
  }
  const state = prepareGwas({ kinship, traits: [y], principalComponents: 0 });
  expect(state.traits[0].remlH2).toBe(0.99);
  const columns = createMarkerTester(state, { ...input, filter, tests: ALL }).test(input.packed, 200);
  const tested = columns.status.findIndex((status) => status === MARKER_TESTED);
  expect(columns.traits[0].WALD?.h2[tested]).toBe(0.99);
  expect(columns.traits[0].WALD?.atBound[tested]).toBe(1);
  expectPlain({ ...input, y }, columns);
});

test('identical individuals make the kinship singular and change nothing in how it works', () => {
  const input = simulated(30, 80, 6);
  const individuals = Int32Array.from([...input.individuals, ...input.individuals.slice(0, 10)]);
  const random = createRandomStream(8);
  const y = Float64Array.from(individuals, (i) => input.y[i] + random.normal());
  const { columns } = run({ ...input, individuals, y }, 0);
  expect(columns.status.filter((status) => status === MARKER_TESTED).length).toBeGreaterThan(50);
  expectPlain({ ...input, individuals, y }, columns);
});

test('one marker alone is tested as defined, and is its own principal component', () => {
  const input = simulated(50, 1, 7);
  const { state, columns } = run(input, 0);
  expect(columns.status[0]).toBe(MARKER_TESTED);
  const { SCORE, WALD, LRT } = columns.traits[0];
  // With the marker as a fixed effect the data carry no information on h²: WALD keeps that of the null model.
  expect(WALD?.h2[0]).toBeCloseTo(state.traits[0].remlH2, 12);
  expect(WALD?.statistic[0]).toBeGreaterThan(0);
  expect(SCORE?.p[0]).toBeGreaterThan(0);
  const marker = new Float64Array(50);
  const counts = countCalls(input.packed, 1, input);
  decodeBlock(input.packed, 1, input, Int32Array.of(0), centredValues(counts), marker);
  const plain = plainTester(kinshipOf(input), input.y, matrixOf(50, 1, new Float64Array(50).fill(1)))(marker);
  expect(LRT?.statistic[0]).toBeCloseTo(plain.lrt.statistic, 9);
  expectSame(run({ ...input, y: input.y.map((value) => 1000 * value + 7) }, 0).columns, columns, 1000);
  const explained = run(input, 1).columns;
  expect(explained.status[0]).toBe(MARKER_COLLINEAR);
  for (const kind of ALL) expect(explained.traits[0][kind]?.p[0]).toBeNaN();
});

test('a marker that is the trait itself has the largest of statistics, whatever the scale of the trait', () => {
  const input = simulated(80, 60, 12);
  const counts = countCalls(input.packed, 60, input);
  const marker = new Float64Array(80);
  decodeBlock(input.packed, 60, input, Int32Array.of(9), centredValues(counts), marker);
  const { columns } = run({ ...input, y: marker.map((value) => 6 * value) }, 1);
  for (const kind of ['WALD', 'LRT'] as const) {
    const { statistic, p, negLog10P } = columns.traits[0][kind] as TestColumns;
    expect(statistic[9]).toBe(Math.max(...statistic.filter(Number.isFinite)));
    expect(statistic[9]).toBeGreaterThan(1000);
    expect(p[9]).toBeLessThan(1e-300);
    expect(negLog10P[9]).toBeGreaterThan(300);
  }
  expect(columns.traits[0].WALD?.beta[9]).toBeCloseTo(6, 9);
  expect(columns.traits[0].WALD?.se[9]).toBeLessThan(1e-5);
  const scaled = run({ ...input, y: marker.map((value) => 6e-7 * value + 3) }, 1).columns;
  const ratio = (kind: 'WALD' | 'LRT') =>
    (scaled.traits[0][kind] as TestColumns).statistic[9] / (columns.traits[0][kind] as TestColumns).statistic[9];
  expect(ratio('WALD')).toBeCloseTo(1, 6);
  expect(ratio('LRT')).toBeCloseTo(1, 6);
});

test('what cannot be analysed is refused with a code', () => {
  const input = simulated(40, 50, 9);
  const kinship = kinshipOf(input);
  const refusal = (change: Partial<Parameters<typeof prepareGwas>[0]>) => () =>
    prepareGwas({ kinship, traits: [input.y], principalComponents: 0, ...change });
  expect(refusal({ traits: [new Float64Array(40).fill(3)] })).toThrow(
    expect.objectContaining({ code: 'constant-trait' }),
  );
  expect(refusal({ traits: [input.y.map((value, i) => (i === 3 ? Number.NaN : value))] })).toThrow(
    expect.objectContaining({ code: 'not-finite' }),
  );
  expect(refusal({ traits: [input.y.map((value, i) => (i === 3 ? -1e308 : value))] })).toThrow(
    expect.objectContaining({ code: 'not-finite' }),
  );
  expect(refusal({ traits: [input.y.subarray(1)] })).toThrow(expect.objectContaining({ code: 'shape-mismatch' }));
  expect(refusal({ principalComponents: 41 })).toThrow(expect.objectContaining({ code: 'bad-option' }));
  expect(refusal({ principalComponents: 38 })).toThrow(expect.objectContaining({ code: 'too-few-individuals' }));
  expect(refusal({ covariates: matrixOf(39, 1, new Float64Array(39)) })).toThrow(
    expect.objectContaining({ code: 'shape-mismatch' }),
  );
  expect(refusal({ covariates: matrixOf(40, 1, new Float64Array(40).fill(Number.NaN)) })).toThrow(
    expect.objectContaining({ code: 'not-finite' }),
  );
  const few = { ...input, individuals: input.individuals.subarray(0, 8), y: input.y.subarray(0, 8) };
  expect(() => run(few, 0)).toThrow(expect.objectContaining({ code: 'too-few-individuals' }));
  const none = createKinshipAccumulator({ ...input, filter: { maf: 0.5, callRate: 1 }, methods: ['standardized'] });
  none.add(input.packed, input.markers);
  expect(() => none.finish()).toThrow(expect.objectContaining({ code: 'no-markers-left' }));
});

test('p values keep their digits far into the tail and never become 0', () => {
  // Values of R's pchisq(x, 1, lower.tail = FALSE) and, below 1e-308, its log.p.
  expect(chiSquareP(3.841458820694124)).toBeCloseTo(0.05, 14);
  expect(chiSquareP(10) / 0.001565402258002549).toBeCloseTo(1, 12);
  expect(chiSquareP(100) / 1.523970604832105e-23).toBeCloseTo(1, 12);
  expect(chiSquareP(0)).toBe(1);
  expect(chiSquareP(-1e-5)).toBe(1);
  expect(chiSquareP(1e5)).toBeGreaterThan(0);
  expect(chiSquareNegLog10P(100)).toBeCloseTo(-Math.log10(1.523970604832105e-23), 11);
  // Leading terms of the asymptotic series of erfc at z² = 50,000.
  const z2 = 50_000;
  const expected = (z2 + 0.5 * Math.log(Math.PI * z2) - Math.log1p(-1 / (2 * z2) + 3 / (4 * z2 * z2))) / Math.LN10;
  expect(chiSquareNegLog10P(1e5)).toBeCloseTo(expected, 8);
  // Both branches agree at the switch point.
  expect(chiSquareP(8 - 1e-9) / chiSquareP(8 + 1e-9)).toBeCloseTo(1, 7);
});

/** The summary of statistics given in any order, NaN = not tested, added in two parts. */
function summaryOf(statistic: Float64Array, ranks: number[] = [], threshold?: number): TestSummary {
  const ascending = statistic.filter(Number.isFinite).sort();
  const summarizer = new TestSummarizer(ascending.length, ranks, threshold);
  summarizer.add(ascending.subarray(0, ascending.length >> 1));
  summarizer.add(ascending.subarray(ascending.length >> 1));
  return summarizer.finish();
}

test('the summary of a run equals worked figures', () => {
  // p = 0.01, 0.04, 0.03, none, 0.005
  const statistic = Float64Array.of(6.6349, 4.2179, 4.7093, Number.NaN, 7.8794);
  const summary = summaryOf(statistic, [0]);
  expect(summary.tested).toBe(4);
  expect(summary.lambdaGc).toBeCloseTo((0.5 * (4.7093 + 6.6349)) / 0.454936, 4);
  expect(summary.bonferroniNegLog10).toBeCloseTo(-Math.log10(0.05 / 4), 12);
  expect(summary.hits).toBe(2);
  expect(summary.fdr).toBeCloseTo(0.04, 4);
  expect(summary.discoveries).toBe(4);
  const q = Array.from(statistic, (value) => summary.qOf(value));
  expect(largestRelativeError(q, [0.02, 0.04, 0.04, Number.NaN, 0.02], 0)).toBeLessThan(1e-4);
  expect(summary.negLog10P[0]).toBeCloseTo(-Math.log10(0.04), 4);
});

test('q values and thresholds are those of the definition, ties and tests without effect included', () => {
  const random = createRandomStream(3, 'summary');
  const statistic = Float64Array.from({ length: 500 }, (_, j) => {
    const value = (j < 20 ? 4 : 1) * random.normal() ** 2;
    return j % 50 === 0 ? Number.NaN : j % 7 === 0 ? Math.round(value) : value;
  });
  const p = Array.from(statistic, chiSquareP);
  const known = p.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  const summary = summaryOf(statistic);
  const isDiscovered = (value: number): boolean =>
    known.some((other, k) => other >= value && (known.length * other) / (k + 1) <= 0.05);
  for (const [j, value] of statistic.entries()) {
    let q = 1;
    for (const [k, other] of known.entries()) if (other >= p[j]) q = Math.min(q, (known.length * other) / (k + 1));
    if (Number.isNaN(value)) expect(summary.qOf(value)).toBeNaN();
    else expect(Math.abs(summary.qOf(value) / q - 1)).toBeLessThan(1e-12);
  }
  expect(summary.hits).toBe(known.filter((value) => value <= 0.05 / known.length).length);
  expect(summary.fdr).toBeCloseTo(known.filter(isDiscovered).at(-1) ?? Number.NaN, 15);
  expect(summary.discoveries).toBe(known.filter(isDiscovered).length);
  expect(known.filter((value) => value <= (0.05 * summary.discoveries) / known.length)).toHaveLength(
    summary.discoveries,
  );
  expect(summaryOf(Float64Array.of(0, 0, 0, 0, 25, 25, 25)).discoveries).toBe(3);
  expect(summaryOf(new Float64Array(9).fill(0.1)).fdr).toBeNull();
  expect(summaryOf(new Float64Array())).toMatchObject({ tested: 0, hits: 0, fdr: null });
});

test('a summary of ascending statistics equals one that has all of them at hand, to the last bit', () => {
  const random = createRandomStream(5, 'summary');
  for (const [tested, effects] of [
    [1, 0],
    [2, 0],
    [999, 0],
    [1000, 400],
    [2000, 20],
  ] as const) {
    const statistic = Float64Array.from({ length: tested }, (_, j) => {
      const value = (j < effects ? 30 : 1) * random.normal() ** 2;
      return j % 7 === 0 ? Math.round(value) : value;
    });
    const plain = plainSummary(statistic);
    const ranks = [0, Math.floor(tested / 3), tested - 1];
    const { qOf, negLog10P, beyond, ...figures } = summaryOf(statistic, [...new Set(ranks)], statistic[0]);
    expect(plain).toMatchObject(figures);
    expect(beyond).toBe(statistic.filter((value) => value >= statistic[0]).length);
    expect(summaryOf(statistic).beyond).toBe(0);
    expect([...negLog10P]).toEqual([...new Set(ranks)].map(plain.negLog10PAt));
    for (const value of statistic) expect(qOf(value)).toBe(plain.qOf(value));
  }
});

test('statistics that are fewer than announced are no summary', () => {
  const summarizer = new TestSummarizer(2);
  summarizer.add(Float64Array.of(1));
  expect(() => summarizer.finish()).toThrow('2 statistics were announced and 1 came');
});

test('linkage disequilibrium is the squared correlation over individuals with both calls', () => {
  // Individuals 1 to 4; dosages 0 1 2 missing | 0 1 1 2 | 2 2 2 2.
  const packed = Uint8Array.of(0b01_11_10_00, 0b11_10_10_00, 0b11_11_11_11);
  const r2 = linkageDisequilibrium({ packed, dosages: undefined }, 3, { panelSize: 4 }, 0);
  expect(r2[0]).toBeCloseTo(1, 12);
  expect(r2[1]).toBeCloseTo(0.75, 12);
  expect(r2[2]).toBeNaN();
});
