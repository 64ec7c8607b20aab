import { describe, expect, test } from 'vitest';
import { createRandomStream } from '../random/random-stream.ts';
import { drawMeiosis, phaseAt, recombine, segmentAround, wholeOf } from './donor-segments.ts';
import { fixationSize, gameteProbabilities, simulateFixation } from './fixation.ts';
import { atLeast, gameteOf, type Plant, plantsFor, type StackLoci, transmission } from './gametes.ts';
import { planStack, type StackTask } from './plan-stack.ts';
import { allPyramids, mostOf, type Pyramid, plantsOf } from './pyramids.ts';
import { recurrentShare } from './recurrent-share.ts';
import { simulateStack } from './simulate-stack.ts';

/** Six loci on three chromosomes, at distances from 2 to 60 cM. */
const SIX: StackLoci = { chromosome: [0, 0, 0, 1, 1, 2], morgan: [0.1, 0.12, 0.72, 0.3, 0.55, 0.4] };
const unlinked = (count: number): StackLoci => ({
  chromosome: Array.from({ length: count }, (_, i) => i),
  morgan: Array.from({ length: count }, () => 0.5),
});

const TASK: StackTask = {
  ...{ loci: SIX, donors: [0b000011, 0b011100, 0b100000], recurrent: null, backcrosses: 2 },
  ...{ order: 'pyramid-first', ending: 'dh', probability: 0.95, carriers: 1, mostPlants: 1000, mostFixing: 3 },
  ...{ seed: 1, replicates: 400 },
};

/** The gametes of a plant from the definition: every pattern of crossovers between all neighbours. */
function enumerated({ chromosome, morgan }: StackLoci, plant: Plant): Map<number, number> {
  const count = morgan.length;
  const gametes = new Map<number, number>();
  for (let phase = 0; phase < 2 ** count; phase++) {
    let probability = 0.5;
    for (let i = 1; i < count; i++) {
      const changes = ((phase >> i) & 1) !== ((phase >> (i - 1)) & 1);
      const d = chromosome[i] === chromosome[i - 1] ? morgan[i] - morgan[i - 1] : Number.POSITIVE_INFINITY;
      const r = 0.5 * (1 - Math.exp(-2 * d));
      probability *= changes ? r : 1 - r;
    }
    const gamete = gameteOf(plant, phase);
    gametes.set(gamete, (gametes.get(gamete) ?? 0) + probability);
  }
  return gametes;
}

describe('gametes', () => {
  test('every plant of six loci passes everything on as often as all patterns of crossovers say', () => {
    let largest = 0;
    for (let a = 0; a < 64; a++) {
      for (let b = 0; b < 64; b++) {
        const gametes = enumerated(SIX, [a, b]);
        let carriesAll = 0;
        for (const [gamete, p] of gametes) if ((gamete & (a | b)) === (a | b)) carriesAll += p;
        largest = Math.max(largest, Math.abs(transmission(SIX, [a, b]) - carriesAll));
        if (a !== 21 || b > 63) continue;
        const computed = gameteProbabilities(SIX, [a, b]);
        for (const [gamete, p] of gametes) expect(Math.abs(computed[gamete] - p)).toBeLessThan(1e-15);
      }
    }
    expect(largest).toBeLessThan(1e-10);
  });

  test('numbers of plants are the smallest whose binomial tail reaches the assurance', () => {
    expect(plantsFor(0.5, 0.95)).toBe(5);
    expect(plantsFor(1 / 64, 0.99)).toBe(293);
    expect(plantsFor(1, 0.99, 3)).toBe(3);
    expect(plantsFor(0, 0.99)).toBe(Number.POSITIVE_INFINITY);
    for (const [p, wanted] of [
      [0.25, 3],
      [0.01, 10],
      [0.5, 20],
    ]) {
      const plants = plantsFor(p, 0.95, wanted);
      expect(atLeast(wanted, plants, p)).toBeGreaterThanOrEqual(0.95);
      expect(atLeast(wanted, plants - 1, p)).toBeLessThan(0.95);
    }
    // Binomial tail from its definition: 1 − (0.75^10 + 10·0.25·0.75^9 + 45·0.0625·0.75^8).
    expect(atLeast(3, 10, 0.25)).toBeCloseTo(0.4744072, 7);
  });
});

