/**
 * SHA-256 (FIPS 180-4, section 6.2) of a text in UTF-8, as its eight 32-bit words, signed. Plain arithmetic, so that
 * seeds mean the same in Node and in a browser, whose own digest answers only later.
 */
export function sha256Words(text: string): Int32Array {
  const bytes = new TextEncoder().encode(text);
  // A one bit, zeros, and the length in bits at the end of a block of 64 bytes.
  const blocks = Math.floor((bytes.length + 8) / 64) + 1;
  const padded = new Uint8Array(64 * blocks);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length << 3);
  const hash = Int32Array.from(FIRST_HASH);
  const schedule = new Int32Array(64);
  for (let block = 0; block < blocks; block++) {
    for (let t = 0; t < 16; t++) schedule[t] = view.getInt32(64 * block + 4 * t);
    compress(hash, schedule);
  }
  return hash;
}

/** One round of the hash over the first 16 words of the schedule, which it extends. */
function compress(hash: Int32Array, w: Int32Array): void {
  for (let t = 16; t < 64; t++) {
    const [x, y] = [w[t - 15], w[t - 2]];
    const s0 = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
    const s1 = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  let [a, b, c, d, e, f, g, h] = hash;
  for (let t = 0; t < 64; t++) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const first = (h + s1 + ((e & f) ^ (~e & g)) + CONSTANTS[t] + w[t]) | 0;
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, k) => {
    hash[k] += word;
  });
}

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** First 32 bits of the fractional parts of the square roots of the first 8 primes, and of the cube roots of 64. */
const PRIMES = Array.from({ length: 312 }, (_, n) => n).filter(
  (n) => n > 1 && !Array.from({ length: n }, (_, k) => k).some((k) => k > 1 && n % k === 0),
);
const fraction = (root: number): number => Math.floor((root % 1) * 2 ** 32);
const FIRST_HASH = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const CONSTANTS = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
