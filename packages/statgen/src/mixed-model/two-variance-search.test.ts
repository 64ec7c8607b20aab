import { expect, test } from 'vitest';
import { denseReml } from './dense-reml.test-data.ts';
import { searchVariances, type Theta, type TwoVarianceProblem, type VarianceState } from './two-variance-search.ts';

/** The problem, and the values of all points at which it was evaluated. */
function recorded<State extends VarianceState>(problem: TwoVarianceProblem<State>) {
  const values: number[] = [];
  const evaluate = (theta: Theta): State | undefined => {
    const state = problem.evaluate(theta);
    if (state !== undefined) values.push(state.value);
    return state;
  };
  return { problem: { ...problem, evaluate }, values };
}

/**
 * −½·c·w²·log(1 + d²/w²), d the distance from `top`: of curvature c there, and ever flatter beyond the width w. Its
 * information is the curvature divided by `tooSmall`.
 */
function bell(top: Theta, tooSmall: number): TwoVarianceProblem<VarianceState> {
  const [curvature, width] = [1, 1e-3];
  const ratio = (theta: Theta): number => theta.reduce((sum, value, k) => sum + ((value - top[k]) / width) ** 2, 0);
  return {
    order: 1000,
    isEmpty: [false, false],
    evaluate: (theta) => ({
      theta,
      value: -0.5 * curvature * width ** 2 * Math.log1p(ratio(theta)),
      quadratic: 1000,
    }),
    derivatives: ({ theta }) => ({
      gradient: theta.map((value, k) => (curvature * (top[k] - value)) / (1 + ratio(theta))) as Theta,
      information: [0, 1, 2].map((k) => [0, 1, 2].map((l) => (k === l ? curvature / tooSmall : 0))),
    }),
  };
}

/** REML of two dense kernels; the contrasts of the mean. */
function denseProblem(kernels: number[][][], y: number[]): TwoVarianceProblem<VarianceState> {
  const n = y.length;
  const all = [...kernels, y.map((_, i) => y.map((__, j) => Number(i === j)))];
  const times = (matrix: number[][], x: number[]): number[] =>
    matrix.map((row) => row.reduce((sum, value, j) => sum + value * x[j], 0));
  const dot = (a: number[], b: number[]): number => a.reduce((sum, value, i) => sum + value * b[i], 0);
  return {
    order: n - 1,
    isEmpty: [false, false],
    evaluate: (theta) => {
      const { logLikelihood, quadratic } = denseReml(kernels, theta.slice(0, 2), theta[2], y);
      return Number.isFinite(logLikelihood) ? { theta, value: logLikelihood, quadratic } : undefined;
    },
    derivatives: ({ theta }) => {
      const { weights, projection } = denseReml(kernels, theta.slice(0, 2), theta[2], y);
      const images = all.map((kernel) => times(kernel, weights));
      const projected = images.map((image) => times(projection, image));
      const gradient = all.map((kernel, k) => {
        const trace = projection.reduce((sum, row, i) => sum + dot(row, kernel[i]), 0);
        return -0.5 * (trace - dot(weights, images[k]));
      }) as Theta;
      return { gradient, information: images.map((a) => projected.map((b) => 0.5 * dot(a, b))) };
    },
  };
}

test.each([1, 30, 100, 300, 1000, 3000])(
  'no point is higher than the result, information too small by %d',
  (factor) => {
    const { problem, values } = recorded(bell([0.34, 0.33, 0.33], factor));
    const { state } = searchVariances(problem, {});
    expect(state.value).toBeGreaterThanOrEqual(Math.max(...values) - 1e-10);
  },
);

test.each([1e-2, 1e-4, 1e-6, 1e-8])('no point is higher than the result, kernels that differ by %d', (difference) => {
  for (let seed = 1; seed <= 5; seed++) {
    const n = 14;
    const wave = (i: number, k: number): number => Math.sin(12.9898 * (i + 1) * seed + 78.233 * (k + 1));
    const kernelOf = (shift: number): number[][] =>
      Array.from({ length: n }, (_, i) =>
        Array.from({ length: n }, (__, j) => {
          let sum = 0;
          for (let k = 0; k < 20; k++) {
            sum += (wave(i, k) + shift * wave(i, k + 50)) * (wave(j, k) + shift * wave(j, k + 50));
          }
          return sum / 10;
        }),
      );
    const y = Array.from({ length: n }, (_, i) => wave(i, 3) + wave(i, 4) + wave(i, 99));
    const { problem, values } = recorded(denseProblem([kernelOf(0), kernelOf(difference)], y));
    const { state } = searchVariances(problem, {});
    const highest = Math.max(...values);
    expect(state.value).toBeGreaterThanOrEqual(highest - 1e-9 * Math.max(1, Math.abs(highest)));
  }
});
