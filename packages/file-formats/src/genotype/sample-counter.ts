const EVEN_BITS = 0x55555555;
const NIBBLE_LOW = 0x33333333;
/** A two-bit lane holds three additions, a four-bit lane five times that. */
const ADDITIONS_PER_LANE = 3;
const SPILLS_PER_NIBBLE = 5;

/** Counts of one marker's calls. */
export interface CallCounts {
  missing: number;
  het: number;
  homA2: number;
}

/**
 * Counts missing and heterozygous calls of every sample and of every marker in one pass over packed rows.
 * Sample counts are kept in two- and four-bit lanes beside the packed layout and added to plain integers every fifteenth row, so a row
 * costs a few operations for sixteen samples. (Lane counters: H. Warren, Hacker's Delight, 2nd ed., chapter 5.)
 */
export class SampleCounter {
  readonly sampleMissing: Int32Array;
  readonly sampleHet: Int32Array;
  readonly counts: CallCounts = { missing: 0, het: 0, homA2: 0 };
  readonly #missingLanes: Lanes;
  readonly #hetLanes: Lanes;
  readonly #words: number;
  #rowsInLanes = 0;
  #spills = 0;

  constructor(sampleCount: number) {
    this.sampleMissing = new Int32Array(sampleCount);
    this.sampleHet = new Int32Array(sampleCount);
    this.#words = Math.ceil(sampleCount / 16);
    this.#missingLanes = newLanes(this.#words);
    this.#hetLanes = newLanes(this.#words);
  }

  /** Takes one marker: its packed calls as 32-bit words, unused bits zero. Its counts stand in `counts` until the next call. */
  add(row: Uint32Array): void {
    const missingPairs = this.#missingLanes.pairs;
    const hetPairs = this.#hetLanes.pairs;
    let missing = 0;
    let het = 0;
    let homA2 = 0;
    for (let i = 0; i < this.#words; i++) {
      const word = row[i];
      const low = word & EVEN_BITS;
      const high = (word >>> 1) & EVEN_BITS;
      const hetBits = high & ~low;
      const missingBits = low & ~high;
      hetPairs[i] = hetPairs[i] + hetBits;
      homA2 += bitCount(high & low);
      het += bitCount(hetBits);
      if (missingBits !== 0) {
        missingPairs[i] = missingPairs[i] + missingBits;
        missing += bitCount(missingBits);
      }
    }
    this.counts.missing = missing;
    this.counts.het = het;
    this.counts.homA2 = homA2;
    if (++this.#rowsInLanes === ADDITIONS_PER_LANE) this.#spillPairs();
  }

  /** Brings `sampleMissing` and `sampleHet` up to date. */
  finish(): void {
    this.#spillPairs();
    this.#spillNibbles();
  }

  #spillPairs(): void {
    this.#rowsInLanes = 0;
    for (const lanes of [this.#missingLanes, this.#hetLanes]) {
      const { pairs, nibbles } = lanes;
      for (let i = 0; i < pairs.length; i++) {
        const word = pairs[i];
        nibbles[2 * i] = nibbles[2 * i] + (word & NIBBLE_LOW);
        nibbles[2 * i + 1] = nibbles[2 * i + 1] + ((word >>> 2) & NIBBLE_LOW);
      }
      pairs.fill(0);
    }
    if (++this.#spills === SPILLS_PER_NIBBLE) this.#spillNibbles();
  }

  #spillNibbles(): void {
    this.#spills = 0;
    addNibbles(this.#missingLanes.nibbles, this.sampleMissing);
    addNibbles(this.#hetLanes.nibbles, this.sampleHet);
  }
}

interface Lanes {
  pairs: Uint32Array;
  /** Two words for each packed word: its even and its odd samples. */
  nibbles: Uint32Array;
}

function newLanes(words: number): Lanes {
  return { pairs: new Uint32Array(words), nibbles: new Uint32Array(2 * words) };
}

function addNibbles(nibbles: Uint32Array, totals: Int32Array): void {
  for (let i = 0; i < nibbles.length; i++) {
    let word = nibbles[i];
    const first = 16 * (i >> 1) + (i & 1);
    for (let sample = first; word !== 0; sample += 2, word >>>= 4) totals[sample] = totals[sample] + (word & 15);
  }
  nibbles.fill(0);
}

/** Number of set bits among the even positions of a word (0 to 16). */
function bitCount(evenBits: number): number {
  const nibbles = (evenBits & NIBBLE_LOW) + ((evenBits >>> 2) & NIBBLE_LOW);
  const bytes = (nibbles + (nibbles >>> 4)) & 0x0f0f0f0f;
  return Math.imul(bytes, 0x01010101) >>> 24;
}