describe('fixation', () => {
  /** The largest probability of fixation, by trying every set of N progeny of two loci. */
  function byTrying(loci: StackLoci, plant: Plant, plants: number, generations: number): number {
    const gametes = [...enumerated(loci, plant)];
    const all = plant[0] | plant[1];
    const isFixed = ([a, b]: Plant) => a === all && b === all;
    if (generations === 0) return isFixed(plant) ? 1 : 0;
    if ((plant[0] | plant[1]) !== 0b11) return 0;
    const progeny = gametes.flatMap(([a, p]) =>
      gametes.map(([b, q]) => ({ value: 0, plant: [a, b] as const, p: p * q })),
    );
    for (const one of progeny) {
      one.value = (one.plant[0] | one.plant[1]) === all ? byTrying(loci, one.plant, plants, generations - 1) : 0;
    }
    const draw = (left: number, best: number, probability: number): number =>
      left === 0
        ? probability * best
        : progeny.reduce((total, { value, p }) => total + draw(left - 1, Math.max(best, value), probability * p), 0);
    return draw(plants, 0, 1);
  }

  test.each([
    ['coupling', [0b11, 0b00]],
    ['repulsion', [0b01, 0b10]],
  ] as const)('selfing two loci in %s for two generations is every set of progeny', (_name, plant) => {
    const loci: StackLoci = { chromosome: [0, 0], morgan: [0.1, 0.4] };
    const tried = byTrying(loci, plant, 2, 2);
    const size = fixationSize({ loci, plant, ending: 'selfing', generations: 2 }, tried - 1e-10, {
      seed: 1,
      replicates: 1,
    });
    expect(size?.plants).toBe(2);
    expect(Math.abs((size?.probability ?? 0) - tried)).toBeLessThan(1e-10);
  });

  test('simulation of six loci agrees with the exact numbers of plants', () => {
    const plant: Plant = [0b011011, 0b100100];
    const exact = fixationSize({ loci: SIX, plant, ending: 'dh', generations: 1 }, 0.9, { seed: 3, replicates: 1 });
    const drawn = simulateFixation({ loci: SIX, plant, ending: 'dh', generations: 1 }, exact?.plants ?? 0, {
      ...{ seed: 3, replicates: 4000 },
    });
    expect(Math.abs(drawn.probability - (exact?.probability ?? 0))).toBeLessThan(3 * drawn.se);
    // Two generations: the rule of the simulation is at most as good as the exact choice, and close to it.
    const twice = fixationSize({ loci: SIX, plant, ending: 'dh', generations: 2 }, 0.9, { seed: 3, replicates: 1 });
    const ruled = simulateFixation({ loci: SIX, plant, ending: 'dh', generations: 2 }, twice?.plants ?? 0, {
      ...{ seed: 3, replicates: 2000 },
    });
    expect(ruled.probability).toBeLessThan((twice?.probability ?? 0) + 3 * ruled.se);
    expect(ruled.probability).toBeGreaterThan((twice?.probability ?? 0) - 0.05);
    expect(twice?.plants).toBeLessThan(exact?.plants ?? 0);
  });

  test('unlinked loci: one generation of selfing is 4^−n, beyond six loci with a stated error', () => {
    const loci = unlinked(3);
    const plant: Plant = [0b111, 0];
    const one = fixationSize({ loci, plant, ending: 'selfing', generations: 1 }, 0.95, { seed: 1, replicates: 1 });
    expect(one?.plants).toBe(191);
    const eight = unlinked(8);
    const three = fixationSize({ loci: eight, plant: [255, 0], ending: 'dh', generations: 3 }, 0.9, {
      ...{ seed: 1, replicates: 300 },
    });
    expect(three?.plants).toBeLessThan(plantsFor(2 ** -8, 0.9));
    expect(three?.probability).toBeGreaterThanOrEqual(0.9);
    expect(three?.se).toBeCloseTo(Math.sqrt(((three?.probability ?? 0) * (1 - (three?.probability ?? 0))) / 300), 12);
  });
});

