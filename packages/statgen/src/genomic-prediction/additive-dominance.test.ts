import { createMatrix, type Matrix, mirrorLower } from '@heterosis/linalg/matrix';
import { addOuterProduct } from '@heterosis/linalg/products';
import {
  externalReference,
  hasReference,
  largestRelativeError,
  numberColumn,
  readReferenceCsv,
  readReferencePanel,
  textColumn,
  traitOfPanel,
} from '@heterosis/test-support/reference-data';
import { describe, expect, test } from 'vitest';
import { countCalls, frequencyA2, passesFilter } from '../genotypes/call-counts.ts';
import { decodeBlock } from '../genotypes/decode-block.ts';
import { createKinshipAccumulator, positionsOf } from '../kinship/accumulate-kinship.ts';
import { createRandomStream } from '../random/random-stream.ts';
import { fitAdditiveDominance, requireHeterozygotes } from './additive-dominance.ts';
import { createMarkerEffectAccumulator } from './marker-effects.ts';
import { createRrblupModel } from './rrblup.ts';

const MICE = externalReference('mice-hs');
const filter = { maf: 0.05, callRate: 0.9 };
/** Two fits of 1,814 individuals take a while on a busy machine. */
const PATIENCE = 300_000;

describe.skipIf(!hasReference(MICE))(`mice-hs${hasReference(MICE) ? '' : ' (not present)'}`, () => {
  test(
    'variance components and BLUPs equal those of sommer, for both of its dominance kernels',
    () => {
      const panel = readReferencePanel(new URL('genotypes.vcf.gz', MICE));
      const y = traitOfPanel(readReferenceCsv(new URL('phenotypes.csv', MICE)), 'BMI', panel.samples);
      const accumulator = createKinshipAccumulator({
        panelSize: panel.samples.length,
        filter,
        methods: ['vanraden1', 'dominance'],
      });
      accumulator.add(panel.packed, panel.markerIds.length);
      const { kernels } = accumulator.finish();
      const varcomp = readReferenceCsv(new URL('reference/gp/ad_varcomp_BMI.csv', MICE));
      const programs = textColumn(varcomp, 'program');
      const dominanceKernels = textColumn(varcomp, 'D');
      for (const [name, dominance] of [
        ['vitezica', kernels.dominance as Matrix],
        ['nishio', nishioKernel(panel.packed, panel.samples.length, panel.markerIds.length)],
      ] as const) {
        const fit = fitAdditiveDominance({ additive: kernels.vanraden1 as Matrix, dominance, y });
        const row = programs.findIndex((program, i) => program === 'sommer mmer' && dominanceKernels[i] === name);
        const expected = ['Va', 'Vd', 'Ve', 'mu'].map((column) => numberColumn(varcomp, column)[row]);
        const actual = [fit.varianceAdditive, fit.varianceDominance, fit.varianceResidual, fit.mean];
        expect(largestRelativeError(actual, expected, 0)).toBeLessThan(1e-4);
        expect(fit.converged).toBe(true);
        expect(fit.boundary).toEqual([]);
        const blups = readReferenceCsv(new URL(`reference/gp/ad_blup_BMI_${name}.csv`, MICE));
        expect(textColumn(blups, 'sample')).toEqual(panel.samples);
        const additive = numberColumn(blups, 'A_blup_sommer');
        const deviation = numberColumn(blups, 'D_blup_sommer');
        const largest = Math.max(...additive.map(Math.abs));
        expect(
          largestRelativeError(
            fit.breedingValue.map((value) => value - fit.mean),
            additive,
            largest,
          ),
        ).toBeLessThan(1e-4);
        expect(
          largestRelativeError(fit.dominanceDeviation, deviation, Math.max(...deviation.map(Math.abs))),
        ).toBeLessThan(1e-4);
      }
    },
    PATIENCE,
  );
});

/** Nishio & Satoh (2014): heterozygosity minus its mean, divided by Σ(2pq)²; the kernel sommer uses. */
function nishioKernel(packed: Uint8Array, n: number, markers: number): Matrix {
  const selection = { panelSize: n };
  const counts = countCalls(packed, markers, selection);
  const kept = positionsOf(Uint8Array.from({ length: markers }, (_, j) => (passesFilter(counts, j, filter) ? 1 : 0)));
  const values = new Float64Array(4 * markers);
  let divisor = 0;
  for (const j of kept) {
    const share = counts.heterozygous[j] / n;
    values.set([-share, 0, 1 - share, -share], 4 * j);
    divisor += (2 * frequencyA2(counts, j) * (1 - frequencyA2(counts, j))) ** 2;
  }
  const block = createMatrix(n, kept.length);
  decodeBlock(packed, markers, selection, kept, values, block.data);
  const kernel = createMatrix(n, n);
  addOuterProduct(kernel, block, 1 / divisor);
  return mirrorLower(kernel);
}

