import { columnBlock, createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { largestEigenpairsInPlace } from '@heterosis/linalg/symmetric-eigen';
import { createCallBlock } from '../genotypes/call-block.ts';
import {
  type CallCounts,
  countCalls,
  type MarkerFilter,
  passesFilter,
  requireFilter,
} from '../genotypes/call-counts.ts';
import { standardizedValues } from '../genotypes/decode-block.ts';
import { dosagesOfPart, type FractionalDosages } from '../genotypes/fractional-dosages.ts';
import { bytesPerMarker, requirePacked } from '../genotypes/packed-calls.ts';
import { createRandomStream } from '../random/random-stream.ts';
import { StatgenError } from '../statgen-error.ts';
import { positionsOf } from './accumulate-kinship.ts';
import type { PrincipalComponents } from './principal-components.ts';

/** Principal components found by iteration. */
export interface ConvergedComponents extends PrincipalComponents {
  /** Largest ‖Kv − λv‖ of the requested components, relative to the largest eigenvalue. */
  residual: number;
  /** Markers included in the kinship. */
  markers: number;
}

export interface LeadingComponentsOptions {
  /** Individuals n of the panel, all of which are used. */
  panelSize: number;
  filter: MarkerFilter;
  /** Number of components, at most n. */
  count: number;
}

export interface LeadingComponentsBuilder {
  /**
   * Adds the next `count` markers. Keeps the packed calls of those that pass the filter in memory.
   *
   * @param packed count × ceil(panelSize / 4) bytes
   * @param dosages of the same markers; undefined where all are whole numbers
   */
  add(packed: Uint8Array, count: number, dosages?: FractionalDosages): void;
  /** @throws StatgenError `no-markers-left` when no marker passed the filter */
  finish(): ConvergedComponents;
}

/** Extra vectors beyond those requested: the last component converges at a rate set by the gap to these. */
const OVERSAMPLING = 3;
/** Maximum vectors in the search space: n × 400 doubles, twice. */
const MOST_VECTORS = 400;
/**
 * A component has converged at this residual, relative to the largest eigenvalue. Its eigenvalue is then accurate to
 * about the square.
 */
export const COMPONENT_TOLERANCE = 1e-8;
/** Steps between two checks of the residuals. */
const STEPS_PER_LOOK = 4;
/** Doubles decoded at a time. */
const DECODED_AT_ONCE = 1 << 20;
const MOST_MARKERS_AT_ONCE = 512;

/**
 * The leading principal components of the standardized kinship K = ZZᵀ/(m − 1) without forming K: O(nm) for each of a
 * few dozen vectors, where K and its decomposition take O(n²m + n³). Memory: the packed calls (n·m/4 bytes) and up to
 * 800 vectors. The result equals that of `principalComponents` up to the returned residual. The same panel always
 * gives the same numbers.
 *
 * @throws StatgenError `bad-option`
 */
export function createLeadingComponents(options: LeadingComponentsOptions): LeadingComponentsBuilder {
  const { panelSize: n, filter, count } = options;
  requireFilter(filter);
  requireCount(n, count);
  const stride = bytesPerMarker(n);
  const blocks: PackedBlock[] = [];
  let added = 0;
  return {
    add(packed, markers, dosages) {
      requirePacked(packed, markers, options);
      added += markers;
      const counts = countCalls(packed, markers, options, dosages);
      const passing = positionsOf(
        Uint8Array.from({ length: markers }, (_, j) => (passesFilter(counts, j, filter) ? 1 : 0)),
      );
      if (passing.length === 0) return;
      const kept = new Uint8Array(passing.length * stride);
      for (const [k, j] of passing.entries()) kept.set(packed.subarray(j * stride, (j + 1) * stride), k * stride);
      blocks.push({
        packed: kept,
        counts: selectCounts(counts, passing),
        dosages: dosages && { rows: passing.map((j) => dosages.rows[j]), values: dosages.values },
      });
    },
    finish() {
      const markers = blocks.reduce((sum, block) => sum + block.counts.missing.length, 0);
      if (markers === 0) {
        throw new StatgenError(
          'no-markers-left',
          `none of the ${added} markers passes the limits of allele frequency and call rate`,
          { markers: added, maf: filter.maf, callRate: filter.callRate },
        );
      }
      // With one marker only: see `createKinshipAccumulator`.
      const divisor = Math.max(1, markers - 1);
      const { multiplyBy, trace } = packedKinship(n, blocks, divisor);
      return { ...leadingComponents({ n, count, multiplyBy, trace }), markers };
    },
  };
}

/**
 * The leading components of a kinship in memory (n × n, both triangles filled, not modified), much faster than a full
 * decomposition.
 *
 * @throws StatgenError `bad-option` when there are fewer individuals than components
 */
export function leadingComponentsOf(kinship: Matrix, count: number): Omit<ConvergedComponents, 'markers'> {
  const n = kinship.rows;
  requireCount(n, count);
  let trace = 0;
  for (let i = 0; i < n; i++) trace += kinship.data[i + i * n];
  return leadingComponents({ n, count, multiplyBy: (vectors, into) => multiply(kinship, vectors, { into }), trace });
}

function requireCount(n: number, count: number): void {
  if (Number.isInteger(count) && count >= 1 && count <= n) return;
  throw new StatgenError('bad-option', `${n} individuals do not have ${count} principal components`, { n, count });
}

/** Markers that passed the filter, with their counts. */
interface PackedBlock {
  packed: Uint8Array;
  counts: CallCounts;
  dosages: FractionalDosages | undefined;
}

interface Operator {
  n: number;
  count: number;
  /** into = K · vectors, both n × k. */
  multiplyBy: (vectors: Matrix, into: Matrix) => void;
  trace: number;
}

function selectCounts(counts: CallCounts, markers: Int32Array): CallCounts {
  const select = (values: Int32Array) => markers.map((j) => values[j]);
  const selectDoubles = (values: Float64Array) => Float64Array.from(markers, (j) => values[j]);
  const { fractional } = counts;
  return {
    individuals: counts.individuals,
    heterozygous: select(counts.heterozygous),
    homozygousA2: select(counts.homozygousA2),
    missing: select(counts.missing),
    fractional: fractional && {
      ploidy: fractional.ploidy,
      isFractional: Uint8Array.from(markers, (j) => fractional.isFractional[j]),
      copiesA2: selectDoubles(fractional.copiesA2),
      heterozygotes: selectDoubles(fractional.heterozygotes),
      centredSquares: selectDoubles(fractional.centredSquares),
    },
  };
}

/** K as Z·(Zᵀ·vectors). Z is decoded for each product, because packed calls take a 32nd of its memory. */
function packedKinship(
  n: number,
  blocks: readonly PackedBlock[],
  divisor: number,
): Pick<Operator, 'multiplyBy' | 'trace'> {
  const stride = bytesPerMarker(n);
  const capacity = Math.max(1, Math.min(MOST_MARKERS_AT_ONCE, Math.floor(DECODED_AT_ONCE / n)));
  const calls = createCallBlock({ panelSize: n }, capacity);
  const values = blocks.map(({ counts }) => standardizedValues(counts));
  const all = Int32Array.from({ length: capacity }, (_, j) => j);
  let trace = 0;
  for (const [b, { counts }] of blocks.entries()) trace += sumOfSquares(counts, values[b]);
  return {
    trace: trace / divisor,
    multiplyBy(vectors, into) {
      into.data.fill(0, 0, n * vectors.columns);
      for (const [b, { packed, counts, dosages }] of blocks.entries()) {
        for (let first = 0; first < counts.missing.length; first += capacity) {
          const count = Math.min(capacity, counts.missing.length - first);
          calls.load(
            packed.subarray(first * stride, (first + count) * stride),
            count,
            dosagesOfPart(dosages, first, count),
          );
          const z = calls.decode(all.subarray(0, count), values[b].subarray(4 * first, 4 * (first + count)));
          const projected = multiply(z, vectors, { transposeA: true });
          multiply(z, projected, { alpha: 1 / divisor, beta: 1, into });
        }
      }
    },
  };
}

/** Σ over calls of Z², which is m − 1 times the trace of K. */
function sumOfSquares(counts: CallCounts, values: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < counts.missing.length; j++) {
    if (counts.fractional?.isFractional[j] === 1) {
      const perCopy = (values[4 * j + 3] - values[4 * j]) / counts.fractional.ploidy;
      sum += counts.fractional.centredSquares[j] * perCopy * perCopy;
      continue;
    }
    const { heterozygous, homozygousA2, missing, individuals } = counts;
    const homozygousA1 = individuals - missing[j] - heterozygous[j] - homozygousA2[j];
    sum += homozygousA1 * values[4 * j] ** 2;
    sum += heterozygous[j] * values[4 * j + 2] ** 2;
    sum += homozygousA2[j] * values[4 * j + 3] ** 2;
  }
  return sum;
}

