import { GrowingFloat64, GrowingInt32 } from './growing-array.ts';

const NO_ID = -1;

/**
 * Ids of markers in file order: UTF-8 bytes side by side, and a hash table over them that finds a marker by its id. A million ids take
 * some 30 MB where strings and a `Map` take 150, and leave nothing to the garbage collector.
 */
export class MarkerIds {
  #bytes = Buffer.allocUnsafe(1 << 16);
  #used = 0;
  readonly #starts = new GrowingFloat64();
  /** In bytes, {@link NO_ID} for a marker without one. */
  readonly #lengths = new GrowingInt32();
  /** Markers by the hash of their id, −1 where free; at most half of it is used. Linear probing. */
  #slots = new Int32Array(1 << 16).fill(-1);
  #taken = 0;
  /** The id being looked up. */
  #text = Buffer.allocUnsafe(256);
  #textLength = 0;

  get length(): number {
    return this.#lengths.length;
  }

  /**
   * Adds a marker and its id, null for none.
   *
   * @returns the marker that has this id already (then the new one is left without), −1 when there is none
   */
  push(id: string | null): number {
    const marker = this.length;
    if (id === null) {
      this.#pushEmpty();
      return -1;
    }
    let slot = this.#slotOf(id);
    const earlier = this.#slots[slot];
    if (earlier >= 0) {
      this.#pushEmpty();
      return earlier;
    }
    if (2 * ++this.#taken > this.#slots.length) {
      this.#grow();
      slot = this.#slotOf(id);
    }
    this.#slots[slot] = marker;
    this.#starts.push(this.#keepText());
    this.#lengths.push(this.#textLength);
    return -1;
  }

  has(id: string): boolean {
    return this.#slots[this.#slotOf(id)] >= 0;
  }

  /** Gives a marker without an id one that no other marker has. */
  assign(marker: number, id: string): void {
    if (2 * ++this.#taken > this.#slots.length) this.#grow();
    this.#slots[this.#slotOf(id)] = marker;
    this.#starts.set(marker, this.#keepText());
    this.#lengths.set(marker, this.#textLength);
  }

  hasId(marker: number): boolean {
    return this.#lengths.at(marker) !== NO_ID;
  }

  /** Null for a marker without an id. */
  at(marker: number): string | null {
    const length = this.#lengths.at(marker);
    if (length === NO_ID) return null;
    const start = this.#starts.at(marker);
    return this.#bytes.toString('utf8', start, start + length);
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

  #pushEmpty(): void {
    this.#starts.push(0);
    this.#lengths.push(NO_ID);
  }

  /** Appends the text that was looked up last; returns where it begins. */
  #keepText(): number {
    const start = this.#used;
    const end = start + this.#textLength;
    if (end > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(end, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, start);
      this.#bytes = larger;
    }
    const text = this.#text;
    const bytes = this.#bytes;
    for (let i = start, k = 0; i < end; i++, k++) bytes[i] = text[k];
    this.#used = end;
    return start;
  }

  /** Slot of the id, or the free one where it belongs. Leaves its bytes in `#text`. */
  #slotOf(id: string): number {
    this.#encode(id);
    const slots = this.#slots;
    const last = slots.length - 1;
    for (let slot = hashOf(this.#text, 0, this.#textLength) & last; ; slot = (slot + 1) & last) {
      const marker = slots[slot];
      if (marker < 0 || this.#isText(marker)) return slot;
    }
  }

  #encode(id: string): void {
    if (3 * id.length > this.#text.length) this.#text = Buffer.allocUnsafe(6 * id.length);
    const text = this.#text;
    let i = 0;
    for (; i < id.length; i++) {
      const unit = id.charCodeAt(i);
      if (unit > 127) break;
      text[i] = unit;
    }
    this.#textLength = i === id.length ? i : text.write(id, 'utf8');
  }

  #isText(marker: number): boolean {
    const length = this.#lengths.at(marker);
    if (length !== this.#textLength) return false;
    const start = this.#starts.at(marker);
    for (let i = 0; i < length; i++) if (this.#bytes[start + i] !== this.#text[i]) return false;
    return true;
  }

  #grow(): void {
    const markers = this.#slots;
    const slots = new Int32Array(2 * markers.length).fill(-1);
    const last = slots.length - 1;
    for (const marker of markers) {
      if (marker < 0) continue;
      const start = this.#starts.at(marker);
      let slot = hashOf(this.#bytes, start, start + this.#lengths.at(marker)) & last;
      while (slots[slot] >= 0) slot = (slot + 1) & last;
      slots[slot] = marker;
    }
    this.#slots = slots;
  }
}

/** FNV-1a, its high bits folded into the low ones that choose the slot. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
  return hash ^ (hash >>> 15);
}
