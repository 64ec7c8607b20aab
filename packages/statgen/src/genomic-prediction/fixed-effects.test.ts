import { createMatrix, type Matrix, mirrorLower } from '@heterosis/linalg/matrix';
import { addOuterProduct } from '@heterosis/linalg/products';
import { expect, test } from 'vitest';
import { principalComponents } from '../kinship/principal-components.ts';
import { createRandomStream } from '../random/random-stream.ts';
import { fitAdditiveDominance } from './additive-dominance.ts';
import { crossValidate } from './cross-validate.ts';
import { createFixedDesign, type FixedModel, fixedPartOf } from './fixed-effects.ts';
import { createFolds } from './folds.ts';
import { createRrblupModel } from './rrblup.ts';

const N = 48;
const random = createRandomStream(31, 'fixed effects');

function randomKernel(markers: number): Matrix {
  const z = createMatrix(N, markers);
  for (let i = 0; i < z.data.length; i++) z.data[i] = random.normal();
  const kernel = createMatrix(N, N);
  addOuterProduct(kernel, z, 1 / markers);
  return mirrorLower(kernel);
}

const kinship = randomKernel(30);
const dominance = randomKernel(40);
const age = Float64Array.from({ length: N }, () => 30 + 4 * random.normal());
/** Group 2 has one individual. */
const group = Float64Array.from({ length: N }, (_, i) => (i === 16 ? 2 : [0, 1, 3][i % 3]!));
const components = principalComponents(kinship, 2);
const fixed: FixedModel = {
  terms: [
    { values: age, isFactor: false },
    { values: group, isFactor: true },
  ],
  components,
};
const y = Float64Array.from({ length: N }, (_, i) => {
  if (i % 7 === 3) return Number.NaN;
  const genetic = Array.from({ length: N }, (__, j) => kinship.data[i + j * N]! * Math.sin(j)).reduce(
    (a, b) => a + b,
    0,
  );
  return 100 + 0.7 * age[i]! + [0, 5, 20, -4][group[i]!]! + 3 * genetic + 2 * random.normal();
});
const observed = Array.from(y.keys()).filter((i) => !Number.isNaN(y[i]!));

/** Solves a·x = b for several right sides by Gauss–Jordan. */
function solve(a: number[][], b: number[][]): number[][] {
  const rows = a.map((row, i) => [...row, ...b[i]!]);
  for (let k = 0; k < rows.length; k++) {
    let pivot = k;
    for (let i = k + 1; i < rows.length; i++) if (Math.abs(rows[i]![k]!) > Math.abs(rows[pivot]![k]!)) pivot = i;
    [rows[k], rows[pivot]] = [rows[pivot]!, rows[k]!];
    for (let i = 0; i < rows.length; i++) {
      if (i === k) continue;
      const factor = rows[i]![k]! / rows[k]![k]!;
      for (let j = k; j < rows[i]!.length; j++) rows[i]![j]! -= factor * rows[k]![j]!;
    }
  }
  return rows.map((row, k) => row.slice(a.length).map((value) => value / row[k]!));
}

/** Generalised least squares as it is defined, X with raw columns: b̂, its standard errors, and V⁻¹(y − Xb̂). */
function denseGls(of: readonly number[], x: number[][], v: (i: number, j: number) => number, trait = y) {
  const solved = solve(
    of.map((i) => of.map((j) => v(i, j))),
    of.map((i, k) => [...x[k]!, trait[i]!]),
  );
  const c = x[0]!.length;
  const normal = Array.from({ length: c }, (_, a) =>
    Array.from({ length: c + 1 }, (__, b) => x.reduce((sum, row, k) => sum + row[a]! * solved[k]![b]!, 0)),
  );
  const left = normal.map((row) => row.slice(0, c));
  const unit = left.map((_, a) => left.map((__, b) => Number(a === b)));
  const inverse = solve(left, unit);
  const b = inverse.map((row) => row.reduce((sum, value, a) => sum + value * normal[a]![c]!, 0));
  const weights = solved.map((row) => row[c]! - b.reduce((sum, value, a) => sum + value * row[a]!, 0));
  return { b, errors: inverse.map((row, a) => Math.sqrt(row[a]!)), weights };
}

/** Intercept, age, groups 1, 2 and 3 against 0, two components. */
const rawRow = (i: number): number[] => [
  1,
  age[i]!,
  ...[1, 2, 3].map((code) => Number(group[i] === code)),
  components.axes.data[i]!,
  components.axes.data[i + N]!,
];

const expectClose = (value: number, expected: number, tolerance = 1e-9) =>
  expect(Math.abs(value - expected)).toBeLessThan(tolerance * (1 + Math.abs(expected)));

