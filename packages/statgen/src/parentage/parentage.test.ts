import { someOf } from '@heterosis/test-support/whole';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandomStream } from '../random/random-stream.ts';
import { createAllelePlanes, QUICK_MARKERS, type TrioCounts } from './allele-planes.ts';
import { binomialTail } from './binomial-tail.ts';
import { createDosagePlanes } from './dosage-planes.ts';
import { createPairScores, createSingleScores, SCORE_BLOCK } from './parent-scores.ts';
import { createProgenyLikelihood, tableSize } from './progeny-likelihood.ts';
import { fewestCopies, gameteOf, gameteOfPopulation, union } from './transmission.ts';
import { createSupport } from './wrong-parent.ts';

const MISSING = 3;

/** Copies of A2 by individual and marker, 3 = missing. */
function randomCodes(individuals: number, markers: number, seed: number): number[][] {
  const random = createRandomStream(seed, 'codes');
  return Array.from({ length: individuals }, () => Array.from({ length: markers }, () => random.nextInt(4)));
}

/** As in a `.bed`. */
function pack(codes: number[][]): Uint8Array {
  const stride = (codes.length + 3) >> 2;
  const packed = new Uint8Array(codes[0]!.length * stride);
  for (const [i, row] of codes.entries()) {
    for (const [j, code] of row.entries()) {
      packed[j * stride + (i >> 2)]! |= [0, 2, 3, 1][code]! << (2 * (i & 3));
    }
  }
  return packed;
}

function planesOf(codes: number[][]) {
  const markers = codes[0]!.length;
  const planes = createAllelePlanes(codes.length, markers);
  planes.add(
    { packed: pack(codes), dosages: undefined },
    Int32Array.from({ length: markers }, (_, j) => j),
  );
  return planes;
}

const canGive = (parent: number): number[] => (parent === 1 ? [0, 1] : [parent / 2]);

function plainTrio(child: number[], female: number[], male: number[]): TrioCounts {
  const counts = { called: 0, crossConflicts: 0, fixed: 0, lineConflicts: 0 };
  for (const [j, c] of child.entries()) {
    const [f, m] = [female[j]!, male[j]!];
    if (c === MISSING || f === MISSING || m === MISSING) continue;
    counts.called++;
    if (!canGive(f).some((a) => canGive(m).some((b) => a + b === c))) counts.crossConflicts++;
    if (f === m && f !== 1) {
      counts.fixed++;
      if (c !== f) counts.lineConflicts++;
    }
  }
  return counts;
}

describe('counts of pairs and trios', () => {
  test('equal the definition for any number of markers', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 700 }), fc.nat(1e6), (markers, seed) => {
        const codes = randomCodes(6, markers, seed);
        const planes = planesOf(codes);
        const counts = planes.comparePairs(1, 2, 4);
        for (let k = 0; k < 4; k++) {
          const both = codes[1]!.map((a, j) => [a, codes[2 + k]![j]!]).filter((pair) => !pair.includes(MISSING));
          expect(counts.called[k]).toBe(both.length);
          expect(counts.opposing[k]).toBe(both.filter(([a, b]) => Math.abs(a! - b!) === 2).length);
          expect(counts.different[k]).toBe(both.filter(([a, b]) => a !== b).length);
        }
        expect(planes.compareTrio(0, 1, 2)).toEqual(plainTrio(codes[0]!, codes[1]!, codes[2]!));
        expect(planes.compareTrio(0, 3, 3)).toEqual(plainTrio(codes[0]!, codes[3]!, codes[3]!));
      }),
      { numRuns: someOf(40) },
    );
  });

  test('are exact beyond the lanes of a part of 262,144 markers, and quick at an even sample', () => {
    const markers = 300_001;
    const codes = [
      Array(markers).fill(0),
      Array(markers).fill(0),
      Array.from({ length: markers }, (_, j) => 2 * (j & 1)),
    ];
    const planes = planesOf(codes);
    const { called, opposing } = planes.comparePairs(0, 1, 2);
    expect([called[1], opposing[0], opposing[1]]).toEqual([markers, 0, 150_000]);
    expect(planes.compareTrio(2, 0, 1)).toEqual({
      ...{ called: markers, crossConflicts: 150_000, fixed: markers, lineConflicts: 150_000 },
    });
    expect(planes.compareTrio(2, 0, 1, true).called).toBe(QUICK_MARKERS);
  });
});

