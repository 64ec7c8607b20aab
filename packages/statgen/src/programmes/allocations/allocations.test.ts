import { expect, test } from 'vitest';
import { createRandomStream } from '../../random/random-stream.ts';
import { fitSurface, likelihood, Surface, type SurfaceData } from './gaussian-process.ts';
import { expectedGain, upperTail } from './knowledge-gradient.ts';
import { type Evaluation, nextTrials, roundsOf, type SearchPlan, summarizeSearch } from './search-allocations.ts';
import { drawAllocations, drawNear, isAffordable, raised, type SearchSpace } from './search-space.ts';

/** Means at ten places on two blocks of replicates, one place twice. */
function someData(): SurfaceData {
  const random = createRandomStream(3, 'surface test');
  const points = Array.from({ length: 10 }, (_, i) => ({
    at: Float64Array.of(random.uniform(), random.uniform()),
    block: i % 2,
  }));
  points[9] = { at: points[0].at, block: 1 };
  return {
    points,
    y: points.map(({ at, block }) => Math.sin(3 * at[0]) + at[1] + 0.3 * block + 0.1 * random.normal()),
    noise: points.map((_, i) => 0.01 + 0.002 * i),
    blockVariance: 0.05,
  };
}

test('the gradient of the restricted likelihood is its slope', () => {
  const data = someData();
  const logs = [Math.log(0.5), Math.log(0.9), Math.log(0.8), Math.log(0.02)];
  const centers = [0, -5];
  const { gradient } = likelihood(data, logs, centers);
  const step = 1e-5;
  for (const [k, slope] of gradient.entries()) {
    const up = likelihood(data, logs.with(k, logs[k] + step), centers).value;
    const down = likelihood(data, logs.with(k, logs[k] - step), centers).value;
    expect((up - down) / (2 * step)).toBeCloseTo(slope, 6);
  }
});

test('predictions are those of the mixed-model equations', () => {
  const data = someData();
  const parameters = {
    logScales: [Math.log(0.5), Math.log(0.9)],
    logVariance: Math.log(0.8),
    logDeviation: Math.log(0.02),
  };
  const n = data.points.length;
  const targets = [Float64Array.of(0.2, 0.4), data.points[0].at];
  const prior = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
    const r = Math.hypot((a[0] - b[0]) / 0.5, (a[1] - b[1]) / 0.9);
    const s = Math.sqrt(5) * r;
    return 0.8 * (1 + s + s ** 2 / 3) * Math.exp(-s) + (r === 0 ? 0.02 : 0);
  };
  // Kriging with an unknown mean: [V 1; 1' 0] [w; λ] = [c; 1], solved densely.
  const matrix = Array.from({ length: n + 1 }, (_, i) =>
    Array.from({ length: n + 1 }, (__, j) => {
      if (i === n || j === n) return i === j ? 0 : 1;
      const [a, b] = [data.points[i], data.points[j]];
      return prior(a.at, b.at) + (a.block === b.block ? 0.05 : 0) + (i === j ? data.noise[i] : 0);
    }),
  );
  const found = new Surface(data, parameters).predict(targets.map((at) => ({ at, block: -1 })));
  for (const [t, at] of targets.entries()) {
    const c = [...data.points.map((point) => prior(point.at, at)), 1];
    const w = solved(matrix, c);
    let mean = 0;
    for (let i = 0; i < n; i++) mean += w[i] * data.y[i];
    const variance = prior(at, at) - w.reduce((sum, x, i) => sum + x * c[i], 0);
    // The surface has a jitter of 1e-8 of its variance on the diagonal.
    expect(found.means[t]).toBeCloseTo(mean, 6);
    expect(found.covariance.data[3 * t]).toBeCloseTo(variance, 6);
  }
});

