import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { someOf } from '@heterosis/test-support/whole';
import { expect, test } from 'vitest';
import { createKinshipAccumulator } from '../kinship/accumulate-kinship.ts';
import { createRandomStream } from '../random/random-stream.ts';
import { plainBasis, plainTester } from './plain-association.test-data.ts';
import { type GwasNull, prepareGwas } from './prepare-gwas.ts';
import { createDominanceTester } from './test-dominance.ts';
import { createMarkerTester, type GwasColumns, MARKER_TESTED } from './test-markers.ts';

const filter = { maf: 0.05, callRate: 0.8 };
const PANELS = someOf(48);

interface Panel {
  /** NaN = missing. */
  dosages: Float64Array[];
  packed: Uint8Array;
  y: Float64Array;
  covariates: Matrix;
  components: number;
}

/**
 * A random panel: few or many individuals and markers, one population or several, inbred or not, with missing calls.
 */
function panelOf(seed: number): Panel {
  const random = createRandomStream(seed, 'fuzzed-association');
  const between = (low: number, high: number): number => low + Math.floor((high - low + 1) * random.uniform());
  const n = between(11, 70);
  const m = between(5, 60);
  const populations = between(1, 3);
  const inbred = random.uniform() < 0.4 ? 0.95 : 0;
  const missing = 0.08 * random.uniform();
  const population = Int32Array.from({ length: n }, () => Math.floor(populations * random.uniform()));
  const y = Float64Array.from({ length: n }, () => 2 * random.normal());
  const dosages = Array.from({ length: m }, () => {
    const base = 0.15 + 0.7 * random.uniform();
    const p = Array.from({ length: populations }, () => Math.min(0.95, Math.max(0.05, base + 0.3 * random.normal())));
    const [a, d] = [0.6 * random.normal(), random.uniform() < 0.3 ? random.normal() : 0];
    return Float64Array.from({ length: n }, (_, i) => {
      const frequency = p[population[i]];
      const first = Number(random.uniform() < frequency);
      const dosage = first + (random.uniform() < inbred ? first : Number(random.uniform() < frequency));
      y[i] += a * dosage + (dosage === 1 ? d : 0);
      return random.uniform() < missing ? Number.NaN : dosage;
    });
  });
  const stride = (n + 3) >> 2;
  const packed = new Uint8Array(m * stride);
  for (const [j, column] of dosages.entries()) {
    for (const [i, dosage] of column.entries()) {
      packed[j * stride + (i >> 2)] |= (Number.isNaN(dosage) ? 1 : dosage === 0 ? 0 : dosage + 1) << (2 * (i & 3));
    }
  }
  const covariates = createMatrix(n, n > 16 ? between(0, 2) : 0);
  for (let k = 0; k < covariates.data.length; k++) covariates.data[k] = k < n ? random.normal() : population[k - n];
  // Skip panels with so few individuals that the fixed effects leave no degrees of freedom.
  return { dosages, packed, y, covariates, components: n > 16 ? between(0, 2) : 0 };
}

/** The null state, the tests, and the fixed effects of the model. */
function run({ packed, dosages, y, covariates, components }: Panel) {
  const n = y.length;
  const accumulator = createKinshipAccumulator({ panelSize: n, filter, methods: ['standardized'] });
  accumulator.add(packed, dosages.length);
  const kinship = accumulator.finish().kernels.standardized as Matrix;
  const state = prepareGwas({ kinship, traits: [y], principalComponents: components, covariates });
  const tester = createMarkerTester(state, { panelSize: n, filter, tests: ['SCORE', 'WALD', 'LRT'] });
  const dominance = createDominanceTester(state, { panelSize: n, filter });
  const x = createMatrix(n, state.fixed);
  x.data.fill(1, 0, n);
  x.data.set(state.axes, n);
  let column = 1 + components;
  for (const [k, use] of state.covariates.entries()) {
    if (use === 'used') x.data.set(covariates.data.subarray(k * n, (k + 1) * n), n * column++);
  }
  return {
    state,
    kinship,
    x,
    columns: tester.test(packed, dosages.length),
    dominance: dominance.test(packed, dosages.length)[0],
  };
}

/** Replaces missing calls by the mean of the others. */
function filled(values: Float64Array): Float64Array {
  const known = values.filter((value) => !Number.isNaN(value));
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  return values.map((value) => (Number.isNaN(value) ? mean : value));
}

/** Largest difference of two arrays, relative for large numbers. */
class Worst {
  value = 0;
  add(actual: number, expected: number, scale = 1): void {
    const difference = Math.abs(actual - expected) / Math.max(scale, Math.abs(expected));
    // Treat NaN as an infinite difference.
    if (!(difference <= this.value)) this.value = difference;
  }
}