describe('pyramids', () => {
  test('there are 1·3·5 … trees, and the best of a plan is the best of all', () => {
    const leaves = TASK.donors.map((donor): Plant => [donor, donor]);
    expect(allPyramids(SIX, leaves)).toHaveLength(3);
    const five = [1, 2, 4, 8, 48].map((donor): Plant => [donor, donor]);
    const trees = allPyramids(SIX, five);
    expect(trees).toHaveLength(105);
    const shape = ({ leaf, parents }: Pyramid): string =>
      parents === null ? String(leaf) : `(${parents.map(shape).sort().join()})`;
    expect(new Set(trees.map(shape)).size).toBe(105);
    const plan = planStack({ ...TASK, donors: [1, 2, 4, 8, 48], mostFixing: 1 });
    const totals = trees
      .map((tree) => {
        const [a, b] = tree.plant;
        let searches = 1;
        const count = (node: Pyramid): void => {
          if (node.parents === null) return;
          const p = node.parents.reduce((all, { plant: [x, y] }) => {
            let kept = 0;
            for (const [gamete, q] of enumerated(SIX, [x, y])) if (gamete === (x | y)) kept += q;
            return all * kept;
          }, 1);
          if (p < 1 - 1e-12) searches++;
          node.parents.forEach(count);
        };
        count(tree);
        const assurance = 0.95 ** (1 / searches);
        const last = plantsFor(transmission(SIX, [a, b]), assurance);
        return {
          height: tree.height,
          plants: plantsOf(tree, assurance) + last,
          largest: Math.max(mostOf(tree, assurance), last),
        };
      })
      .filter(({ height }) => height + 1 === plan.generations);
    expect(plan.plants).toBe(Math.min(...totals.filter(({ largest }) => largest <= 1000).map(({ plants }) => plants)));
    expect(plan.success).toBeGreaterThanOrEqual(0.95);
    expect(plan.se).toBe(0);
  });

  test('a schedule names its parents, and fewer plants at a time cost generations', () => {
    const plan = planStack(TASK);
    expect(plan.steps.map(({ kind }) => kind)).toEqual(['cross', 'cross', 'dh']);
    for (const [k, { parents }] of plan.steps.entries()) {
      for (const parent of parents) if ('step' in parent) expect(parent.step).toBeLessThan(k);
    }
    const small = planStack({ ...TASK, mostPlants: 30 });
    expect(small.generations).toBeGreaterThan(plan.generations);
    expect(small.largest).toBeLessThanOrEqual(30);
    expect(plan.alternatives.map(({ generations }) => generations)).toContain(small.generations);
  });

  test.each([
    ['not-carried', { donors: [1, 2] }],
    ['donors', { donors: [63] }],
    ['same-place', { loci: { ...SIX, morgan: [0.1, 0.1, 0.72, 0.3, 0.55, 0.4] }, donors: [1, 2, 60] }],
    ['too-rare', { loci: unlinked(30), donors: [2 ** 15 - 1, (2 ** 15 - 1) * 2 ** 15], mostFixing: 1 }],
  ] as const)('%s is refused', (code, change) => {
    expect(() => planStack({ ...TASK, ...change })).toThrow(expect.objectContaining({ code }));
  });
});