/** Gauss with pivots. */
function solved(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]]);
  const n = rows.length;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k; i < n; i++) if (Math.abs(rows[i][k]) > Math.abs(rows[pivot][k])) pivot = i;
    [rows[k], rows[pivot]] = [rows[pivot], rows[k]];
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const factor = rows[i][k] / rows[k][k];
      for (let j = k; j <= n; j++) rows[i][j] -= factor * rows[k][j];
    }
  }
  return rows.map((row, i) => row[n] / row[i]);
}

test('a surface finds which number matters', () => {
  const random = createRandomStream(4, 'surface test');
  const points = Array.from({ length: 40 }, () => ({
    at: Float64Array.of(random.uniform(), random.uniform()),
    block: 0,
  }));
  const y = points.map(({ at }) => Math.sin(6 * at[0]) + 0.05 * random.normal());
  const { parameters } = fitSurface({ points, y, noise: points.map(() => 0.0025), blockVariance: 0 });
  expect(parameters.logScales[1]).toBeGreaterThan(parameters.logScales[0] + 0.7);
});

test('the tail of the normal distribution and the worth of an observation are those of numerical integration', () => {
  for (const [z, tail] of [
    [0, 0.5],
    [1, 0.158655253931457],
    [2.9, 0.00186581330038404],
    [3.1, 0.000967603213218358],
    [6, 9.86587645037698e-10],
  ])
    expect(upperTail(z) / tail).toBeCloseTo(1, 10);
  const [a, b] = [
    [1, 0.8, 1.1, 0.2, 1],
    [0.3, -0.5, 0.1, 0.9, 0.3],
  ];
  let integral = 0;
  const step = 1e-3;
  for (let z = -9; z < 9; z += step) {
    const most = Math.max(...a.map((x, i) => x + b[i] * (z + step / 2)));
    integral += (most * Math.exp(-0.5 * (z + step / 2) ** 2) * step) / Math.sqrt(2 * Math.PI);
  }
  expect(expectedGain(a, b)).toBeCloseTo(integral - 1.1, 6);
  expect(expectedGain([1, 2], [0.5, 0.5])).toBe(0);
});

const space: SearchSpace = {
  numbers: [
    { min: 2, max: 30, isWhole: true },
    { min: 1, max: 60, isWhole: true },
    { min: 1, max: 5, isWhole: true },
  ],
  budget: 1000,
  costOf: ([parents, lines, plots]) => (lines < 2 ? null : parents * (10 + lines * (1 + 3 * plots))),
};

test('allocations are within their bounds and the budget, and use it up', () => {
  const random = createRandomStream(1, 'space test');
  const all = [...drawAllocations(space, 200, random), ...drawNear(space, [[10, 5, 2]], 100, random)];
  expect(all.length).toBeGreaterThan(100);
  for (const allocation of all) {
    expect(isAffordable(space, allocation)).toBe(true);
    for (const [j, { min, max }] of space.numbers.entries()) {
      expect(Number.isInteger(allocation[j]) && allocation[j] >= min && allocation[j] <= max).toBe(true);
      if (allocation[j] < max) expect(isAffordable(space, allocation.with(j, allocation[j] + 1))).toBe(false);
    }
  }
});

test('a step costs at least what it is to cost', () => {
  expect(raised(space, [10, 5, 2], 1, 150)).toEqual({ allocation: [10, 8, 2], cost: 210 });
  expect(raised(space, [30, 5, 2], 0, 150)).toBeNull();
});

const plan: SearchPlan = { space, objectives: 2, evaluations: 60, own: [4, 4, 1], more: 100, seed: 5 };

/** Gain rises and falls with parents, and diversity rises with them. */
function simulated(trials: ReturnType<typeof nextTrials>): Evaluation[] {
  return trials.map((trial) => {
    const [parents, lines, plots] = trial.allocation;
    const gain = 4 - Math.log(parents / 9) ** 2 + 0.5 * Math.log(lines) - 0.4 * (plots - 2) ** 2;
    const values = [gain, Math.log(parents)].map((mean, o) =>
      Float64Array.from({ length: 6 }, (_, r) => {
        const replicate = 6 * trial.block + r;
        const shared = createRandomStream(1, 'shared', o, replicate).normal();
        const own = createRandomStream(1, 'own', o, replicate, ...trial.allocation).normal();
        return mean + 0.4 * shared + 0.3 * own;
      }),
    );
    return { ...trial, values };
  });
}

