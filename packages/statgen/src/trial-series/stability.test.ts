import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { expect, test } from 'vitest';
import { readRows, type SetName } from './reference-series.test-data.ts';
import { biplotOf, jointRegression, stabilityOf } from './stability.ts';

const COMPLETE = ['omer.sorghum', 'vargas.wheat1'] satisfies SetName[];

function tableOf(set: SetName): { table: Matrix; lines: string[]; environments: string[] } {
  const rows = readRows(set, 'stage1-blues.csv');
  const lines = [...new Set(rows.map(({ gen = '' }) => gen))];
  const environments = [...new Set(rows.map(({ env = '' }) => env))];
  const table = createMatrix(lines.length, environments.length);
  for (const { gen = '', env = '', blue } of rows) {
    table.data[lines.indexOf(gen) + environments.indexOf(env) * lines.length] = Number(blue);
  }
  return { table, lines, environments };
}

const expectNear = (found: number, expected: string | undefined, scale = 1): void => {
  expect(Math.abs(found - Number(expected)) / Math.max(scale, Math.abs(Number(expected)))).toBeLessThan(1e-7);
};

test.each(COMPLETE)('the stability of lines of %s is that of the reference', (set) => {
  const { table, lines } = tableOf(set);
  const found = stabilityOf(table);
  const iterated = jointRegression(table);
  const once = jointRegression(table, { isOnce: true });
  expect(iterated.isConverged).toBe(true);
  for (const row of readRows(set, 'stability.csv')) {
    const i = lines.indexOf(row.gen);
    expectNear(found.means[i], row.mean);
    expectNear(found.superiority[i], row.superiority);
    expectNear(found.environmentalVariance[i], row.static);
    expectNear(found.ecovalence[i], row.wricke);
    expectNear(found.shukla[i], row.shukla);
    expectNear(once.slopes[i], row.fw_classical_slope);
    expectNear(once.deviations[i], row.fw_classical_msdev);
  }
  for (const row of readRows(set, 'finlay-wilkinson-iterated.csv')) {
    const i = lines.indexOf(row.gen);
    expectNear(iterated.slopes[i], row.sens);
    expectNear(iterated.deviations[i], row.msdeviation);
  }
});

test.each(COMPLETE)('the interaction of %s has the axes of the reference', (set) => {
  const { table, lines, environments } = tableOf(set);
  const { lines: scores, environments: axes, squares } = biplotOf(table, 'ammi');
  const total = squares.reduce((sum, value) => sum + value, 0);
  const importance = readRows(set, 'ammi-importance.csv').find(
    (row) => Object.values(row)[0] === 'Proportion of Variance',
  );
  for (const k of [0, 1]) {
    expect(squares[k] / total).toBeCloseTo(Number(importance?.[`PC${k + 1}`]), 4);
    // Signs are free.
    const reference = readRows(set, 'ammi-env-loadings.csv');
    const sign = Math.sign(
      Number(reference[0]?.[`PC${k + 1}`]) * axes.data[environments.indexOf(reference[0].env) + k * axes.rows],
    );
    for (const row of reference) {
      const place = environments.indexOf(row.env) + k * axes.rows;
      expect(Math.abs(sign * axes.data[place] - Number(row[`PC${k + 1}`]))).toBeLessThan(1e-8);
    }
    for (const row of readRows(set, 'ammi-gen-scores.csv')) {
      const place = lines.indexOf(row.gen) + k * scores.rows;
      expect(Math.abs(sign * scores.data[place] - Number(row[`PC${k + 1}`])) / Math.sqrt(squares[0])).toBeLessThan(
        1e-7,
      );
    }
  }
  // The axes of lines and their interaction add up to the table without the means of environments.
  const gge = biplotOf(table, 'gge');
  const { rows: g, columns: e } = table;
  for (let j = 0; j < e; j++) {
    const mean = table.data.subarray(j * g, (j + 1) * g).reduce((sum, value) => sum + value, 0) / g;
    for (let i = 0; i < g; i++) {
      let sum = 0;
      for (let k = 0; k < gge.squares.length; k++) sum += gge.lines.data[i + k * g] * gge.environments.data[j + k * e];
      expect(sum).toBeCloseTo(table.data[i + j * g] - mean, 6);
    }
  }
});

test('a table without variation between environments, with a hole, or of one line is refused', () => {
  const { table } = tableOf('vargas.wheat1');
  const flat = createMatrix(3, 2);
  flat.data.set([1, 2, 3, 1, 2, 3]);
  expect(() => jointRegression(flat)).toThrow('means of all environments');
  const holed = { ...table, data: table.data.with(3, Number.NaN) };
  expect(() => stabilityOf(holed)).toThrow('no value');
  expect(() => biplotOf(createMatrix(1, 4), 'ammi')).toThrow('1 lines in 4 environments');
});
