import { readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { ByteSource } from '../../byte-source.ts';
import { GrowingFloat64, GrowingInt32 } from '../../growing-array.ts';
import { FileFormatError } from '../../problem.ts';
import {
  type BlockDosages,
  MISSING_POLYPLOID,
  type PanelDosages,
  PLOIDIES,
  POLYPLOID_UNITS,
  polyploidUnits,
} from './dosages.ts';
import { HET, HOM_A2 } from './packed-calls.ts';
import { writeAll } from './row-files.ts';

// A `.dosage` file of polyploids holds the dosages of all markers, beside a `.bed` that tells no copy, some and all:
//
//   bytes 0–3    HDS2
//   4–7, 8–11    samples n, markers m of the panel (32-bit)
//   12–15        markers k with fractions (32-bit)
//   16–23        calls with fractions (double)
//   24–27        ploidy (32-bit), the highest where samples differ
//   28–31        1 where samples differ, else 0 (32-bit)
//   32 …         ⌈m/8⌉ bytes, one bit per marker of the `.bim`: 1 where it has fractions; padded to even length
//   then         where samples differ n bytes, the ploidy of each; padded to even length
//   then         a row a marker: where it has fractions n 32-bit numbers, copies of A2 × 10⁸, 2³² − 1 missing;
//                else ⌈n/2⌉ bytes, a sample in each half from the lower one up: 0 no copy, 1 missing, c + 1 for c
//                copies. The two-bit codes of a `.bed` are those of ploidy 2.
//
// All numbers have the lowest byte first.

export const POLYPLOID_MAGIC: Buffer = Buffer.from('HDS2');
const HEAD_BYTES = 32;
/** Markers between two counts of rows, so that the row of a marker is found at once. */
const MARKERS_PER_COUNT = 512;
const WRITE_BLOCK_BYTES = 2 << 20;
export const MISSING_NIBBLE = 1;

/** Units by the code of a nibble. */
const UNITS_OF_NIBBLE = Uint32Array.from({ length: 16 }, (_, code) =>
  code === MISSING_NIBBLE ? MISSING_POLYPLOID : code === 0 ? 0 : (code - 1) * POLYPLOID_UNITS,
);

/**
 * Opens the `.dosage` file of a panel of polyploids; rows are read by byte range when asked for. Memory: a bit for each
 * marker.
 *
 * @throws FileFormatError E-GT-TRIO when it does not belong to a panel of this size
 */
export async function openPolyploidDosages(
  source: ByteSource,
  sampleCount: number,
  markerCount: number,
): Promise<PanelDosages> {
  const head = Buffer.from(await source.read(0, HEAD_BYTES));
  const [n, m, fractional] = [4, 8, 12].map((at) => head.readUInt32LE(at));
  const ploidy = head.readUInt32LE(24);
  const ploidiesFrom = HEAD_BYTES + bitmapBytes(markerCount);
  const isMixed = head.readUInt32LE(28) === 1;
  const rowsFrom = ploidiesFrom + (isMixed ? evenBytes(sampleCount) : 0);
  const wide = 4 * sampleCount;
  const narrow = (sampleCount + 1) >> 1;
  const size = rowsFrom + fractional * wide + (markerCount - fractional) * narrow;
  if (n !== sampleCount || m !== markerCount || source.size !== size || !PLOIDIES.includes(ploidy)) {
    throw notOfPanel(source, sampleCount, markerCount);
  }
  const bitmap = await source.read(HEAD_BYTES, bitmapBytes(markerCount));
  const ploidies = isMixed ? Uint8Array.from(await source.read(ploidiesFrom, sampleCount)) : null;
  if (ploidies?.some((one) => !PLOIDIES.includes(one) || one > ploidy))
    throw notOfPanel(source, sampleCount, markerCount);
  const isWide = (marker: number): boolean => ((bitmap[marker >> 3] >> (marker & 7)) & 1) === 1;
  const wideBefore = new Int32Array(Math.ceil(markerCount / MARKERS_PER_COUNT) + 1);
  for (let block = 0; block + 1 < wideBefore.length; block++) {
    let found = wideBefore[block];
    const end = Math.min(markerCount, (block + 1) * MARKERS_PER_COUNT);
    for (let marker = block * MARKERS_PER_COUNT; marker < end; marker++) found += Number(isWide(marker));
    wideBefore[block + 1] = found;
  }
  const placeOf = (marker: number): number => {
    const block = Math.floor(marker / MARKERS_PER_COUNT);
    let before = wideBefore[block];
    for (let j = block * MARKERS_PER_COUNT; j < marker; j++) before += Number(isWide(j));
    return rowsFrom + before * wide + (marker - before) * narrow;
  };
  return {
    markerCount: fractional,
    callCount: head.readDoubleLE(16),
    ploidy,
    ...(ploidies === null ? {} : { ploidies }),
    has: () => true,
    hasFraction: isWide,
    async read(first, count): Promise<BlockDosages | undefined> {
      if (count === 0) return undefined;
      const from = placeOf(first);
      const length = placeOf(first + count) - from;
      const bytes = Buffer.from(await source.read(from, length));
      if (bytes.length !== length) {
        throw new FileFormatError('E-GT-TRIO', {
          value: source.name,
          message: `The .dosage file ends early: ${bytes.length} of ${length} bytes could be read for marker ${first + 1}.`,
          suggestion: 'Import the genotype again.',
        });
      }
      const values = new Uint32Array(count * sampleCount);
      let at = 0;
      for (let k = 0; k < count; k++) {
        const row = values.subarray(k * sampleCount, (k + 1) * sampleCount);
        if (isWide(first + k)) {
          for (let i = 0; i < sampleCount; i++) row[i] = bytes.readUInt32LE(at + 4 * i);
          at += wide;
        } else {
          unpackNibbles(bytes, at, row);
          at += narrow;
        }
      }
      return { rows: Int32Array.from({ length: count }, (_, k) => k), values, ploidy };
    },
  };
}

function notOfPanel({ name }: ByteSource, sampleCount: number, markerCount: number): FileFormatError {
  return new FileFormatError('E-GT-TRIO', {
    value: name,
    message: `The .dosage file does not belong to the .bed: it is not one of ${sampleCount} individuals and ${markerCount} markers.`,
    suggestion: 'Import the genotype again.',
  });
}

function unpackNibbles(bytes: Uint8Array, start: number, row: Uint32Array): void {
  const last = row.length - 1;
  let at = start;
  let i = 0;
  for (; i < last; i += 2, at++) {
    const byte = bytes[at];
    row[i] = UNITS_OF_NIBBLE[byte & 15];
    row[i + 1] = UNITS_OF_NIBBLE[byte >> 4];
  }
  if (i === last) row[i] = UNITS_OF_NIBBLE[bytes[at] & 15];
}

const bitmapBytes = (markerCount: number): number => 2 * Math.ceil(markerCount / 16);
const evenBytes = (count: number): number => count + (count & 1);

/** Gathers the dosages of a panel of polyploids that is being written, in file order, and writes its `.dosage` file. */
export class PolyploidRows {
  readonly #path: string;
  readonly #sampleCount: number;
  readonly ploidy: number;
  /** Of each sample, where they differ; null where all have `ploidy`. */
  readonly ploidies: Uint8Array | null;
  /** 1 for a marker with fractions, 0 for one without, in file order. */
  readonly #isWide = new GrowingInt32();
  readonly #sums = new GrowingFloat64();
  /** Where samples differ: chromosomes of those that have a call. */
  readonly #chromosomes = new GrowingInt32();
  #fractionalMarkers = 0;
  #callCount = 0;
  #handle: FileHandle | null = null;
  #block = new Uint8Array(WRITE_BLOCK_BYTES);
  #blockLength = 0;
  #written = 0;

  /** @param path of a temporary file for the rows */
  constructor(path: string, sampleCount: number, ploidy: number, ploidies: Uint8Array | null = null) {
    this.#path = path;
    this.#sampleCount = sampleCount;
    this.ploidy = ploidy;
    this.ploidies = ploidies;
  }

  /** Markers and calls with fractions. */
  get markerCount(): number {
    return this.#fractionalMarkers;
  }

  get callCount(): number {
    return this.#callCount;
  }

  /** The markers with fractions, in file order. */
  *fractionalMarkers(): Generator<number> {
    for (let marker = 0; marker < this.#isWide.length; marker++) if (this.#isWide.at(marker) === 1) yield marker;
  }

  /** Copies of A2 of a marker, over all samples. */
  sumAt(marker: number): number {
    return this.#sums.at(marker);
  }

  /** Copies of either allele of a marker, over the samples that have a call; only where samples differ. */
  chromosomesAt(marker: number): number {
    return this.#chromosomes.at(marker);
  }

  /** Takes the copies of A2 of the next marker, NaN where missing. */
  add(copies: Float64Array): void {
    let fractions = 0;
    let sum = 0;
    for (let i = 0; i < copies.length; i++) {
      const value = copies[i];
      if (Number.isNaN(value)) continue;
      sum += value;
      if (!Number.isInteger(value)) fractions++;
    }
    this.#sums.push(sum);
    this.#countChromosomes((i) => !Number.isNaN(copies[i]));
    this.#isWide.push(fractions > 0 ? 1 : 0);
    this.#callCount += fractions;
    if (fractions === 0) {
      packNibbles(copies.map(nibbleOf), this.#take((copies.length + 1) >> 1));
      return;
    }
    this.#fractionalMarkers++;
    const row = this.#take(4 * copies.length);
    const view = new DataView(row.buffer, row.byteOffset, row.length);
    for (let i = 0; i < copies.length; i++) view.setUint32(4 * i, polyploidUnits(copies[i]), true);
  }

  /** As `add`, for whole copies by the codes of a nibble. */
  addWhole(codes: Uint8Array): void {
    let sum = 0;
    for (let i = 0; i < codes.length; i++) sum += codes[i] > MISSING_NIBBLE ? codes[i] - 1 : 0;
    this.#sums.push(sum);
    this.#countChromosomes((i) => codes[i] !== MISSING_NIBBLE);
    this.#isWide.push(0);
    packNibbles(codes, this.#take((codes.length + 1) >> 1));
  }

  #countChromosomes(hasCall: (sample: number) => boolean): void {
    const { ploidies } = this;
    if (ploidies === null) return;
    let count = 0;
    for (let i = 0; i < ploidies.length; i++) if (hasCall(i)) count += ploidies[i];
    this.#chromosomes.push(count);
  }

  /** Room for a row of bytes. */
  #take(length: number): Uint8Array {
    if (this.#blockLength + length > this.#block.length) {
      const larger = new Uint8Array(2 * (this.#blockLength + length));
      larger.set(this.#block.subarray(0, this.#blockLength));
      this.#block = larger;
    }
    this.#blockLength += length;
    return this.#block.subarray(this.#blockLength - length, this.#blockLength);
  }

  /** Writes waiting rows once there are enough of them. */
  async drain(): Promise<void> {
    if (this.#blockLength >= WRITE_BLOCK_BYTES / 2) await this.#flush();
  }

  async #flush(): Promise<void> {
    if (this.#blockLength === 0) return;
    this.#handle ??= await open(this.#path, 'w+');
    await writeAll(this.#handle, this.#block.subarray(0, this.#blockLength), this.#written);
    this.#written += this.#blockLength;
    this.#blockLength = 0;
  }

  /**
   * Reads rows that were added, in file order, as those of whole copies: a nibble a sample, a fraction as the nearest
   * one.
   *
   * @param into count × ⌈n/2⌉ bytes
   */
  async nearestReader(): Promise<(first: number, count: number, into: Uint8Array) => void> {
    await this.#flush();
    const narrow = (this.#sampleCount + 1) >> 1;
    const starts = this.#starts();
    const codes = new Uint8Array(this.#sampleCount);
    return (first, count, into) => {
      const handle = this.#handle;
      if (handle === null) return;
      const from = starts[first];
      if (starts[first + count] - from === count * narrow) {
        readSync(handle.fd, into, 0, count * narrow, from);
        return;
      }
      const rows = Buffer.alloc(starts[first + count] - from);
      readSync(handle.fd, rows, 0, rows.length, from);
      for (let k = 0; k < count; k++) {
        const at = starts[first + k] - from;
        const row = into.subarray(k * narrow, (k + 1) * narrow);
        if (this.#isWide.at(first + k) === 0) {
          row.set(rows.subarray(at, at + narrow));
          continue;
        }
        for (let i = 0; i < codes.length; i++) codes[i] = nearestNibble(rows.readUInt32LE(at + 4 * i));
        packNibbles(codes, row);
      }
    };
  }

  #starts(): Float64Array {
    const starts = new Float64Array(this.#isWide.length + 1);
    for (let marker = 0; marker < this.#isWide.length; marker++) {
      const length = this.#isWide.at(marker) === 1 ? 4 * this.#sampleCount : (this.#sampleCount + 1) >> 1;
      starts[marker + 1] = starts[marker] + length;
    }
    return starts;
  }

  /** Writes the `.dosage` file; `order` gives the markers in the order of the `.bim`, null for file order. */
  async write(path: string, order: Uint32Array | null): Promise<void> {
    await this.#flush();
    const markerCount = this.#isWide.length;
    const starts = this.#starts();
    const { ploidies } = this;
    const ploidiesFrom = HEAD_BYTES + bitmapBytes(markerCount);
    const head = Buffer.alloc(ploidiesFrom + (ploidies === null ? 0 : evenBytes(ploidies.length)));
    POLYPLOID_MAGIC.copy(head);
    head.writeUInt32LE(this.#sampleCount, 4);
    head.writeUInt32LE(markerCount, 8);
    head.writeUInt32LE(this.#fractionalMarkers, 12);
    head.writeDoubleLE(this.#callCount, 16);
    head.writeUInt32LE(this.ploidy, 24);
    if (ploidies !== null) {
      head.writeUInt32LE(1, 28);
      head.set(ploidies, ploidiesFrom);
    }
    for (let place = 0; place < markerCount; place++) {
      const marker = order === null ? place : order[place];
      if (this.#isWide.at(marker) === 1)
        head[HEAD_BYTES + (place >> 3)] = head[HEAD_BYTES + (place >> 3)] | (1 << (place & 7));
    }
    const handle = await open(path, 'w');
    try {
      await writeAll(handle, head, 0);
      let at = head.length;
      for (let place = 0; place < markerCount && this.#handle !== null; ) {
        const first = order === null ? place : order[place];
        const from = starts[first];
        // Rows that follow each other in both orders are copied together, up to a block.
        let count = 1;
        while (
          place + count < markerCount &&
          (order === null ? place + count : order[place + count]) === first + count &&
          starts[first + count + 1] - from <= WRITE_BLOCK_BYTES
        )
          count++;
        const rows = new Uint8Array(starts[first + count] - from);
        await this.#handle.read(rows, 0, rows.length, from);
        await writeAll(handle, rows, at);
        at += rows.length;
        place += count;
      }
    } finally {
      await handle.close();
    }
  }

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = null;
  }
}

const nibbleOf = (copies: number): number => (Number.isNaN(copies) ? MISSING_NIBBLE : copies === 0 ? 0 : copies + 1);

/** Of units; halves go up. */
const nearestNibble = (units: number): number => {
  if (units === MISSING_POLYPLOID) return MISSING_NIBBLE;
  const copies = Math.floor(units / POLYPLOID_UNITS + 0.5);
  return copies === 0 ? 0 : copies + 1;
};

/**
 * Packs dosages of polyploids as rows of whole copies, a nibble a sample, fractions as the nearest ones.
 *
 * @param into markers × ⌈n/2⌉ bytes
 */
export function packNearest({ rows, values }: BlockDosages, sampleCount: number, into: Uint8Array): void {
  const codes = new Uint8Array(sampleCount);
  const narrow = (sampleCount + 1) >> 1;
  for (const [k, row] of rows.entries()) {
    for (let i = 0; i < sampleCount; i++) codes[i] = nearestNibble(values[row * sampleCount + i]);
    packNibbles(codes, into.subarray(k * narrow, (k + 1) * narrow));
  }
}

function packNibbles(codes: Uint8Array | Float64Array, row: Uint8Array): void {
  const last = codes.length - 1;
  let i = 0;
  for (let at = 0; i < last; at++, i += 2) row[at] = codes[i] | (codes[i + 1] << 4);
  if (i === last) row[last >> 1] = codes[last];
}

/** As {@link packClasses}, where the ploidies of samples differ. */
export function packClassesOf(codes: Uint8Array, ploidies: Uint8Array, row: Uint8Array): void {
  row.fill(0);
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i];
    const twoBits = code <= MISSING_NIBBLE ? code : code === ploidies[i] + 1 ? HOM_A2 : HET;
    row[i >> 2] |= twoBits << (2 * (i & 3));
  }
}

/** Writes the two-bit calls of a `.bed` for codes of a nibble: no copy, missing, some, all. */
export function packClasses(codes: Uint8Array, ploidy: number, row: Uint8Array): void {
  const classes = Uint8Array.from({ length: 16 }, (_, code) =>
    code <= MISSING_NIBBLE ? code : code === ploidy + 1 ? HOM_A2 : HET,
  );
  const n = codes.length;
  let i = 0;
  for (let at = 0; i + 4 <= n; at++, i += 4) {
    row[at] =
      classes[codes[i]] | (classes[codes[i + 1]] << 2) | (classes[codes[i + 2]] << 4) | (classes[codes[i + 3]] << 6);
  }
  if (i < n) row[n >> 2] = 0;
  for (; i < n; i++) row[i >> 2] |= classes[codes[i]] << (2 * (i & 3));
}
