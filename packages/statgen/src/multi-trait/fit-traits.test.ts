import { createMatrix, matrixOf } from '@heterosis/linalg/matrix';
import { setThreadCount } from '@heterosis/linalg/threads';
import { expect, test } from 'vitest';
import { smallAssociation } from '../association/small-association.test-data.ts';
import { createRrblupModel } from '../genomic-prediction/rrblup.ts';
import { interceptOnly } from '../mixed-model/error-contrasts.ts';
import { createRandomStream } from '../random/random-stream.ts';
import { denseTraits, smallTraits } from './dense-traits.test-data.ts';
import { fitTraits, type TraitsFit, traitsAt } from './fit-traits.ts';
import { predictTraits, traitErrorCovariances, traitWeights } from './predict-traits.ts';
import { lowerPlaces } from './small-covariances.ts';
import { evaluateTraits, type TraitCovariances } from './trait-likelihood.ts';
import { createTraitRecords, type TraitRecords } from './trait-records.ts';
import { scoreTraits } from './trait-scores.ts';

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

const HOLES = [
  ['complete', 0],
  ['with missing records', 0.35],
] as const;

/** The log-likelihood of the values themselves. */
function logLikelihoodAt(records: TraitRecords, covariances: TraitCovariances): number {
  return evaluateTraits(records, covariances)?.logLikelihood ?? Number.NaN;
}

const largestDifference = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((worst, value, k) => Math.max(worst, Math.abs(value - b[k])), 0);

test.each(HOLES)('likelihood, values and their errors are those of the dense definition, %s', (_, holes) => {
  const small = smallTraits(1, { holes });
  const records = createTraitRecords(small);
  const point = traitsAt(records, GENETIC, RESIDUAL);
  if (point === null) throw new TypeError('no likelihood');
  const dense = denseTraits(small, GENETIC, RESIDUAL);
  // The scaled values leave (N − q) log s, and ½ log d of each record.
  const { scales, missing, lineCount, firstFixed, logWeights } = records;
  const scaling = scales.reduce(
    (sum, scale, t) => sum + (lineCount - missing[t].length - firstFixed[t + 1] + firstFixed[t]) * Math.log(scale),
    0.5 * logWeights,
  );
  expect(point.logLikelihood - scaling).toBeCloseTo(dense.logLikelihood, 10);
  const predicted = predictTraits(records, point, small.across, small.own);
  const errors = traitErrorCovariances(records, point, small.across, small.among);
  const weights = traitWeights(records, point);
  for (const [t, values] of predicted.values.entries()) {
    expect(largestDifference(values, dense.blup[t])).toBeLessThan(1e-11);
    expect(largestDifference(predicted.errorVariances[t], dense.errorVariance[t])).toBeLessThan(1e-11);
    expect(largestDifference(errors[t].data, dense.errorCovariance[t].flat())).toBeLessThan(1e-11);
    const fromWeights = [...small.own.keys()].map((j) =>
      weights.reduce(
        (sum, own, s) =>
          sum + own.reduce((part, w, i) => part + GENETIC[t][s] * w * small.across.data[i + j * lineCount], 0),
        0,
      ),
    );
    expect(largestDifference(fromWeights, values)).toBeLessThan(1e-11);
  }
  const coefficients = Array.from(point.coefficients, (b, c) => {
    const trait = firstFixed.findLastIndex((first) => first <= c);
    return b * scales[trait];
  });
  expect(largestDifference(coefficients, dense.coefficients)).toBeLessThan(1e-11);
});