describe('backcrosses', () => {
  const lengths = [1.2, 1, 0.8];

  test('a gamete has the origins that its crossovers give it', () => {
    const mixed = [{ start: 1 as const, switches: [0.5] }];
    const meiosis = [{ first: 0 as const, crossovers: [0.2, 0.7] }];
    expect(recombine([mixed, wholeOf(0, [1])], meiosis)).toEqual([{ start: 1, switches: [0.2] }]);
    expect(recombine([wholeOf(0, [1]), mixed], meiosis)).toEqual([{ start: 0, switches: [0.2, 0.5] }]);
  });

  test('the share of the recurrent parent is 1 − (1 − r)^t / 2 beside one target, 1 − 2^−(t + 1) elsewhere', () => {
    const loci: StackLoci = { chromosome: [0], morgan: [0] };
    // ∫ (1 + e^(−2x))²/4 dx over 1 M = (1 + 2·(1 − e⁻²)/2 + (1 − e⁻⁴)/4)/4.
    const beside = (1 + (1 - Math.exp(-2)) + (1 - Math.exp(-4)) / 4) / 4;
    expect(recurrentShare(loci, [1], 2)).toBeCloseTo(1 - beside / 2, 9);
    expect(recurrentShare({ chromosome: [], morgan: [] }, [1, 1], 3)).toBe(1 - 0.5 ** 4);
  });

  test('simulated backcrosses have the expected share, and the segments of Stam and Zeven', () => {
    const loci: StackLoci = { chromosome: [0, 0, 1], morgan: [0.3, 0.9, 0.5] };
    const task: StackTask = { ...TASK, loci, donors: [7], recurrent: 0, mostFixing: 1, replicates: 3000 };
    const plan = planStack(task);
    // With as few plants as carry the targets once nothing is chosen among them but who comes first.
    const one = { ...plan, steps: plan.steps.slice(0, 3).map((step) => ({ ...step, plants: 1 })), plants: 3 };
    const figures = simulateStack(task, one, { lengths, flank: 0.05 });
    const last = figures?.[2];
    expect(last?.replicates).toBeGreaterThan(15);
    const random = createRandomStream(5, 'segments');
    const t = 3;
    const target: StackLoci = { chromosome: [0], morgan: [0] };
    let total = 0;
    let squares = 0;
    let n = 0;
    while (n < 2000) {
      let haplotype = wholeOf(1, [1]);
      for (let k = 0; k < t; ) {
        const meiosis = drawMeiosis([1], random);
        if (phaseAt(target, meiosis) === 1) continue;
        haplotype = recombine([haplotype, wholeOf(0, [1])], meiosis);
        k++;
      }
      const segment = segmentAround(haplotype[0], 0, 1);
      total += segment;
      squares += segment ** 2;
      n++;
    }
    const mean = total / n;
    const se = Math.sqrt((squares / n - mean ** 2) / n);
    expect(Math.abs(mean - (1 - Math.exp(-t)) / t)).toBeLessThan(3 * se);
    const { share, shareSe } = figures?.[1] ?? { share: 0, shareSe: 0 };
    expect(Math.abs(share - recurrentShare(loci, lengths, 1))).toBeLessThan(3 * shareSe);
  });

  test('more carriers raise the share and free the flanks; either order ends with all targets', () => {
    const loci: StackLoci = { chromosome: [0, 1], morgan: [0.6, 0.5] };
    const base: StackTask = { ...TASK, loci, donors: [1, 2], recurrent: 0, mostFixing: 1, replicates: 100 };
    const share = (change: Partial<StackTask>) => {
      const task = { ...base, ...change };
      const plan = planStack(task);
      const figures = simulateStack(task, plan, { lengths, flank: 0.1 });
      expect(figures?.at(-1)?.replicates).toBeGreaterThan(85);
      return { plan, ...(figures?.at(-1) ?? { share: 0, flanks: 0, drag: 0 }) };
    };
    const few = share({});
    const many = share({ carriers: 12 });
    expect(many.share).toBeGreaterThan(few.share + 0.03);
    expect(many.flanks).toBeGreaterThan(few.flanks);
    expect(many.drag).toBeLessThan(few.drag);
    const apart = share({ order: 'backcross-first' });
    expect(apart.plan.steps.filter(({ kind }) => kind === 'backcross')).toHaveLength(4);
    expect(apart.plan.steps.at(-1)?.wanted).toEqual([3, 3]);
  });
});