function searched(one: SearchPlan): Evaluation[] {
  const known: Evaluation[] = [];
  for (;;) {
    const trials = nextTrials(one, known);
    if (trials.length === 0) return known;
    known.push(...simulated(trials));
  }
}

test('a search finds the best allocation, what cannot be told from it, the front and the steps', () => {
  const known = searched(plan);
  expect(known).toHaveLength(60);
  expect(known[0]).toMatchObject({ allocation: [4, 4, 1], block: 0 });
  const { allocations, region, steps } = summarizeSearch(plan, known);
  const truth = ([parents, lines, plots]: readonly number[]) =>
    4 - Math.log(parents / 9) ** 2 + 0.5 * Math.log(lines) - 0.4 * (plots - 2) ** 2;
  const random = createRandomStream(9, 'all');
  const most = Math.max(...drawAllocations(space, 3000, random).map(truth));
  const [best] = allocations;
  expect(truth(best.allocation)).toBeGreaterThan(most - 0.1);
  expect(best.maybeBest && best.affordable && best.difference === 0).toBe(true);
  expect(region[0].low).toBeLessThanOrEqual(best.allocation[0]);
  expect(region[0].high).toBeGreaterThanOrEqual(best.allocation[0]);
  // Three plots are worse than two by 0.4, and cost lines besides.
  expect(region[2].high).toBe(2);
  const front = allocations.filter(({ onFront }) => onFront);
  expect(front.length).toBeGreaterThan(3);
  for (const [i, one] of front.entries())
    for (const other of front.slice(i + 1))
      expect((one.means[0] - other.means[0]) * (one.means[1] - other.means[1])).toBeLessThanOrEqual(0);
  // Errors are such as the distance to the truth makes them.
  const zs = allocations.map(
    ({ allocation, difference, differenceError }) =>
      (difference - truth(allocation) + truth(best.allocation)) / Math.max(differenceError, 1e-9),
  );
  const beyond = zs.slice(1).filter((z) => Math.abs(z) > 2.6).length;
  expect(beyond).toBeLessThan(0.1 * zs.length);
  const [, lines] = steps;
  expect(lines.cost).toBeGreaterThanOrEqual(100);
  expect(lines.gain).toBeGreaterThan(0);
});

test('a search goes on from any round as if it had never stopped', () => {
  const known = searched(plan);
  let before = 0;
  for (const size of roundsOf(plan).slice(0, 4)) {
    const next = nextTrials(plan, known.slice(0, before));
    expect(next).toEqual(known.slice(before, before + size).map(({ allocation, block }) => ({ allocation, block })));
    before += size;
  }
  const wide = { ...plan, space: { ...space, numbers: space.numbers.map((one) => ({ ...one, isWhole: false })) } };
  expect(nextTrials({ ...wide, seed: 6 }, [])).not.toEqual(nextTrials(wide, []));
});

test('a space of fewer allocations than trials is simulated on further replicates', () => {
  const small = { ...space, numbers: space.numbers.map((one) => ({ ...one, min: 2, max: 3 })) };
  const known = searched({ ...plan, space: small, own: [2, 2, 2], evaluations: 40 });
  expect(known).toHaveLength(40);
  const keys = known.map(({ allocation, block }) => `${allocation.join(' ')} ${block}`);
  expect(new Set(keys).size).toBe(40);
});

test('nothing is tried where nothing can be paid', () => {
  expect(nextTrials({ ...plan, space: { ...space, budget: 20 } }, [])).toEqual([]);
});
