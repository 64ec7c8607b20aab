import { createMatrix, type Matrix, selectRowsAndColumns } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { expect, test } from 'vitest';
import { createRandomStream } from '../random/random-stream.ts';
import { fitKnownErrors } from './fit-known-errors.ts';
import { jointMeans } from './joint-means.ts';

/** Two environments, lines 0 to 19 and 6 to 25, with correlated errors in the first. */
function simulate() {
  const random = createRandomStream(4, 'joint means');
  const z = createMatrix(26, 40);
  for (let i = 0; i < z.data.length; i++) z.data[i] = random.normal();
  const kinship = multiply(z, z, { transposeB: true, alpha: 1 / 40 });
  const environments = [0, 6].map((first, j) => {
    const lines = Int32Array.from({ length: 20 }, (_, i) => first + i);
    const y = Float64Array.from(lines, (line) => 10 * j + 3 * z.data[line] + 2 * random.normal());
    const variances = Float64Array.from({ length: 20 }, () => 0.5 + 3 * random.uniform());
    const full = createMatrix(20, 20);
    full.data.fill(0.3);
    for (let i = 0; i < 20; i++) full.data[i * 21] += variances[i];
    return { lines, y, errors: j === 0 ? full : variances };
  });
  return { kinship, environments };
}

test('joint means hold all that the values of environments say of the lines', () => {
  const { kinship, environments } = simulate();
  const ones = createMatrix(26, 1);
  ones.data.fill(1);
  const joint = jointMeans(environments, 26);
  const model = { residualLines: false };
  const ofMeans = fitKnownErrors({ ...model, kernels: [kinship], omega: joint.covariance, x: ones, y: joint.means });
  const rows = Int32Array.from(environments.flatMap(({ lines }) => [...lines]));
  const omega = createMatrix(40, 40);
  const x: Matrix = createMatrix(40, 2);
  for (const [j, { errors }] of environments.entries()) {
    for (let b = 0; b < 20; b++) {
      x.data[20 * j + b + 40 * j] = 1;
      for (let a = 0; a < 20; a++) {
        const value = errors instanceof Float64Array ? (a === b ? errors[a] : 0) : errors.data[a + b * 20];
        omega.data[20 * j + a + (20 * j + b) * 40] = value;
      }
    }
  }
  const y = Float64Array.from(environments.flatMap((one) => [...one.y]));
  const ofRecords = fitKnownErrors({ ...model, kernels: [selectRowsAndColumns(kinship, rows, rows)], omega, x, y });
  expect(ofMeans.variances[0] / ofRecords.variances[0]).toBeCloseTo(1, 9);
  // Py of a line is that of its records together.
  const together = new Float64Array(26);
  for (const [record, line] of rows.entries()) together[line] += ofRecords.weights[record];
  for (const [line, weight] of ofMeans.weights.entries()) expect(weight).toBeCloseTo(together[line], 9);
});

test('environments with equal errors and all lines are averaged', () => {
  const lines = Int32Array.from([0, 1, 2]);
  const errors = new Float64Array(3).fill(2);
  const { means, covariance } = jointMeans(
    [
      { lines, y: Float64Array.from([1, 2, 6]), errors },
      { lines, y: Float64Array.from([11, 14, 18]), errors },
    ],
    3,
  );
  for (const [i, mean] of [6, 8, 12].entries()) expect(means[i]).toBeCloseTo(mean, 12);
  expect(covariance.data[0]).toBeCloseTo(1, 12);
  expect(covariance.data[1]).toBeCloseTo(0, 12);
});
