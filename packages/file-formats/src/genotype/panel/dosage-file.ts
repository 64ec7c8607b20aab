import { type FileHandle, open } from 'node:fs/promises';
import type { ByteSource } from '../../byte-source.ts';
import { GrowingFloat64, GrowingInt32 } from '../../growing-array.ts';
import { FileFormatError } from '../../problem.ts';
import { type BlockDosages, isFraction, type PanelDosages } from './dosages.ts';
import { openPolyploidDosages, POLYPLOID_MAGIC } from './polyploid-file.ts';
import { gatherRows, writeAll } from './row-files.ts';

// A `.dosage` file holds the dosages of the markers that have fractions, beside a `.bed` with the nearest calls:
//
//   bytes 0–3    HDS1
//   4–7, 8–11    samples n, markers m of the panel (32-bit)
//   12–15        markers k with fractions (32-bit)
//   16–23        calls with fractions (double)
//   24 …         ⌈m/8⌉ bytes, one bit per marker of the `.bim`: 1 where it has fractions; padded to even length
//   then         k rows of n 16-bit numbers: copies of A2 (ALT) × 2¹⁴, 65535 missing
//
// All numbers have the lowest byte first.

const MAGIC = Buffer.from('HDS1');
const HEAD_BYTES = 24;
/** Markers between two counts of rows, so that the row of a marker is found at once. */
const MARKERS_PER_COUNT = 512;
const WRITE_BLOCK_BYTES = 2 << 20;

/**
 * Opens a `.dosage` file, of polyploids too; rows are read by byte range when asked for. Memory: a bit for each marker.
 *
 * @throws FileFormatError E-GT-TRIO when it does not belong to a panel of this size
 */
export async function openDosages(source: ByteSource, sampleCount: number, markerCount: number): Promise<PanelDosages> {
  const head = Buffer.from(await source.read(0, HEAD_BYTES));
  if (head.subarray(0, 4).equals(POLYPLOID_MAGIC)) return openPolyploidDosages(source, sampleCount, markerCount);
  const isOurs = head.length === HEAD_BYTES && head.subarray(0, 4).equals(MAGIC);
  const [n, m, rowCount] = isOurs ? [4, 8, 12].map((at) => head.readUInt32LE(at)) : [-1, -1, 0];
  const rowsFrom = HEAD_BYTES + bitmapBytes(markerCount);
  const rowBytes = 2 * sampleCount;
  if (n !== sampleCount || m !== markerCount || source.size !== rowsFrom + rowCount * rowBytes) {
    throw new FileFormatError('E-GT-TRIO', {
      value: source.name,
      message: `The .dosage file does not belong to the .bed: it is not one of ${sampleCount} individuals and ${markerCount} markers.`,
      suggestion: 'Import the genotype again, or remove the .dosage file to use the nearest calls.',
    });
  }
  const bitmap = await source.read(HEAD_BYTES, bitmapBytes(markerCount));
  const has = (marker: number): boolean => ((bitmap[marker >> 3] >> (marker & 7)) & 1) === 1;
  const rowsBefore = new Int32Array(Math.ceil(markerCount / MARKERS_PER_COUNT) + 1);
  for (let marker = 0; marker < markerCount; marker++) {
    if (marker % MARKERS_PER_COUNT === 0)
      rowsBefore[marker / MARKERS_PER_COUNT + 1] = rowsBefore[marker / MARKERS_PER_COUNT];
    if (has(marker)) rowsBefore[Math.floor(marker / MARKERS_PER_COUNT) + 1]++;
  }
  return {
    markerCount: rowCount,
    callCount: head.readDoubleLE(16),
    has,
    hasFraction: has,
    async read(first, count): Promise<BlockDosages | undefined> {
      const counted = Math.floor(first / MARKERS_PER_COUNT);
      let firstRow = rowsBefore[counted];
      for (let marker = counted * MARKERS_PER_COUNT; marker < first; marker++) if (has(marker)) firstRow++;
      const rows = new Int32Array(count).fill(-1);
      let found = 0;
      for (let k = 0; k < count; k++) if (has(first + k)) rows[k] = found++;
      if (found === 0) return undefined;
      const values = new Uint16Array(found * sampleCount);
      const bytes = await source.read(rowsFrom + firstRow * rowBytes, found * rowBytes);
      if (bytes.length !== values.byteLength) {
        throw new FileFormatError('E-GT-TRIO', {
          value: source.name,
          message: `The .dosage file ends early: ${bytes.length} of ${values.byteLength} bytes could be read for marker ${first + 1}.`,
          suggestion: 'Import the genotype again.',
        });
      }
      new Uint8Array(values.buffer).set(bytes);
      return { rows, values };
    },
  };
}

