import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { AnalysisContext } from '../context.ts';

const FOLDER = new URL('../../../statgen/reference/sim4x/', import.meta.url);

/** For tests: reads polyploids, on one thread. */
export const POLYPLOIDS: AnalysisContext = { threads: 1, genotypes: { polyploids: true } };

/** Path of a file of the autotetraploid reference population. */
export const sim4x = (name: string): string => fileURLToPath(new URL(name, FOLDER));

export function sim4xText(name: string): string {
  const bytes = readFileSync(sim4x(name));
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

/** Rows of a table by column name. */
export function sim4xRows(name: string): Record<string, string>[] {
  const [header = '', ...lines] = sim4xText(name).trim().split('\n');
  const names = header.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((column, i) => [column, cells[i] ?? '']));
  });
}

/** A matrix stored as the rows of its lower triangle below its names. */
function sim4xMatrix(name: string): { names: string[]; at: (row: number, column: number) => number } {
  const [, names = '', ...rows] = sim4xText(name).trim().split('\n');
  const values = rows.map((row) => row.split(',').map(Number));
  return {
    names: names.split(','),
    at: (row, column) => (row >= column ? values[row]?.[column] : values[column]?.[row]) ?? Number.NaN,
  };
}

/** Largest difference of an n × n matrix, by names, from a stored one. */
export function differenceFrom(name: string, names: readonly string[], matrix: ArrayLike<number>): number {
  const reference = sim4xMatrix(name);
  const place = new Map(names.map((one, i) => [one, i]));
  const places = reference.names.map((one) => place.get(one) ?? -1);
  let largest = 0;
  for (const [a, i] of places.entries()) {
    for (const [b, j] of places.entries()) {
      const difference = Math.abs((matrix[i * names.length + j] ?? Number.NaN) - reference.at(a, b));
      largest = Number.isNaN(difference) ? Number.POSITIVE_INFINITY : Math.max(largest, difference);
    }
  }
  return largest;
}
