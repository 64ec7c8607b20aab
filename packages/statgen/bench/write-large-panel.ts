import { createCipheriv, createHash } from 'node:crypto';
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createRandomStream } from '../src/random/random-stream.ts';

const BED_MAGIC = Uint8Array.of(0x6c, 0x1b, 0x01);
const CHROMOSOMES = 10;
/** A multiple of the four calls of a byte, so that a family has the same place in every byte. */
const FAMILIES = 20;
/** Markers with an effect on the trait. */
const CAUSAL = 200;
/** Bytes of calls written at a time. */
const BLOCK_BYTES = 2 ** 25;
/** Values of a random byte. */
const VALUES = 256;

/**
 * Writes a seeded panel without missing calls as `name`.bed, .bim, .fam and `name`.csv (trait `y`), block by block: as
 * `simulatePanel`, individuals of 20 families whose allele frequencies differ. One random byte a call, drawn by a
 * cipher, so that a billion calls take seconds.
 */
export function writeLargePanel(folder: string, name: string, { n, markers }: { n: number; markers: number }): void {
  const stride = (n + 3) >> 2;
  const random = createRandomStream(1, 'large panel', n, markers);
  const draw = randomBytes(`large panel ${n} ${markers}`, 4 * stride);
  const perBlock = Math.max(1, Math.floor(BLOCK_BYTES / stride));
  const block = new Uint8Array(perBlock * stride);
  const table = new Uint8Array(FAMILIES * VALUES);
  const genetic = new Float64Array(n);
  const bed = openSync(join(folder, `${name}.bed`), 'w');
  try {
    writeSync(bed, BED_MAGIC);
    for (let first = 0; first < markers; first += perBlock) {
      const count = Math.min(perBlock, markers - first);
      for (let j = 0; j < count; j++) {
        fillTable(table, random);
        const calls = block.subarray(j * stride, (j + 1) * stride);
        writeCalls(calls, table, draw());
        if (n % 4 > 0) calls[stride - 1] &= (1 << (2 * (n % 4))) - 1;
        if ((first + j) % Math.ceil(markers / CAUSAL) === 0) addEffect(genetic, calls, random.normal());
      }
      writeAll(bed, block.subarray(0, count * stride));
    }
  } finally {
    closeSync(bed);
  }
  writeTables(folder, name, markers, traitOf(genetic, random));
}

/** A function that gives the next `count` random bytes, in the same memory every time. */
function randomBytes(seed: string, count: number): () => Uint8Array {
  const key = createHash('sha256').update(seed).digest();
  const cipher = createCipheriv('aes-128-ctr', key.subarray(0, 16), key.subarray(16));
  const zeros = new Uint8Array(count);
  return () => cipher.update(zeros);
}

/** The call of each family for each random byte, at its place in a byte of four calls. */
function fillTable(table: Uint8Array, random: ReturnType<typeof createRandomStream>): void {
  const common = 0.1 + 0.8 * random.uniform();
  for (let family = 0; family < FAMILIES; family++) {
    const p = Math.min(0.97, Math.max(0.03, common + 0.3 * (random.uniform() - 0.5)));
    const none = Math.round(VALUES * (1 - p) ** 2);
    const atMostOne = Math.round(VALUES * (1 - p * p));
    for (let value = 0; value < VALUES; value++) {
      const code = value < none ? 0 : value < atMostOne ? 2 : 3;
      table[family * VALUES + value] = code << (2 * (family % 4));
    }
  }
}

function writeCalls(calls: Uint8Array, table: Uint8Array, bytes: Uint8Array): void {
  let at = 0;
  for (let k = 0; k < calls.length; k++, at += 4) {
    const family = VALUES * ((4 * k) % FAMILIES);
    calls[k] =
      table[family + bytes[at]] |
      table[family + VALUES + bytes[at + 1]] |
      table[family + 2 * VALUES + bytes[at + 2]] |
      table[family + 3 * VALUES + bytes[at + 3]];
  }
}

/** Copies of A2 of the codes 00, 01, 10, 11. */
const COPIES = [0, 0, 1, 2];

function addEffect(genetic: Float64Array, calls: Uint8Array, effect: number): void {
  for (let i = 0; i < genetic.length; i++) genetic[i] += effect * COPIES[(calls[i >> 2] >> (2 * (i & 3))) & 3];
}

/** Half of the variance is noise. */
function traitOf(genetic: Float64Array, random: ReturnType<typeof createRandomStream>): Float64Array {
  const mean = genetic.reduce((sum, value) => sum + value, 0) / genetic.length;
  const sd = Math.sqrt(genetic.reduce((sum, value) => sum + (value - mean) ** 2, 0) / genetic.length);
  return genetic.map((value) => value + sd * random.normal());
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}

function writeTables(folder: string, name: string, markers: number, y: Float64Array): void {
  const perChromosome = Math.ceil(markers / CHROMOSOMES);
  const placeOf = (j: number): string =>
    `${Math.floor(j / perChromosome) + 1}\tM${j + 1}\t0\t${((j % perChromosome) + 1) * 100}`;
  const lines = (count: number, lineOf: (place: number) => string): string =>
    Array.from({ length: count }, (_, place) => `${lineOf(place)}\n`).join('');
  writeFileSync(
    join(folder, `${name}.bim`),
    lines(markers, (j) => `${placeOf(j)}\tA\tG`),
  );
  writeFileSync(
    join(folder, `${name}.fam`),
    lines(y.length, (i) => `I${i + 1} I${i + 1} 0 0 0 ${y[i]}`),
  );
  writeFileSync(join(folder, `${name}.csv`), `id,y\n${lines(y.length, (i) => `I${i + 1},${y[i]}`)}`);
}
