import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { countCalls } from '../genotypes/call-counts.ts';
import { centredValues, decodeBlock } from '../genotypes/decode-block.ts';
import { createKinshipAccumulator } from '../kinship/accumulate-kinship.ts';
import { createRandomStream } from '../random/random-stream.ts';

/** Every marker that is polymorphic. */
export const NO_FILTER = { maf: 0, callRate: 0 };

export interface SmallAssociation {
  n: number;
  count: number;
  packed: Uint8Array;
  kinship: Matrix;
  /** Centred dosages, n × count. */
  centred: Matrix;
  /** Polygenic background and noise; large effects are added by the caller. */
  y: Float64Array;
}

/** Outbred individuals without missing calls. */
export function smallAssociation(n: number, count: number, seed: number): SmallAssociation {
  const random = createRandomStream(seed, 'association');
  const stride = (n + 3) >> 2;
  const packed = new Uint8Array(count * stride);
  const y = Float64Array.from({ length: n }, () => 3 * random.normal());
  for (let j = 0; j < count; j++) {
    const frequency = 0.2 + 0.6 * random.uniform();
    const effect = 0.3 * random.normal();
    for (let i = 0; i < n; i++) {
      const dosage = Number(random.uniform() < frequency) + Number(random.uniform() < frequency);
      packed[j * stride + (i >> 2)] |= (dosage === 0 ? 0 : dosage + 1) << (2 * (i & 3));
      y[i] += effect * dosage;
    }
  }
  const selection = { panelSize: n };
  const accumulator = createKinshipAccumulator({ ...selection, filter: NO_FILTER, methods: ['standardized'] });
  accumulator.add(packed, count);
  const { standardized: kinship } = accumulator.finish().kernels;
  if (kinship === undefined) throw new TypeError('no kinship');
  const centred = createMatrix(n, count);
  const markers = Int32Array.from({ length: count }, (_, j) => j);
  decodeBlock(packed, count, selection, markers, centredValues(countCalls(packed, count, selection)), centred.data);
  return { n, count, packed, kinship, centred, y };
}

/** Column `j` of a matrix. */
export function columnOf({ rows, data }: Matrix, j: number): Float64Array {
  return data.slice(j * rows, (j + 1) * rows);
}

/** The columns side by side. */
export function matrixOfColumns(columns: readonly Float64Array[]): Matrix {
  const matrix = createMatrix(columns[0].length, columns.length);
  for (const [k, column] of columns.entries()) matrix.data.set(column, k * matrix.rows);
  return matrix;
}
