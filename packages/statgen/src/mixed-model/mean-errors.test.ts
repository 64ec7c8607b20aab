import { expect, test } from 'vitest';
import { createRandomStream } from '../random/random-stream.ts';
import { type FixedMeansModel, meanStandardErrors } from './mean-errors.ts';

function modelOf(
  plots: readonly (readonly [line: number, cell: number])[],
  weight: number[],
  residualVariance = 1,
): FixedMeansModel {
  const lineCount = Math.max(...plots.map(([line]) => line)) + 1;
  return {
    line: Int32Array.from(plots, ([line]) => line),
    cell: Int32Array.from(plots, ([, cell]) => cell),
    lineCount,
    cellCount: weight.length,
    groupOfLine: new Int32Array(lineCount),
    groupOfCell: new Int32Array(weight.length),
    weight: Float64Array.from(weight),
    residualVariance,
  };
}

/** Variance of k′b̂ from the definition: σ²·k′(X′X)⁻¹k, X with all lines and all cells but the first. */
function denseErrors({ line, cell, lineCount, cellCount, weight, residualVariance }: FixedMeansModel): number[] {
  const size = lineCount + cellCount - 1;
  const rows = Array.from(line, (of, i) =>
    Array.from({ length: size }, (_, k) => (k < lineCount ? Number(k === of) : Number(k - lineCount + 1 === cell[i]))),
  );
  const a = Array.from({ length: size }, (_, i) => [
    ...Array.from({ length: size }, (__, j) => rows.reduce((sum, row) => sum + row[i]! * row[j]!, 0)),
    ...Array.from({ length: size }, (__, j) => Number(i === j)),
  ]);
  for (let k = 0; k < size; k++) {
    const pivot = a[k]![k]!;
    a[k] = a[k]!.map((value) => value / pivot);
    for (let i = 0; i < size; i++) {
      const factor = a[i]![k]!;
      if (i !== k) a[i] = a[i]!.map((value, j) => value - factor * a[k]![j]!);
    }
  }
  return Array.from({ length: lineCount }, (_, of) => {
    const contrast = [...Array.from({ length: lineCount }, (__, other) => Number(other === of)), ...weight.slice(1)];
    return Math.sqrt(
      residualVariance *
        contrast.reduce((sum, x, i) => sum + contrast.reduce((s, y, j) => s + x * y * a[i]![size + j]!, 0), 0),
    );
  });
}

test('standard errors equal the dense definition on unbalanced designs', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const stream = createRandomStream(seed);
    const plots: [number, number][] = [];
    for (let line = 0; line < 7; line++)
      for (let cell = 0; cell < 5; cell++)
        if (line === 0 || cell === line % 5 || stream.uniform() < 0.4)
          plots.push([line, cell], ...(stream.uniform() < 0.2 ? [[line, cell] as [number, number]] : []));
    const model = modelOf(plots, [1 / 6, 1 / 6, 1 / 3, 1 / 6, 1 / 6], 2.5);
    const expected = denseErrors(model);
    const errors = meanStandardErrors(model);
    expected.forEach((value, line) => expect(errors![line]! / value).toBeCloseTo(1, 10));
  }
});

test('balanced data: σ/√n', () => {
  const plots = [0, 1, 2, 3].flatMap((line) => [0, 1, 2].map((cell): [number, number] => [line, cell]));
  const errors = meanStandardErrors(modelOf(plots, [1 / 3, 1 / 3, 1 / 3], 9));
  for (const error of errors ?? []) expect(error).toBeCloseTo(Math.sqrt(9 / 3), 12);
});

test('groups that share nothing have the errors that each has alone', () => {
  const one: [number, number][] = [
    [0, 0],
    [0, 1],
    [1, 0],
    [2, 1],
    [2, 1],
  ];
  const alone = meanStandardErrors(modelOf(one, [0.5, 0.5]))!;
  const both = meanStandardErrors({
    ...modelOf([...one, ...one.map(([line, cell]): [number, number] => [line + 3, cell + 2])], [0.5, 0.5, 0.5, 0.5]),
    groupOfLine: Int32Array.of(0, 0, 0, 1, 1, 1),
    groupOfCell: Int32Array.of(0, 0, 1, 1),
  })!;
  [...alone, ...alone].forEach((value, line) => expect(both[line]).toBeCloseTo(value, 10));
});

test('lines without observations have none', () => {
  const model = {
    ...modelOf(
      [
        [0, 0],
        [1, 0],
      ],
      [1],
    ),
    lineCount: 3,
    groupOfLine: Int32Array.of(0, 0, -1),
  };
  expect(meanStandardErrors(model)?.[2]).toBeNaN();
});