describe('likelihood ratios', () => {
  const ratio = (child: number, female: number, male: number, p: number, heterozygosity: number, errorRate: number) => {
    const table = new Float64Array(tableSize(2));
    createProgenyLikelihood({ errorRate }, heterozygosity).fillRatios(table, 0, p);
    return Math.exp(table[16 * child + 4 * female + male]!);
  };

  test('are those of Mendel without errors', () => {
    const p = 0.3;
    // Both parents heterozygous, the child A2 twice: ¼ against p².
    expect(ratio(2, 1, 1, p, 1, 1e-12)).toBeCloseTo(0.25 / p ** 2, 8);
    // One parent A2 twice and one unknown, the child heterozygous: 1 − p against 2p(1 − p).
    expect(ratio(1, 2, 3, p, 1, 1e-12)).toBeCloseTo(1 / (2 * p), 8);
    // A doubled haploid of a cross of opposite homozygotes: ½ against p.
    expect(ratio(2, 0, 2, p, 0, 1e-12)).toBeCloseTo(0.5 / p, 8);
    // One generation of selfing leaves half of the heterozygotes: ½ against p(1 − p).
    expect(ratio(1, 0, 2, p, 0.5, 1e-12)).toBeCloseTo(0.5 / (p * (1 - p)), 8);
    expect(ratio(0, 2, 2, p, 1, 1e-3)).toBeLessThan(1e-2);
  });

  test('average to 1 over the children of the population, whatever the parents', () => {
    for (const heterozygosity of [1, 0.5, 0.125]) {
      for (const [female, male] of [
        [0, 1],
        [2, 2],
        [3, 1],
        [3, 3],
      ] as const) {
        const p = 0.2;
        const het = 2 * p * (1 - p);
        const any = [
          (1 - p) ** 2 + (het * (1 - heterozygosity)) / 2,
          het * heterozygosity,
          p ** 2 + (het * (1 - heterozygosity)) / 2,
        ];
        const sum = any.reduce((total, q, child) => total + q * ratio(child, female, male, p, heterozygosity, 0.02), 0);
        expect(sum).toBeCloseTo(1, 12);
      }
    }
  });

  test('of single parents by matrix products and of pairs equal the sums of the definition', () => {
    const [individuals, markers] = [9, SCORE_BLOCK + 37];
    const codes = randomCodes(individuals, markers, 5);
    const random = createRandomStream(5, 'frequencies');
    const p = Float64Array.from({ length: markers }, () => 0.05 + 0.9 * random.uniform());
    const children = [
      { individual: 2, heterozygosity: 1 },
      { individual: 4, heterozygosity: 0 },
      { individual: 5, heterozygosity: 0.25 },
    ];
    const pairs = [
      { child: 0, female: 1, male: 3 },
      { child: 1, female: 6, male: 6 },
      { child: 2, female: 7, male: -1 },
    ];
    const singles = createSingleScores(children, individuals, { errorRate: 0.01 });
    const both = createPairScores(children, pairs, { errorRate: 0.01 });
    for (const [first, end] of [
      [0, SCORE_BLOCK],
      [SCORE_BLOCK, markers],
    ] as const) {
      const block = Uint8Array.from(codes.flatMap((row) => row.slice(first, end)));
      singles.add(block, p.subarray(first, end));
      both.add(block, p.subarray(first, end));
    }
    const plain = (child: number, female: number, male: number): number =>
      codes[children[child]!.individual]!.reduce((sum, code, j) => {
        if (code === MISSING) return sum;
        const of = (parent: number): number => (parent < 0 ? MISSING : codes[parent]![j]!);
        return sum + Math.log(ratio(code, of(female), of(male), p[j]!, children[child]!.heterozygosity, 0.01));
      }, 0);
    for (let child = 0; child < 3; child++) {
      for (let i = 0; i < individuals; i++) {
        expect(singles.scores.data[child + 3 * i]).toBeCloseTo(plain(child, i, -1), 8);
      }
    }
    for (const [k, { child, female, male }] of pairs.entries()) {
      expect(both.scores[k]).toBeCloseTo(plain(child, female, male), 8);
    }
  });
});

describe('binomial tail', () => {
  test('equals the sum of the definition', () => {
    const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k);
    for (const [n, rate] of [
      [20, 0.03],
      [40, 0.5],
      [7, 0.9],
    ] as const) {
      for (let count = 0; count <= n + 1; count++) {
        let sum = 0;
        for (let k = count; k <= n; k++) sum += choose(n, k) * rate ** k * (1 - rate) ** (n - k);
        expect(binomialTail(count, n, rate)).toBeCloseTo(sum, 12);
      }
    }
  });

  test('keeps its digits far out, and in panels of a million markers', () => {
    // 0.02^10 · 0.98^990 · 1,000!/(10! 990!) and what follows; the terms fall by a factor of about 1.8.
    expect(binomialTail(100, 1000, 0.02)).toBeLessThan(1e-35);
    expect(binomialTail(1000, 1000, 0.5)).toBeCloseTo(2 ** -1000, 300);
    expect(binomialTail(20_000, 1_000_000, 0.02)).toBeCloseTo(0.5, 2);
  });
});

