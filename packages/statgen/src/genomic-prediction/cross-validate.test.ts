import type { Matrix } from '@heterosis/linalg/matrix';
import {
  externalReference,
  hasReference,
  numberColumn,
  readReferenceCsv,
  readReferencePanel,
  textColumn,
  traitOfPanel,
} from '@heterosis/test-support/reference-data';
import { describe, expect, test } from 'vitest';
import { createKinshipAccumulator } from '../kinship/accumulate-kinship.ts';
import { createRandomStream } from '../random/random-stream.ts';
import { crossValidate } from './cross-validate.ts';
import { createFolds, type Folds } from './folds.ts';
import { meanAndSd, predictionAccuracy } from './prediction-accuracy.ts';

const REPOSITORY = new URL('../../reference/', import.meta.url);

const sets = [
  {
    name: 'maize-mdp',
    data: new URL('maize-mdp/', REPOSITORY),
    gp: 'gp/',
    traits: ['EarHT', 'dpoll', 'EarDia'],
    repetitions: 10,
  },
  {
    name: 'wheat-cimmyt',
    data: new URL('wheat-cimmyt/', REPOSITORY),
    gp: 'gp/',
    traits: ['GY_env1', 'GY_env2', 'GY_env4', 'GY_env5'],
    repetitions: 10,
  },
  {
    name: 'rice-44k',
    data: externalReference('rice-44k'),
    gp: 'reference/gp/',
    traits: ['Plant.height', 'Flowering.time.at.Arkansas', 'Panicle.number.per.plant'],
    repetitions: 10,
  },
  // One repetition: its 5 × 1,451 individuals take as long as everything above.
  { name: 'mice-hs', data: externalReference('mice-hs'), gp: 'reference/gp/', traits: ['BMI'], repetitions: 1 },
];

for (const { name, data, gp, traits, repetitions } of sets) {
  describe.skipIf(!hasReference(data))(`${name}${hasReference(data) ? '' : ' (not present)'}`, () => {
    test('the correlation in every fold of the reference equals the reference', () => {
      const panel = readReferencePanel(new URL('genotypes.vcf.gz', data));
      const phenotypes = readReferenceCsv(new URL('phenotypes.csv', data));
      const accumulator = createKinshipAccumulator({
        panelSize: panel.samples.length,
        filter: { maf: 0.05, callRate: 0.9 },
        methods: ['vanraden1'],
      });
      accumulator.add(panel.packed, panel.markerIds.length);
      const kinship = accumulator.finish().kernels.vanraden1 as Matrix;
      for (const trait of traits) {
        const y = traitOfPanel(phenotypes, trait, panel.samples);
        const foldTable = readReferenceCsv(new URL(`${gp}cv_folds_${trait}.csv`, data));
        const rowOf = new Map(textColumn(foldTable, 'sample').map((sample, row) => [sample, row]));
        const assignment = new Int32Array(panel.samples.length * repetitions);
        for (let repetition = 0; repetition < repetitions; repetition++) {
          const column = numberColumn(foldTable, `rep${repetition + 1}`);
          panel.samples.forEach((sample, i) => {
            assignment[i + repetition * panel.samples.length] = column[rowOf.get(sample) ?? -1] ?? 0;
          });
        }
        const folds: Folds = { individuals: panel.samples.length, repetitions, folds: 5, assignment };
        const result = crossValidate({ kinship, y, folds });
        const expected = readReferenceCsv(new URL(`${gp}cv_perfold_${trait}.csv`, data));
        const r = numberColumn(expected, expected.has('r_exact') ? 'r_exact' : 'r');
        result.folds.forEach((fold, row) => {
          expect([fold.repetition, fold.fold, fold.nTrain, fold.nTest]).toEqual(
            ['rep', 'fold', 'n_train', 'n_test'].map((column) => numberColumn(expected, column)[row]),
          );
          expect(Math.abs(fold.pearsonR - r[row])).toBeLessThan(1e-6);
        });
      }
    });
  });
}

test('seeded folds are balanced, repeatable and leave out who was not observed', () => {
  const y = Float64Array.from({ length: 53 }, (_, i) => (i % 10 === 3 ? Number.NaN : i));
  const folds = createFolds({ y, nFold: 5, nRepetition: 3, seed: 11 });
  expect(createFolds({ y, nFold: 5, nRepetition: 3, seed: 11 })).toEqual(folds);
  expect(createFolds({ y, nFold: 5, nRepetition: 3, seed: 12 })).not.toEqual(folds);
  for (let repetition = 0; repetition < 3; repetition++) {
    const column = folds.assignment.subarray(53 * repetition, 53 * (repetition + 1));
    const sizes = [0, 1, 2, 3, 4, 5].map((fold) => column.filter((value) => value === fold).length);
    expect(sizes[0]).toBe(5);
    expect(Math.min(...sizes.slice(1))).toBeGreaterThanOrEqual(9);
    expect(column[13]).toBe(0);
  }
  expect(() => createFolds({ y, nFold: 30, nRepetition: 1, seed: 1 })).toThrow(
    expect.objectContaining({ code: 'bad-folds' }),
  );
  expect(() => createFolds({ y, nFold: 1, nRepetition: 1, seed: 1 })).toThrow(
    expect.objectContaining({ code: 'bad-folds' }),
  );
});

