import { someOf } from '@heterosis/test-support/whole';
import { describe, expect, test } from 'vitest';
import { createRandomStream } from '../random/random-stream.ts';
import { allocateMates } from './allocate-mates.ts';
import { bestUses, canPair, DIFFERENT_PAIRS } from './best-uses.ts';
import { frontierCorners } from './contribution-frontier.ts';
import { optimalContributions } from './optimal-contributions.ts';
import type { AboveCap } from './paired-uses.ts';
import { createPlanner } from './plan-crosses.ts';
import { type PlanConstraints, type PlanMaterial, pairPlace } from './plan-limits.ts';
import { rankPairs } from './rank-usefulness.ts';
import { contributionsOf, makeHerd, plainCoancestry } from './small-herd.test-data.ts';

/** All ways to choose `count` of the pairs among n. */
function* setsOfPairs(n: number, count: number): Generator<[number, number][]> {
  const all: [number, number][] = [];
  for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) all.push([i, j]);
  const chosen: [number, number][] = [];
  function* from(at: number): Generator<[number, number][]> {
    if (chosen.length === count) {
      yield [...chosen];
      return;
    }
    for (let k = at; k < all.length; k++) {
      chosen.push(all[k]);
      yield* from(k + 1);
      chosen.pop();
    }
  }
  yield* from(0);
}

function usesOf(pairs: readonly (readonly number[])[], n: number): Int32Array {
  const uses = new Int32Array(n);
  for (const i of pairs.flat()) uses[i]++;
  return uses;
}

/** Value and group coancestry of every plan that keeps to the pairs and uses asked for. */
function plansOf(
  { value, relationship }: PlanMaterial,
  { crosses, mostUses, required, forbidden }: PlanConstraints,
): { value: number; coancestry: number }[] {
  const n = value.length;
  const has = (pairs: readonly (readonly number[])[], [i, j]: readonly number[]): boolean =>
    pairs.some((pair) => pair.includes(i) && pair.includes(j));
  return [...setsOfPairs(n, crosses)].flatMap((pairs) => {
    const uses = usesOf(pairs, n);
    if (Math.max(...uses) > mostUses || required.some((pair) => !has(pairs, pair))) return [];
    if (pairs.some((pair) => has(forbidden, pair) && !has(required, pair))) return [];
    const c = Array.from(uses, (use) => use / (2 * crosses));
    return [{ value: c.reduce((sum, x, i) => sum + x * value[i], 0), coancestry: plainCoancestry(relationship, c) }];
  });
}

/** What stands in the way of a plan under the cap, by trying all plans. */
function reasonOf(material: PlanMaterial, constraints: PlanConstraints, cap: number): AboveCap | null {
  const meets = (more: Partial<PlanConstraints>): boolean =>
    plansOf(material, { ...constraints, ...more }).some(({ coancestry }) => coancestry <= cap + 1e-12);
  if (meets({})) return null;
  if (meets({ required: [] })) return 'required';
  if (meets({ forbidden: [] })) return 'forbidden';
  if (meets({ required: [], forbidden: [] })) return 'required-and-forbidden';
  const n = material.value.length;
  const { crosses, mostUses } = constraints;
  const uses = [...setsOfUses(n, 2 * crosses, mostUses)].map((one) => one.map((use) => use / (2 * crosses)));
  return uses.some((c) => plainCoancestry(material.relationship, c) <= cap + 1e-12) ? 'same-pairs' : 'cap';
}

/** All whole numbers from 0 to `most` with a sum. */
function* setsOfUses(n: number, sum: number, most: number): Generator<number[]> {
  if (n === 0) {
    if (sum === 0) yield [];
    return;
  }
  for (let use = 0; use <= Math.min(most, sum); use++)
    for (const rest of setsOfUses(n - 1, sum - use, most)) yield [use, ...rest];
}

