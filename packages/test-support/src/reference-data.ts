import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';

/** A reference data set in packed form, as the statistics read it: PLINK 1 codes, ceil(n/4) bytes a marker. */
export interface ReferencePanel {
  samples: string[];
  markerIds: string[];
  packed: Uint8Array;
}

/** The text of a file, unpacked when its name ends in `.gz`. */
function readReferenceText(file: URL): string {
  const bytes = readFileSync(file);
  return (file.pathname.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

/**
 * Folder of a reference data set that may not be distributed with the repository (rice-44k, mice-hs).
 * HETEROSIS_REFERENCE_DATA names the directory that has them; without it, {@link hasReference} is false and the tests
 * of these sets are skipped.
 */
export function externalReference(name: string): URL {
  const directory = process.env['HETEROSIS_REFERENCE_DATA'] ?? join(import.meta.dirname, 'not-configured');
  return pathToFileURL(join(resolve(directory), name, '/'));
}

/** Whether a data set or a file of it is there. */
export function hasReference(folder: URL): boolean {
  return existsSync(folder);
}

/** A simple CSV without quotes, by column name. */
export function readReferenceCsv(file: URL): Map<string, string[]> {
  const [header = '', ...lines] = readReferenceText(file).trim().split(/\r?\n/);
  const names = header.split(',');
  const columns = names.map((): string[] => []);
  for (const line of lines) {
    const values = line.split(',');
    columns.forEach((column, i) => column.push(values[i] ?? ''));
  }
  return new Map(names.map((name, i) => [name, columns[i] ?? []]));
}

/** A column as text. @throws Error when it is not there */
export function textColumn(table: Map<string, string[]>, name: string): string[] {
  const column = table.get(name);
  if (column === undefined) throw new Error(`no column ${name}; there are ${[...table.keys()].join(', ')}`);
  return column;
}

/** A column as numbers, NaN where it is empty or NA. */
export function numberColumn(table: Map<string, string[]>, name: string): Float64Array {
  return Float64Array.from(textColumn(table, name), (value) =>
    value === '' || value === 'NA' ? Number.NaN : Number(value),
  );
}

/** Two-bit codes by first and second allele: 0 and 1 are REF and ALT, anything else is missing. */
function packedCode(call: string): number {
  const first = call.charCodeAt(0) - 48;
  const second = call.charCodeAt(2) - 48;
  if (first < 0 || first > 1 || second < 0 || second > 1) return 1;
  return first + second === 0 ? 0 : first + second === 1 ? 2 : 3;
}

/** Reads the reference VCFs: one-digit alleles, GT first. Only for tests; the product's reader is in `file-formats`. */
export function readReferencePanel(file: URL): ReferencePanel {
  const lines = readReferenceText(file)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('##'));
  const samples = (lines[0] ?? '').split('\t').slice(9);
  const stride = (samples.length + 3) >> 2;
  const packed = new Uint8Array((lines.length - 1) * stride);
  const markerIds: string[] = [];
  for (let j = 1; j < lines.length; j++) {
    const fields = (lines[j] ?? '').split('\t');
    markerIds.push(fields[2] ?? '');
    const start = (j - 1) * stride;
    for (let i = 0; i < samples.length; i++) {
      packed[start + (i >> 2)] = (packed[start + (i >> 2)] ?? 0) | (packedCode(fields[9 + i] ?? '') << (2 * (i & 3)));
    }
  }
  return { samples, markerIds, packed };
}

/** The values of a trait in the order of the panel's samples, NaN where there is none. */
export function traitOfPanel(table: Map<string, string[]>, trait: string, samples: readonly string[]): Float64Array {
  const rows = new Map(textColumn(table, 'sample').map((name, row) => [name, row]));
  const values = numberColumn(table, trait);
  return Float64Array.from(samples, (name) => values[rows.get(name) ?? -1] ?? Number.NaN);
}

/** Largest |actual − expected| / max(|expected|, floor); NaN on one side only counts as infinite. */
export function largestRelativeError(actual: ArrayLike<number>, expected: ArrayLike<number>, floor: number): number {
  if (actual.length !== expected.length) throw new Error(`${actual.length} values against ${expected.length}`);
  let largest = 0;
  for (let i = 0; i < expected.length; i++) {
    const a = actual[i] ?? Number.NaN;
    const e = expected[i] ?? Number.NaN;
    if (Number.isNaN(a) && Number.isNaN(e)) continue;
    const error = Math.abs(a - e) / Math.max(Math.abs(e), floor);
    largest = Number.isNaN(error) ? Number.POSITIVE_INFINITY : Math.max(largest, error);
  }
  return largest;
}