/** A kinship of full-sib families and a trait with polygenic signal. */
function simulatedFamilies(seed: number): { kinship: Matrix; y: Float64Array } {
  const random = createRandomStream(seed);
  const n = 60;
  const markers = 200;
  const packed = new Uint8Array(markers * (n / 4));
  const value = new Float64Array(n);
  for (let j = 0; j < markers; j++) {
    const effect = random.normal();
    const parents = Array.from({ length: 12 }, () => random.nextInt(2));
    for (let i = 0; i < n; i++) {
      const family = Math.floor(i / 10);
      const dosage = parents[2 * family + random.nextInt(2)] + parents[2 * family + random.nextInt(2)];
      packed[j * (n / 4) + (i >> 2)] |= (dosage === 0 ? 0 : dosage + 1) << (2 * (i & 3));
      value[i] += effect * dosage;
    }
  }
  const accumulator = createKinshipAccumulator({
    panelSize: n,
    filter: { maf: 0, callRate: 0 },
    methods: ['vanraden1', 'dominance'],
  });
  accumulator.add(packed, markers);
  return { kinship: accumulator.finish().kernels.vanraden1 as Matrix, y: value.map((v) => v + 8 * random.normal()) };
}

test('scaling and shifting the trait leaves correlations and slope, and scales the error', () => {
  const { kinship, y } = simulatedFamilies(1);
  const folds = createFolds({ y, nFold: 5, nRepetition: 2, seed: 5 });
  const plain = crossValidate({ kinship, y, folds });
  const turned = crossValidate({ kinship, y: y.map((value) => 1000 * value + 7), folds });
  for (const figure of ['pearsonR', 'spearmanR', 'r2', 'slope', 'meanFoldPearsonR'] as const) {
    expect(turned.total[figure].mean).toBeCloseTo(plain.total[figure].mean, 9);
  }
  expect(turned.total.rmse.mean / 1000).toBeCloseTo(plain.total.rmse.mean, 9);
  expect(plain.total.pearsonR.mean).toBeGreaterThan(0.3);
});

test('a training part without variation gives an error for its fold and leaves the others alone', () => {
  const { kinship, y } = simulatedFamilies(2);
  const flat = y.map((value, i) => (i < 45 ? 3 : value));
  const assignment = Int32Array.from(flat, (_, i) => (i < 45 ? 1 + (i % 2) : 3));
  const result = crossValidate({ kinship, y: flat, folds: { individuals: 60, repetitions: 1, folds: 3, assignment } });
  expect(result.folds.map((fold) => fold.error?.code)).toEqual([undefined, undefined, 'constant-trait']);
  expect(Number.isNaN(result.predicted[59])).toBe(true);
  expect(Number.isFinite(result.predicted[0])).toBe(true);
});

test('folds that do not fit are refused', () => {
  const { kinship, y } = simulatedFamilies(3);
  const folds = createFolds({ y, nFold: 5, nRepetition: 1, seed: 1 });
  expect(() => crossValidate({ kinship, y, folds: { ...folds, individuals: 59 } })).toThrow(
    expect.objectContaining({ code: 'shape-mismatch' }),
  );
  const empty = { ...folds, assignment: folds.assignment.map((fold) => (fold === 2 ? 1 : fold)) };
  expect(() => crossValidate({ kinship, y, folds: empty })).toThrow(expect.objectContaining({ code: 'bad-folds' }));
});

test('accuracy figures equal a worked case', () => {
  const accuracy = predictionAccuracy(Float64Array.of(1, 2, 3, 4, Number.NaN), Float64Array.of(1, 3, 2, 6, 9));
  expect(accuracy.n).toBe(4);
  expect(accuracy.pearsonR).toBeCloseTo(7 / Math.sqrt(5 * 14), 12);
  expect(accuracy.spearmanR).toBeCloseTo(0.8, 12);
  expect(accuracy.rmse).toBeCloseTo(Math.sqrt(6 / 4), 12);
  expect(accuracy.r2).toBeCloseTo(1 - 6 / 5, 12);
  expect(accuracy.slope).toBeCloseTo(7 / 14, 12);
  expect(predictionAccuracy(Float64Array.of(1, 2), Float64Array.of(3, 3)).pearsonR).toBeNaN();
  expect(meanAndSd([1, Number.NaN, 3])).toEqual({ mean: 2, sd: Math.SQRT2 });
});