/**
 * Builds a block Krylov space of K from seeded random vectors until the Rayleigh–Ritz vectors of the requested
 * components satisfy Kv = λv to {@link COMPONENT_TOLERANCE} (Saad 2011, Numerical Methods for Large Eigenvalue
 * Problems, section 6.6), or until it has 400 vectors.
 */
function leadingComponents({ n, count, multiplyBy, trace }: Operator): Omit<ConvergedComponents, 'markers'> {
  const width = Math.min(count + OVERSAMPLING, n);
  const steps = Math.max(1, Math.floor(Math.min(MOST_VECTORS, n) / width));
  const basis = createMatrix(n, width * steps);
  const images = createMatrix(n, width * steps);
  const random = createRandomStream(1, 'leading components');
  for (let i = 0; i < n * width; i++) basis.data[i] = random.normal();
  for (let step = 1; ; step++) {
    const block = columnBlock(basis, (step - 1) * width, width);
    if (step > 1) block.data.set(columnBlock(images, (step - 2) * width, width).data);
    orthonormalize(block, columnBlock(basis, 0, (step - 1) * width));
    multiplyBy(block, columnBlock(images, (step - 1) * width, width));
    if (step < steps && step % STEPS_PER_LOOK !== 0) continue;
    const found = ritzVectors(columnBlock(basis, 0, step * width), columnBlock(images, 0, step * width), count);
    if (step < steps && found.residual > COMPONENT_TOLERANCE) continue;
    return {
      axes: found.axes,
      eigenvalues: found.values,
      shares: found.values.map((value) => (trace > 0 ? value / trace : 0)),
      residual: found.residual,
    };
  }
}