test('effects, standard errors and genomic values equal dense generalised least squares at the variances of the fit', () => {
  const fit = createRrblupModel(kinship, fixed).fit(y);
  expect(fit.boundary).toBe('none');
  const v = (i: number, j: number) =>
    fit.varianceAdditive * kinship.data[i + j * N]! + (i === j ? fit.varianceResidual : 0);
  const dense = denseGls(observed, observed.map(rawRow), v);
  expect(fit.fixed.map(({ term, group: code, use }) => [term, code, use])).toEqual([
    [0, null, 'used'],
    [1, 1, 'used'],
    [1, 2, 'used'],
    [1, 3, 'used'],
    [2, null, 'used'],
    [3, null, 'used'],
  ]);
  for (const [k, { estimate, standardError }] of fit.fixed.entries()) {
    expectClose(estimate, dense.b[k + 1]!);
    expectClose(standardError, dense.errors[k + 1]!);
  }
  // The mean is that of an individual with average covariates.
  const average = rawRow(0).map((_, k) => observed.reduce((sum, i) => sum + rawRow(i)[k]!, 0) / observed.length);
  expectClose(
    fit.mean,
    average.reduce((sum, value, k) => sum + value * dense.b[k]!, 0),
  );
  for (let i = 0; i < N; i++) {
    const genetic = observed.reduce(
      (sum, j, k) => sum + fit.varianceAdditive * kinship.data[i + j * N]! * dense.weights[k]!,
      0,
    );
    const row = [...average.slice(0, 5), ...rawRow(i).slice(5)];
    expectClose(
      fit.gebv[i]!,
      row.reduce((sum, value, k) => sum + value * dense.b[k]!, genetic),
    );
    // The part of the components follows from the kinship, as marker effects take it on.
    const structure = fit.structure!.weights.reduce(
      (sum, w, j) => sum + kinship.data[i + j * N]! * w,
      -fit.structure!.shift,
    );
    expectClose(fit.mean + genetic + structure, fit.gebv[i]!);
  }
});

test('the same with two kinships', () => {
  const noisy = y.map((value) => value + 6 * random.normal());
  const fit = fitAdditiveDominance({ additive: kinship, dominance, y: noisy, fixed });
  expect(fit.varianceResidual).toBeGreaterThan(0);
  const v = (i: number, j: number) =>
    fit.varianceAdditive * kinship.data[i + j * N]! +
    fit.varianceDominance * dominance.data[i + j * N]! +
    (i === j ? fit.varianceResidual : 0);
  const dense = denseGls(observed, observed.map(rawRow), v, noisy);
  for (const [k, { estimate, standardError }] of fit.fixed.entries()) {
    expectClose(estimate, dense.b[k + 1]!, 1e-8);
    expectClose(standardError, dense.errors[k + 1]!, 1e-8);
  }
});

test('which group is the reference changes neither variances nor values', () => {
  const renumbered = group.map((code) => 3 - code);
  const turned = { ...fixed, terms: [fixed.terms[0]!, { values: renumbered, isFactor: true }] };
  const one = createRrblupModel(kinship, fixed).fit(y);
  const other = createRrblupModel(kinship, turned).fit(y);
  expectClose(other.logLikelihood, one.logLikelihood);
  expectClose(other.varianceAdditive, one.varianceAdditive, 1e-7);
  for (let i = 0; i < N; i++) expectClose(other.gebv[i]!, one.gebv[i]!);
});

test('a constant column and one that follows from others are left out and named', () => {
  const terms = [
    ...fixed.terms,
    { values: new Float64Array(N).fill(4), isFactor: false },
    { values: age.map((value, i) => 2 * value + (group[i] === 1 ? 1 : 0)), isFactor: false },
  ];
  const plain = createRrblupModel(kinship, { ...fixed, components: null }).fit(y);
  const more = createRrblupModel(kinship, { terms, components: null }).fit(y);
  expect(more.fixed.slice(-2)).toMatchObject([
    { use: 'constant', estimate: 0, standardError: 0 },
    { use: 'explained', estimate: 0, standardError: 0 },
  ]);
  expect(more.gebv).toEqual(plain.gebv);
});

/** Product-moment correlation, from its definition. */
function correlation(a: readonly number[], b: readonly number[]): number {
  const deviations = (values: readonly number[]) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return values.map((value) => value - mean);
  };
  const [da, db] = [deviations(a), deviations(b)];
  const product = (p: number[], q: number[]) => p.reduce((sum, value, i) => sum + value * q[i]!, 0);
  return product(da, db) / Math.sqrt(product(da, da) * product(db, db));
}

