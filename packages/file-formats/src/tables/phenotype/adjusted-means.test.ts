import { someOf } from '@heterosis/test-support/whole';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AdjustedMeans, adjustedMeans } from './adjusted-means.ts';
import { denseMeans } from './dense-means.test-data.ts';

/** Observations as [individual, cell, value] rows. */
function reduce(rows: [number, number, number][], cellEnvironment: number[], individualCount = 0): AdjustedMeans {
  return adjustedMeans({
    individual: rows.map(([individual]) => individual),
    cell: rows.map(([, cell]) => cell),
    value: rows.map(([, , value]) => value),
    individualCount: Math.max(individualCount, ...rows.map(([individual]) => individual + 1)),
    cellEnvironment,
  });
}

/**
 * Equal weight for each environment, and in it for each of its cells; cells that are not in the model weigh nothing.
 */
function marginalWeights(
  cellEnvironment: readonly number[],
  inModel: (cell: number) => boolean = () => true,
): number[] {
  const used = cellEnvironment.flatMap((environment, cell) => (inModel(cell) ? [environment] : []));
  const environments = new Set(used).size;
  return cellEnvironment.map((environment, cell) =>
    inModel(cell) ? 1 / environments / used.filter((other) => other === environment).length : 0,
  );
}

describe('adjustedMeans', () => {
  test('leaves single values as they are', () => {
    const result = reduce(
      [
        [0, 0, 5],
        [1, 1, Number.NaN],
        [2, 1, 7],
      ],
      [0, 1],
    );
    expect([...result.values]).toEqual([5, Number.NaN, 7]);
    expect([...result.observations]).toEqual([1, 0, 1]);
    expect(result).toMatchObject({ reduction: 'as given', h2: null });
  });

  test('balanced data gives the plain mean', () => {
    const result = reduce(
      [
        [0, 0, 1],
        [0, 1, 3],
        [0, 2, 8],
        [1, 0, 2],
        [1, 1, 5],
        [1, 2, 5],
      ],
      [0, 0, 1],
    );
    // Both lines have the plain mean 4. Environment 0 (mean 2.75) has two replicates, environment 1 (mean 6.5) one, and
    // environments weigh the same: the level is 4.625.
    expect(result.values[0]).toBeCloseTo(4.625, 12);
    expect(result.values[1]).toBeCloseTo(4.625, 12);
    expect(result.reduction).toBe('adjusted mean');
    const plain = reduce(
      [
        [0, 0, 1],
        [0, 1, 3],
        [1, 0, 2],
        [1, 1, 6],
      ],
      [0, 1],
    );
    expect([...plain.values]).toEqual([2, 4]);
  });

  test('a line missing from the better environment is not punished for it', () => {
    // Worked by hand: environment 1 is 10 above environment 0; line 2 was only grown in environment 0.
    const result = reduce(
      [
        [0, 0, 10],
        [0, 1, 20],
        [1, 0, 12],
        [1, 1, 22],
        [2, 0, 14],
      ],
      [0, 1],
    );
    expect(result.values[0]).toBeCloseTo(15, 10);
    expect(result.values[1]).toBeCloseTo(17, 10);
    expect(result.values[2]).toBeCloseTo(19, 10);
  });

  test('equals dense least squares on unbalanced designs', () => {
    const design = fc.record({
      cellEnvironment: fc.constantFrom<number[]>([0, 0, 1, 1], [0, 1, 2], [0, 0, 0, 1]),
      extra: fc.array(fc.tuple(fc.nat(4), fc.nat(3), fc.double({ min: -50, max: 50, noNaN: true })), { maxLength: 15 }),
      base: fc.array(fc.double({ min: -50, max: 50, noNaN: true }), { minLength: 9, maxLength: 9 }),
    });
    fc.assert(
      fc.property(design, ({ cellEnvironment, extra, base }) => {
        // Individual 0 in all cells and the others in cell 0 keep the design connected.
        const rows: [number, number, number][] = [
          ...cellEnvironment.map((_, cell): [number, number, number] => [0, cell, base[cell]!]),
          ...[1, 2, 3, 4].map((individual): [number, number, number] => [individual, 0, base[4 + individual]!]),
          ...extra.map(([i, c, y]): [number, number, number] => [i, c % cellEnvironment.length, y]),
        ];
        const dense = denseMeans(rows, 5, cellEnvironment.length);
        const result = reduce(rows, cellEnvironment);
        const weights = marginalWeights(cellEnvironment);
        for (let i = 0; i < 5; i++) expect(result.values[i]).toBeCloseTo(dense.mean(i, weights)!, 8);
        expect(result.groups).toBe(1);
      }),
    );
  });

  test('groups without a common environment keep their own level and are counted', () => {
    const result = reduce(
      [
        [0, 0, 1],
        [0, 0, 3],
        [1, 0, 4],
        [2, 1, 11],
        [2, 1, 13],
        [3, 1, 20],
      ],
      [0, 1],
    );
    expect(result.groups).toBe(2);
    expect([...result.values].map((value) => Math.round(value * 1e9) / 1e9)).toEqual([2, 4, 12, 20]);
  });

  test('replicates that cut the lines into small parts are left out of the model of their group only', () => {
    // Every plot its own block in environments 0 and 1: with blocks nothing could be compared. Environment 2 is another
    // group.
    const result = reduce(
      [
        [0, 0, 1],
        [0, 1, 3],
        [1, 2, 4],
        [1, 3, 6],
        [2, 4, 10],
        [2, 5, 20],
        [3, 4, 11],
        [4, 5, 22],
      ],
      [0, 1, 0, 1, 2, 2],
    );
    expect(result).toMatchObject({ groups: 2, withoutReplicates: [0, 1], notEstimable: [] });
    [2, 5, 15, 16, 17].forEach((value, line) => expect(result.values[line]).toBeCloseTo(value, 10));
  });

  test('a replicate that shares no line with the rest does not change the means of the rest', () => {
    // Environment 0 has replicates 10 apart. In environment 1 replicate 3 holds nothing but line 3.
    const connected: [number, number, number][] = [
      [0, 0, 5],
      [0, 1, 15],
      [1, 0, 7],
      [2, 1, 18],
      [0, 2, 9],
    ];
    const result = reduce([...connected, [3, 3, 40]], [0, 0, 1, 1]);
    expect(result.notEstimable).toEqual([{ individual: 3, cell: 3 }]);
    expect(result.withoutReplicates).toEqual([]);
    expect(result.values[3]).toBeNaN();
    expect(result.observations[3]).toBe(1);
    expect(result.values.slice(0, 3)).toEqual(reduce(connected, [0, 0, 1, 1]).values);
    // Line effects 5, 7, 8 in replicate 0 terms; environment 0 lies 5 above that, environment 1 is 4 above.
    [9.5, 11.5, 12.5].forEach((value, line) => expect(result.values[line]).toBeCloseTo(value, 10));
  });

  test('equals dense least squares with the estimability of the null space on designs that fall apart', () => {
    const cellEnvironment = [0, 0, 0, 1, 1, 2];
    const designs = fc.array(fc.tuple(fc.nat(6), fc.nat(5), fc.double({ min: -50, max: 50, noNaN: true })), {
      minLength: 6,
      maxLength: 16,
    });
    let partlyEstimable = 0;
    fc.assert(
      fc.property(designs, (rows) => {
        const result = reduce(rows, cellEnvironment, 7);
        if (result.model === null) return;
        const dense = denseMeans(rows, 7, cellEnvironment.length);
        const isOut = new Set(result.notEstimable.map(({ individual }) => individual));
        const groupOf = result.model.groupOfIndividual;
        const cut = new Set(result.withoutReplicates);
        const isFull = (line: number) => rows.every(([i, cell]) => i !== line || !cut.has(cellEnvironment[cell]!));
        for (const [i] of rows) {
          for (const [j] of rows) {
            if (!isFull(i) || !isFull(j)) continue;
            const contrast = dense.contrast(i, j);
            if (!isOut.has(i) && !isOut.has(j)) {
              expect(contrast === null).toBe(groupOf[i] !== groupOf[j]);
              if (contrast !== null) expect(result.values[i]! - result.values[j]!).toBeCloseTo(contrast, 7);
            } else if (isOut.has(i) !== isOut.has(j)) {
              expect(contrast).toBeNull();
            }
          }
        }
        for (const line of isOut) expect(result.values[line]).toBeNaN();
        if (isOut.size > 0) partlyEstimable++;
      }),
      { numRuns: someOf(400), seed: 20_261_122 },
    );
    expect(partlyEstimable).toBeGreaterThan(20);
  });

  test('strong checks do not enter the mean square of the lines', () => {
    // An augmented trial: 30 entries on one plot each, 3 checks in each of 6 blocks that lie far above them.
    const noise = (i: number) => Math.sin(12.9898 * (i + 1)) * 2;
    const rows: [number, number, number][] = [];
    for (let block = 0; block < 6; block++) {
      for (let check = 0; check < 3; check++) rows.push([check, block, 100 * check + block + noise(rows.length)]);
      for (let entry = 0; entry < 5; entry++)
        rows.push([3 + 5 * block + entry, block, 3 * noise(7 * rows.length) + block]);
    }
    const result = reduce(rows, [0, 0, 0, 0, 0, 0]);
    expect([...result.model!.checks!].slice(0, 4)).toEqual([1, 1, 1, 0]);
    // By definition: what the residual grows by when all entries are one line, against the residual.
    const full = denseMeans(rows, 33, 6);
    const merged = denseMeans(
      rows.map(([line, cell, value]) => [Math.min(line, 3), cell, value] as const),
      4,
      6,
    );
    const entries = (merged.errorSumOfSquares - full.errorSumOfSquares) / (merged.errorDegrees - full.errorDegrees);
    expect(result.h2).toBeCloseTo(1 - full.errorSumOfSquares / full.errorDegrees / entries, 10);
    const shifted = reduce(
      rows.map(([line, cell, value]) => [line, cell, line < 3 ? value + 1000 * line : value]),
      [0, 0, 0, 0, 0, 0],
    );
    expect(shifted.h2).toBeCloseTo(result.h2!, 8);
  });

  test('heritability of balanced data is 1 − MS(error)/MS(lines)', () => {
    // Two-way table 3 lines × 2 environments: MS(lines) 9.5, MS(interaction) 0.5, worked by hand.
    const result = reduce(
      [
        [0, 0, 1],
        [0, 1, 4],
        [1, 0, 4],
        [1, 1, 6],
        [2, 0, 5],
        [2, 1, 7],
      ],
      [0, 1],
    );
    const lineMeans = [2.5, 5, 6];
    const environmentMeans = [10 / 3, 17 / 3];
    const grand = 4.5;
    const msLines = (2 * lineMeans.reduce((sum, mean) => sum + (mean - grand) ** 2, 0)) / 2;
    const table = [
      [1, 4],
      [4, 6],
      [5, 7],
    ];
    const msError =
      table
        .flatMap((row, i) => row.map((y, j) => (y - lineMeans[i]! - environmentMeans[j]! + grand) ** 2))
        .reduce((a, b) => a + b, 0) / 2;
    expect(result.h2).toBeCloseTo(1 - msError / msLines, 12);
  });

  test('with replicates the interaction, not the plot error, is the error of several environments', () => {
    // Within each environment the two plots agree exactly; the lines change rank between environments.
    const rows: [number, number, number][] = [];
    for (const [line, values] of [
      [1, 5],
      [5, 1],
    ].entries()) {
      for (const [environment, value] of values.entries()) {
        rows.push([line, 2 * environment, value], [line, 2 * environment + 1, value]);
      }
    }
    expect(reduce(rows, [0, 0, 1, 1]).h2).toBe(0);
  });

  test('lines that differ by rounding only have no heritability', () => {
    for (let step = 1; step <= 200; step++) {
      const [one, other] = [step / 7, step / 3 + 0.1];
      const { h2 } = reduce(
        [
          [0, 0, one],
          [0, 0, other],
          [1, 0, other],
          [1, 0, one],
          [2, 0, (one + other) / 2],
        ],
        [0],
      );
      expect(h2).toBeGreaterThanOrEqual(0);
      expect(h2).toBeLessThan(1e-9);
    }
  });

  test('heritability is null without degrees of freedom and 1 without error', () => {
    expect(
      reduce(
        [
          [0, 0, 1],
          [0, 0, 2],
        ],
        [0],
      ).h2,
    ).toBeNull();
    expect(
      reduce(
        [
          [0, 0, 1],
          [0, 0, 1],
          [1, 0, 4],
          [1, 0, 4],
        ],
        [0],
      ).h2,
    ).toBe(1);
    expect(
      reduce(
        [
          [0, 0, 3],
          [0, 0, 3],
          [1, 0, 3],
          [1, 0, 3],
        ],
        [0],
      ).h2,
    ).toBeNull();
  });

  test('adding a constant to an environment changes the means by its share only', () => {
    const rows: [number, number, number][] = [
      [0, 0, 3],
      [0, 1, 4],
      [1, 0, 7],
      [1, 2, 1],
      [2, 1, 2],
      [2, 2, 9],
    ];
    const before = reduce(rows, [0, 1, 2]).values;
    const after = reduce(
      rows.map(([i, c, y]) => [i, c, c === 1 ? y + 300 : y]),
      [0, 1, 2],
    ).values;
    for (let i = 0; i < 3; i++) expect(after[i]! - before[i]!).toBeCloseTo(100, 9);
  });
});
