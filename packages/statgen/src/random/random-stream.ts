import { sha256Words } from './sha256.ts';

/**
 * A seeded stream of random numbers. The same seed and keys give the same numbers on every machine and in every
 * release; streams with different keys are independent, so that spreading work over processes changes no result.
 *
 * Generator: xoshiro128++ 1.0 (Blackman & Vigna 2021, ACM TOMS 47:36, doi:10.1145/3460772), 32-bit words, period
 * 2^128 − 1. Its state is the first 16 bytes (little-endian words) of SHA-256 over `JSON.stringify([seed,
 * ...keys].map(String))`.
 */
export class RandomStream {
  private s0: number;
  private s1: number;
  private s2: number;
  private s3: number;
  /** Second deviate of the polar method, kept for the next call of `normal`; NaN when there is none. */
  private spareNormal = Number.NaN;

  constructor(s0: number, s1: number, s2: number, s3: number) {
    if ((s0 | s1 | s2 | s3) === 0) throw new RangeError('the state of a random stream must not be all zero');
    this.s0 = s0 | 0;
    this.s1 = s1 | 0;
    this.s2 = s2 | 0;
    this.s3 = s3 | 0;
  }

  /** The next 32 random bits as an integer 0 … 2^32 − 1. */
  uint32(): number {
    const sum = (this.s0 + this.s3) | 0;
    const result = (((sum << 7) | (sum >>> 25)) + this.s0) | 0;
    const shifted = this.s1 << 9;
    this.s2 ^= this.s0;
    this.s3 ^= this.s1;
    this.s1 ^= this.s2;
    this.s0 ^= this.s3;
    this.s2 ^= shifted;
    this.s3 = (this.s3 << 11) | (this.s3 >>> 21);
    return result >>> 0;
  }

  /** Uniform on [0, 1) with 53 random bits. */
  uniform(): number {
    const high = this.uint32() >>> 5;
    const low = this.uint32() >>> 6;
    return (high * 67_108_864 + low) / 9_007_199_254_740_992;
  }

  /**
   * Uniform integer 0 … n − 1, without modulo bias (redraws values from the incomplete last interval).
   *
   * @throws RangeError unless n is an integer from 1 to 2^32
   */
  nextInt(n: number): number {
    if (!Number.isInteger(n) || n < 1 || n > 4_294_967_296) {
      throw new RangeError(`a random integer needs a number of values between 1 and 2^32, not ${n}`);
    }
    const limit = 4_294_967_296 - (4_294_967_296 % n);
    let draw = this.uint32();
    while (draw >= limit) draw = this.uint32();
    return draw % n;
  }

  /** Standard normal deviate by the polar method (Marsaglia & Bray 1964, SIAM Review 6:260). */
  normal(): number {
    if (!Number.isNaN(this.spareNormal)) {
      const spare = this.spareNormal;
      this.spareNormal = Number.NaN;
      return spare;
    }
    let x = 0;
    let y = 0;
    let square = 0;
    do {
      x = 2 * this.uniform() - 1;
      y = 2 * this.uniform() - 1;
      square = x * x + y * y;
    } while (square >= 1 || square === 0);
    const factor = Math.sqrt((-2 * Math.log(square)) / square);
    this.spareNormal = y * factor;
    return x * factor;
  }

  /**
   * Poisson count by multiplying uniforms (Knuth, TAOCP 2, 3.4.1). A large mean is split into independent parts, whose
   * sum is again Poisson, so that exp(−mean) never underflows. Cost O(mean).
   *
   * @throws RangeError unless `mean` is finite and ≥ 0
   */
  poisson(mean: number): number {
    if (!(mean >= 0 && mean < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`the mean of a Poisson count must be a finite number of at least 0, not ${mean}`);
    }
    let count = 0;
    let rest = mean;
    while (rest > 0) {
      const part = Math.min(rest, POISSON_PART);
      const limit = Math.exp(-part);
      let product = this.uniform();
      while (product > limit) {
        count++;
        product *= this.uniform();
      }
      rest -= part;
    }
    return count;
  }

  /** Shuffles the values in place (Fisher & Yates; Durstenfeld 1964, CACM 7:420) and returns them. */
  shuffle<T extends { length: number; [index: number]: unknown }>(values: T): T {
    for (let i = values.length - 1; i > 0; i--) {
      const j = this.nextInt(i + 1);
      const swapped = values[i];
      values[i] = values[j];
      values[j] = swapped;
    }
    return values;
  }
}

/** Largest mean drawn at once: exp(−16) is far from underflow and each part stays short. */
const POISSON_PART = 16;

/**
 * A stream for `seed` and any further keys, for example `createRandomStream(seed, 'cross', 17)`.
 * Numbers, bigints and strings with the same printed form are the same key.
 *
 * @throws RangeError when the seed or a numeric key is not a finite number
 */
export function createRandomStream(seed: number | bigint, ...keys: (number | bigint | string)[]): RandomStream {
  for (const part of [seed, ...keys]) {
    if (typeof part === 'number' && !Number.isFinite(part)) {
      throw new RangeError(`a random stream needs finite numbers as seed and keys, not ${part}`);
    }
  }
  const [s0, s1, s2, s3] = sha256Words(JSON.stringify([seed, ...keys].map(String))).map(reversedBytes);
  return new RandomStream(s0, s1, s2, s3);
}

/** SHA-256 counts bytes of a word from its highest, the state of a stream from its lowest. */
const reversedBytes = (word: number): number =>
  (word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);