test('cross-validation estimates the effects on each training part, as a loop that refits each of them says', () => {
  const folds = createFolds({ y, nFold: 4, nRepetition: 2, seed: 3 });
  const validation = crossValidate({ kinship, y, folds, fixed });
  for (let repetition = 0; repetition < 2; repetition++) {
    const compared: { seen: number; predicted: number; fixedPart: number }[] = [];
    for (let fold = 1; fold <= 4; fold++) {
      const foldOf = (i: number) => folds.assignment[i + repetition * N];
      const part = y.map((value, i) => (foldOf(i) === fold ? Number.NaN : value));
      const fit = createRrblupModel(kinship, fixed).fit(part);
      const train = Array.from(part.keys()).filter((i) => !Number.isNaN(part[i]!));
      const present = new Set(train.map((i) => group[i]!));
      const estimateOf = (term: number, code: number | null) =>
        fit.fixed.find((one) => one.term === term && one.group === code)?.estimate ?? 0;
      const aboveMean = (values: ArrayLike<number>, i: number) =>
        values[i]! - train.reduce((sum, j) => sum + values[j]!, 0) / train.length;
      const ofFold = observed.flatMap((i) => {
        if (foldOf(i) !== fold) return [];
        let covariates = estimateOf(0, null) * aboveMean(age, i);
        // A group that is in no training individual counts as the average group.
        if (present.has(group[i]!)) {
          for (const code of [1, 2, 3]) {
            const isMember = group.map((one) => Number(one === code));
            covariates += estimateOf(1, code) * aboveMean(isMember, i);
          }
        }
        const expected = fit.gebv[i]! + covariates;
        expectClose(validation.predicted[i + repetition * N]!, expected);
        // Components stand in the breeding value of a model, but are fixed effects.
        const structure = [0, 1].reduce(
          (sum, k) => sum + estimateOf(2 + k, null) * aboveMean(components.axes.data.subarray(k * N), i),
          0,
        );
        return [{ seen: y[i]!, predicted: expected, fixedPart: covariates + structure }];
      });
      const average = ofFold.reduce((sum, one) => sum + one.fixedPart, 0) / observed.length;
      const centred = ofFold.map((one) => ({ ...one, fixedPart: one.fixedPart - average }));
      compared.push(...centred);
      expectFigures(validation.folds.find((one) => one.repetition === repetition + 1 && one.fold === fold)!, centred);
    }
    expectFigures(validation.repetitions[repetition]!, compared);
  }

  function expectFigures(
    { pearsonR, phenotypeR }: { pearsonR: number; phenotypeR: number },
    of: readonly { seen: number; predicted: number; fixedPart: number }[],
  ) {
    const corrected = of.map(({ seen, fixedPart }) => seen - fixedPart);
    const genetic = of.map(({ predicted, fixedPart }) => predicted - fixedPart);
    expectClose(pearsonR, correlation(genetic, corrected));
    expectClose(
      phenotypeR,
      correlation(
        of.map(({ predicted }) => predicted),
        of.map(({ seen }) => seen),
      ),
    );
  }
});

test.each([
  { name: 'one kinship', two: {} },
  { name: 'two kinships', two: { dominance } },
])('what covariates add to a trait is no predictive ability, with $name', ({ two }) => {
  const folds = createFolds({ y, nFold: 4, nRepetition: 2, seed: 3 });
  // Groups that every training part has.
  const terms = [fixed.terms[0]!, { values: group.map((code) => (code === 2 ? 1 : code)), isFactor: true }];
  const validate = (values: Float64Array) =>
    crossValidate({ kinship, ...two, y: values, folds, fixed: { terms, components } });
  const plain = validate(y);
  const explained = validate(
    y.map((value, i) => value + 30 * age[i]! - 50 * Number(terms[1]!.values[i] === 3) + 400 * components.axes.data[i]!),
  );
  for (const figure of ['pearsonR', 'spearmanR', 'rmse', 'r2', 'slope', 'meanFoldPearsonR'] as const) {
    expectClose(explained.total[figure].mean, plain.total[figure].mean, 1e-6);
  }
  expect(plain.total.pearsonR.mean).toBeLessThan(0.9);
  expect(explained.total.phenotypeR.mean).toBeGreaterThan(0.995);
});

test('the values of those who are predicted say nothing to the effects that predict them', () => {
  const folds = createFolds({ y, nFold: 4, nRepetition: 1, seed: 5 });
  const before = crossValidate({ kinship, y, folds, fixed }).predicted;
  const changed = y.map((value, i) => (folds.assignment[i] === 2 ? 1000 - 3 * value : value));
  const after = crossValidate({ kinship, y: changed, folds, fixed }).predicted;
  let compared = 0;
  for (const i of observed) {
    if (folds.assignment[i] !== 2) continue;
    // Folds come from one inverse of all individuals, from which those left out are taken away again: to rounding.
    expect(Math.abs((after[i] ?? 0) - (before[i] ?? 0))).toBeLessThan(1e-9 * Math.abs(before[i] ?? 0));
    compared++;
  }
  expect(compared).toBeGreaterThan(5);
});

test('an individual of a group that was not there gets the average of its factor', () => {
  const without = Int32Array.from(observed.filter((i) => group[i] !== 2));
  const design = createFixedDesign({ ...fixed, components: null }, without);
  const coefficients = design.columns.map((_, k) => k + 1);
  const [ageColumn] = design.columns;
  const expected = (2 * (age[16]! - ageColumn!.mean)) / ageColumn!.length;
  expectClose(fixedPartOf(fixed, design, [0, 2, ...coefficients], 16), expected);
});

test('a principal component without variance is refused', () => {
  const flat = { ...components, eigenvalues: Float64Array.of(3, 1e-16) };
  expect(() => createRrblupModel(kinship, { terms: [], components: flat }).fit(y)).toThrow(
    expect.objectContaining({ code: 'bad-option' }),
  );
});
