import { DOSAGE_UNITS, MISSING_DOSAGE } from '../../panel/dosages.ts';
import { packedLength, usedBits } from '../../panel/packed-calls.ts';
import type { AlleleCalls } from '../allele-calls.ts';
import { badPgen } from './pgen-header.ts';

// Categories of calls in a .pgen, two bits each, the first sample in the lowest.
const HET_CATEGORY = 1;
const ALT_CATEGORY = 2;
const MISSING_CATEGORY = 3;
/** Samples whose ids are stored one after the other; the first of them is stored whole. */
const GROUP = 64;

/** Calls of our panels by category, four of them a byte. */
const CALLS_OF_BYTE = byteTable([0, 2, 3, 1]);
const INVERTED_BYTE = byteTable([2, 1, 0, 3]);

function byteTable(ofCategory: readonly number[]): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) =>
    [0, 2, 4, 6].reduce((sum, shift) => sum | ((ofCategory[(byte >> shift) & 3] ?? 0) << shift), 0),
  );
}

/** Reads records of a `.pgen` in file order: some hold only what differs from a record before. */
export class PgenRecords {
  readonly #samples: number;
  /** Categories of the record read last. */
  readonly #track: Uint8Array;
  /** Those of the last record that was not compressed by LD. */
  readonly #base: Uint8Array;
  readonly #idBytes: number;
  #hasBase = false;
  #variant = -1;
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #ids = new Int32Array(GROUP);
  #idCount = 0;

  constructor(samples: number) {
    this.#samples = samples;
    this.#track = new Uint8Array(packedLength(samples));
    this.#base = new Uint8Array(packedLength(samples));
    this.#idBytes = samples <= 0x100 ? 1 : samples <= 0x10000 ? 2 : samples <= 0x1000000 ? 3 : 4;
  }

  /** Forgets what records before depend on: a new block of variants begins. */
  startBlock(): void {
    this.#hasBase = false;
  }

