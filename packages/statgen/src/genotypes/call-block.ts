import { type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { aligned } from '../kernel-memory.ts';
import type { CallCounts } from './call-counts.ts';
import type { CallValues } from './decode-block.ts';
import { countDosages, decodeDosages, type FractionalDosages } from './fractional-dosages.ts';
import { markerMemory } from './kernels/marker-kernels.ts';
import { bytesPerMarker, type PanelSelection, requirePacked, selectionSize } from './packed-calls.ts';

/** The lookup table for pairs of calls, at the start of the memory. */
const TABLE_BYTES = 256;
const VECTOR_BYTES = 16;
/** Doubles that decoding writes after the last column. */
const DOUBLES_AFTER = 15;

/**
 * Counts and decodes blocks of markers like `countCalls` and `decodeBlock`, several times as fast, in its own memory.
 */
export interface CallBlock {
  /**
   * Loads the packed calls of `count` markers, at most the block's capacity.
   *
   * @param packed count × ceil(panelSize / 4) bytes
   * @param dosages of the same markers; undefined where all are whole numbers
   * @returns their counts; the next `load` overwrites them
   * @throws StatgenError `shape-mismatch`
   */
  load(packed: Uint8Array, count: number, dosages?: FractionalDosages): CallCounts;
  /**
   * The chosen markers as individuals × markers; the next call overwrites them.
   *
   * @param markers positions within the block, in the order of the columns
   * @param values four numbers for each marker **of the block** (not of the choice)
   */
  decode(markers: Int32Array, values: CallValues): Matrix;
}

/**
 * Allocates a block for up to `capacity` markers; individuals × capacity doubles.
 *
 * @throws StatgenError `bad-option` when that is more than 4 GB
 */
export function createCallBlock(selection: PanelSelection, capacity: number): CallBlock {
  const n = selectionSize(selection);
  const stride = bytesPerMarker(n);
  const packedBytes = capacity * stride + VECTOR_BYTES;
  const doubles = n * capacity + DOUBLES_AFTER;
  const memory = markerMemory(
    aligned(TABLE_BYTES) +
      aligned(VECTOR_BYTES) +
      aligned(packedBytes) +
      4 * aligned(4 * capacity) +
      aligned(4 * 8 * capacity) +
      aligned(8 * doubles),
  );
  memory.takeBytes(TABLE_BYTES);
  const mask = memory.takeBytes(VECTOR_BYTES);
  const calls = memory.takeBytes(packedBytes);
  const heterozygous = memory.takeIntegers(capacity);
  const homozygousA2 = memory.takeIntegers(capacity);
  const missing = memory.takeIntegers(capacity);
  const places = memory.takeIntegers(capacity);
  const numbers = memory.takeDoubles(4 * capacity);
  const decoded = memory.takeDoubles(doubles);
  let loaded: FractionalDosages | undefined;
  for (let i = 0; i < n - 4 * VECTOR_BYTES * ((stride - 1) >> 4); i++) mask[i >> 2] |= 3 << (2 * (i & 3));

  return {
    load(packed, count, dosages) {
      loaded = dosages;
      requirePacked(packed, count, selection);
      if (selection.individuals === undefined) calls.set(packed.subarray(0, count * stride));
      else selectCalls(packed, count, selection.panelSize, selection.individuals, calls);
      if (n > 0 && count > 0) {
        memory.kernels.countCalls(
          calls.byteOffset,
          stride,
          count,
          mask.byteOffset,
          heterozygous.byteOffset,
          homozygousA2.byteOffset,
          missing.byteOffset,
        );
      }
      return {
        individuals: n,
        heterozygous: heterozygous.subarray(0, count),
        homozygousA2: homozygousA2.subarray(0, count),
        missing: missing.subarray(0, count),
        fractional: dosages && countDosages(dosages, count, selection),
      };
    },
    decode(markers, values) {
      places.set(markers);
      numbers.set(values);
      // In polyploids all markers have dosages.
      if (n > 0 && markers.length > 0 && loaded?.ploidy === undefined) {
        memory.kernels.decodeMarkers(
          calls.byteOffset,
          stride,
          numbers.byteOffset,
          places.byteOffset,
          markers.length,
          n,
          decoded.byteOffset,
        );
      }
      const block = matrixOf(n, markers.length, decoded);
      if (loaded !== undefined) decodeDosages(loaded, selection, markers, values, block.data);
      return block;
    },
  };
}

/** Writes the calls of the chosen individuals without gaps; the spare bits of a marker's last byte are 0. */
function selectCalls(
  packed: Uint8Array,
  count: number,
  panelSize: number,
  individuals: Int32Array,
  out: Uint8Array,
): void {
  const n = individuals.length;
  const stride = bytesPerMarker(panelSize);
  let o = 0;
  for (let j = 0; j < count; j++) {
    const start = j * stride;
    let byte = 0;
    for (let i = 0; i < n; i++) {
      const individual = individuals[i];
      byte |= ((packed[start + (individual >> 2)] >> ((individual & 3) << 1)) & 3) << ((i & 3) << 1);
      if ((i & 3) === 3) {
        out[o++] = byte;
        byte = 0;
      }
    }
    if ((n & 3) !== 0) out[o++] = byte;
  }
}