function materialOf(n: number, seed: number): PlanMaterial {
  const random = createRandomStream(seed + 1000);
  return {
    ...makeHerd(n, seed),
    spread: Float64Array.from({ length: (n * (n - 1)) / 2 }, () => random.uniform()),
  };
}

const constraintsFor = (n: number, more: Partial<PlanConstraints> = {}): PlanConstraints => ({
  candidates: Int32Array.from({ length: n }, (_, i) => i),
  crosses: 4,
  mostUses: 3,
  required: [],
  forbidden: [],
  mates: 'usefulness',
  ...more,
});

describe('the curve', () => {
  test('is proven optimal at every point, where contributions wait at a corner and where clones share one', () => {
    const crosses = 4;
    for (const { n, seed, mostUses } of [
      // Contributions wait while the weight of the value falls.
      { n: 8, seed: 9, mostUses: 3 },
      { n: 12, seed: 8, mostUses: 4 },
      // Clones: two lines take the place of one.
      { n: 8, seed: 1, mostUses: 3 },
      { n: 12, seed: 24, mostUses: 2 },
    ]) {
      const herd = makeHerd(n, seed);
      const problem = contributionsOf(herd, mostUses / (2 * crosses));
      const { curve, balancedCap } = createPlanner(
        { ...herd, spread: null },
        constraintsFor(n, { crosses, mostUses, mates: 'inbreeding' }),
      );
      const range = Math.max(...herd.value) - Math.min(...herd.value);
      const [first, last] = [curve[0], curve[curve.length - 1]];
      for (const [k, { value, coancestry }] of curve.entries()) {
        if (k > 0) expect(coancestry).toBeLessThanOrEqual(curve[k - 1].coancestry);
        if (k > 0) expect(value).toBeLessThanOrEqual(curve[k - 1].value + 1e-12 * range);
        // At the end the price of coancestry has no bound, and the proof is as good as the ridge.
        if (coancestry - last.coancestry < 0.01 * (first.coancestry - last.coancestry)) continue;
        const { bound, value: most } = optimalContributions(problem, coancestry);
        expect(Math.abs(value - most) / range).toBeLessThan(1e-6);
        expect((bound - value) / range).toBeLessThan(1e-5);
      }
      expect(balancedCap).toBeGreaterThan(last.coancestry);
      expect(balancedCap).toBeLessThan(first.coancestry);
    }
  });
});

describe('whole numbers of uses', () => {
  test('meet every cap that some set of different pairs meets', () => {
    const n = 6;
    for (let seed = 1; seed <= 12; seed++) {
      const herd = makeHerd(n, seed);
      const sets = [...setsOfPairs(n, 4)].map((pairs) => usesOf(pairs, n)).filter((uses) => Math.max(...uses) <= 3);
      const coancestries = sets.map((uses) =>
        plainCoancestry(
          herd.relationship,
          Array.from(uses, (use) => use / 8),
        ),
      );
      const least = Math.min(...coancestries);
      for (const cap of [least, ...coancestries.toSorted((a, b) => a - b).slice(5, 9)].map((one) => one + 1e-9)) {
        const found = bestUses(
          {
            ...herd,
            least: new Int32Array(n),
            most: new Int32Array(n).fill(3),
            crosses: 4,
            cap,
            pairing: DIFFERENT_PAIRS,
          },
          optimalContributions(contributionsOf(herd, 3 / 8), cap),
        );
        expect(found.meetsCap).toBe(true);
      }
    }
  });

  test('have the largest value of all sets of different pairs under the cap, or say how far they can be', () => {
    const n = 6;
    for (let seed = 1; seed <= 5; seed++) {
      const herd = makeHerd(n, seed);
      const sets = [...setsOfPairs(n, 4)].map((pairs) => usesOf(pairs, n)).filter((uses) => Math.max(...uses) <= 3);
      const figures = sets.map((uses) => {
        const c = Array.from(uses, (use) => use / 8);
        return {
          value: c.reduce((sum, x, i) => sum + x * herd.value[i], 0),
          coancestry: plainCoancestry(herd.relationship, c),
        };
      });
      const caps = figures.map(({ coancestry }) => coancestry).sort((a, b) => a - b);
      for (const cap of [caps[100], caps[400], caps.at(-1)!].map((one) => one + 1e-9)) {
        const best = Math.max(...figures.flatMap((one) => (one.coancestry <= cap ? [one.value] : [])));
        const problem = contributionsOf(herd, 3 / 8);
        const found = bestUses(
          {
            ...herd,
            least: new Int32Array(n),
            most: new Int32Array(n).fill(3),
            crosses: 4,
            cap,
            pairing: DIFFERENT_PAIRS,
          },
          optimalContributions(problem, cap),
        );
        expect(found.meetsCap).toBe(true);
        expect(canPair(found.uses)).toBe(true);
        expect(found.value).toBeCloseTo(best, 8);
        expect(found.bound).toBeGreaterThanOrEqual(best - 1e-9);
      }
    }
  });
});