  /**
   * Starts on a record and reads its main track. Bits 0–2 of `type` say how that is stored: 0 as it is, 1 as one bit a
   * sample with exceptions, 2 and 3 as differences from an earlier record (inverted), 4, 6 and 7 as differences from
   * category 0, 2 or 3.
   */
  start(variant: number, type: number, bytes: Uint8Array): void {
    this.#variant = variant;
    this.#bytes = bytes;
    this.#at = 0;
    const form = type & 7;
    const track = this.#track;
    if (form === 0) track.set(this.#next(track.length));
    else if (form === 1) this.#readOneBit();
    else if (form === 2 || form === 3) this.#readDifferences(form === 3);
    else if (form === 5) throw this.#damaged();
    else {
      track.fill((form - 4) * 0b01010101);
      this.#applyDifferences();
    }
    const last = track.length - 1;
    if (last >= 0) track[last] &= usedBits(this.#samples);
    if (form === 2 || form === 3) return;
    this.#base.set(track);
    this.#hasBase = true;
  }

  #readOneBit(): void {
    const pair = this.#byte();
    const low = pair >> 2;
    const high = low + (pair & 3);
    if (high > 3 || high === low) throw this.#damaged();
    const bits = this.#next(Math.ceil(this.#samples / 8));
    const track = this.#track;
    track.fill(0);
    for (let i = 0; i < this.#samples; i++) {
      const category = (bits[i >> 3] >> (i & 7)) & 1 ? high : low;
      track[i >> 2] |= category << (2 * (i & 3));
    }
    this.#applyDifferences();
  }

  #readDifferences(isInverted: boolean): void {
    if (!this.#hasBase) throw this.#damaged();
    const track = this.#track;
    if (isInverted) for (let i = 0; i < track.length; i++) track[i] = INVERTED_BYTE[this.#base[i]];
    else track.set(this.#base);
    this.#applyDifferences();
  }

  /** A list of samples with their categories. */
  #applyDifferences(): void {
    const categories = this.#readIds(true);
    const track = this.#track;
    for (let k = 0; k < this.#idCount; k++) {
      const sample = this.#ids[k];
      const shift = 2 * (sample & 3);
      const category = (categories[k >> 2] >> (2 * (k & 3))) & 3;
      track[sample >> 2] = (track[sample >> 2] & ~(3 << shift)) | (category << shift);
    }
  }

  /** Reads an ascending list of samples into `#ids`; returns the categories stored with it, if any are. */
  #readIds(hasCategories: boolean): Uint8Array {
    const count = this.#varint();
    this.#idCount = count;
    if (count === 0) return this.#bytes.subarray(0, 0);
    if (count > this.#samples) throw this.#damaged();
    if (this.#ids.length < count) this.#ids = new Int32Array(this.#samples);
    const groups = Math.ceil(count / GROUP);
    const firsts = this.#next(groups * this.#idBytes);
    this.#next(groups - 1); // sizes of the groups, for those who skip some
    const categories = this.#next(hasCategories ? Math.ceil(count / 4) : 0);
    let id = -1;
    for (let k = 0; k < count; k++) {
      const before = id;
      if (k % GROUP === 0) {
        id = 0;
        for (let b = this.#idBytes - 1; b >= 0; b--) id = 256 * id + firsts[(k / GROUP) * this.#idBytes + b];
      } else id += this.#varint();
      if (id <= before || id >= this.#samples) throw this.#damaged();
      this.#ids[k] = id;
    }
    return categories;
  }

  /** The calls of two alleles, packed as panels have them. */
  packInto(row: Uint8Array): void {
    for (let i = 0; i < row.length; i++) row[i] = CALLS_OF_BYTE[this.#track[i]];
  }

  /** Calls of `alternatives` alleles beside the reference; patches (bit 3 of the type) name those after the first. */
  allelesInto(calls: AlleleCalls, alternatives: number, hasPatches: boolean): void {
    for (let i = 0; i < this.#samples; i++) {
      const category = this.#category(i);
      if (category === MISSING_CATEGORY) calls.setMissing(i);
      else calls.set(i, category === ALT_CATEGORY ? 1 : 0, category === 0 ? 0 : 1);
    }
    if (!hasPatches) return;
    const forms = this.#byte();
    const hetWidth =
      alternatives === 2 ? 0 : alternatives === 3 ? 1 : alternatives <= 5 ? 2 : alternatives <= 17 ? 4 : 8;
    const hets = this.#patched(HET_CATEGORY, forms & 15);
    const hetBits = this.#next(Math.ceil((hets.length * hetWidth) / 8));
    for (const [k, sample] of hets.entries())
      calls.set(sample, 0, this.#allele(2 + bitsAt(hetBits, k * hetWidth, hetWidth), alternatives));
    // Of two alternatives a bit tells the second allele beside the first, otherwise both are told.
    const isPair = alternatives > 2;
    const width = alternatives === 2 ? 1 : alternatives <= 4 ? 2 : alternatives <= 16 ? 4 : 8;
    const others = this.#patched(ALT_CATEGORY, forms >> 4);
    const bits = this.#next(Math.ceil((others.length * width * (isPair ? 2 : 1)) / 8));
    for (const [k, sample] of others.entries()) {
      const first = isPair ? 1 + bitsAt(bits, 2 * k * width, width) : 1 + bitsAt(bits, k, 1);
      const second = isPair ? 1 + bitsAt(bits, (2 * k + 1) * width, width) : 2;
      calls.set(sample, this.#allele(first, alternatives), this.#allele(second, alternatives));
    }
  }

  /** The samples of a category whose alleles are told apart. */
  #patched(category: number, form: number): Int32Array {
    if (form === 15) return new Int32Array(0);
    if (form === 1) {
      this.#readIds(false);
      return this.#ids.slice(0, this.#idCount);
    }
    if (form !== 0) throw this.#damaged();
    const ofCategory: number[] = [];
    for (let i = 0; i < this.#samples; i++) if (this.#category(i) === category) ofCategory.push(i);
    const bits = this.#next(Math.ceil(ofCategory.length / 8));
    return Int32Array.from(ofCategory.filter((_, k) => bitsAt(bits, k, 1) === 1));
  }

  #allele(allele: number, alternatives: number): number {
    if (allele > alternatives) throw this.#damaged();
    return allele;
  }

  /** Passes over the phase of heterozygous calls; returns how many have one. */
  skipPhase(): number {
    let hets = 0;
    for (let i = 0; i < this.#samples; i++) if (this.#category(i) === HET_CATEGORY) hets++;
    const head = this.#next(Math.ceil((1 + hets) / 8));
    if (bitsAt(head, 0, 1) === 0) return hets;
    let phased = 0;
    for (let k = 1; k <= hets; k++) phased += bitsAt(head, k, 1);
    this.#next(Math.ceil(phased / 8));
    return phased;
  }

  /** Dosages of a record of two alleles in units; bits 5 and 6 of the type say of which samples they are stored. */
  dosagesInto(units: Uint16Array, type: number): void {
    for (let i = 0; i < this.#samples; i++) {
      const category = this.#category(i);
      units[i] = category === MISSING_CATEGORY ? MISSING_DOSAGE : category * DOSAGE_UNITS;
    }
    const form = (type >> 5) & 3;
    let ids: ArrayLike<number> | null = null;
    if (form === 1) {
      this.#readIds(false);
      ids = this.#ids.subarray(0, this.#idCount);
    } else if (form === 3) {
      const bits = this.#next(Math.ceil(this.#samples / 8));
      ids = Array.from({ length: this.#samples }, (_, i) => i).filter((i) => bitsAt(bits, i, 1) === 1);
    }
    const count = ids === null ? this.#samples : ids.length;
    const values = this.#next(2 * count);
    for (let k = 0; k < count; k++) {
      const value = values[2 * k] | (values[2 * k + 1] << 8);
      if (value > 2 * DOSAGE_UNITS && value !== MISSING_DOSAGE) throw this.#damaged();
      units[ids === null ? k : (ids[k] ?? 0)] = value;
    }
  }

  #category(sample: number): number {
    return (this.#track[sample >> 2] >> (2 * (sample & 3))) & 3;
  }

  #byte(): number {
    return this.#next(1)[0] ?? 0;
  }

  /** A number in groups of seven bits, the lowest first. */
  #varint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.#byte();
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
    throw this.#damaged();
  }

  #next(length: number): Uint8Array {
    if (this.#at + length > this.#bytes.length) throw this.#damaged();
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  #damaged(): Error {
    return badPgen('A record of the .pgen file is damaged, or of a form that is not read.', this.#variant);
  }
}

/** `width` bits (0, 1, 2, 4 or 8) from bit `at`; they never lie in two bytes. */
const bitsAt = (bytes: Uint8Array, at: number, width: number): number =>
  width === 0 ? 0 : (bytes[at >> 3] >> (at & 7)) & ((1 << width) - 1);
