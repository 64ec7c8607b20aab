export interface DuplicateSearch {
  sampleCount: number;
  /** Samples without a call, one entry a marker. */
  markerMissing: Int32Array;
  /** Copies of A2 among called samples, one entry a marker. */
  markerA2Copies: Int32Array;
  /**
   * Bits of a call in the rows, from the lowest of a byte up: 2 as in a `.bed` (default), or 4 as in the `.dosage` of
   * polyploids.
   */
  bits?: 2 | 4;
  /** Reads the calls of `count` markers from `marker` on, count × ceil(n · bits/8) bytes. */
  readRows(marker: number, count: number, into: Uint8Array): Promise<void> | void;
}

/** Bytes of a row of calls. */
const rowLength = ({ sampleCount, bits = 2 }: DuplicateSearch): number => Math.ceil((sampleCount * bits) / 8);

/** Two samples with (almost) the same calls; indices into the samples. */
export interface DuplicatePair {
  first: number;
  second: number;
  /** Share of equal calls among the markers called in both. */
  identity: number;
}

/** What a search has compared, and what it has found. */
export interface DuplicateGenotypes {
  /** In ascending order of `first`, then `second`. */
  pairs: DuplicatePair[];
  /** Markers compared: those with both alleles that are called in at least half of the samples. */
  markers: number;
  /**
   * Pairs that were compared at no more than 1,024 of these markers and given up because too many came into question.
   */
  unverified: number;
  /** Why there was no search. */
  skipped: 'few-markers' | 'many-samples' | null;
}

/** Without pairs of different ploidy: as many copies are not the same genotype there. */
export function withinPloidy(found: DuplicateGenotypes, ploidies: Uint8Array | null | undefined): DuplicateGenotypes {
  if (ploidies == null) return found;
  return { ...found, pairs: found.pairs.filter(({ first, second }) => ploidies[first] === ploidies[second]) };
}

/** Pairs with more than this identity are reported. */
const MIN_IDENTITY = 0.99;
/** With fewer polymorphic markers unrelated lines can agree by chance. */
const MIN_MARKERS = 100;
/** Markers of the sketch in which every pair is looked at. */
const SKETCH_MARKERS = 1024;
const SKETCH_WORDS = SKETCH_MARKERS / 32;
/**
 * Most differences in the sketch of a pair that is looked at further. A pair with at most 1 % of differences among
 * all markers has more in 1,024 markers drawn without replacement with a probability below exp(−1024·KL(45/1024 ‖
 * 0.01)) = 8e-15 (Hoeffding 1963, J Am Stat Assoc 58:13, theorems 1 and 4).
 */
const SKETCH_MAX_DIFFERENCES = 44;
/** Pairs that are compared at all markers; beyond, those with the fewest differences in the sketch. */
const MAX_CANDIDATES = 1_000_000;
/** The sketch of all pairs of more samples than this would take minutes. */
const MAX_SAMPLES = 50_000;
/** Markers compared at a time when candidates are verified; whole words. */
const MARKERS_PER_BLOCK = 1024;

/**
 * Pairs of samples whose calls agree in more than 99 % of the markers called in both, among all markers with both
 * alleles that are called in at least half of the samples; both samples must be called at half of these. In polyploids
 * calls agree that have the same number of copies, the nearest one to a fraction.
 *
 * Every pair is compared at 1,024 of these markers, drawn at random with a fixed seed; those that come into question
 * are then compared at all of them, so that no pair is reported wrongly, and one is missed with a probability below
 * 1e-14. O(n²) with a few word operations for most pairs, then one pass over the calls. Memory: 3·1,024 bits a sample
 * and 16 bytes a candidate.
 */
export async function findDuplicateGenotypes(search: DuplicateSearch): Promise<DuplicateGenotypes> {
  const { sampleCount } = search;
  const usable = usableMarkers(search);
  const nothing = { pairs: [], markers: usable.length, unverified: 0 };
  if (usable.length < MIN_MARKERS) return { ...nothing, skipped: 'few-markers' };
  if (sampleCount > MAX_SAMPLES) return { ...nothing, skipped: 'many-samples' };
  const candidates = await sketchedCandidates(search, usable);
  const pairs = await verified(search, usable, candidates);
  return { pairs, markers: usable.length, unverified: candidates.givenUp, skipped: null };
}

/** Pairs as columns; `different` and `both` count over the markers compared so far. */
interface Candidates {
  count: number;
  first: Int32Array;
  second: Int32Array;
  different: Int32Array;
  both: Int32Array;
  givenUp: number;
}