/** Random outbred genotypes with additive and dominance effects on every marker. */
function simulate(seed: number, options: { n: number; markers: number; dominance: number; noise: number }) {
  const random = createRandomStream(seed, 'dominance');
  const { n, markers } = options;
  const stride = (n + 3) >> 2;
  const packed = new Uint8Array(markers * stride);
  const y = new Float64Array(n);
  const dosages = new Float64Array(n * markers);
  for (let j = 0; j < markers; j++) {
    const frequency = 0.1 + 0.8 * random.uniform();
    const additive = random.normal();
    const dominance = options.dominance * random.normal();
    for (let i = 0; i < n; i++) {
      const dosage = Number(random.uniform() < frequency) + Number(random.uniform() < frequency);
      dosages[i + j * n] = dosage;
      packed[j * stride + (i >> 2)] |= (dosage === 0 ? 0 : dosage + 1) << (2 * (i & 3));
      y[i] += additive * dosage + (dosage === 1 ? dominance : 0);
    }
  }
  for (let i = 0; i < n; i++) y[i] += options.noise * random.normal();
  const accumulator = createKinshipAccumulator({
    panelSize: n,
    filter: { maf: 0, callRate: 0 },
    methods: ['vanraden1', 'dominance'],
  });
  accumulator.add(packed, markers);
  const { kernels, divisors, scan } = accumulator.finish();
  return {
    packed,
    dosages,
    y,
    scan,
    divisors: divisors as { vanraden1: number; dominance: number },
    additive: kernels.vanraden1 as Matrix,
    dominance: kernels.dominance as Matrix,
  };
}

test('marker effects rebuild the genotypic values from raw dosages and heterozygosity', () => {
  const { packed, dosages, y, scan, divisors, additive, dominance } = simulate(1, {
    n: 150,
    markers: 80,
    dominance: 2,
    noise: 3,
  });
  const fit = fitAdditiveDominance({ additive, dominance, y });
  expect(fit.varianceDominance).toBeGreaterThan(0);
  const accumulator = createMarkerEffectAccumulator({
    panelSize: 150,
    method: 'vanraden1',
    kept: scan.kept,
    traits: [
      {
        mean: fit.mean,
        weights: fit.weights,
        additiveScale: fit.varianceAdditive / divisors.vanraden1,
        dominanceScale: fit.varianceDominance / divisors.dominance,
      },
    ],
  });
  accumulator.add(packed, 80);
  const [effects] = accumulator.finish();
  const predicted = Float64Array.from({ length: 150 }, (_, i) => {
    let value = effects.intercept;
    for (let j = 0; j < 80; j++) {
      const dosage = dosages[i + j * 150];
      value += dosage * effects.additive[j] + (dosage === 1 ? (effects.dominance as Float64Array)[j] : 0);
    }
    return value;
  });
  expect(largestRelativeError(predicted, fit.genotypicValue, 1)).toBeLessThan(1e-9);
  expect(Math.max(...fit.genotypicReliability)).toBeLessThanOrEqual(1);
  expect(Math.min(...fit.reliability)).toBeGreaterThanOrEqual(0);
});

test('the fit scales with the trait and does not see a shift', () => {
  const { y, additive, dominance } = simulate(2, { n: 120, markers: 60, dominance: 1, noise: 4 });
  const plain = fitAdditiveDominance({ additive, dominance, y });
  const turned = fitAdditiveDominance({ additive, dominance, y: y.map((value) => 1000 * value + 7) });
  const variances = (fit: typeof plain, scale: number) =>
    [fit.varianceAdditive, fit.varianceDominance, fit.varianceResidual].map((variance) => variance / scale);
  expect(largestRelativeError(variances(turned, 1e6), variances(plain, 1), 1e-6)).toBeLessThan(1e-7);
  expect(turned.mean).toBeCloseTo(1000 * plain.mean + 7, 3);
});

test('a dominance variance that wants to be negative ends at 0 and leaves the additive model', () => {
  const results = [3, 4, 5, 6, 7].map((seed) => {
    const { y, additive, dominance } = simulate(seed, { n: 100, markers: 100, dominance: 0, noise: 8 });
    return { both: fitAdditiveDominance({ additive, dominance, y }), alone: createRrblupModel(additive).fit(y) };
  });
  const atZero = results.filter(({ both }) => both.boundary.includes('dominance-zero'));
  expect(atZero.length).toBeGreaterThan(0);
  for (const { both, alone } of atZero) {
    expect(both.varianceDominance).toBe(0);
    expect(both.logLikelihood).toBeCloseTo(alone.logLikelihood, 6);
    expect(both.varianceAdditive / alone.varianceAdditive).toBeCloseTo(1, 4);
  }
  for (const { both, alone } of results) expect(both.logLikelihood).toBeGreaterThan(alone.logLikelihood - 1e-6);
});

test('the time limit stops the search with its best iterate and says so', () => {
  const { y, additive, dominance } = simulate(8, { n: 60, markers: 40, dominance: 1, noise: 2 });
  let clock = 0;
  const fit = fitAdditiveDominance({ additive, dominance, y, optimizeSeconds: 2, now: () => (clock += 900) });
  expect(fit.converged).toBe(false);
  expect(fit.iterations).toBe(2);
  expect(Number.isFinite(fit.logLikelihood)).toBe(true);
});

test('fully homozygous individuals are refused before anything is computed', () => {
  const packed = Uint8Array.of(0b11_00_11_00, 0b00_11, 0b11_11_00_01, 0b00_11);
  const accumulator = createKinshipAccumulator({
    panelSize: 6,
    filter: { maf: 0, callRate: 0 },
    methods: ['dominance'],
  });
  accumulator.add(packed, 2);
  const found = accumulator.finish();
  expect(() => requireHeterozygotes(found, 6)).toThrow(expect.objectContaining({ code: 'no-heterozygotes' }));
});
