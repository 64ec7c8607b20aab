import { packedLength } from './packed-calls.ts';

export interface DuplicateSearch {
  sampleCount: number;
  /** Samples without a call, one entry a marker. */
  markerMissing: Int32Array;
  /** Copies of A2 among called samples, one entry a marker. */
  markerA2Copies: Int32Array;
  /** Reads the packed calls of one marker (ceil(n/4) bytes). */
  readRow(marker: number, into: Uint8Array): Promise<void> | void;
}

/** Two samples with (almost) the same calls; indices into the samples. */
export interface DuplicatePair {
  first: number;
  second: number;
  /** Share of equal calls among the markers called in both. */
  identity: number;
}

/** FORMATS §2: pairs with more than this identity. */
const MIN_IDENTITY = 0.99;
/** Markers compared: enough to tell 0.99 from the 0.9 of close sister lines, few enough for all pairs of a large panel. */
const COMPARED_MARKERS = 1024;
/** With fewer polymorphic markers unrelated lines can agree by chance. */
const MIN_MARKERS = 100;
const MIN_MAF = 0.05;
const WORDS = COMPARED_MARKERS / 32;
/** First look at a pair: this many words, and no pair of identity 0.99 has more differences there (P < 1e-6 for Binomial(128, 0.01)). */
const SCREEN_WORDS = 4;
const SCREEN_MAX_DIFFERENCES = 11;
/** All pairs of more samples than this would take minutes. */
const MAX_SAMPLES = 20_000;

/**
 * Pairs of samples whose calls agree in more than 99 % of up to 1,024 polymorphic markers (minor allele frequency ≥ 0.05) spread
 * evenly over the file; missing calls are left out of the comparison, and at least half of the markers must be called in both.
 * O(n²) with 4 word operations for most pairs. Empty when fewer than 100 markers qualify or above 20,000 samples.
 */
export async function findDuplicateGenotypes(search: DuplicateSearch): Promise<DuplicatePair[]> {
  const { sampleCount } = search;
  const markers = chosenMarkers(search);
  if (markers.length < MIN_MARKERS || sampleCount < 2 || sampleCount > MAX_SAMPLES) return [];

  const planes = newPlanes(sampleCount);
  const row = new Uint8Array(packedLength(sampleCount));
  for (const [k, marker] of markers.entries()) {
    await search.readRow(marker, row);
    addMarker(planes, k, row, sampleCount);
  }
  const pairs: DuplicatePair[] = [];
  for (let first = 0; first < sampleCount; first++) addPairsOf(first, planes, sampleCount, markers.length, pairs);
  return pairs;
}

/** Bit planes of the samples, {@link WORDS} words each: bit k of `low` and `high` is the two-bit code of the call at chosen marker k. */
interface Planes {
  low: Int32Array;
  high: Int32Array;
  called: Int32Array;
}

function newPlanes(sampleCount: number): Planes {
  const plane = () => new Int32Array(sampleCount * WORDS);
  return { low: plane(), high: plane(), called: plane() };
}

// The loops below are functions of their own, so that they are compiled once and not left and entered anew each turn.

function addMarker({ low, high, called }: Planes, k: number, row: Uint8Array, sampleCount: number): void {
  // Chosen markers are dealt out to the words in turn, so that the first words are spread over the genome too.
  const word = k % WORDS;
  const bit = 1 << Math.floor(k / WORDS);
  for (let i = 0; i < sampleCount; i++) {
    const code = (row[i >> 2] >> (2 * (i & 3))) & 3;
    const at = i * WORDS + word;
    if ((code & 1) !== 0) low[at] = low[at] | bit;
    if ((code & 2) !== 0) high[at] = high[at] | bit;
    if (code !== 1) called[at] = called[at] | bit;
  }
}

function addPairsOf(
  first: number,
  planes: Planes,
  sampleCount: number,
  markerCount: number,
  pairs: DuplicatePair[],
): void {
  const { called } = planes;
  for (let second = first + 1; second < sampleCount; second++) {
    if (differences(planes, first, second, SCREEN_WORDS) > SCREEN_MAX_DIFFERENCES) continue;
    const different = differences(planes, first, second, WORDS);
    let both = 0;
    for (let w = 0; w < WORDS; w++) both += bitCount(called[first * WORDS + w] & called[second * WORDS + w]);
    const identity = both === 0 ? 0 : 1 - different / both;
    if (identity > MIN_IDENTITY && both >= markerCount / 2) pairs.push({ first, second, identity });
  }
}

function differences({ low, high, called }: Planes, first: number, second: number, words: number): number {
  let count = 0;
  const a = first * WORDS;
  const b = second * WORDS;
  for (let w = 0; w < words; w++) {
    const differs = (low[a + w] ^ low[b + w]) | (high[a + w] ^ high[b + w]);
    count += bitCount(differs & called[a + w] & called[b + w]);
  }
  return count;
}

function chosenMarkers(search: DuplicateSearch): number[] {
  const { markerMissing, markerA2Copies, sampleCount } = search;
  const usable: number[] = [];
  for (let i = 0; i < markerMissing.length; i++) {
    const called = sampleCount - markerMissing[i];
    if (called < sampleCount / 2) continue;
    const frequency = markerA2Copies[i] / (2 * called);
    if (Math.min(frequency, 1 - frequency) >= MIN_MAF) usable.push(i);
  }
  if (usable.length <= COMPARED_MARKERS) return usable;
  return Array.from({ length: COMPARED_MARKERS }, (_, k) => usable[Math.floor((k * usable.length) / COMPARED_MARKERS)]);
}

function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
