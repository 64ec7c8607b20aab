import { createMatrix } from '@heterosis/linalg/matrix';
import { describe, expect, test } from 'vitest';
import { createEffectiveTestsCounter } from '../association/effective-tests.ts';
import { plainBasis, plainTester } from '../association/plain-association.test-data.ts';
import { plainEffectiveTests } from '../association/plain-effective-tests.test-data.ts';
import { prepareGwas } from '../association/prepare-gwas.ts';
import { createDominanceTester } from '../association/test-dominance.ts';
import { createMarkerTester } from '../association/test-markers.ts';
import { createMarkerEffectAccumulator } from '../genomic-prediction/marker-effects.ts';
import { createKinshipAccumulator, type KinshipMethod } from '../kinship/accumulate-kinship.ts';
import { createLeadingComponents } from '../kinship/leading-components.ts';
import { createRandomStream } from '../random/random-stream.ts';
import { createCallBlock } from './call-block.ts';
import { callRate, countCalls, frequencyA2, passesFilter } from './call-counts.ts';
import { decodeBlock, dominanceValues } from './decode-block.ts';
import {
  countDosages,
  DOSAGE_UNITS,
  decodeDosages,
  type FractionalDosages,
  MISSING_DOSAGE,
  MISSING_POLYPLOID,
  POLYPLOID_UNITS,
} from './fractional-dosages.ts';

const ALL = { maf: 0, callRate: 0 };

/** Dosages by marker and individual, multiples of 2⁻¹⁴, NaN when missing; every third marker has only whole numbers. */
function randomDosages(seed: number, n: number, markers: number): number[][] {
  const random = createRandomStream(seed, 'dosages');
  return Array.from({ length: markers }, (_, j) => {
    const p = 0.1 + 0.8 * random.uniform();
    return Array.from({ length: n }, () => {
      if (random.uniform() < 0.07) return Number.NaN;
      const whole = Number(random.uniform() < p) + Number(random.uniform() < p);
      if (j % 3 === 2 || random.uniform() < 0.3) return whole;
      return Math.round(DOSAGE_UNITS * Math.min(2, Math.max(0, whole + 0.8 * (random.uniform() - 0.5)))) / DOSAGE_UNITS;
    });
  });
}