/**
 * Bit planes of samples, `words` each: bit k of `low` and `high` is the two-bit code of the call at marker k, and of
 * `further` what more bits it has in polyploids.
 */
interface Planes {
  words: number;
  low: Int32Array;
  high: Int32Array;
  further: Int32Array[];
  called: Int32Array;
}

function newPlanes(samples: number, words: number, bits: number): Planes {
  const plane = () => new Int32Array(samples * words);
  return { words, low: plane(), high: plane(), further: Array.from({ length: bits - 2 }, plane), called: plane() };
}

async function sketchedCandidates(search: DuplicateSearch, usable: Int32Array): Promise<Candidates> {
  const { sampleCount, bits = 2 } = search;
  const sketch = drawn(usable, SKETCH_MARKERS);
  const planes = newPlanes(sampleCount, SKETCH_WORDS, bits);
  const row = new Uint8Array(rowLength(search));
  const everybody = Int32Array.from({ length: sampleCount }, (_, i) => i);
  for (const [k, marker] of sketch.entries()) {
    await search.readRows(marker, 1, row);
    // Dealt out to the words in turn: the order is that of the file, and the first words are to be spread over the
    // genome.
    addMarker(planes, k % SKETCH_WORDS, Math.floor(k / SKETCH_WORDS), row, 0, everybody);
  }
  const histogram = new Float64Array(SKETCH_MAX_DIFFERENCES + 1);
  for (let first = 0; first < sampleCount; first++) countSimilar(planes, first, sampleCount, histogram);
  let limit = -1;
  let count = 0;
  while (limit < SKETCH_MAX_DIFFERENCES && count + histogram[limit + 1] <= MAX_CANDIDATES) count += histogram[++limit];
  const candidates: Candidates = {
    count: 0,
    first: new Int32Array(count),
    second: new Int32Array(count),
    different: new Int32Array(count),
    both: new Int32Array(count),
    givenUp: histogram.reduce((sum, pairs) => sum + pairs, 0) - count,
  };
  if (count > 0) for (let i = 0; i < sampleCount; i++) takeSimilar(planes, i, sampleCount, limit, candidates);
  return candidates;
}

// The loops below are functions of their own, so that they are compiled once and not left and entered anew each turn.

function addMarker(
  { words, low, high, further, called }: Planes,
  word: number,
  place: number,
  packed: Uint8Array,
  offset: number,
  samples: Int32Array,
): void {
  const bit = 1 << place;
  const bits = further.length + 2;
  const [shift, last, mask] = bits === 2 ? [2, 3, 3] : [1, 1, 15];
  for (let i = 0, at = word; i < samples.length; i++, at += words) {
    const sample = samples[i];
    const code = (packed[offset + (sample >> shift)] >> (bits * (sample & last))) & mask;
    if ((code & 1) !== 0) low[at] = low[at] | bit;
    if ((code & 2) !== 0) high[at] = high[at] | bit;
    if (code !== 1) called[at] = called[at] | bit;
    for (let k = 0; k < further.length; k++) {
      if (((code >> (k + 2)) & 1) !== 0) further[k][at] = further[k][at] | bit;
    }
  }
}

function countSimilar(planes: Planes, first: number, sampleCount: number, histogram: Float64Array): void {
  for (let second = first + 1; second < sampleCount; second++) {
    const different = differences(planes, first, second, SKETCH_MAX_DIFFERENCES);
    if (different <= SKETCH_MAX_DIFFERENCES) histogram[different] = histogram[different] + 1;
  }
}

function takeSimilar(planes: Planes, first: number, sampleCount: number, limit: number, candidates: Candidates): void {
  for (let second = first + 1; second < sampleCount; second++) {
    if (differences(planes, first, second, limit) > limit) continue;
    candidates.first[candidates.count] = first;
    candidates.second[candidates.count] = second;
    candidates.count++;
  }
}

/** Markers called in both with different calls; counting ends early beyond `limit`. */
function differences(planes: Planes, first: number, second: number, limit: number): number {
  const { words, low, high, further, called } = planes;
  let count = 0;
  const a = first * words;
  const b = second * words;
  for (let w = 0; w < words && count <= limit; w++) {
    let differs = (low[a + w] ^ low[b + w]) | (high[a + w] ^ high[b + w]);
    for (const plane of further) differs |= plane[a + w] ^ plane[b + w];
    count += bitCount(differs & called[a + w] & called[b + w]);
  }
  return count;
}

