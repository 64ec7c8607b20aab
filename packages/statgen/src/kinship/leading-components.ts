import { columnBlock, createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { largestEigenpairsInPlace } from '@heterosis/linalg/symmetric-eigen';
import {
  bytesPerMarker,
  countCalls,
  type MarkerFilter,
  passesFilter,
  requireFilter,
  requirePacked,
} from '../genotypes/call-counts.ts';
import { decodeBlock, standardizedValues } from '../genotypes/decode-block.ts';
import { createRandomStream } from '../random/random-stream.ts';
import { StatgenError } from '../statgen-error.ts';
import { positionsOf } from './accumulate-kinship.ts';
import type { PrincipalComponents } from './principal-components.ts';

export interface LeadingComponentsOptions {
  /** Individuals n of the panel, all of which are used. */
  panelSize: number;
  filter: MarkerFilter;
  /** Components wanted, at most n. */
  count: number;
  /** Markers that will be added at most; their numbers are held in memory, 8 bytes a call. */
  markers: number;
}

export interface LeadingComponents {
  /**
   * Adds the next `count` markers.
   *
   * @param packed count × ceil(panelSize / 4) bytes
   */
  add(packed: Uint8Array, count: number): void;
  /** @throws StatgenError `no-markers-left` when no marker passed the filter */
  finish(): PrincipalComponents;
}

/** Vectors beyond those wanted, so that the last ones wanted converge too. */
const OVERSAMPLING = 3;
const STEPS = 6;

/**
 * The leading principal components of the standardized kinship K = ZZᵀ/(m − 1) without forming it, for pictures of large panels:
 * O(nm) for each of a few dozen vectors, where K and its decomposition take O(n²m + n³). A block Krylov space of ZZᵀ from seeded random vectors, then
 * Rayleigh–Ritz (Musco & Musco 2015, NeurIPS 28, algorithm 2). Components that stand out from the rest agree with `principalComponents` to many
 * digits; those that do not (a panel without structure) differ, as they would with other markers. The same panel always gives the same numbers.
 *
 * @throws StatgenError `bad-option`
 */
export function createLeadingComponents(options: LeadingComponentsOptions): LeadingComponents {
  const { panelSize: n, filter, count } = options;
  requireFilter(filter);
  if (!(Number.isInteger(count) && count >= 1 && count <= n)) {
    throw new StatgenError('bad-option', `${n} individuals do not have ${count} principal components`, { n, count });
  }
  const stride = bytesPerMarker(n);
  const z = createMatrix(n, options.markers);
  let added = 0;
  let kept = 0;
  return {
    add(packed, markers) {
      requirePacked(packed, markers, options);
      if (added + markers > options.markers) {
        throw new StatgenError('bad-option', `more than the ${options.markers} markers announced were added`, {
          markers: options.markers,
        });
      }
      added += markers;
      const counts = countCalls(packed, markers, options);
      const passing = positionsOf(
        Uint8Array.from({ length: markers }, (_, j) => (passesFilter(counts, j, filter) ? 1 : 0)),
      );
      const place = z.data.subarray(n * kept);
      decodeBlock(packed.subarray(0, markers * stride), markers, options, passing, standardizedValues(counts), place);
      kept += passing.length;
    },
    finish() {
      if (kept === 0) {
        throw new StatgenError(
          'no-markers-left',
          `none of the ${added} markers passes the limits of allele frequency and call rate`,
          {
            markers: added,
            maf: filter.maf,
            callRate: filter.callRate,
          },
        );
      }
      return componentsOf(columnBlock(z, 0, kept), count);
    },
  };
}

function componentsOf(z: Matrix, count: number): PrincipalComponents {
  const n = z.rows;
  const width = Math.min(count + OVERSAMPLING, n);
  const steps = Math.min(STEPS, Math.floor(n / width));
  const basis = createMatrix(n, width * steps);
  const images = createMatrix(n, width * steps);
  const random = createRandomStream(1, 'leading components');
  const projected = createMatrix(z.columns, width);
  for (let i = 0; i < n * width; i++) basis.data[i] = random.normal();
  for (let step = 0; step < steps; step++) {
    const block = columnBlock(basis, step * width, width);
    if (step > 0) block.data.set(columnBlock(images, (step - 1) * width, width).data);
    orthonormalize(block, columnBlock(basis, 0, step * width));
    multiply(z, block, { transposeA: true, into: projected });
    multiply(z, projected, { into: columnBlock(images, step * width, width) });
  }
  const { values, vectors } = largestEigenpairsInPlace(multiply(basis, images, { transposeA: true }), count);
  // One marker alone: see `createKinshipAccumulator`.
  const divisor = Math.max(1, z.columns - 1);
  const trace = dot(z.data, z.data);
  return {
    axes: multiply(basis, matrixOf(vectors.rows, count, vectors.data)),
    eigenvalues: values.map((value) => value / divisor),
    shares: values.map((value) => (trace > 0 ? value / trace : 0)),
  };
}

/** Makes the columns of `block` orthonormal and orthogonal to those of `earlier`; a column that depends on the others becomes zero. */
function orthonormalize(block: Matrix, earlier: Matrix): void {
  const { rows, columns, data } = block;
  const column = (j: number) => data.subarray(j * rows, (j + 1) * rows);
  const lengths = Float64Array.from({ length: columns }, (_, j) => Math.sqrt(dot(column(j), column(j))));
  // Twice is enough (Giraud, Langou & Rozložník 2005, Comput Math Appl 50:1069).
  for (let turn = 0; turn < 2; turn++) {
    if (earlier.columns > 0) {
      multiply(earlier, multiply(earlier, block, { transposeA: true }), { alpha: -1, beta: 1, into: block });
    }
    for (let j = 0; j < columns; j++) {
      const current = column(j);
      for (let k = 0; k < j; k++) addMultiple(current, -dot(column(k), current), column(k));
      const length = Math.sqrt(dot(current, current));
      const scale = length > 1e-10 * lengths[j] ? 1 / length : 0;
      addMultiple(current, scale - 1, current);
      lengths[j] = 1;
    }
  }
}

/** a + factor · b, in place of a. */
function addMultiple(a: Float64Array, factor: number, b: Float64Array): void {
  for (let i = 0; i < a.length; i++) a[i] += factor * b[i];
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
