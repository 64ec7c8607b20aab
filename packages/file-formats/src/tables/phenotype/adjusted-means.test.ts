import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AdjustedMeans, adjustedMeans } from './adjusted-means.ts';

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

/** Dense least squares with the individuals and cells as dummies, by Gauss–Jordan on the normal equations: the yardstick. */
function denseMeans(rows: [number, number, number][], individualCount: number, cellEnvironment: number[]): number[] {
  const cellCount = cellEnvironment.length;
  const size = individualCount + cellCount - 1;
  const a = Array.from({ length: size }, () => Array.from({ length: size + 1 }, () => 0));
  for (const [individual, cell, value] of rows) {
    const used = cell === 0 ? [individual] : [individual, individualCount + cell - 1];
    for (const row of used) {
      for (const column of used) a[row]![column]! += 1;
      a[row]![size]! += value;
    }
  }
  for (let pivot = 0; pivot < size; pivot++) {
    const best = a
      .slice(pivot)
      .reduce((top, row, i) => (Math.abs(row[pivot]!) > Math.abs(a[top]![pivot]!) ? pivot + i : top), pivot);
    [a[pivot], a[best]] = [a[best]!, a[pivot]!];
    const scale = a[pivot]![pivot]!;
    a[pivot] = a[pivot]!.map((x) => x / scale);
    for (let row = 0; row < size; row++) {
      if (row === pivot) continue;
      const factor = a[row]![pivot]!;
      a[row] = a[row]!.map((x, column) => x - factor * a[pivot]![column]!);
    }
  }
  const effect = (cell: number) => (cell === 0 ? 0 : a[individualCount + cell - 1]![size]!);
  const environments = [...new Set(cellEnvironment)];
  const level =
    environments
      .map((environment) => {
        const cells = cellEnvironment.flatMap((of, cell) => (of === environment ? [cell] : []));
        return cells.reduce((sum, cell) => sum + effect(cell), 0) / cells.length;
      })
      .reduce((a, b) => a + b, 0) / environments.length;
  return Array.from({ length: individualCount }, (_, individual) => a[individual]![size]! + level);
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
        const expected = denseMeans(rows, 5, cellEnvironment);
        const result = reduce(rows, cellEnvironment);
        for (let i = 0; i < 5; i++) expect(result.values[i]).toBeCloseTo(expected[i]!, 8);
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

  test('replicates that would cut connected lines apart are left out of the model', () => {
    // Every plot its own block: with blocks in the model nothing could be compared.
    const result = reduce(
      [
        [0, 0, 1],
        [0, 1, 3],
        [1, 2, 4],
        [1, 3, 6],
      ],
      [0, 1, 0, 1],
    );
    expect(result).toMatchObject({ groups: 1, droppedReplicates: true });
    expect([...result.values]).toEqual([2, 5]);
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
