import { choleskyInPlace, choleskyInverseInPlace } from '@heterosis/linalg/cholesky';
import { createMatrix, type Matrix, selectRowsAndColumns } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { expect, test } from 'vitest';
import { createRandomStream } from '../random/random-stream.ts';
import { inbreedingOf } from './inbreeding.ts';
import { inverseRelationships } from './inverse-relationships.ts';
import { CLONE, createPedigree, type Pedigree } from './pedigree.ts';
import { randomDescent, tabularRelationships } from './plain-pedigree.test-data.ts';
import { relationshipsAmong } from './relationships.ts';
import { singleStepInPlace, tuneGenomic } from './single-step.ts';

const at = (matrix: Matrix, i: number, j: number): number => matrix.data[i + j * matrix.rows]!;

/** A positive definite G that is no pedigree's. */
function someGenomic(n: number, seed: number): Matrix {
  const random = createRandomStream(seed, 'genomic');
  const z = createMatrix(n, 3 * n);
  for (let i = 0; i < z.data.length; i++) z.data[i] = random.uniform() - 0.5;
  return multiply(z, z, { transposeB: true, alpha: 12 / (3 * n) });
}

const aOf = (pedigree: Pedigree): Matrix => relationshipsAmong(pedigree, inbreedingOf(pedigree), pedigree.place);

test('four genotyped plants that are related, in a pedigree that says they are not: worked by hand', () => {
  // 0–7 are founders, 8 = 0 × 1, 9 = 2 × 3, 10 = 4 × 5, 11 = 6 × 7; 12 = 8 × 9.
  const maternal = Int32Array.of(-1, -1, -1, -1, -1, -1, -1, -1, 0, 2, 4, 6, 8);
  const paternal = Int32Array.of(-1, -1, -1, -1, -1, -1, -1, -1, 1, 3, 5, 7, 9);
  const pedigree = createPedigree({ maternal, paternal });
  const genomic = createMatrix(4, 4);
  genomic.data.fill(0.7);
  for (let i = 0; i < 4; i++) genomic.data[5 * i] = 1;
  const h = aOf(pedigree);
  singleStepInPlace(h, Int32Array.of(8, 9, 10, 11), genomic);
  expect(at(h, 8, 9)).toBeCloseTo(0.7, 14);
  // Half of the genome of 8 comes from 0, and what 8 shares with 9 passes through it.
  expect(at(h, 0, 8)).toBeCloseTo(0.5, 14);
  expect(at(h, 0, 9)).toBeCloseTo(0.35, 14);
  expect(at(h, 0, 2)).toBeCloseTo(0.175, 14);
  expect(at(h, 0, 1)).toBeCloseTo(0, 14);
  // The progeny of 8 and 9 is inbred by half of their relationship.
  expect(at(h, 12, 12)).toBeCloseTo(1.35, 14);
  expect(at(h, 12, 10)).toBeCloseTo(0.7, 14);
});

test('H is A when G is A22, also for clones beside their original', () => {
  const given = randomDescent(40, 11);
  given.maternal[39] = given.paternal[39] = 20;
  given.selfings[39] = CLONE;
  const pedigree = createPedigree(given);
  const genotyped = Int32Array.of(39, 3, 20, 31, 14);
  const a = tabularRelationships(given);
  const g = createMatrix(5, 5);
  for (let i = 0; i < 25; i++) g.data[i] = a[genotyped[i % 5]!]![genotyped[Math.floor(i / 5)]!]!;
  const h = aOf(pedigree);
  singleStepInPlace(h, genotyped, g);
  for (const [i, row] of a.entries()) {
    for (const [j, value] of row.entries()) expect(at(h, i, j)).toBeCloseTo(value, 10);
  }
});

test('H has the inverse of the literature, for any order of the genotyped', () => {
  // Crosses and selfings of plants that are not inbred: A is regular.
  const given = { ...randomDescent(50, 5), selfings: new Float64Array(50) };
  for (let i = 0; i < 50; i++) if (given.maternal[i] === given.paternal[i]) given.paternal[i] = -1;
  const pedigree = createPedigree(given);
  const inbreeding = inbreedingOf(pedigree);
  const genotyped = Int32Array.of(41, 7, 30, 12, 48, 22);
  const places = genotyped.map((i) => pedigree.place[i]!);
  const { genomic } = tuneGenomic(someGenomic(6, 2), relationshipsAmong(pedigree, inbreeding, places));
  const h = aOf(pedigree);
  singleStepInPlace(h, genotyped, genomic);
  const inverse = createMatrix(50, 50);
  const { inverse: ainv, combination } = inverseRelationships(pedigree, inbreeding);
  const { starts, rows: rowsOf, values } = ainv;
  for (let j = 0; j < 50; j++) {
    for (let k = starts[j]!; k < starts[j + 1]!; k++) {
      inverse.data[rowsOf[k]! + 50 * j] = inverse.data[j + 50 * rowsOf[k]!] = values[k]!;
    }
  }
  // H⁻¹ = A⁻¹ + (G⁻¹ − A₂₂⁻¹ among the genotyped) (Aguilar et al. 2010; Christensen & Lund 2010).
  const invert = (matrix: Matrix): Matrix => choleskyInverseInPlace(choleskyInPlace(matrix));
  const a22 = invert(relationshipsAmong(pedigree, inbreeding, places));
  const block = invert({ ...genomic, data: genomic.data.slice() });
  for (const [a, i] of places.entries())
    for (const [b, j] of places.entries())
      inverse.data[combination.first[i]! + 50 * combination.first[j]!]! += at(block, a, b) - at(a22, a, b);
  const product = multiply(selectRowsAndColumns(h, pedigree.original, pedigree.original), inverse);
  for (let i = 0; i < 50; i++) {
    for (let j = 0; j < 50; j++) expect(at(product, i, j)).toBeCloseTo(i === j ? 1 : 0, 8);
  }
});

test('tuning gives G the means of A22, whatever the base of its allele frequencies', () => {
  const a22 = someGenomic(9, 3);
  const genomic = someGenomic(9, 4);
  const other = { ...genomic, data: genomic.data.map((value) => 3 * value - 0.4) };
  const { genomic: tuned } = tuneGenomic(genomic, a22, 0);
  const mean = (values: Iterable<number>): number =>
    Array.from(values).reduce((sum, v, _, all) => sum + v / all.length, 0);
  const diagonal = ({ data }: Matrix): number => mean(data.filter((_, i) => i % 10 === 0));
  expect(mean(tuned.data)).toBeCloseTo(mean(a22.data), 12);
  expect(diagonal(tuned)).toBeCloseTo(diagonal(a22), 12);
  for (const [i, value] of tuneGenomic(other, a22, 0).genomic.data.entries()) {
    expect(value).toBeCloseTo(tuned.data[i]!, 12);
  }
  const blended = tuneGenomic(genomic, a22, 0.25).genomic.data;
  for (const [i, value] of blended.entries()) {
    expect(value).toBeCloseTo(0.75 * tuned.data[i]! + 0.25 * a22.data[i]!, 12);
  }
  expect(() => tuneGenomic(genomic, a22, 2)).toThrowError(expect.objectContaining({ code: 'bad-option' }));
});
