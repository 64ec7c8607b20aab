// Calls in memory: two bits each as in a PLINK 1 .bed, the first individual in the lowest bits, A1 = REF and A2 = ALT.
// A .bed holds the same codes counted from column 5 of its .bim: `AlleleOrder` says which allele that is.
// Source: PLINK 1.9 file format reference, https://www.cog-genomics.org/plink/1.9/formats#bed

/**
 * The allele in column 5 of a `.bim`, of which code 00 of the `.bed` has two copies; column 6 is the other one.
 *
 * - `alt-first`: PLINK's files. Column 5 is ALT (our A2) and column 6 is REF (our A1), as PLINK 2 reads and writes
 *   them.
 * - `ref-first`: the server's stored panels and temporary files, which no other program reads. Column 5 is A1, column
 *   6 is A2, so
 *   the bytes of the `.bed` are the calls in memory.
 */
export type AlleleOrder = 'alt-first' | 'ref-first';

/** Two copies of A1. */
export const HOM_A1 = 0;
/** Not called. */
export const MISSING = 1;
/** One copy of each allele. */
export const HET = 2;
/** Two copies of A2. */
export const HOM_A2 = 3;

/** Magic number and mode (SNP-major) at the start of a `.bed`. */
export const BED_MAGIC: Uint8Array = Uint8Array.of(0x6c, 0x1b, 0x01);

/** Copies of A2 by call code; NaN for a missing call. */
export const DOSAGE_OF_CODE: Float64Array = Float64Array.of(0, Number.NaN, 1, 2);

/** Bytes of one marker with `sampleCount` individuals. */
export function packedLength(sampleCount: number): number {
  return Math.ceil(sampleCount / 4);
}

/**
 * The same calls with A1 and A2 exchanged: codes 00 and 11 change places, 10 and 01 stay. Unused bits of each
 * marker's last byte become zero.
 *
 * @param packed whole markers of ceil(n/4) bytes each; not changed
 */
export function exchangeAlleles(packed: Uint8Array, sampleCount: number): Uint8Array {
  const bytes = new Uint8Array(packed);
  const words = new Uint32Array(bytes.buffer, 0, bytes.length >> 2);
  for (let k = 0; k < words.length; k++) {
    const word = words[k];
    const isHomozygous = ~(word ^ (word >>> 1)) & 0x55555555;
    words[k] = word ^ (isHomozygous | (isHomozygous << 1));
  }
  for (let at = 4 * words.length; at < bytes.length; at++) {
    const isHomozygous = ~(bytes[at] ^ (bytes[at] >> 1)) & 0x55;
    bytes[at] ^= isHomozygous | (isHomozygous << 1);
  }
  const used = usedBits(sampleCount);
  const stride = packedLength(sampleCount);
  if (used !== 0xff) for (let last = stride - 1; last < bytes.length; last += stride) bytes[last] &= used;
  return bytes;
}

/** The bits of a marker's last byte that belong to samples. */
export function usedBits(sampleCount: number): number {
  return sampleCount % 4 === 0 ? 0xff : (1 << (2 * (sampleCount % 4))) - 1;
}

/** Writes call codes (0–3, one a sample) into `packed` at `offset`; unused bits of the last byte become zero. */
export function packCalls(codes: Uint8Array, packed: Uint8Array, offset = 0): void {
  const full = codes.length >> 2;
  let at = 0;
  for (let i = 0; i < full; i++, at += 4) {
    packed[offset + i] = codes[at] | (codes[at + 1] << 2) | (codes[at + 2] << 4) | (codes[at + 3] << 6);
  }
  if (at < codes.length) {
    let last = 0;
    for (let shift = 0; at < codes.length; at++, shift += 2) last |= codes[at] << shift;
    packed[offset + full] = last;
  }
}

/** Reads call codes (0–3, one a sample) from `packed` at `offset` into `codes`; as many as `codes` is long. */
export function unpackCalls(packed: Uint8Array, codes: Uint8Array, offset = 0): void {
  for (let i = 0; i < codes.length; i++) codes[i] = (packed[offset + (i >> 2)] >> (2 * (i & 3))) & 3;
}

/** Writes the calls of `columns` of a marker at `offset` into zeros of `chosen` at `place`, in this order. */
export function chooseCalls(
  packed: Uint8Array,
  offset: number,
  columns: Int32Array,
  chosen: Uint8Array,
  place: number,
): void {
  for (let i = 0; i < columns.length; i++) {
    const column = columns[i];
    const code = (packed[offset + (column >> 2)] >> (2 * (column & 3))) & 3;
    chosen[place + (i >> 2)] |= code << (2 * (i & 3));
  }
}

/**
 * Turns calls round: from markers with samples side by side to samples with markers side by side, four of each at a
 * time.
 *
 * @param packed `count` markers of `stride` bytes each
 * @param from the first of the bytes of a marker (four samples each) that are turned, `width` of them
 * @param turned gets 4·`width` samples of `rowBytes` bytes each
 * @param place the byte of a sample's row where its first marker goes
 */
export function turnCalls(
  packed: Uint8Array,
  { stride, count, from, width }: { stride: number; count: number; from: number; width: number },
  turned: Uint8Array,
  rowBytes: number,
  place: number,
): void {
  for (let byte = 0; byte < width; byte++) {
    let to = 4 * byte * rowBytes + place;
    for (let j = 0; j < count; j += 4, to++) {
      const at = j * stride + from + byte;
      // A 4 × 4 matrix of two bits each; rows after the last marker are zero.
      let square = packed[at];
      if (j + 1 < count) square |= packed[at + stride] << 8;
      if (j + 2 < count) square |= packed[at + 2 * stride] << 16;
      if (j + 3 < count) square |= packed[at + 3 * stride] << 24;
      square = turnSquare(square);
      turned[to] = square;
      turned[to + rowBytes] = square >>> 8;
      turned[to + 2 * rowBytes] = square >>> 16;
      turned[to + 3 * rowBytes] = square >>> 24;
    }
  }
}

/**
 * The calls of each sample at up to four markers side by side in one byte, the first marker in its lowest bits; 0 in
 * place of markers that there are not.
 *
 * @param rows where the markers begin in `packed`
 * @param into a byte a sample; its length is a multiple of four
 */
export function callsOfFour(packed: Uint8Array, rows: ArrayLike<number>, into: Uint8Array): void {
  const [first, second, third, fourth] = [rows[0], rows[1], rows[2], rows[3]];
  for (let i = 0, byte = 0; i < into.length; i += 4, byte++) {
    let square = packed[first + byte];
    if (rows.length > 1) square |= packed[second + byte] << 8;
    if (rows.length > 2) square |= packed[third + byte] << 16;
    if (rows.length > 3) square |= packed[fourth + byte] << 24;
    square = turnSquare(square);
    into[i] = square;
    into[i + 1] = square >>> 8;
    into[i + 2] = square >>> 16;
    into[i + 3] = square >>> 24;
  }
}

/**
 * Transposes a 4 × 4 matrix of two bits each in two exchanges: of neighbours, then of 2 × 2 matrices (Warren 2013,
 * Hacker's Delight, section 7-3).
 */
function turnSquare(square: number): number {
  const neighbours = (square ^ (square >>> 6)) & 0x00cc00cc;
  const half = square ^ neighbours ^ (neighbours << 6);
  const blocks = (half ^ (half >>> 12)) & 0x0000f0f0;
  return half ^ blocks ^ (blocks << 12);
}
