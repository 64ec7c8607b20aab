import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { describe, expect, test } from 'vitest';
import { createRandomStream, type RandomStream } from '../random/random-stream.ts';
import { type FieldPlaces, spatialLayout } from './field-correlations.ts';
import { mixedEquations } from './mixed-equations.ts';
import { plainReml } from './plain-reml.test-data.ts';
import { spatialEquations } from './spatial-equations.ts';
import type { TrialEquations, TrialFrame } from './trial-equations.ts';

/** A field of 5 × 6 with holes, nine lines of one to many plots, one of them a check, and a covariate. */
function randomFrame(random: RandomStream, isRandom: boolean): { frame: TrialFrame; places: FieldPlaces } {
  const plots = Array.from({ length: 30 }, (_, i) => ({ row: i % 5, column: Math.floor(i / 5) })).filter(
    () => random.uniform() < 0.9,
  );
  const n = plots.length;
  const drawn = plots.map((_, i) => (i < 9 ? i : random.nextInt(9)));
  const withCheck = isRandom && random.uniform() < 0.5;
  const codes = Int32Array.from(drawn, (line) => (withCheck ? line - 1 : line));
  const columns = isRandom ? [plots.map(() => 1)] : [];
  if (withCheck) columns.push(drawn.map((line) => Number(line === 0)));
  columns.push(plots.map(() => random.normal()));
  const fixed = createMatrix(n, columns.length);
  columns.forEach((column, j) => {
    fixed.data.set(column, j * n);
  });
  return {
    frame: {
      y: Float64Array.from(plots, () => random.normal()),
      fixed,
      lines: { codes, count: withCheck ? 8 : 9, random: isRandom },
    },
    places: { rows: Int32Array.from(plots, ({ row }) => row), columns: Int32Array.from(plots, ({ column }) => column) },
  };
}

/** X with lines where they are fixed, and V without them where they are. */
function plainParts({ y, fixed, lines }: TrialFrame, lineVariance: number, rest: (i: number, j: number) => number) {
  const n = y.length;
  const x = Array.from({ length: n }, (_, i) => [
    ...(lines.random ? [] : Array.from({ length: lines.count }, (_unused, line) => Number(lines.codes[i] === line))),
    ...Array.from({ length: fixed.columns }, (_unused, k) => fixed.data[i + k * n]),
  ]);
  const v = Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_unused, j) => {
      const same = lines.random && lines.codes[i] >= 0 && lines.codes[i] === lines.codes[j];
      return rest(i, j) + (same ? lineVariance : 0);
    }),
  );
  return plainReml([...y], x, v);
}

/** Largest difference of the scores from central differences of the likelihood, relative to the largest score. */
function scoreError(problem: TrialEquations, at: Float64Array): number {
  const score = problem.evaluate(at)?.derivatives().score ?? new Float64Array(0);
  const size = Math.max(...score.map(Math.abs), 1);
  return Math.max(
    ...score.map((value, k) => {
      const value_ = (step: number) =>
        problem.evaluate(at.map((parameter, l) => parameter + (k === l ? step : 0)))?.logLikelihood ?? Number.NaN;
      const step = 1e-3;
      const slope = (8 * (value_(step) - value_(-step)) - (value_(2 * step) - value_(-2 * step))) / (12 * step);
      return Math.abs(value - slope) / size;
    }),
  );
}

const CASES = Array.from({ length: 6 }, (_, seed) => [false, true].map((isRandom) => ({ seed, isRandom }))).flat();

describe.each(CASES)('design $seed, random lines: $isRandom', ({ seed, isRandom }) => {
  const random = createRandomStream(seed, 'trial-equations');
  const { frame, places } = randomFrame(random, isRandom);
  const n = frame.y.length;
  const uniform = () => 0.2 + random.uniform();

  test('mixed-model equations have the likelihood of the whole V, and its slopes', () => {
    const terms = [3, 5].map((count): Matrix => {
      const columns = createMatrix(n, count);
      for (let i = 0; i < columns.data.length; i++) columns.data[i] = random.normal();
      return columns;
    });
    const problem = mixedEquations(frame, terms);
    for (const absent of [false, true]) {
      const variances = [uniform(), absent ? 0 : uniform()];
      const [lineVariance, residual] = [uniform(), uniform()];
      const parameters = Float64Array.from([...(isRandom ? [lineVariance] : []), ...variances, residual]);
      const expected = plainParts(frame, lineVariance, (i, j) => {
        let sum = i === j ? residual : 0;
        terms.forEach((term, k) => {
          for (let c = 0; c < term.columns; c++) sum += variances[k] * term.data[i + c * n] * term.data[j + c * n];
        });
        return sum;
      });
      const found = problem.evaluate(parameters)?.logLikelihood ?? Number.NaN;
      // Sums of some hundred terms in another order.
      expect(Math.abs(found - expected)).toBeLessThan(1e-10 * Math.abs(expected));
      if (!absent) expect(scoreError(problem, parameters)).toBeLessThan(1e-8);
    }
    const at = Float64Array.from([...(isRandom ? [0.4] : []), 0, 0.5, 0.7]);
    const slope = problem.evaluate(at)?.derivatives().score[Number(isRandom)] ?? Number.NaN;
    const step = 1e-5;
    const ahead = (times: number) =>
      problem.evaluate(at.map((value, k) => value + (k === Number(isRandom) ? times * step : 0)))?.logLikelihood ?? 0;
    expect(slope).toBeCloseTo((-3 * ahead(0) + 4 * ahead(1) - ahead(2)) / (2 * step), 4);
  });

  test('autoregression has the likelihood of the whole V, and its slopes', () => {
    for (const units of [false, true]) {
      const layout = spatialLayout({ random: isRandom, places, units });
      const problem = spatialEquations(frame, places, layout);
      const at = new Float64Array(layout.count);
      const [lineVariance, spatial, nugget] = [uniform(), uniform(), uniform()];
      const [rho, other] = [random.uniform() - 0.2, random.uniform() - 0.2];
      if (isRandom) at[layout.lines] = lineVariance;
      at[layout.spatial] = Math.log(spatial);
      if (units) at[layout.units] = nugget;
      at[layout.rows] = Math.atanh(rho);
      at[layout.columns] = Math.atanh(other);
      const distance = (of: Int32Array | null, i: number, j: number) => Math.abs((of?.[i] ?? 0) - (of?.[j] ?? 0));
      const expected = plainParts(frame, lineVariance, (i, j) => {
        const correlation = rho ** distance(places.rows, i, j) * other ** distance(places.columns, i, j);
        return spatial * correlation + (i === j && units ? nugget : 0);
      });
      const found = problem.evaluate(at)?.logLikelihood ?? Number.NaN;
      expect(Math.abs(found - expected)).toBeLessThan(1e-10 * Math.abs(expected));
      expect(scoreError(problem, at)).toBeLessThan(1e-8);
    }
  });
});
