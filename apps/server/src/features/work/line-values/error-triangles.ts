import { packRecord, unpackRecord } from '@heterosis/analysis/results/binary-record';
import type { Matrix } from '@heterosis/statgen/linear-algebra';
import type { ObjectStorage } from '../../../platform/object-storage/object-storage.ts';
import { readingStored, readObject } from '../../../platform/object-storage/stored-panel.ts';

/** Covariance of the prediction errors of some lines. */
export interface ErrorTriangle {
  lines: readonly string[];
  /** The lower triangle with the diagonal, by rows, in units of the trait squared. */
  triangle: Float32Array;
}

/** A matrix a trait, each in single precision: differences of errors keep six digits. */
export const packErrorTriangles = (traits: readonly { lines: readonly string[]; covariance: Matrix }[]): Uint8Array =>
  packRecord(traits.map(({ lines, covariance }) => ({ lines, triangle: triangleOf(covariance) })));

function triangleOf({ data, rows: n }: Matrix): Float32Array {
  const triangle = new Float32Array((n * (n + 1)) / 2);
  for (let i = 0, at = 0; i < n; i++) for (let j = 0; j <= i; j++) triangle[at++] = data[i + j * n] ?? Number.NaN;
  return triangle;
}

/** What {@link packErrorTriangles} wrote, a triangle a trait. */
export async function readErrorTriangles(storage: Pick<ObjectStorage, 'open'>, key: string): Promise<ErrorTriangle[]> {
  const bytes = await readObject(storage, key);
  return readingStored('covariance of prediction errors', () => unpackRecord<ErrorTriangle[]>(bytes));
}

/** Place in a triangle by rows of what two lines share. */
export const trianglePlace = (i: number, j: number): number => {
  const [row, column] = i > j ? [i, j] : [j, i];
  return (row * (row + 1)) / 2 + column;
};
