import { describe, expect, test } from 'vitest';
import { type ContributionProblem, frontierCorners } from './contribution-frontier.ts';
import { betweenCorners, contributionBound, optimalContributions } from './optimal-contributions.ts';
import { contributionsOf, makeHerd, plainCoancestry } from './small-herd.test-data.ts';

/** The smallest coancestry that contributions of a problem reach. */
const leastOf = (problem: ContributionProblem) => [...frontierCorners(problem)].at(-1)?.coancestry ?? 0;

/**
 * The largest value with coancestry ≤ cap by trying every way to put contributions at a bound: with the set of free
 * ones given, the optimum for a weight t solves linear equations, and halving finds the t that meets the cap.
 */
function exhaustive(problem: ContributionProblem, cap: number): number {
  const n = problem.value.length;
  let best = Number.NEGATIVE_INFINITY;
  for (let code = 0; code < 3 ** n; code++) {
    const state = Array.from({ length: n }, (_, i) => Math.floor(code / 3 ** i) % 3);
    const at = (t: number) => solveFree(problem, state, t);
    let low = 0;
    let high = 1e6;
    const isBelow = (t: number) => {
      const c = at(t);
      return c === null || plainCoancestry(problem.relationship, c) <= cap;
    };
    for (let k = 0; k < 80; k++) {
      const middle = (low + high) / 2;
      if (isBelow(middle)) low = middle;
      else high = middle;
    }
    const c = at(low);
    if (c === null || plainCoancestry(problem.relationship, c) > cap + 1e-12) continue;
    if (c.some((x, i) => x < problem.lower[i] - 1e-12 || x > problem.upper[i] + 1e-12)) continue;
    best = Math.max(
      best,
      c.reduce((sum, x, i) => sum + x * problem.value[i], 0),
    );
  }
  return best;
}

/** Stationary contributions for weight t with given states (0 at lower, 1 free, 2 at upper); null when singular. */
function solveFree({ value, relationship, lower, upper }: ContributionProblem, state: number[], t: number) {
  const n = value.length;
  const free = state.flatMap((one, i) => (one === 1 ? [i] : []));
  const c = state.map((one, i) => (one === 0 ? lower[i] : one === 2 ? upper[i] : 0));
  const rest = 1 - c.reduce((a, b) => a + b, 0);
  if (free.length === 0) return Math.abs(rest) < 1e-9 ? c : null;
  // [A_FF −1; 1' 0] [c; γ] = [t·g − A_FB·c_B; rest]
  const size = free.length + 1;
  const m = Array.from({ length: size }, () => Array.from({ length: size + 1 }, () => 0));
  free.forEach((i, a) => {
    free.forEach((j, b) => {
      m[a][b] = relationship[i * n + j];
    });
    m[a][size - 1] = -1;
    m[size - 1][a] = 1;
    m[a][size] = t * value[i] - c.reduce((sum, x, j) => sum + relationship[i * n + j] * x, 0);
  });
  m[size - 1][size] = rest;
  for (let j = 0; j < size; j++) {
    const pivot = m.slice(j).reduce((p, row, k) => (Math.abs(row[j]) > Math.abs(m[p][j]) ? j + k : p), j);
    if (Math.abs(m[pivot][j]) < 1e-12) return null;
    [m[j], m[pivot]] = [m[pivot], m[j]];
    for (let i = 0; i < size; i++) {
      if (i === j) continue;
      const by = m[i][j] / m[j][j];
      for (let k = j; k <= size; k++) m[i][k] -= by * m[j][k];
    }
  }
  free.forEach((i, a) => {
    c[i] = m[a][size] / m[a][a];
  });
  return c;
}

