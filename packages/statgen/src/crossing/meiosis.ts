import type { CrossingGenome } from './crossing-genome.ts';

/** Source of independent uniform numbers in [0, 1). */
export interface UniformSource {
  uniform(): number;
}

/**
 * One homolog of a plant as a list of segments: from marker `start[s]` to the next start, its alleles come from
 * parental haplotype `origin[s]` (0, 1 = female's first and second, 2, 3 = male's). `start[0]` is 0; adjacent segments
 * differ in origin.
 */
export interface Homolog {
  count: number;
  start: Int32Array;
  origin: Uint8Array;
}

const INITIAL_SEGMENTS = 64;

/** A homolog that is one complete parental haplotype. */
export function wholeHomolog(origin: number): Homolog {
  const homolog = { count: 1, start: new Int32Array(INITIAL_SEGMENTS), origin: new Uint8Array(INITIAL_SEGMENTS) };
  homolog.origin[0] = origin;
  return homolog;
}

/** The map as meiosis needs it: chromosomes laid end to end and a lookup table from position to marker. */
export interface MeiosisMap {
  chromosomeStart: Int32Array;
  /** Morgan from the start of the first chromosome to the end of each chromosome. */
  chromosomeEndMorgan: Float64Array;
  /** Position of each marker on the same scale, length `mappedCount`. */
  markerMorgan: Float64Array;
  cellsPerMorgan: number;
  /** Per cell of the scale, the first marker at or after the start of the cell. */
  firstMarker: Int32Array;
}

/** Cells of the position table per marker; with two, the search after the lookup takes about one step. */
const CELLS_PER_MARKER = 2;
const MIN_CELLS = 64;

/** Lays the chromosomes end to end, each from its first to its last marker; crossovers outside have no effect. */
export function createMeiosisMap(genome: CrossingGenome): MeiosisMap {
  const { chromosomeStart, positionMorgan, mappedCount } = genome;
  const chromosomes = chromosomeStart.length - 1;
  const chromosomeEndMorgan = new Float64Array(chromosomes);
  const markerMorgan = new Float64Array(mappedCount);
  let total = 0;
  for (let c = 0; c < chromosomes; c++) {
    const first = chromosomeStart[c];
    for (let j = first; j < chromosomeStart[c + 1]; j++) {
      markerMorgan[j] = total + (positionMorgan[j] - positionMorgan[first]);
    }
    total = markerMorgan[chromosomeStart[c + 1] - 1];
    chromosomeEndMorgan[c] = total;
  }
  const cells = Math.max(MIN_CELLS, CELLS_PER_MARKER * mappedCount);
  const cellsPerMorgan = total > 0 ? cells / total : 0;
  const firstMarker = new Int32Array(cells + 2);
  let marker = 0;
  for (let cell = 0; cell < firstMarker.length; cell++) {
    while (marker < mappedCount && markerMorgan[marker] * cellsPerMorgan < cell) marker++;
    firstMarker[cell] = marker;
  }
  return { chromosomeStart, chromosomeEndMorgan, markerMorgan, cellsPerMorgan, firstMarker };
}

/** First marker beyond a position, but at most `end`. */
export function markerAfter(map: MeiosisMap, positionMorgan: number, end: number): number {
  let marker = map.firstMarker[(positionMorgan * map.cellsPerMorgan) | 0];
  while (marker < end && map.markerMorgan[marker] <= positionMorgan) marker++;
  return marker;
}

/** Distance to the next crossover: exponential with mean one Morgan. */
export function crossoverGap(random: UniformSource): number {
  return -Math.log1p(-random.uniform());
}

/**
 * One meiosis without interference (Haldane): writes a gamete of the plant with homologs `a` and `b` into `gamete`.
 *
 * Crossovers are a Poisson process of rate one per Morgan along the chromosomes laid end to end (it is memoryless, so
 * it need not restart), and each chromosome begins with either homolog with probability ½. Cost O(crossovers +
 * segments).
 */
export function makeGamete(map: MeiosisMap, random: UniformSource, a: Homolog, b: Homolog, gamete: Homolog): void {
  const { chromosomeStart, chromosomeEndMorgan } = map;
  const chromosomes = chromosomeEndMorgan.length;
  gamete.count = 0;
  let next = crossoverGap(random);
  // Index in each homolog's list of the segment that contains the current marker.
  let cursorA = 0;
  let cursorB = 0;
  for (let c = 0; c < chromosomes; c++) {
    const endMarker = chromosomeStart[c + 1];
    const endMorgan = chromosomeEndMorgan[c];
    let fromA = random.uniform() < 0.5;
    let from = chromosomeStart[c];
    while (from < endMarker) {
      let to = endMarker;
      if (next < endMorgan) {
        to = markerAfter(map, next, endMarker);
        next += crossoverGap(random);
      }
      if (to > from) {
        if (fromA) cursorA = copySegments(a, cursorA, from, to, gamete);
        else cursorB = copySegments(b, cursorB, from, to, gamete);
        from = to;
      }
      fromA = !fromA;
    }
  }
  if (gamete.count === 0) appendSegment(gamete, 0, a.origin[0]);
}

/**
 * Appends the part [from, to) of a homolog; `cursor` is a segment at or before `from`. Returns the last segment
 * visited.
 */
function copySegments(source: Homolog, cursor: number, from: number, to: number, gamete: Homolog): number {
  let s = cursor;
  while (s + 1 < source.count && source.start[s + 1] <= from) s++;
  appendSegment(gamete, from, source.origin[s]);
  while (s + 1 < source.count && source.start[s + 1] < to) {
    s++;
    appendSegment(gamete, source.start[s], source.origin[s]);
  }
  return s;
}

/** Adds a segment behind the last one, unless it has the same origin. */
export function appendSegment(homolog: Homolog, start: number, origin: number): void {
  const { count } = homolog;
  if (count > 0 && homolog.origin[count - 1] === origin) return;
  if (count === homolog.start.length) grow(homolog);
  homolog.start[count] = start;
  homolog.origin[count] = origin;
  homolog.count = count + 1;
}

function grow(homolog: Homolog): void {
  const start = new Int32Array(homolog.start.length * 2);
  const origin = new Uint8Array(homolog.origin.length * 2);
  start.set(homolog.start);
  origin.set(homolog.origin);
  homolog.start = start;
  homolog.origin = origin;
}

/** Whether both homologs come from the same haplotypes everywhere: such a plant breeds true. */
export function areIdentical(a: Homolog, b: Homolog): boolean {
  if (a.count !== b.count) return false;
  for (let s = 0; s < a.count; s++) {
    if (a.start[s] !== b.start[s] || a.origin[s] !== b.origin[s]) return false;
  }
  return true;
}
