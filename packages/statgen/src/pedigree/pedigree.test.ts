import { someOf } from '@heterosis/test-support/whole';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandomStream } from '../random/random-stream.ts';
import { inbreedingOf } from './inbreeding.ts';
import { inverseRelationships, type SparseSymmetric } from './inverse-relationships.ts';
import { CLONE, createPedigree, type Descent, FULLY_INBRED } from './pedigree.ts';
import { randomDescent, tabularRelationships } from './plain-pedigree.test-data.ts';
import { relationshipsAmong, relationshipsTimes } from './relationships.ts';

const descent = (parents: readonly (readonly [number, number])[], selfings?: readonly number[]): Descent => ({
  maternal: Int32Array.from(parents, ([p]) => p),
  paternal: Int32Array.from(parents, ([, q]) => q),
  ...(selfings === undefined ? {} : { selfings: Float64Array.from(selfings) }),
});

/** A of everybody by original position. */
function relationships(given: Descent): number[][] {
  const pedigree = createPedigree(given);
  const a = relationshipsAmong(pedigree, inbreedingOf(pedigree), pedigree.place);
  return Array.from({ length: a.rows }, (_, i) => Array.from({ length: a.rows }, (__, j) => a.data[i + j * a.rows]!));
}

function dense({ order, starts, rows, values }: SparseSymmetric): number[][] {
  const result = Array.from({ length: order }, () => Array.from({ length: order }, () => 0));
  for (let j = 0; j < order; j++) {
    for (let at = starts[j]!; at < starts[j + 1]!; at++) result[rows[at]!]![j] = result[j]![rows[at]!] = values[at]!;
  }
  return result;
}

function expectClose(actual: number[][], expected: number[][], digits = 12): void {
  for (const [i, row] of expected.entries()) {
    for (const [j, value] of row.entries()) expect(actual[i]![j], `row ${i}, column ${j}`).toBeCloseTo(value, digits);
  }
}

// Mrode (2014), Linear Models for the Prediction of Animal Breeding Values, 3rd edition, Table 2.1.
const MRODE = descent([
  [-1, -1],
  [-1, -1],
  [1, 0],
  [-1, 0],
  [2, 3],
  [1, 4],
]);

describe('published examples', () => {
  test('A of Mrode, example 2.1', () => {
    expectClose(
      relationships(MRODE),
      [
        [1, 0, 0.5, 0.5, 0.5, 0.25],
        [0, 1, 0.5, 0, 0.25, 0.625],
        [0.5, 0.5, 1, 0.25, 0.625, 0.563],
        [0.5, 0, 0.25, 1, 0.625, 0.313],
        [0.5, 0.25, 0.625, 0.625, 1.125, 0.688],
        [0.25, 0.625, 0.563, 0.313, 0.688, 1.125],
      ],
      2.9,
    );
  });

  test('A⁻¹ with inbreeding of Mrode, example 2.4', () => {
    const pedigree = createPedigree(MRODE);
    const { basis, inverse } = inverseRelationships(pedigree, inbreedingOf(pedigree));
    expect(basis).toHaveLength(6);
    const inOrder = dense(inverse);
    expectClose(
      inOrder.map((_, i) => inOrder.map((__, j) => inOrder[pedigree.place[i]!]![pedigree.place[j]!]!)),
      [
        [1.833, 0.5, -1, -0.667, 0, 0],
        [0.5, 2.033, -1, 0, 0.533, -1.067],
        [-1, -1, 2.5, 0.5, -1, 0],
        [-0.667, 0, 0.5, 1.833, -1, 0],
        [0, 0.533, -1, -1, 2.533, -1.067],
        [0, -1.067, 0, 0, -1.067, 2.133],
      ],
      2.9,
    );
  });
});

describe('coefficients of descent', () => {
  const F = (given: Descent): number[] => {
    const pedigree = createPedigree(given);
    const { coefficients } = inbreedingOf(pedigree);
    return Array.from(pedigree.place, (k) => coefficients[k]!);
  };

  test('generations of selfing halve the heterozygosity, whether they are rows or a number', () => {
    const rows = descent([
      [-1, -1],
      [-1, -1],
      [0, 1],
      [2, 2],
      [3, 3],
      [4, 4],
    ]);
    const number = descent(
      [
        [-1, -1],
        [-1, -1],
        [0, 1],
        [0, 1],
      ],
      [0, 0, 0, 3],
    );
    expect(F(rows)).toEqual([0, 0, 0, 0.5, 0.75, 0.875]);
    expect(F(number)).toEqual([0, 0, 0, 0.875]);
    // The line by number is a sister of the line by rows, through the F1 and nothing later.
    expect(relationships(number)[3]![0]).toBe(0.5);
  });

  test('doubled haploids, inbred founders, their F1 and clones have their own coefficients', () => {
    const given = descent(
      [
        [-1, -1],
        [-1, -1],
        [0, 1],
        [2, 2],
        [2, 2],
        [2, 2],
        [5, 0],
      ],
      [FULLY_INBRED, FULLY_INBRED, 0, FULLY_INBRED, FULLY_INBRED, CLONE, 0],
    );
    expect(F(given)).toEqual([1, 1, 0, 1, 1, 0, 0.5]);
    const a = relationships(given);
    expect(a[0]).toEqual([2, 0, 1, 1, 1, 1, 1.5]);
    // Two doubled haploids of one F1 share half of their genome; the clone is the F1.
    expect(a[3]![4]).toBe(1);
    expect(a[5]).toEqual(a[2]);
  });

  test('a loop is refused and named', () => {
    expect(() =>
      createPedigree(
        descent([
          [2, -1],
          [0, -1],
          [1, -1],
          [0, 1],
        ]),
      ),
    ).toThrowError(expect.objectContaining({ code: 'pedigree-loop', details: { loop: '0 2 1 0' } }));
    expect(() => createPedigree(descent([[0, -1]]))).toThrowError(expect.objectContaining({ code: 'pedigree-loop' }));
  });

  test('a parent that does not exist and a clone of two plants are refused', () => {
    expect(() => createPedigree(descent([[1, -1]]))).toThrowError(expect.objectContaining({ code: 'shape-mismatch' }));
    const twoParents = descent(
      [
        [-1, -1],
        [-1, -1],
        [0, 1],
      ],
      [0, 0, CLONE],
    );
    expect(() => createPedigree(twoParents)).toThrowError(expect.objectContaining({ code: 'bad-option' }));
  });
});

