import { matrixOf } from '@heterosis/linalg/matrix';
import { describe, expect, test } from 'vitest';
import { fTailNegLog10 } from '../../incomplete-beta.ts';
import { createRandomStream } from '../../random/random-stream.ts';
import { chiSquareNegLog10P } from '../chi-square-tail.ts';
import { type GeneAction, geneActionColumns } from './gene-actions.ts';
import { createGeneActionTester } from './test-gene-actions.ts';

/** Two plants of each class of a tetraploid, and two more of the middle. */
const CLASSES = Uint8Array.of(0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 4, 4);
const DOSAGES = { copies: Float64Array.from(CLASSES), classes: CLASSES, ploidy: 4 };

describe('columns of gene actions', () => {
  test.each<[GeneAction, number[][]]>([
    ['additive', [[0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 4, 4]]],
    ['1-dom-alt', [[0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]]],
    ['1-dom-ref', [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]]],
    ['2-dom-alt', [[0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]]],
    ['2-dom-ref', [[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1]]],
    ['diplo-additive', [[0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2]]],
  ])('%s', (action, columns) => {
    const many = { ...DOSAGES, copies: new Float64Array(48), classes: new Uint8Array(48) };
    for (let i = 0; i < 48; i++) many.copies[i] = many.classes[i] = CLASSES[i % 12] ?? 0;
    const found = geneActionColumns(action, many);
    expect(found?.map((column) => Array.from(column.subarray(0, 12)))).toEqual(columns);
  });

  test('general and diplo-general have one for each class but the lowest', () => {
    expect(geneActionColumns('general', DOSAGES)).toHaveLength(4);
    expect(
      geneActionColumns('diplo-general', { ...DOSAGES, classes: CLASSES.map((x) => (x === 1 ? 0 : x)) }),
    ).toHaveLength(2);
  });

  test('are not made where all but four are in one class', () => {
    const classes = Uint8Array.of(0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
    expect(geneActionColumns('additive', { copies: Float64Array.from(classes), classes, ploidy: 4 })).toBeNull();
    const five = classes.map((x, i) => (i === 4 ? 0 : x));
    expect(geneActionColumns('additive', { copies: Float64Array.from(five), classes: five, ploidy: 4 })).toHaveLength(
      1,
    );
  });

  test('turn the dominance of one allele into that of the other where alleles are exchanged', () => {
    const turned = { ...DOSAGES, classes: CLASSES.map((x) => 4 - x), copies: DOSAGES.copies.map((x) => 4 - x) };
    const alt = geneActionColumns('2-dom-alt', turned)?.[0];
    expect(alt).toEqual(geneActionColumns('2-dom-ref', DOSAGES)?.[0]?.map((value) => 1 - value));
  });
});

test('the upper tail of F has the logarithm of that of χ² where its second degrees are many', () => {
  for (const x of [0.01, 1, 5, 50, 400]) {
    expect(fTailNegLog10(x, 1, 1e7)).toBeCloseTo(chiSquareNegLog10P(x), x < 100 ? 4 : 2);
  }
  // t² of t = 2.228 with 10 degrees has a two-sided p of 0.05; F(3, 20) = 3.098 one of 0.05 (tables).
  expect(fTailNegLog10(2.228139 ** 2, 1, 10)).toBeCloseTo(-Math.log10(0.05), 5);
  expect(fTailNegLog10(3.098391, 3, 20)).toBeCloseTo(-Math.log10(0.05), 5);
  expect(fTailNegLog10(1e6, 4, 1000)).toBeGreaterThan(1000);
  expect([fTailNegLog10(0, 2, 9), fTailNegLog10(Number.NaN, 2, 9)]).toEqual([0, Number.NaN]);
});

describe('tests of gene actions', () => {
  const n = 30;
  const random = createRandomStream(7, 'gene actions');
  const markers = Array.from({ length: 60 }, () => Float64Array.from({ length: n }, () => random.nextInt(5) - 2));
  const kinship = () => {
    const k = matrixOf(n, n, new Float64Array(n * n));
    for (const column of markers) {
      for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) k.data[i + j * n] += (column[i] ?? 0) * (column[j] ?? 0);
    }
    let trace = 0;
    for (let i = 0; i < n; i++) trace += k.data[i * (n + 1)];
    return matrixOf(
      n,
      n,
      k.data.map((value) => (value * n) / trace),
    );
  };
  const x = matrixOf(n, 1, new Float64Array(n).fill(1));
  const y = Float64Array.from(
    { length: n },
    (_, i) => 2 * (markers[0]?.[i] ?? 0) + (markers[1]?.[i] ?? 0) + 3 * random.normal(),
  );

  test('are unchanged by another scale and place of the trait', () => {
    const column = matrixOf(n, 1, Float64Array.from(markers[0] ?? []));
    const testOf = (trait: Float64Array) => {
      const tester = createGeneActionTester(kinship(), x, trait);
      return tester.test([tester.rotate(column).data]);
    };
    const [one, other] = [testOf(y), testOf(y.map((value) => 1000 - 50 * value))];
    expect(other?.exact.negLog10P).toBeCloseTo(one?.exact.negLog10P ?? Number.NaN, 8);
    expect(other?.p3d.negLog10P).toBeCloseTo(one?.p3d.negLog10P ?? Number.NaN, 8);
    expect((other?.exact.effect ?? 0) / (one?.exact.effect ?? 1)).toBeCloseTo(-50, 6);
  });

  test('leave out columns that the fixed effects and others explain', () => {
    const tester = createGeneActionTester(kinship(), x, y);
    const column = Float64Array.from(markers[0] ?? []);
    const columns = matrixOf(
      n,
      3,
      Float64Array.of(...column, ...column.map((value) => 2 * value + 1), ...new Float64Array(n).fill(4)),
    );
    const { data } = tester.rotate(columns);
    const rotated = [0, 1, 2].map((j) => data.subarray(j * n, (j + 1) * n));
    expect(tester.test(rotated)).toMatchObject({ df: 1, df2: n - 2 });
    expect(tester.test(rotated.slice(2))).toBeNull();
  });
});