describe('the likelihood of one wrong parent', () => {
  const [markers, errorRate] = [SCORE_BLOCK, 0.02];
  const codes = randomCodes(4, markers, 71);
  const random = createRandomStream(72, 'frequencies');
  const frequencies = Float64Array.from({ length: markers }, () => 0.05 + 0.9 * random.uniform());
  const added = Uint8Array.from(codes.flat());

  test.each([1, 0.25, 0])('is that of the other parent alone, heterozygosity 2^-t = %d', (heterozygosity) => {
    const children = [{ individual: 0, heterozygosity }];
    const doubted = [
      { child: 0, female: 1, male: 2, right: 1 },
      { child: 0, female: 1, male: 2, right: 2 },
      { child: 0, female: 3, male: 3, right: -1 },
      { child: 0, female: 3, male: -1, right: -1 },
    ];
    const support = createSupport(children, doubted, { errorRate });
    support.add(added, frequencies);
    const scores = createPairScores(
      children,
      [
        { child: 0, female: 1, male: 2 },
        { child: 0, female: 1, male: -1 },
        { child: 0, female: 2, male: -1 },
        { child: 0, female: 3, male: 3 },
        { child: 0, female: 3, male: -1 },
      ],
      { errorRate },
    );
    scores.add(added, frequencies);
    const [both = 0, first = 0, second = 0, selfed = 0, single = 0] = scores.scores;
    for (const [k, expected] of [both - first, both - second, selfed, single].entries())
      expect(support.observed[k]).toBeCloseTo(expected, 9);

    // Mean and variance over the calls that a child of the right parent and of anybody may have.
    const table = new Float64Array(tableSize(2));
    const likelihood = createProgenyLikelihood({ errorRate }, heterozygosity);
    for (const [k, { female, male, right }] of doubted.entries()) {
      let [mean, variance] = [0, 0];
      for (let j = 0; j < markers; j++) {
        if (codes[0]![j] === MISSING) continue;
        const p = frequencies[j]!;
        likelihood.fillRatios(table, 0, p);
        const callOf = (parent: number): number => (parent < 0 ? MISSING : codes[parent]![j]!);
        const fixed = p * (1 - p) * (1 - heterozygosity);
        const anybody = [(1 - p) ** 2 + fixed, 2 * p * (1 - p) * heterozygosity, p ** 2 + fixed];
        const outcomes = anybody.map((probability, child) => {
          const ratioOf = (one: number, other: number): number => table[16 * child + 4 * callOf(one) + callOf(other)]!;
          const alone = ratioOf(right, -1);
          return { probability: probability * Math.exp(alone), ratio: ratioOf(female, male) - alone };
        });
        expect(outcomes.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 12);
        const own = outcomes.reduce((sum, { probability, ratio }) => sum + probability * ratio, 0);
        mean += own;
        variance += outcomes.reduce((sum, { probability, ratio }) => sum + probability * (ratio - own) ** 2, 0);
      }
      expect(support.mean[k]).toBeCloseTo(mean, 8);
      expect(support.variance[k]).toBeCloseTo(variance, 8);
      expect(mean).toBeLessThan(0);
    }
  });
});