test('SCORE, WALD and LRT of any panel, with effects and errors, are those of one marker at a time', () => {
  let tests = 0;
  const worst = { score: new Worst(), wald: new Worst(), lrt: new Worst(), effect: new Worst(), se: new Worst() };
  for (let seed = 0; seed < PANELS; seed++) {
    const panel = panelOf(seed);
    const { kinship, x, columns, state } = run(panel);
    const plain = plainTester(kinship, panel.y, x);
    for (const [j, dosages] of panel.dosages.entries()) {
      if (columns.status[j] !== MARKER_TESTED) continue;
      const expected = plain(filled(dosages));
      tests++;
      for (const [kind, name] of [
        ['SCORE', 'score'],
        ['WALD', 'wald'],
        ['LRT', 'lrt'],
      ] as const) {
        // As h² approaches 1 the plain tester loses digits: one panel of 19 individuals.
        if (kind === 'SCORE' && state.traits[0].scoreH2 > 1 - 1e-6) continue;
        const { statistic, beta, se } = columnsOf(columns, kind);
        worst[name].add(statistic[j], expected[name].statistic);
        worst.se.add(se[j], expected[name].se, 0);
        worst.effect.add(beta[j] / se[j], expected[name].beta / expected[name].se);
      }
    }
  }
  expect(tests).toBeGreaterThan(someOf(1000));
  expect(worst.score.value).toBeLessThan(1e-6);
  expect(worst.wald.value).toBeLessThan(1e-6);
  expect(worst.lrt.value).toBeLessThan(1e-8);
  expect(worst.effect.value).toBeLessThan(1e-6);
  expect(worst.se.value).toBeLessThan(1e-6);
});

test('the dominance deviation of any panel is that of heterozygotes beside the dosage, one marker at a time', {
  tags: 'whole',
}, () => {
  let tests = 0;
  const worst = { effect: new Worst(), se: new Worst() };
  for (let seed = 0; seed < PANELS; seed++) {
    const panel = panelOf(seed);
    const { kinship, x, columns, dominance, state } = run(panel);
    const n = panel.y.length;
    const basis = plainBasis(kinship);
    for (const [j, dosages] of panel.dosages.entries()) {
      if (j % 2 > 0 || columns.status[j] !== MARKER_TESTED || Number.isNaN(dominance.effect[j])) continue;
      const withDosage = createMatrix(n, x.columns + 1);
      withDosage.data.set(x.data);
      withDosage.data.set(filled(dosages), n * x.columns);
      const plain = plainTester(basis, panel.y, withDosage, state.traits[0].remlH2);
      const { wald } = plain(filled(dosages.map((dosage) => (Number.isNaN(dosage) ? dosage : Number(dosage === 1)))));
      tests++;
      worst.se.add(dominance.se[j], wald.se, 0);
      worst.effect.add(dominance.effect[j] / dominance.se[j], wald.beta / wald.se);
    }
  }
  expect(tests).toBeGreaterThan(300);
  expect(worst.effect.value).toBeLessThan(1e-6);
  expect(worst.se.value).toBeLessThan(1e-6);
});

test('a marker without heterozygotes, or with two classes of genotypes, has no dominance deviation', () => {
  const n = 24;
  const random = createRandomStream(5);
  const codes = [
    (i: number) => (i % 3 === 0 ? 3 : 0),
    (i: number) => (i % 3 === 0 ? 2 : 0),
    (i: number) => (i % 3 === 0 ? 3 : i % 3 === 1 ? 2 : 0),
    () => 2,
  ];
  const packed = new Uint8Array(codes.length * 6);
  for (const [j, code] of codes.entries()) {
    for (let i = 0; i < n; i++) packed[j * 6 + (i >> 2)] |= code(i) << (2 * (i & 3));
  }
  const kinship = createMatrix(n, n);
  for (let i = 0; i < n; i++) kinship.data[i * (n + 1)] = 1;
  const state: GwasNull = prepareGwas({
    kinship,
    traits: [Float64Array.from({ length: n }, () => random.normal())],
    principalComponents: 0,
  });
  const [{ effect, se, p }] = createDominanceTester(state, { panelSize: n, filter: { maf: 0, callRate: 0 } }).test(
    packed,
    codes.length,
  );
  for (const column of [effect, se, p]) {
    expect([...column].map(Number.isNaN)).toEqual([true, true, false, true]);
  }
});

function columnsOf(columns: GwasColumns, kind: 'SCORE' | 'WALD' | 'LRT') {
  const found = columns.traits[0][kind];
  if (found === undefined) throw new Error(`no columns for ${kind}`);
  return found;
}