describe('agreement with the tabular definition', () => {
  const pedigrees = fc.record({ n: fc.integer({ min: 1, max: 60 }), seed: fc.nat(1e6) });
  const run = (property: (given: Required<Descent>, seed: number) => void) =>
    fc.assert(
      fc.property(pedigrees, ({ n, seed }) => property(randomDescent(n, seed), seed)),
      { numRuns: someOf(60) },
    );

  test('A, F and A·x of random pedigrees with every kind of descent', () => {
    run((given, seed) => {
      const expected = tabularRelationships(given);
      expectClose(relationships(given), expected);
      const pedigree = createPedigree(given);
      const inbreeding = inbreedingOf(pedigree);
      const random = createRandomStream(seed, 'x');
      const x = new Float64Array(pedigree.size).map(() => random.uniform());
      const y = relationshipsTimes(pedigree, inbreeding, x);
      for (const [i, row] of expected.entries()) {
        const value = row.reduce((sum, a, j) => sum + a * x[pedigree.place[j]!]!, 0);
        expect(y[pedigree.place[i]!]).toBeCloseTo(value, 10);
        expect(inbreeding.coefficients[pedigree.place[i]!]).toBeCloseTo(row[i]! - 1, 12);
      }
    });
  });

  test('A⁻¹ inverts A of the basis, and the combinations give everybody else', () => {
    run((given) => {
      const pedigree = createPedigree(given);
      const a = tabularRelationships(given);
      const { basis, inverse, combination } = inverseRelationships(pedigree, inbreedingOf(pedigree));
      const ainv = dense(inverse);
      const at = (i: number): number => pedigree.original[i]!;
      for (const [i, bi] of basis.entries()) {
        for (const [j, bj] of basis.entries()) {
          const product = basis.reduce((sum, bk, k) => sum + ainv[i]![k]! * a[at(bk)]![at(bj)]!, 0);
          expect(product, `${bi}, ${bj}`).toBeCloseTo(i === j ? 1 : 0, 8);
        }
      }
      for (let i = 0; i < pedigree.size; i++) {
        const { first, second, firstWeight, secondWeight } = combination;
        const of = (row: number, weight: number, j: number): number =>
          row < 0 ? 0 : weight * a[at(basis[row]!)]![at(j)]!;
        for (let j = 0; j < pedigree.size; j++) {
          const value = of(first[i]!, firstWeight[i]!, j) + of(second[i]!, secondWeight[i]!, j);
          if (basis[first[i]!] !== i || j === i) expect(value).toBeCloseTo(a[at(i)]![at(j)]!, 10);
        }
      }
    });
  });
});

describe('what must not change the relationships', () => {
  const given = randomDescent(80, 7);
  const before = relationships(given);

  test('the order of the rows', () => {
    const order = createRandomStream(3, 'rows').shuffle(Int32Array.from(before.keys()));
    const newPlace = new Int32Array(order.length);
    for (const [k, i] of order.entries()) newPlace[i] = k;
    const renamed = (parent: number): number => (parent < 0 ? -1 : newPlace[parent]!);
    const permuted = relationships({
      maternal: order.map((i) => renamed(given.maternal[i]!)),
      paternal: order.map((i) => renamed(given.paternal[i]!)),
      selfings: Float64Array.from(order, (i) => given.selfings[i]!),
    });
    expectClose(
      before.map((_, i) => before.map((__, j) => permuted[newPlace[i]!]![newPlace[j]!]!)),
      before,
    );
  });

  test('exchanging female and male', () => {
    expectClose(relationships({ ...given, maternal: given.paternal, paternal: given.maternal }), before);
  });

  test('an unrelated founder, and one more progeny', () => {
    const founder = appended(given, -1, -1);
    expectClose(relationships(founder), before);
    expect(
      relationships(founder)
        .at(-1)!
        .slice(0, -1)
        .every((value) => value === 0),
    ).toBe(true);
    expectClose(relationships(appended(given, 40, 41)), before);
  });

  test('which others are asked for', () => {
    const pedigree = createPedigree(given);
    const some = Int32Array.of(5, 79, 33, 5);
    const a = relationshipsAmong(pedigree, inbreedingOf(pedigree), some);
    const original = (k: number): number => pedigree.original[some[k]!]!;
    for (let i = 0; i < 4; i++) {
      for (let j = 0; j < 4; j++) expect(a.data[i + 4 * j]).toBeCloseTo(before[original(i)]![original(j)]!, 12);
    }
  });
});

function appended(given: Required<Descent>, maternal: number, paternal: number): Descent {
  return {
    maternal: Int32Array.from([...given.maternal, maternal]),
    paternal: Int32Array.from([...given.paternal, paternal]),
    selfings: Float64Array.from([...given.selfings, 0]),
  };
}