/** Compares the candidates at all usable markers, block by block; a pair leaves once it has too many differences. */
async function verified(search: DuplicateSearch, usable: Int32Array, candidates: Candidates): Promise<DuplicatePair[]> {
  const { sampleCount, readRows, bits = 2 } = search;
  const rowBytes = rowLength(search);
  // 1 − different/both > 0.99 with both ≤ markers.
  const mostDifferent = (1 - MIN_IDENTITY) * usable.length;
  const blockRows = new Uint8Array(MARKERS_PER_BLOCK * rowBytes);
  const placeOf = new Int32Array(sampleCount);
  for (let from = 0; from < usable.length && candidates.count > 0; ) {
    // Rows between usable markers are read too: one long read is faster than many short ones.
    const start = usable[from];
    let to = from;
    while (to < usable.length && usable[to] < start + MARKERS_PER_BLOCK) to++;
    const samples = samplesOf(candidates, placeOf);
    const planes = newPlanes(samples.length, Math.ceil((to - from) / 32), bits);
    await readRows(start, usable[to - 1] - start + 1, blockRows);
    for (let k = from; k < to; k++) {
      const place = k - from;
      addMarker(planes, place >> 5, place & 31, blockRows, (usable[k] - start) * rowBytes, samples);
    }
    compareCandidates(candidates, planes, placeOf, mostDifferent);
    from = to;
  }
  const pairs: DuplicatePair[] = [];
  for (let pair = 0; pair < candidates.count; pair++) {
    const both = candidates.both[pair];
    const identity = both === 0 ? 0 : 1 - candidates.different[pair] / both;
    if (identity > MIN_IDENTITY && both >= usable.length / 2) {
      pairs.push({ first: candidates.first[pair], second: candidates.second[pair], identity });
    }
  }
  return pairs;
}

/** The samples in any candidate pair, ascending; `placeOf` gets the place of each. */
function samplesOf({ count, first, second }: Candidates, placeOf: Int32Array): Int32Array {
  placeOf.fill(0);
  for (let pair = 0; pair < count; pair++) {
    placeOf[first[pair]] = 1;
    placeOf[second[pair]] = 1;
  }
  const samples = new Int32Array(placeOf.length);
  let found = 0;
  for (let i = 0; i < placeOf.length; i++) {
    if (placeOf[i] === 0) continue;
    placeOf[i] = found;
    samples[found++] = i;
  }
  return samples.subarray(0, found);
}

function compareCandidates(
  candidates: Candidates,
  { words, low, high, further, called }: Planes,
  placeOf: Int32Array,
  mostDifferent: number,
): void {
  const { first, second, different, both } = candidates;
  let kept = 0;
  for (let pair = 0; pair < candidates.count; pair++) {
    const a = words * placeOf[first[pair]];
    const b = words * placeOf[second[pair]];
    let differing = different[pair];
    let called2 = both[pair];
    for (let w = 0; w < words; w++) {
      const shared = called[a + w] & called[b + w];
      let differs = (low[a + w] ^ low[b + w]) | (high[a + w] ^ high[b + w]);
      for (const plane of further) differs |= plane[a + w] ^ plane[b + w];
      called2 += bitCount(shared);
      differing += bitCount(differs & shared);
    }
    if (differing > mostDifferent) continue;
    first[kept] = first[pair];
    second[kept] = second[pair];
    different[kept] = differing;
    both[kept] = called2;
    kept++;
  }
  candidates.count = kept;
}

function usableMarkers({ markerMissing, markerA2Copies, sampleCount }: DuplicateSearch): Int32Array {
  const usable = new Int32Array(markerMissing.length);
  let count = 0;
  for (let i = 0; i < markerMissing.length; i++) {
    const called = sampleCount - markerMissing[i];
    if (called === 0 || called < sampleCount / 2) continue;
    if (markerA2Copies[i] > 0 && markerA2Copies[i] < 2 * called) usable[count++] = i;
  }
  return usable.subarray(0, count);
}

/**
 * `count` of the values without replacement, in their order (selection sampling; Knuth, TAOCP 2, algorithm 3.4.2 S).
 */
function drawn(values: Int32Array, count: number): Int32Array {
  const taken = new Int32Array(Math.min(count, values.length));
  const random = generator();
  let found = 0;
  for (let i = 0; found < taken.length; i++) {
    if ((values.length - i) * random() < taken.length - found) taken[found++] = values[i];
  }
  return taken;
}

/** Uniform numbers in [0, 1), always the same: xorshift32 (Marsaglia 2003, J Stat Softw 8:14). */
function generator(): () => number {
  let state = 0x9e3779b9;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