test.each(HOLES)('scores are the derivatives of the likelihood, %s', (_, holes) => {
  const records = createTraitRecords(smallTraits(2, { holes }));
  const covariances = {
    genetic: Float64Array.from(GENETIC.flat()),
    residual: Float64Array.from(RESIDUAL.flat()),
  };
  const point = evaluateTraits(records, covariances);
  if (point === null) throw new TypeError('no likelihood');
  const scores = scoreTraits(records, point);
  const step = 1e-4;
  for (const side of ['genetic', 'residual'] as const) {
    for (const [row, column] of lowerPlaces(3)) {
      const at = (by: number): number => {
        const moved = { ...covariances, [side]: covariances[side].slice() };
        moved[side][row * 3 + column] += by;
        if (row !== column) moved[side][column * 3 + row] += by;
        return logLikelihoodAt(records, moved);
      };
      // Five points: an error of step⁴.
      const numerical = (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
      const exact = scores[side][row * 3 + column] * (row === column ? 1 : 2);
      expect(exact).toBeCloseTo(numerical, 7);
    }
  }
});

test.each(HOLES)('average information is that of the dense definition, %s', (_, holes) => {
  const small = smallTraits(3, { holes });
  const records = createTraitRecords(small);
  const point = traitsAt(records, GENETIC, RESIDUAL);
  if (point === null) throw new TypeError('no likelihood');
  const { information } = scoreTraits(records, point);
  const dense = denseTraits(small, GENETIC, RESIDUAL).information;
  const places = lowerPlaces(3);
  const unitOf = (k: number): number => {
    const [row, column] = places[k % 6];
    return (records.scales[row] * records.scales[column]) / (k < 6 ? records.kernelScale : 1);
  };
  for (let k = 0; k < 12; k++) {
    for (let l = 0; l < 12; l++) {
      const found = information.data[k + l * 12] / (unitOf(k) * unitOf(l));
      expect(found).toBeCloseTo(dense[k][l], 10);
    }
  }
});

test('one trait is RR-BLUP of that trait', () => {
  const small = smallTraits(4, { lines: 40, traits: 2, holes: 0.2, isWeighed: false });
  const [y] = small.values;
  const rows = [...y.keys()].filter((i) => !Number.isNaN(y[i]));
  const kinship = createMatrix(rows.length, rows.length);
  for (const [a, i] of rows.entries()) {
    for (const [b, j] of rows.entries()) kinship.data[a + b * rows.length] = small.kinship.data[i + j * 40];
  }
  const single = createRrblupModel(small.kinship).fit(y);
  const fit = fitTraits(
    createTraitRecords({
      kinship,
      values: [Float64Array.from(rows, (i) => y[i])],
      designs: [matrixOf(rows.length, 1, new Float64Array(rows.length).fill(1))],
    }),
  );
  expect(fit.isConverged).toBe(true);
  expect(fit.genetic[0][0] / single.varianceAdditive).toBeCloseTo(1, 8);
  expect(fit.residual[0][0] / single.varianceResidual).toBeCloseTo(1, 8);
  expect(fit.contrastLogLikelihood).toBeCloseTo(single.logLikelihood, 9);
  expect(fit.coefficients[0][0] / single.mean).toBeCloseTo(1, 8);
  expect(fit.standardErrors?.genetic[0][0]).toBeCloseTo(single.heritability.standardErrors?.additive ?? 0, 8);
});

test('two traits with diagonal G and R are two single fits', () => {
  const small = smallTraits(5, { lines: 40, traits: 2, holes: 0.25, isWeighed: false });
  const model = createRrblupModel(small.kinship);
  const ones = matrixOf(40, 1, new Float64Array(40).fill(1));
  const singles = small.values.map((y) => model.fit(y));
  const records = createTraitRecords({ kinship: small.kinship, values: small.values, designs: [ones, ones] });
  const diagonal = (values: number[]): number[][] =>
    values.map((value, s) => values.map((_, r) => (s === r ? value : 0)));
  const point = traitsAt(
    records,
    diagonal(singles.map((single) => single.varianceAdditive)),
    diagonal(singles.map((single) => single.varianceResidual)),
  );
  if (point === null) throw new TypeError('no likelihood');
  const own = Float64Array.from({ length: 40 }, (_, i) => small.kinship.data[i * 41]);
  const predicted = predictTraits(records, point, small.kinship, own);
  const scores = scoreTraits(records, point);
  for (const [t, single] of singles.entries()) {
    expect(
      largestDifference(
        predicted.values[t],
        single.gebv.map((value) => value - single.mean),
      ),
    ).toBeLessThan(1e-8);
    expect(largestDifference(predicted.reliabilities[t], single.reliability)).toBeLessThan(1e-8);
    // The single fits are the maxima of their own variances here too.
    expect(scores.genetic[t * 3]).toBeCloseTo(0, 5);
  }
});

test('the residual covariance of traits that no line has both of is unknown, and moves nothing', () => {
  const small = smallTraits(1, { lines: 80, holes: 0, isWeighed: false });
  const apart = small.values.map((values, t) => values.map((value, i) => (t < 2 && i % 2 === t ? Number.NaN : value)));
  const fit = fitTraits(createTraitRecords({ ...small, values: apart }));
  expect(fit.isConverged).toBe(true);
  expect(fit.iterations).toBeLessThan(80);
  expect(fit.residual[0][1]).toBe(0);
  expect(fit.residualCorrelation[1][0]).toEqual({ value: Number.NaN, se: null });
  expect(fit.residualCorrelation[2][0].se).toBeGreaterThan(0);
  expect(fit.geneticCorrelation[1][0].se).toBeGreaterThan(0);
  expect(fit.geneticCorrelation[1][0].se).toBeLessThan(1);
  // Whatever it is, likelihood and values are the same.
  const [zero, other] = [0, 0.2].map((covariance) => {
    const residual = fit.residual.map((row) => row.slice());
    residual[0][1] = covariance;
    residual[1][0] = covariance;
    return traitsAt(fit.records, fit.genetic, residual)?.logLikelihood ?? Number.NaN;
  });
  expect(other).toBeCloseTo(zero, 9);
  const { genetic, residual } = scoreTraits(fit.records, fit.point);
  expect(Math.max(...[...genetic, ...residual].map(Math.abs))).toBeLessThan(1e-5);
});

/** What a fit says, whatever the scale and order of its traits. */
function summaryOf({ geneticCorrelation, residualCorrelation, genetic, residual }: TraitsFit): number[] {
  return [
    ...geneticCorrelation.flat().flatMap(({ value, se }) => [value, se ?? 0]),
    ...residualCorrelation.flat().flatMap(({ value, se }) => [value, se ?? 0]),
    ...genetic.map((row, t) => row[t] / (row[t] + residual[t][t])),
  ];
}

test.each(HOLES)('scale, order and sign of traits and the scale of the kinship change nothing else, %s', (_, holes) => {
  const small = smallTraits(6, { lines: 60, traits: 2, holes });
  const fit = fitTraits(createTraitRecords(small));
  expect(fit.isConverged).toBe(true);
  expect(fit.atBoundary).toEqual([]);
  const [first, second] = small.values;
  const scaled = fitTraits(
    createTraitRecords({ ...small, values: [first.map((y) => 1000 * y - 3), second.map((y) => 0.01 * y)] }),
  );
  expect(largestDifference(summaryOf(scaled), summaryOf(fit))).toBeLessThan(1e-8);
  expect(scaled.genetic[0][1] / fit.genetic[0][1]).toBeCloseTo(10, 7);
  const turned = fitTraits(createTraitRecords({ ...small, values: [first.map((y) => -y), second] }));
  expect(turned.logLikelihood).toBeCloseTo(fit.logLikelihood, 9);
  expect(turned.genetic[0][1]).toBeCloseTo(-fit.genetic[0][1], 8);
  const exchanged = fitTraits(
    createTraitRecords({ ...small, values: [second, first], designs: small.designs.toReversed() }),
  );
  expect(exchanged.genetic[0][0]).toBeCloseTo(fit.genetic[1][1], 8);
  expect(exchanged.residual[1][0]).toBeCloseTo(fit.residual[0][1], 8);
  expect(exchanged.logLikelihood).toBeCloseTo(fit.logLikelihood, 9);
  const kinship = matrixOf(
    60,
    60,
    small.kinship.data.map((value) => 7 * value),
  );
  const wider = fitTraits(createTraitRecords({ ...small, kinship }));
  expect(wider.genetic[1][1] * 7).toBeCloseTo(fit.genetic[1][1], 8);
  expect(wider.logLikelihood).toBeCloseTo(fit.logLikelihood, 9);
  // Weights in another unit move R only.
  const heavier = fitTraits(createTraitRecords({ ...small, errorWeights: small.errorWeights.map((d) => 4 * d) }));
  expect(heavier.residual[0][0] * 4).toBeCloseTo(fit.residual[0][0], 8);
  expect(heavier.logLikelihood).toBeCloseTo(fit.logLikelihood, 8);
});

test('a line whose records are all missing is refused, a trait that is constant named', () => {
  const small = smallTraits(7, { traits: 2, holes: 0 });
  const without = small.values.map((values) => values.map((value, i) => (i === 4 ? Number.NaN : value)));
  expect(() => createTraitRecords({ ...small, values: without })).toThrow('line 5 has no record');
  const constant = [small.values[0], small.values[1].map(() => 3)];
  expect(() => createTraitRecords({ ...small, values: constant })).toThrow('explain the trait completely');
});

test('where the likelihood rises up to a genetic correlation of one, that is the estimate, without an error', () => {
  const small = smallTraits(1, { lines: 60, traits: 2, holes: 0, isWeighed: false });
  const random = createRandomStream(1, 'errors', 1);
  const [y] = small.values;
  const values = [y.map((value) => value + 2 * random.normal()), y.map((value) => 2 * value + 4 * random.normal())];
  const [ones] = small.designs;
  const fit = fitTraits(createTraitRecords({ kinship: small.kinship, values, designs: [ones, ones] }));
  expect(fit.isConverged).toBe(true);
  expect(fit.atBoundary).toEqual(['genetic']);
  expect(fit.geneticCorrelation[0][1]).toEqual({ value: expect.closeTo(1, 12), se: null });
  expect(Math.abs(fit.geneticCorrelation[0][1].value)).toBeLessThanOrEqual(1);
  // G of full rank beside it is less likely.
  const { genetic, residual } = fit;
  const logLikelihoods = [1, 0.95, 0.8].map((share) => {
    const between = share * genetic[0][1];
    return (
      traitsAt(
        fit.records,
        [
          [genetic[0][0], between],
          [between, genetic[1][1]],
        ],
        residual,
      )?.logLikelihood ?? 0
    );
  });
  expect(logLikelihoods).toEqual(logLikelihoods.toSorted((a, b) => b - a));
});

test('traits that are nearly the same have no likelihood made of rounding', () => {
  // One start of this seed passed a residual covariance of nearly one line, with a likelihood of 1e15.
  const { n, kinship, y } = smallAssociation(120, 60, 5);
  const values = [y.map((v) => 5 * v), y.map((v, i) => 5 * v + (i % 7)), y.map((v, i) => 5 * v - (i % 5))];
  const fit = fitTraits(createTraitRecords({ kinship, values, designs: values.map(() => interceptOnly(n)) }));
  expect(fit.isConverged).toBe(true);
  for (const start of fit.starts) expect(Math.abs(start - fit.logLikelihood)).toBeLessThan(0.1);
});