describe('the allocation of mates', () => {
  /** The largest merit by trying every pairing; −Infinity when there is none. */
  function exhaustive(uses: Int32Array, merit: Float64Array): number {
    const p = uses.length;
    const left = uses.slice();
    const from = (i: number, j: number): number => {
      if (i >= p) return 0;
      if (left[i] === 0) return from(i + 1, i + 2);
      if (j >= p) return Number.NEGATIVE_INFINITY;
      let best = from(i, j + 1);
      if (left[j] > 0 && merit[i * p + j] > Number.NEGATIVE_INFINITY) {
        left[i]--;
        left[j]--;
        best = Math.max(best, merit[i * p + j] + from(i, j + 1));
        left[i]++;
        left[j]++;
      }
      return best;
    };
    return from(0, 1);
  }

  test('is the best of all pairings, and absent only when there is none', () => {
    const random = createRandomStream(7);
    let impossible = 0;
    for (let round = 0; round < someOf(600); round++) {
      const p = 3 + random.nextInt(4);
      const uses = Int32Array.from({ length: p }, () => 1 + random.nextInt(3));
      if (uses.reduce((a, b) => a + b, 0) % 2 === 1) uses[0]++;
      const merit = new Float64Array(p * p);
      for (let i = 0; i < p; i++) {
        for (let j = i; j < p; j++) {
          const isForbidden = i === j || random.uniform() < 0.15;
          const one = isForbidden ? Number.NEGATIVE_INFINITY : random.nextInt(10) - 3;
          merit[i * p + j] = one;
          merit[j * p + i] = one;
        }
      }
      const best = exhaustive(uses, merit);
      const found = allocateMates({ uses, merit });
      if (found === null) impossible++;
      else {
        expect(usesOf(found.pairs, p)).toEqual(uses);
        expect(new Set(found.pairs.map(([i, j]) => i * p + j)).size).toBe(found.pairs.length);
        expect(found.bound).toBe(found.merit);
      }
      expect(found?.merit ?? Number.NEGATIVE_INFINITY).toBe(best);
    }
    expect(impossible).toBeGreaterThan(50);
  });

  test('knows at once that two groups of odd sizes, not crossed with each other, cannot be paired', () => {
    const p = 62;
    const merit = Float64Array.from({ length: p * p }, (_, k) => {
      const [i, j] = [Math.floor(k / p), k % p];
      return i === j || i < p / 2 !== j < p / 2 ? Number.NEGATIVE_INFINITY : (i * j) % 7;
    });
    expect(allocateMates({ uses: new Int32Array(p).fill(1), merit })).toBeNull();
  });
});