function bitmapBytes(markerCount: number): number {
  return 2 * Math.ceil(markerCount / 16);
}

/** Gathers the dosages of a panel that is being written, in file order, and writes its `.dosage` file at the end. */
export class DosageRows {
  readonly #path: string;
  readonly #sampleCount: number;
  readonly #markers = new GrowingInt32();
  /** Sum of the units of each row. */
  readonly #sums = new GrowingFloat64();
  #callCount = 0;
  #handle: FileHandle | null = null;
  #block = new Uint8Array(0);
  #blockLength = 0;
  #written = 0;

  /** @param path of a temporary file for the rows, made when the first one comes */
  constructor(path: string, sampleCount: number) {
    this.#path = path;
    this.#sampleCount = sampleCount;
  }

  get markerCount(): number {
    return this.#markers.length;
  }

  get callCount(): number {
    return this.#callCount;
  }

  /** Each marker with fractions (in file order) and the sum of its dosages in units. */
  *sums(): Generator<[marker: number, sum: number]> {
    for (let row = 0; row < this.#markers.length; row++) yield [this.#markers.at(row), this.#sums.at(row)];
  }

  /** Takes the dosages of marker `marker` in units if one of them is a fraction. */
  add(marker: number, units: Uint16Array): void {
    let fractions = 0;
    let sum = 0;
    for (let i = 0; i < units.length; i++) {
      if (isFraction(units[i])) fractions++;
      if (units[i] <= 0x8000) sum += units[i];
    }
    if (fractions === 0) return;
    this.#markers.push(marker);
    this.#sums.push(sum);
    this.#callCount += fractions;
    const bytes = new Uint8Array(units.buffer, units.byteOffset, units.byteLength);
    if (this.#blockLength + bytes.length > this.#block.length) {
      const larger = new Uint8Array(2 * (this.#blockLength + bytes.length));
      larger.set(this.#block.subarray(0, this.#blockLength));
      this.#block = larger;
    }
    this.#block.set(bytes, this.#blockLength);
    this.#blockLength += bytes.length;
  }

  /** Writes waiting rows once there are enough of them. */
  async drain(): Promise<void> {
    if (this.#blockLength >= WRITE_BLOCK_BYTES) await this.#flush();
  }

  async #flush(): Promise<void> {
    if (this.#blockLength === 0) return;
    this.#handle ??= await open(this.#path, 'w+');
    await writeAll(this.#handle, this.#block.subarray(0, this.#blockLength), this.#written);
    this.#written += this.#blockLength;
    this.#blockLength = 0;
  }

  /** Writes the `.dosage` file; `order` gives the markers in the order of the `.bim`, null for file order. */
  async write(path: string, markerCount: number, order: Uint32Array | null): Promise<void> {
    await this.#flush();
    const rowOf = new Int32Array(markerCount).fill(-1);
    for (let row = 0; row < this.#markers.length; row++) rowOf[this.#markers.at(row)] = row;
    const head = Buffer.alloc(HEAD_BYTES + bitmapBytes(markerCount));
    MAGIC.copy(head);
    head.writeUInt32LE(this.#sampleCount, 4);
    head.writeUInt32LE(markerCount, 8);
    head.writeUInt32LE(this.#markers.length, 12);
    head.writeDoubleLE(this.#callCount, 16);
    const wanted = new Uint32Array(this.#markers.length);
    let found = 0;
    for (let place = 0; place < markerCount; place++) {
      const row = rowOf[order === null ? place : order[place]];
      if (row < 0) continue;
      head[HEAD_BYTES + (place >> 3)] |= 1 << (place & 7);
      wanted[found++] = row;
    }
    const rowBytes = 2 * this.#sampleCount;
    const handle = await open(path, 'w');
    try {
      await writeAll(handle, head, 0);
      const rowsInGroup = Math.max(1, Math.floor((8 << 20) / Math.max(1, rowBytes)));
      const group = new Uint8Array(rowsInGroup * rowBytes);
      for (let first = 0; first < wanted.length && this.#handle !== null; first += rowsInGroup) {
        const rows = wanted.subarray(first, first + rowsInGroup);
        await gatherRows(this.#handle, rows, { rowBytes, from: 0 }, group);
        await writeAll(handle, group.subarray(0, rows.length * rowBytes), head.length + first * rowBytes);
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