/** The nearest calls as packed bytes, and the dosages of the markers with fractions. */
function blockOf(dosages: readonly (readonly number[])[]): { packed: Uint8Array; fractional: FractionalDosages } {
  const n = dosages[0]!.length;
  const stride = (n + 3) >> 2;
  const packed = new Uint8Array(stride * dosages.length);
  const rows = new Int32Array(dosages.length).fill(-1);
  const values: number[] = [];
  for (const [j, marker] of dosages.entries()) {
    for (const [i, dosage] of marker.entries()) {
      const code = Number.isNaN(dosage) ? 1 : [0, 2, 3][Math.round(dosage)]!;
      packed[j * stride + (i >> 2)]! |= code << (2 * (i & 3));
    }
    if (marker.every((dosage) => Number.isNaN(dosage) || Number.isInteger(dosage))) continue;
    rows[j] = values.length / n;
    values.push(...marker.map((dosage) => (Number.isNaN(dosage) ? MISSING_DOSAGE : DOSAGE_UNITS * dosage)));
  }
  return { packed, fractional: { rows, values: Uint16Array.from(values) } };
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const present = (values: readonly number[]) => values.filter((value) => !Number.isNaN(value));

/** Columns of Z for the polymorphic markers by the definition of each kinship, missing as the mean, and the divisor. */
function plainColumns(method: KinshipMethod, dosages: readonly (readonly number[])[]) {
  let divisor = method === 'standardized' ? -1 : 0;
  const varying = dosages.filter((marker) => new Set(present(marker)).size > 1);
  const columns = varying.map((marker) => {
    const called = present(marker);
    const p = meanOf(called) / 2;
    const q = 1 - p;
    const w = (d: number) => {
      if (method === 'standardized') return (d - 2 * p) / Math.sqrt(2 * p * q);
      if (method === 'vanraden1') return d - 2 * p;
      const [none, one, two] = [-2 * p * p, 2 * p * q, -2 * q * q];
      return d <= 1 ? (1 - d) * none + d * one : (2 - d) * one + (d - 1) * two;
    };
    divisor += method === 'standardized' ? 1 : method === 'vanraden1' ? 2 * p * q : (2 * p * q) ** 2;
    const missing = method === 'dominance' ? meanOf(called.map(w)) : 0;
    return marker.map((d) => (Number.isNaN(d) ? missing : w(d)));
  });
  return { columns, divisor };
}

const closeTo = (actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance = 1e-10) => {
  expect(actual.length).toBe(expected.length);
  for (let k = 0; k < expected.length; k++) expect(Math.abs(actual[k]! - expected[k]!)).toBeLessThan(tolerance);
};

test.each([undefined, Int32Array.of(5, 0, 7, 3)])(
  'frequency, call rate and heterozygosity follow the dosages (individuals %s)',
  (individuals) => {
    const dosages = randomDosages(3, 9, 12);
    const { packed, fractional } = blockOf(dosages);
    const counts = countCalls(
      packed,
      12,
      { panelSize: 9, ...(individuals === undefined ? {} : { individuals }) },
      fractional,
    );
    for (const [j, marker] of dosages.entries()) {
      const called = present(individuals === undefined ? marker : Array.from(individuals, (i) => marker[i]!));
      expect(frequencyA2(counts, j)).toBeCloseTo(meanOf(called) / 2, 14);
      expect(callRate(counts, j)).toBeCloseTo(called.length / (individuals?.length ?? 9), 14);
    }
  },
);

test('a marker whose dosages are all equal does not vary, whatever its dosage', () => {
  const { packed, fractional } = blockOf([
    [0.7, 0.7, Number.NaN, 0.7].map((d) => Math.round(DOSAGE_UNITS * d) / DOSAGE_UNITS),
    [0.75, 0.5, 1, 1],
  ]);
  const counts = countCalls(packed, 2, { panelSize: 4 }, fractional);
  expect([0, 1].map((j) => passesFilter(counts, j, ALL))).toEqual([false, true]);
});

test.each([undefined, Int32Array.of(10, 2, 3, 30)])(
  'both decoders give the same columns (individuals %s)',
  (individuals) => {
    const { packed, fractional } = blockOf(randomDosages(5, 31, 20));
    const selection = { panelSize: 31, ...(individuals === undefined ? {} : { individuals }) };
    const n = individuals?.length ?? 31;
    const markers = Int32Array.of(0, 3, 4, 2, 19);
    const block = createCallBlock(selection, 20);
    const values = dominanceValues(block.load(packed, 20, fractional));
    const plain = new Float64Array(n * 5);
    decodeBlock(packed, 20, selection, markers, values, plain, fractional);
    expect(Array.from(block.decode(markers, values).data.subarray(0, n * 5))).toEqual(Array.from(plain));
  },
);

describe.each(['standardized', 'vanraden1', 'dominance'] as const)('the kinship %s', (method) => {
  test('of fractional dosages is that of its definition, over several blocks', () => {
    const dosages = randomDosages(7, 13, 2100);
    const { packed, fractional } = blockOf(dosages);
    const accumulator = createKinshipAccumulator({ panelSize: 13, filter: ALL, methods: [method] });
    accumulator.add(packed, 2100, fractional);
    const kinship = accumulator.finish().kernels[method]!;
    const { columns, divisor } = plainColumns(method, dosages);
    const expected = Array.from(
      { length: 169 },
      (_, k) => columns.reduce((sum, column) => sum + column[k % 13]! * column[Math.floor(k / 13)]!, 0) / divisor,
    );
    closeTo(kinship.data, expected);
  });

  test('is unchanged when whole numbers are handed over as fractions', () => {
    const dosages = randomDosages(8, 10, 60).map((marker) => marker.map(Math.round));
    const { packed } = blockOf(dosages);
    const rows = Int32Array.from(dosages, (_, j) => j);
    const values = Uint16Array.from(
      dosages.flatMap((marker) => marker.map((d) => (Number.isNaN(d) ? MISSING_DOSAGE : DOSAGE_UNITS * d))),
    );
    const kinships = [undefined, { rows, values }].map((fractional) => {
      const accumulator = createKinshipAccumulator({
        panelSize: 10,
        filter: { maf: 0.1, callRate: 0.8 },
        methods: [method],
      });
      accumulator.add(packed, 60, fractional);
      return accumulator.finish();
    });
    closeTo(kinships[1]!.kernels[method]!.data, kinships[0]!.kernels[method]!.data, 1e-13);
    expect(kinships[1]!.scan.keptCount).toBe(kinships[0]!.scan.keptCount);
    closeTo(kinships[1]!.scan.heterozygosity, kinships[0]!.scan.heterozygosity, 1e-15);
  });
});

test('marker effects are products of the centred dosages, with and without dominance', () => {
  const dosages = randomDosages(9, 11, 700).filter((marker) => new Set(present(marker)).size > 1);
  const { packed, fractional } = blockOf(dosages);
  const weights = Float64Array.from({ length: 11 }, (_, i) => Math.sin(3 * i + 1));
  const accumulator = createMarkerEffectAccumulator({
    panelSize: 11,
    method: 'vanraden1',
    kept: new Uint8Array(dosages.length).fill(1),
    traits: [{ mean: 2, weights, additiveScale: 0.5, dominanceScale: 0.25 }],
  });
  accumulator.add(packed, dosages.length, fractional);
  const [effects] = accumulator.finish();
  const additive = plainColumns('vanraden1', dosages).columns;
  const dominance = plainColumns('dominance', dosages).columns;
  const product = (column: readonly number[]) => column.reduce((sum, value, i) => sum + value * weights[i]!, 0);
  const p = dosages.map((marker) => meanOf(present(marker)) / 2);
  closeTo(
    effects!.dominance!,
    dominance.map((column) => 0.25 * product(column)),
  );
  closeTo(
    effects!.additive,
    additive.map((column, j) => 0.5 * product(column) + (2 * p[j]! - 1) * 0.25 * product(dominance[j]!)),
  );
});

test('leading components of fractional dosages have the trace of their kinship', () => {
  const dosages = randomDosages(12, 12, 90);
  const { packed, fractional } = blockOf(dosages);
  const leading = createLeadingComponents({ panelSize: 12, filter: ALL, count: 3 });
  leading.add(packed, 90, fractional);
  const { eigenvalues, shares } = leading.finish();
  const { columns, divisor } = plainColumns('standardized', dosages);
  const trace = columns.flat().reduce((sum, value) => sum + value * value, 0) / divisor;
  for (let k = 0; k < 3; k++) expect(eigenvalues[k]! / shares[k]!).toBeCloseTo(trace, 9);
});

test('an association is the same when every dosage is halved, with twice the effect', () => {
  const n = 40;
  const whole = randomDosages(15, n, 90).map((marker) => marker.map(Math.round));
  const halved = whole.map((marker) => marker.map((dosage) => dosage / 2));
  const hard = blockOf(whole);
  const soft = blockOf(halved);
  expect(soft.fractional.rows.every((row) => row >= 0)).toBe(true);
  const filter = { maf: 0, callRate: 0.5 };
  const accumulator = createKinshipAccumulator({ panelSize: n, filter, methods: ['standardized'] });
  accumulator.add(hard.packed, 90);
  const y = Float64Array.from(
    { length: n },
    (_, i) => Math.sin(5 * i) + (Number.isNaN(whole[4]![i]!) ? 1 : whole[4]![i]!),
  );
  const state = prepareGwas({
    kinship: accumulator.finish().kernels.standardized!,
    traits: [y],
    principalComponents: 1,
  });
  for (const test of ['SCORE', 'WALD', 'LRT'] as const) {
    const tester = createMarkerTester(state, { panelSize: n, filter, tests: [test] });
    const expected = tester.test(hard.packed, 90);
    const found = tester.test(soft.packed, 90, soft.fractional);
    expect(found.status).toEqual(expected.status);
    closeTo(
      found.frequencyA2,
      expected.frequencyA2.map((p) => p / 2),
      1e-15,
    );
    const [before, after] = [expected.traits[0]![test]!, found.traits[0]![test]!];
    closeTo(after.negLog10P, before.negLog10P, 1e-8);
    closeTo(
      after.beta,
      before.beta.map((beta) => 2 * beta),
      1e-8,
    );
  }
});

/** Missing values as the mean of the others. */
function filled(values: readonly number[]): Float64Array {
  const mean = meanOf(present(values));
  return Float64Array.from(values, (value) => (Number.isNaN(value) ? mean : value));
}

test('the dominance deviation is that of 1 − |1 − d| heterozygotes beside the dosage, one marker at a time', () => {
  const n = 45;
  const dosages = randomDosages(18, n, 60);
  const { packed, fractional } = blockOf(dosages);
  const accumulator = createKinshipAccumulator({ panelSize: n, filter: ALL, methods: ['standardized'] });
  accumulator.add(packed, 60, fractional);
  const kinship = accumulator.finish().kernels.standardized!;
  const heterozygotes = dosages.map((marker) => filled(marker.map((d) => 1 - Math.abs(1 - d))));
  const random = createRandomStream(19, 'trait');
  const y = Float64Array.from(
    { length: n },
    (_, i) => filled(dosages[3]!)[i]! + 2 * heterozygotes[3]![i]! + random.normal(),
  );
  const state = prepareGwas({ kinship, traits: [y], principalComponents: 0 });
  const tester = createDominanceTester(state, { panelSize: n, filter: ALL });
  const [{ effect, se }] = tester.test(packed, 60, fractional);
  const basis = plainBasis(kinship);
  for (const [j, marker] of dosages.entries()) {
    // Of two classes of genotypes nothing is left beside the dosage.
    expect(Number.isNaN(effect[j]), `marker ${j}`).toBe(new Set(present(marker)).size < 3);
    if (Number.isNaN(effect[j])) continue;
    const withDosage = createMatrix(n, 2);
    withDosage.data.fill(1, 0, n);
    withDosage.data.set(filled(marker), n);
    const { wald } = plainTester(basis, y, withDosage, state.traits[0]!.remlH2)(heterozygotes[j]!);
    expect(Math.abs(se[j]! / wald.se - 1)).toBeLessThan(1e-6);
    expect(Math.abs((effect[j]! - wald.beta) / wald.se)).toBeLessThan(1e-6);
  }
  // The whole calls say something else.
  const [{ effect: ofCalls }] = tester.test(packed, 60);
  expect(Math.abs(ofCalls[3]! / effect[3]! - 1)).toBeGreaterThan(0.001);
});

test.each([
  ['fewer', 50, 30],
  ['more', 30, 70],
])(
  'effective tests of fractional dosages are those of their correlations, with %s markers than individuals',
  (_, n, m) => {
    // Neighbours are correlated, as on a chromosome.
    const independent = randomDosages(21, n, m);
    const dosages = independent.map((marker, j) =>
      marker.map((d, i) => {
        const before = independent[j - 1]?.[i] ?? Number.NaN;
        return Number.isNaN(d + before) ? d : Math.round((DOSAGE_UNITS * (d + before)) / 2) / DOSAGE_UNITS;
      }),
    );
    const { packed, fractional } = blockOf(dosages);
    const counter = createEffectiveTestsCounter({ panelSize: n, filter: ALL });
    counter.add(packed, m, fractional);
    const tests = counter.finishChromosome();
    expect(tests).toBeCloseTo(plainEffectiveTests(dosages.map((marker) => Float64Array.from(marker))), 7);
    counter.add(packed, m);
    expect(Math.abs(counter.finishChromosome() - tests)).toBeGreaterThan(0.01);
  },
);

test.each([4, 6, 8])('whole dosages of ploidy %d, counted by class, and fractions are those of the definition', (k) => {
  const [n, markers] = [23, 12];
  const random = createRandomStream(k, 'polyploids');
  const copies = Array.from({ length: markers }, (_, j) =>
    Array.from({ length: n }, () => {
      if (j === 0) return k;
      if (random.uniform() < 0.1) return Number.NaN;
      return random.nextInt(k + 1) / (j % 3 === 1 && random.uniform() < 0.2 ? 1.25 : 1);
    }),
  );
  const values = Uint32Array.from(copies.flat(), (x) => (Number.isNaN(x) ? MISSING_POLYPLOID : x * POLYPLOID_UNITS));
  const dosages = { rows: Int32Array.from(copies.keys()), values, ploidy: k };
  for (const individuals of [undefined, Int32Array.from({ length: 9 }, (_, i) => (5 * i) % n)]) {
    const selection = { panelSize: n, ...(individuals === undefined ? {} : { individuals }) };
    const counts = countDosages(dosages, markers, selection);
    const chosen = Array.from(individuals ?? copies[0]!.keys());
    const ofCalls = Float64Array.from({ length: 4 * markers }, () => random.uniform());
    const out = new Float64Array(markers * chosen.length);
    decodeDosages(dosages, selection, dosages.rows, ofCalls, out);
    for (const [j, ofMarker] of copies.entries()) {
      const x = chosen.map((i) => ofMarker[i]!);
      const called = x.filter((one) => !Number.isNaN(one));
      const sum = called.reduce((total, one) => total + one, 0);
      const squares = called.reduce((total, one) => total + (one - sum / called.length) ** 2, 0);
      expect(counts.copiesA2[j]).toBeCloseTo(sum, 9);
      expect(counts.centredSquares[j]).toBeCloseTo(squares, 9);
      const differing = called.reduce((total, one) => total + one * (k - one), 0);
      expect(counts.heterozygotes[j]).toBeCloseTo(differing / ((k * (k - 1)) / 2), 9);
      const [none = 0, missing = 0, half = 0, all = 0] = ofCalls.subarray(4 * j, 4 * j + 4);
      for (const [i, one] of x.entries()) {
        const share = one / k;
        const parabola =
          none * (1 - share) * (1 - 2 * share) + half * 4 * share * (1 - share) + all * share * (2 * share - 1);
        expect(out[j * x.length + i]).toBeCloseTo(Number.isNaN(one) ? missing : parabola, 9);
      }
    }
    expect(counts.centredSquares[0]).toBe(0);
  }
});