/** The largest eigenpairs of K within the space of the basis, and their residuals. */
function ritzVectors(
  basis: Matrix,
  images: Matrix,
  count: number,
): { axes: Matrix; values: Float64Array; residual: number } {
  const { values, vectors } = largestEigenpairsInPlace(multiply(basis, images, { transposeA: true }), count);
  const coordinates = matrixOf(vectors.rows, count, vectors.data);
  const axes = multiply(basis, coordinates);
  const applied = multiply(images, coordinates);
  let residual = 0;
  for (let j = 0; j < count; j++) {
    let square = 0;
    for (let i = j * basis.rows; i < (j + 1) * basis.rows; i++) {
      square += (applied.data[i] - values[j] * axes.data[i]) ** 2;
    }
    residual = Math.max(residual, Math.sqrt(square));
  }
  return { axes, values, residual: values[0] > 0 ? residual / values[0] : 0 };
}

/**
 * Makes the columns of `block` orthonormal and orthogonal to those of `earlier`; a column that depends on the others
 * becomes zero.
 */
function orthonormalize(block: Matrix, earlier: Matrix): void {
  const { rows, columns, data } = block;
  const column = (j: number) => data.subarray(j * rows, (j + 1) * rows);
  const lengths = Float64Array.from({ length: columns }, (_, j) => Math.sqrt(dot(column(j), column(j))));
  // Two passes are enough (Giraud, Langou & Rozložník 2005, Comput Math Appl 50:1069).
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

/** a += factor · b, in place. */
function addMultiple(a: Float64Array, factor: number, b: Float64Array): void {
  for (let i = 0; i < a.length; i++) a[i] += factor * b[i];
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
