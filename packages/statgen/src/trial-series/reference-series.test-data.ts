import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { createSeries, type SeriesData, type SeriesTrial, trialMean } from './series-data.ts';
import { identityKernel, type SeriesKernel, seriesKernel } from './series-kernel.ts';

const FOLDER = join(import.meta.dirname, '../../reference/trial-series');

export const SETS = ['besag.met', 'omer.sorghum', 'sim.met', 'vargas.wheat1'] as const;
export type SetName = (typeof SETS)[number];

export type Row = Record<string, string>;

const cellsOf = (line: string): string[] => line.split(',').map((cell) => cell.replaceAll('"', '').trim());

/** Rows of a table of a set. */
export function readRows(set: SetName, file: string): Row[] {
  const [head = '', ...lines] = readFileSync(join(FOLDER, set, file), 'utf8')
    .trim()
    .split('\n');
  const names = cellsOf(head);
  return lines.map((line) => Object.fromEntries(cellsOf(line).map((cell, k) => [names[k], cell])));
}

const hasTable = (set: SetName, file: string): boolean => existsSync(join(FOLDER, set, file));

export interface ReferenceSet {
  data: SeriesData;
  lines: string[];
  environments: string[];
}

/** Stage two of a set: means with their whole covariance, and the kernel where there is one. */
export function readReferenceSet(set: SetName): ReferenceSet {
  const means = readRows(set, 'stage1-blues.csv');
  const { kernel, lines } = readKernel(set, [...new Set(means.map(({ gen = '' }) => gen))]);
  const environments = [...new Set(means.map(({ env = '' }) => env))];
  const trials = environments.map((name): SeriesTrial => {
    const { omega, names } = readCovariance(set, name);
    const mean = new Map(means.filter(({ env }) => env === name).map(({ gen, blue }) => [gen, Number(blue)]));
    return {
      name,
      lines: Int32Array.from(names, (line) => lines.indexOf(line)),
      y: Float64Array.from(names, (line) => mean.get(line) ?? Number.NaN),
      x: trialMean(names.length),
      omega,
      terms: [],
    };
  });
  return { data: createSeries([kernel], trials), lines, environments };
}

/** One stage of a set: plots, with replicates, blocks within them and residuals of each environment. */
export function readPlots(set: SetName, { lines, environments, data }: ReferenceSet): SeriesData {
  const plots = readRows(set, 'plots.csv').filter(({ yield: value }) => value !== 'NA');
  const trials = environments.map((name): SeriesTrial => {
    const own = plots.filter(({ env }) => env === name);
    const n = own.length;
    const sameness = (of: (row: Row) => string): Matrix => {
      const matrix = createMatrix(n, n);
      const keys = own.map(of);
      for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) matrix.data[i + j * n] = Number(keys[i] === keys[j]);
      return matrix;
    };
    const stage1 = readRows(set, 'stage1-variance.csv').filter(({ env }) => env === name);
    const start = (parameter: string): number =>
      Number(stage1.find((row) => row.parameter === parameter)?.estimate ?? Number.NaN);
    return {
      name,
      lines: Int32Array.from(own, ({ gen = '' }) => lines.indexOf(gen)),
      y: Float64Array.from(own, ({ yield: value }) => Number(value)),
      x: trialMean(n),
      omega: null,
      terms: [
        { name: 'rep', matrix: sameness(({ rep = '' }) => rep), start: start('rep') },
        { name: 'rep:block', matrix: sameness(({ rep, block }) => `${rep} ${block}`), start: start('rep:block') },
        { name: 'residual', matrix: null, start: start('residual') },
      ],
    };
  });
  return createSeries(data.kernels, trials);
}

function readKernel(set: SetName, inTrials: string[]): { kernel: SeriesKernel; lines: string[] } {
  if (!hasTable(set, 'kinship.csv')) return { kernel: identityKernel(inTrials.length), lines: inTrials };
  const rows = readRows(set, 'kinship.csv');
  const lines = Object.keys(rows[0] ?? {}).filter((name) => /^M\d+$/.test(name));
  const n = lines.length;
  const matrix = createMatrix(n, n);
  for (const [i, row] of rows.entries()) {
    for (const [j, name] of lines.entries()) matrix.data[i + j * n] = Number(row[name]);
  }
  return { kernel: seriesKernel(matrix), lines };
}

function readCovariance(set: SetName, environment: string): { omega: Matrix; names: string[] } {
  const text = readFileSync(join(FOLDER, set, `omega-${environment}.csv`), 'utf8').trim();
  const [head = '', ...lower] = text.split('\n');
  const names = cellsOf(head);
  const n = names.length;
  const omega = createMatrix(n, n);
  for (const [i, line] of lower.entries()) {
    for (const [j, cell] of cellsOf(line)
      .slice(0, i + 1)
      .entries()) {
      omega.data[i + j * n] = Number(cell);
      omega.data[j + i * n] = Number(cell);
    }
  }
  return { omega, names };
}