describe('optimal contributions', () => {
  test('equal the best of all sets of contributions at a bound', () => {
    for (let seed = 1; seed <= 8; seed++) {
      const problem = contributionsOf(makeHerd(4, seed), 0.4);
      problem.lower[seed % 4] = 0.1;
      const least = leastOf(problem);
      const most = optimalContributions(problem, Number.POSITIVE_INFINITY).coancestry;
      for (const share of [0.2, 0.5, 0.8]) {
        const cap = least + share * (most - least);
        const found = optimalContributions(problem, cap);
        expect(found.value).toBeCloseTo(exhaustive(problem, cap), 6);
        expect(plainCoancestry(problem.relationship, found.contributions)).toBeLessThanOrEqual(cap + 1e-12);
      }
    }
  });

  test('come with a bound that proves them for 600 candidates, a third of them duplicates', () => {
    const herd = makeHerd(400, 3);
    const n = 600;
    const source = Array.from({ length: n }, (_, i) => i % 400);
    const problem = contributionsOf(
      {
        value: Float64Array.from(source, (i) => herd.value[i]),
        relationship: Float64Array.from({ length: n * n }, (_, at) => {
          return herd.relationship[source[Math.floor(at / n)] * 400 + source[at % n]];
        }),
      },
      0.05,
    );
    const range = Math.max(...problem.value) - Math.min(...problem.value);
    for (const cap of [0.2, 0.1, 0.05]) {
      const found = optimalContributions(problem, cap);
      expect(found.meetsCap).toBe(true);
      const sum = found.contributions.reduce((a, b) => a + b, 0);
      expect(sum).toBeCloseTo(1, 10);
      expect(Math.min(...found.contributions)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...found.contributions)).toBeLessThanOrEqual(0.05 + 1e-12);
      expect(plainCoancestry(problem.relationship, found.contributions)).toBeLessThanOrEqual(cap * (1 + 1e-9));
      // The ridge of 1e-6 of the diagonal leaves this much: the price of coancestry times its share in it.
      expect(found.bound - found.value).toBeLessThan(1e-7 * range);
      expect(found.bound - found.value).toBeGreaterThan(-1e-9 * range);
    }
  });

  test('have a bound that holds for any contributions and price', () => {
    const problem = contributionsOf(makeHerd(12, 5), 0.3);
    const cap = 1.5 * leastOf(problem) + 0.02;
    const best = optimalContributions(problem, cap).value;
    const equal = new Float64Array(12).fill(1 / 12);
    for (const price of [0, 1, 10, 100]) {
      expect(contributionBound(problem, cap, price, equal)).toBeGreaterThanOrEqual(best - 1e-9);
    }
  });

  test('keep the smallest coancestry when the cap is lower', () => {
    const problem = contributionsOf(makeHerd(10, 2), 0.2);
    const found = optimalContributions(problem, leastOf(problem) / 2 - 0.01);
    expect(found.meetsCap).toBe(false);
    expect(found.coancestry).toBeCloseTo(leastOf(problem), 9);
  });

  test('follow the candidates through permutation, scaling, a hopeless candidate and a duplicate', () => {
    const n = 40;
    const herd = makeHerd(n, 11);
    const problem = contributionsOf(herd, 0.15);
    const cap = 0.12;
    const found = optimalContributions(problem, cap);
    const order = Array.from({ length: n }, (_, i) => (i * 17 + 5) % n);
    const moved = (from: readonly number[], scale: number) =>
      contributionsOf(
        {
          value: Float64Array.from(from, (i) => scale * herd.value[i]),
          relationship: Float64Array.from({ length: from.length ** 2 }, (_, at) => {
            return herd.relationship[from[Math.floor(at / from.length)] * n + from[at % from.length]];
          }),
        },
        0.15,
      );
    const permuted = optimalContributions(moved(order, 1), cap);
    order.forEach((i, k) => {
      expect(permuted.contributions[k]).toBeCloseTo(found.contributions[i], 6);
    });
    const scaled = optimalContributions(moved([...order.keys()], 1000), cap);
    expect(scaled.value).toBeCloseTo(1000 * found.value, 3);
    // The last candidate is worst of all, and a copy of another.
    const worse = moved([...order.keys(), 0], 1);
    worse.value[n] = Math.min(...herd.value) - 100;
    expect(optimalContributions(worse, cap).value).toBeCloseTo(found.value, 6);
    // A copy can share its original's contribution, and so exceed its bound, but not lose value.
    expect(optimalContributions(moved([...order.keys(), 0], 1), cap).value).toBeGreaterThanOrEqual(found.value - 1e-8);
  });

  test('lie on a curve that falls, and that values between its corners lie on', () => {
    const problem = contributionsOf(makeHerd(60, 4), 0.1);
    const corners = [...frontierCorners(problem)];
    expect(corners.length).toBeGreaterThan(10);
    for (let k = 1; k < corners.length; k++) {
      const [from, to] = [corners[k - 1], corners[k]];
      expect(to.coancestry).toBeLessThanOrEqual(from.coancestry + 1e-12);
      expect(to.value).toBeLessThanOrEqual(from.value + 1e-9);
      const middle = betweenCorners(from, to, 0.5);
      if (from.coancestry - to.coancestry < 1e-9) continue;
      expect(optimalContributions(problem, middle.coancestry).value).toBeCloseTo(middle.value, 5);
    }
  });
});