describe('polyploids', () => {
  /** All gametes of a parent, gene by gene; with double reduction two genes may be copies of one. */
  const gametesOf = (copies: number, ploidy: number, isDoubled: boolean): Set<number> => {
    const genes = Array.from({ length: ploidy }, (_, i) => (i < copies ? 1 : 0));
    const found = new Set<number>();
    const draw = (left: number, from: number[], sum: number, mayDouble: boolean): void => {
      if (left === 0) return void found.add(sum);
      for (const [i, gene] of from.entries()) {
        const rest = from.filter((_, other) => other !== i);
        draw(left - 1, rest, sum + gene, mayDouble);
        if (mayDouble && left > 1) draw(left - 2, rest, sum + 2 * gene, false);
      }
    };
    draw(ploidy / 2, genes, 0, isDoubled);
    return found;
  };

  test.each([
    [4, 0],
    [4, 0.1],
    [6, 0],
    [6, 0.1],
    [8, 0],
  ])('of ploidy %d with double reduction %d: gametes are all that can be, and exclusion follows', (ploidy, lambda) => {
    const descent = { ploidy, doubleReduction: lambda };
    const possible = Array.from({ length: ploidy + 1 }, (_, x) => gametesOf(x, ploidy, lambda > 0));
    for (const [x, gametes] of possible.entries()) {
      const probabilities = gameteOf(x, descent);
      expect(probabilities.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 12);
      // Each gene of a parent is as often in a gamete as any other.
      expect(probabilities.reduce((sum, one, g) => sum + one * g, 0)).toBeCloseTo(x / 2, 12);
      expect(probabilities.flatMap((one, g) => (one > 0 ? [g] : []))).toEqual([...gametes].sort());
    }
    for (const [a, fewest] of fewestCopies(descent).entries()) {
      const least = possible.findIndex((gametes) => Math.min(...gametes) >= a + 1);
      expect(fewest).toBe(least);
    }

    const [markers, missing] = [200, ploidy + 1];
    const random = createRandomStream(ploidy, 'dosages');
    const codes = Array.from({ length: 5 }, () => Array.from({ length: markers }, () => random.nextInt(ploidy + 2)));
    const planes = createDosagePlanes(5, markers, descent);
    const values = Uint32Array.from(
      codes[0]!.flatMap((_, j) => codes.map((row) => (row[j] === missing ? 0xffffffff : 1e8 * row[j]!))),
    );
    const dosages = { rows: Int32Array.from(codes[0]!.keys()), values, ploidy };
    planes.add({ packed: new Uint8Array(), dosages }, Int32Array.from(codes[0]!.keys()));
    const cross = (f: number, m: number): Set<number> =>
      new Set([...possible[f]!].flatMap((a) => [...possible[m]!].map((b) => a + b)));
    const anyGamete = Array.from({ length: ploidy / 2 + 1 }, (_, g) => g);
    const withAny = (f: number): Set<number> => new Set([...possible[f]!].flatMap((a) => anyGamete.map((b) => a + b)));
    const pairs = planes.comparePairs(0, 1, 4);
    for (let k = 0; k < 4; k++) {
      const both = codes[0]!.map((c, j) => [c, codes[1 + k]![j]!] as const).filter((pair) => !pair.includes(missing));
      expect(pairs.called[k]).toBe(both.length);
      expect(pairs.different[k]).toBe(both.filter(([c, f]) => c !== f).length);
      expect(pairs.opposing[k]).toBe(both.filter(([c, f]) => !withAny(f).has(c)).length);
    }
    for (const [child, female, male] of [
      [0, 1, 2],
      [3, 4, 4],
    ] as const) {
      const counts = { called: 0, crossConflicts: 0, fixed: 0, lineConflicts: 0 };
      for (let j = 0; j < markers; j++) {
        const [c, f, m] = [codes[child]![j]!, codes[female]![j]!, codes[male]![j]!];
        if ([c, f, m].includes(missing)) continue;
        counts.called++;
        if (!cross(f, m).has(c)) counts.crossConflicts++;
        if (f !== m || (f !== 0 && f !== ploidy)) continue;
        counts.fixed++;
        if (c !== f) counts.lineConflicts++;
      }
      expect(planes.compareTrio(child, female, male)).toEqual(counts);
    }
  });

  test('of four copies pass them on as by the table of gametes, double reduction included', () => {
    // Duplex: 1/6, 4/6, 1/6 of bivalents; with λ both genes are copies of one.
    expect(gameteOf(2, { ploidy: 4 })).toEqual([1 / 6, 4 / 6, 1 / 6]);
    const [none = 0, one = 0, two = 0] = gameteOf(1, { ploidy: 4, doubleReduction: 0.1 });
    expect([none, one, two].map((value) => Number(value.toFixed(12)))).toEqual([0.525, 0.45, 0.025]);
  });

  test.each([1, 0.5, 0])('likelihood ratios average to 1 over the population, heterozygosity %d', (heterozygosity) => {
    const transmission = { ploidy: 4, doubleReduction: 0.1, errorRate: 0.02 };
    const likelihood = createProgenyLikelihood(transmission, heterozygosity);
    const table = new Float64Array(tableSize(4));
    likelihood.fillRatios(table, 0, 0.3);
    const population = likelihood.population(0.3);
    for (let parents = 0; parents < 36; parents++) {
      const sum = population.reduce((total, q, child) => total + q * Math.exp(table[36 * child + parents]!), 0);
      expect(sum).toBeCloseTo(1, 12);
    }
    if (heterozygosity < 1) return;
    const gamete = gameteOfPopulation(0.3, 4);
    for (const [child, share] of union(gamete, gamete).entries()) expect(population[child]).toBeCloseTo(share, 14);
  });
});