describe('a plan of crosses', () => {
  test('has the best parents under the cap and their best pairing, of all sets of four crosses', () => {
    const n = 6;
    const material = materialOf(n, 9);
    const planner = createPlanner(material, constraintsFor(n));
    const cap = planner.balancedCap + 0.02;
    const plan = planner.plan(cap);
    let best = { value: Number.NEGATIVE_INFINITY, spread: 0 };
    for (const pairs of setsOfPairs(n, 4)) {
      const uses = usesOf(pairs, n);
      const c = Array.from(uses, (use) => use / 8);
      if (Math.max(...uses) > 3 || plainCoancestry(material.relationship, c) > cap) continue;
      const value = c.reduce((sum, x, i) => sum + x * material.value[i], 0);
      const spread = pairs.reduce((sum, [i, j]) => sum + material.spread![pairPlace(i, j, n)], 0);
      if (value > best.value + 1e-9 || (value > best.value - 1e-9 && spread > best.spread)) best = { value, spread };
    }
    expect(plan.aboveCap).toBeNull();
    expect(plan.value).toBeCloseTo(best.value, 8);
    expect(plan.valueBound - plan.value).toBeLessThan(1e-8);
    expect(plan.mateMerit).toBeCloseTo(best.spread, 8);
    expect(plan.mateBound).toBeCloseTo(plan.mateMerit, 8);
  });

  test('is the best of all plans with the required and without the forbidden pairs, or says what stands in its way', () => {
    const n = 6;
    const random = createRandomStream(5);
    const reasons = new Map<string | null, number>();
    for (let seed = 1; seed <= 40; seed++) {
      const material = materialOf(n, seed);
      const pairs = random.shuffle([...setsOfPairs(n, 1)].map(([pair]) => pair));
      const constraints = constraintsFor(n, {
        mostUses: 2 + random.nextInt(2),
        required: pairs.slice(0, random.nextInt(3)),
        forbidden: pairs.slice(3, 3 + random.nextInt(9)),
      });
      const all = plansOf(material, constraints);
      const caps = all.map(({ coancestry }) => coancestry).sort((a, b) => a - b);
      const loosest = plansOf(material, { ...constraints, required: [], forbidden: [] });
      const least = Math.min(...loosest.map(({ coancestry }) => coancestry));
      const planner = createPlanner(material, constraints);
      if (all.length === 0) continue;
      for (const cap of [least - 1e-4, least + 1e-6, (least + caps[0]) / 2, caps[0] - 1e-6, caps[3] + 1e-6, 9]) {
        const plan = planner.plan(cap);
        const reason = reasonOf(material, constraints, cap);
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
        expect(plan.aboveCap, `seed ${seed}, cap ${cap}`).toBe(reason);
        if (reason !== null) continue;
        const best = Math.max(...all.flatMap(({ value, coancestry }) => (coancestry <= cap + 1e-12 ? [value] : [])));
        expect(plan.value, `seed ${seed}, cap ${cap}`).toBeCloseTo(best, 8);
        expect(plan.valueBound).toBeGreaterThanOrEqual(best - 1e-9);
      }
    }
    for (const reason of [null, 'required', 'forbidden', 'required-and-forbidden', 'cap'])
      expect(reasons.get(reason), String(reason)).toBeGreaterThan(2);
  });

  test('says so when only the same cross made again and again would be under the cap', () => {
    // Two unrelated lines, and two that are close relatives of each other and of both.
    const relationship = Float64Array.of(1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 2, 2, 1, 1, 2, 2);
    const material = { value: Float64Array.of(1, 2, 3, 4), relationship, spread: null };
    const planner = createPlanner(material, constraintsFor(4, { crosses: 3 }));
    expect(planner.plan(0.3).aboveCap).toBe('same-pairs');
    expect(planner.plan(0.2).aboveCap).toBe('cap');
    expect(planner.plan(1).aboveCap).toBeNull();
  });

  test('makes required pairs, leaves out forbidden ones and those who take no part', () => {
    const n = 30;
    const material = materialOf(n, 4);
    const free = createPlanner(material, constraintsFor(n, { crosses: 8 }));
    const first = free.plan(free.balancedCap);
    const forbidden = first.crosses.map(({ parents }) => parents);
    const candidates = Int32Array.from({ length: n - 1 }, (_, i) => i);
    const planner = createPlanner(
      material,
      constraintsFor(n, { crosses: 8, candidates, forbidden, required: [[3, 17]] }),
    );
    const plan = planner.plan(planner.balancedCap);
    const made = new Set(plan.crosses.map(({ parents: [i, j] }) => `${i} ${j}`));
    expect(made.size).toBe(8);
    expect(made.has('3 17')).toBe(true);
    for (const [i, j] of forbidden) expect(made.has(`${i} ${j}`)).toBe(false);
    expect(plan.uses[n - 1]).toBe(0);
    expect(Math.max(...plan.uses)).toBeLessThanOrEqual(3);
    expect(plan.coancestry).toBeLessThanOrEqual(plan.cap + 1e-12);
  });

  test('minimises the inbreeding of the progeny when asked', () => {
    const n = 30;
    const material = materialOf(n, 6);
    const inbreedingOf = (mates: PlanConstraints['mates']) => {
      const planner = createPlanner(material, constraintsFor(n, { crosses: 8, mates }));
      const { crosses, uses } = planner.plan(planner.balancedCap);
      return { uses, sum: crosses.reduce((sum, { inbreeding }) => sum + inbreeding, 0) };
    };
    const [least, useful] = [inbreedingOf('inbreeding'), inbreedingOf('usefulness')];
    expect(least.uses).toEqual(useful.uses);
    expect(least.sum).toBeLessThan(useful.sum);
  });

  test('repairs uses that forbidden pairs leave without partners, and says so', () => {
    const n = 5;
    const material = materialOf(n, 3);
    const order = Array.from(material.value.keys()).sort((i, j) => material.value[j] - material.value[i]);
    const [a, b, c] = order as [number, number, number];
    const planner = createPlanner(
      material,
      constraintsFor(n, {
        crosses: 3,
        mostUses: 2,
        forbidden: [
          [a, b],
          [a, c],
        ],
      }),
    );
    const plan = planner.plan(Number.POSITIVE_INFINITY);
    expect(plan.isRepaired).toBe(true);
    expect(plan.crosses).toHaveLength(3);
    expect(Math.max(...plan.uses)).toBeLessThanOrEqual(2);
  });

  test('refuses what cannot be done', () => {
    const material = materialOf(4, 1);
    expect(() => createPlanner(material, constraintsFor(4, { crosses: 7 }))).toThrow('cannot be used 14 times');
    expect(() => createPlanner(material, constraintsFor(4, { required: [[1, 1]] }))).toThrow('takes no part');
  });

  test('draws the curve down from the largest value', () => {
    const { curve } = createPlanner(materialOf(50, 2), constraintsFor(50));
    expect(curve.length).toBeGreaterThan(50);
    for (let k = 1; k < curve.length; k++) {
      expect(curve[k].coancestry).toBeLessThanOrEqual(curve[k - 1].coancestry + 1e-12);
      expect(curve[k].value).toBeLessThanOrEqual(curve[k - 1].value + 1e-9);
    }
    const corners = [...frontierCorners(contributionsOf(materialOf(50, 2), 3 / 8))];
    expect(curve[0].value).toBeCloseTo(corners[0].value, 9);
  });
});

test('the ranking lists the pairs with the largest usefulness, best first', () => {
  const n = 40;
  const { value, spread } = materialOf(n, 8);
  const all = [...setsOfPairs(n, 1)].map(([[i, j]]) => {
    const mean = (value[i] + value[j]) / 2;
    return { parents: [i, j], usefulness: mean + 2 * spread![pairPlace(i, j, n)] };
  });
  all.sort((a, b) => b.usefulness - a.usefulness);
  const ranked = rankPairs(
    value,
    spread!,
    2,
    Int32Array.from({ length: n }, (_, i) => i),
    25,
  );
  expect(ranked.map(({ parents }) => parents)).toEqual(all.slice(0, 25).map(({ parents }) => parents));
  expect(ranked[0].usefulness).toBe(all[0].usefulness);
});
