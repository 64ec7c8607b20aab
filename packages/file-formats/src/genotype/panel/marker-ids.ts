import { GrowingFloat64, GrowingInt32 } from '../../growing-array.ts';

const NO_ID = -1;

/**
 * Ids of markers in file order: UTF-8 bytes side by side and, once all are there, a hash table over them. A million
 * ids take some 30 MB where strings and a `Map` take 150, and leave nothing to the garbage collector.
 */
export class MarkerIds {
  #bytes = Buffer.allocUnsafe(1 << 16);
  #used = 0;
  readonly #starts = new GrowingFloat64();
  /** In bytes, {@link NO_ID} for a marker without one. */
  readonly #lengths = new GrowingInt32();
  /** Markers by the hash of their id, −1 where free; at most half of it is used. Linear probing. */
  #slots = new Int32Array(0);

  get length(): number {
    return this.#lengths.length;
  }

  /** Adds a marker and its id, null for none. */
  push(id: string | null): void {
    this.#starts.push(this.#used);
    this.#lengths.push(id === null ? NO_ID : this.#append(id));
  }

  /**
   * Makes the table, once all markers are there. A marker whose id an earlier one has is left without; `onTaken` is
   * told of both.
   */
  index(onTaken: (marker: number, earlier: number, id: string) => void): void {
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * Math.max(1, this.length)))).fill(-1);
    for (let marker = 0; marker < this.length; marker++) {
      if (!this.hasId(marker)) continue;
      const earlier = this.#take(marker);
      if (earlier < 0) continue;
      const id = this.at(marker) ?? '';
      this.#lengths.set(marker, NO_ID);
      onTaken(marker, earlier, id);
    }
  }

  /** Gives a marker without an id one, unless another marker has it; the table must be there. */
  assign(marker: number, id: string): boolean {
    this.#starts.set(marker, this.#used);
    this.#lengths.set(marker, this.#append(id));
    if (this.#take(marker) < 0) return true;
    this.#lengths.set(marker, NO_ID);
    return false;
  }

  hasId(marker: number): boolean {
    return this.#lengths.at(marker) !== NO_ID;
  }

  /** Null for a marker without an id. */
  at(marker: number): string | null {
    return this.hasId(marker) ? this.#bytes.toString('utf8', this.startOf(marker), this.endOf(marker)) : null;
  }

  /** Bytes of all ids; valid until the next call that adds one. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Where a marker's id begins in `bytes`. */
  startOf(marker: number): number {
    return this.#starts.at(marker);
  }

  /** Where it ends; at its start for a marker without an id. */
  endOf(marker: number): number {
    return this.#starts.at(marker) + Math.max(0, this.#lengths.at(marker));
  }

  /** Returns the length in bytes. */
  #append(id: string): number {
    const most = this.#used + 3 * id.length;
    if (most > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(2 * most);
      this.#bytes.copy(larger, 0, 0, this.#used);
      this.#bytes = larger;
    }
    const start = this.#used;
    for (let i = 0; i < id.length; i++) {
      const unit = id.charCodeAt(i);
      if (unit > 127) {
        this.#used = start + this.#bytes.write(id, start, 'utf8');
        return this.#used - start;
      }
      this.#bytes[start + i] = unit;
    }
    this.#used += id.length;
    return id.length;
  }

  /** Enters the marker into the table unless its id is there; returns the marker that has it, −1 when none had. */
  #take(marker: number): number {
    const slots = this.#slots;
    const bytes = this.#bytes;
    const start = this.startOf(marker);
    const end = this.endOf(marker);
    // FNV-1a, its high bits folded into the low ones that choose the slot.
    let hash = 0x811c9dc5;
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
    const last = slots.length - 1;
    for (let slot = (hash ^ (hash >>> 15)) & last; ; slot = (slot + 1) & last) {
      const other = slots[slot];
      if (other < 0) {
        slots[slot] = marker;
        return -1;
      }
      if (this.#isEqual(other, start, end)) return other;
    }
  }

  #isEqual(marker: number, start: number, end: number): boolean {
    const offset = this.startOf(marker) - start;
    if (this.endOf(marker) - end !== offset) return false;
    for (let i = start; i < end; i++) if (this.#bytes[i] !== this.#bytes[i + offset]) return false;
    return true;
  }
}
