import type { ByteSource } from '../../byte-source.ts';
import { GrowingFloat64 } from '../../growing-array.ts';
import { decodeText } from '../../text/line-blocks.ts';
import type { MarkerTable } from './genotype-panel.ts';
import type { AlleleOrder } from './packed-calls.ts';
import { addToRuns, type ChromosomeRun } from './panel-blocks.ts';
import { isForeign, parseBim } from './plink-panel.ts';

/** Where the markers of a `.bim` lie in it. */
export interface BimIndex {
  markerCount: number;
  runs: ChromosomeRun[];
  /** Markers `first` … `first + count − 1`: reads the lines from the mark before to the one after. */
  readMarkers(first: number, count: number): Promise<MarkerTable>;
}

/**
 * Markers between two marks of the index. Analyses read blocks of the same size, so they read no line that they do
 * not need.
 */
export const MARKERS_PER_MARK = 1024;
const BYTES_AT_ONCE = 1 << 20;

const LF = 10;
const TAB = 9;
const CR = 13;
/** The bit that tells small letters from capital ones. */
const LOWER_CASE = 0x20;
const DIGIT_0 = 48;
const DIGIT_9 = 57;
/** Whole numbers of up to this many digits are exact in a double. */
const MAX_DIGITS = 15;

/**
 * Goes through a `.bim` once: checks every line as `parseBim` does, finds the chromosomes, and notes where every
 * 1,024th marker begins. Keeps 8 bytes for each of these and nothing else, whatever the number of markers. Throws
 * FileFormatError E-GT-TRIO and E-GT-SAME-ALLELES with the line as `parseBim`.
 */
export async function indexBim(source: ByteSource, order: AlleleOrder): Promise<BimIndex> {
  const { name } = source;
  const marks = new GrowingFloat64();
  const runs: ChromosomeRun[] = [];
  let markerCount = 0;
  let linesBefore = 0;
  const latest = { name: '', bytes: new Uint8Array() };
  const line: BimLine = { isPlain: false, chromosomeEnd: 0, positionBp: 0, alleles: 0, lastAllele: 0 };
  const file = { name, order, isForeign: isForeign(order) };

  /** One line of a chunk, without its LF. */
  const takeLine = (chunk: Uint8Array, start: number, end: number, offset: number): void => {
    lookAt(chunk, start, end, line);
    if (!line.isPlain || hasOneAllele(chunk, line, end)) {
      const markers = parseBim(decodeText(chunk.subarray(start, end), ignoreLegacy), { ...file, linesBefore });
      if (markers.id.length === 0) return;
      latest.name = markers.chromosome[0];
      latest.bytes = Buffer.from(latest.name);
      line.positionBp = markers.positionBp[0];
    } else if (!isSame(chunk, start, line.chromosomeEnd, latest.bytes)) {
      latest.bytes = chunk.slice(start, line.chromosomeEnd);
      latest.name = decodeText(latest.bytes, ignoreLegacy);
    }
    if (markerCount % MARKERS_PER_MARK === 0) marks.push(offset + start);
    addToRuns(runs, latest.name, markerCount, line.positionBp);
    markerCount++;
  };

  for await (const { lines, offset } of chunksOfLines(source)) {
    for (let start = 0; start < lines.length; ) {
      const next = lines.indexOf(LF, start);
      const end = next < 0 ? lines.length : next;
      takeLine(lines, start, end, offset);
      linesBefore++;
      start = end + 1;
    }
  }

  return {
    markerCount,
    runs,
    async readMarkers(first, count) {
      if (first < 0 || count < 0 || first + count > markerCount) {
        throw new RangeError(`markers ${first} to ${first + count} of ${markerCount} asked for`);
      }
      if (count === 0) return parseBim('', { name, order });
      const firstMark = Math.floor(first / MARKERS_PER_MARK);
      const endMark = Math.ceil((first + count) / MARKERS_PER_MARK);
      const from = marks.at(firstMark);
      const to = endMark < marks.values.length ? marks.at(endMark) : source.size;
      const text = decodeText(await source.read(from, to - from), ignoreLegacy);
      const markers = parseBim(text, { name, order });
      const skipped = first - firstMark * MARKERS_PER_MARK;
      return skipped === 0 && markers.id.length === count ? markers : partOf(markers, skipped, skipped + count);
    },
  };
}

/** A line of a `.bim`, and the place of its marker among all. */
export interface FoundMarker {
  line: string;
  place: number;
}

/**
 * Finds a marker by the name in its second column: reads the `.bim` up to its line, and keeps one chunk of it. For a
 * file of our own, in which every line is a marker.
 */
export async function findMarker(source: ByteSource, marker: string): Promise<FoundMarker | null> {
  const name = Buffer.from(`\t${marker}\t`);
  let place = 0;
  for await (const { lines } of chunksOfLines(source)) {
    const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.length);
    let start = 0;
    for (let at = bytes.indexOf(name); ; at = bytes.indexOf(name, at + 1)) {
      const before = at < 0 ? bytes.length : at;
      for (let next = bytes.indexOf(LF, start); next >= 0 && next < before; next = bytes.indexOf(LF, start)) {
        start = next + 1;
        place++;
      }
      if (at < 0) break;
      if (bytes.subarray(start, at).includes(TAB)) continue;
      const end = bytes.indexOf(LF, at);
      return { line: bytes.toString('utf8', start, end < 0 ? bytes.length : end), place };
    }
  }
  return null;
}

/** The bytes of a file in chunks of whole lines, and where each begins. */
async function* chunksOfLines(source: ByteSource): AsyncGenerator<{ lines: Uint8Array; offset: number }> {
  let length = BYTES_AT_ONCE;
  for (let offset = 0; offset < source.size; ) {
    const chunk = await source.read(offset, length);
    const isLast = offset + chunk.length >= source.size || chunk.length === 0;
    const end = isLast ? chunk.length : chunk.lastIndexOf(LF) + 1;
    if (end > 0) yield { lines: chunk.subarray(0, end), offset };
    if (isLast) return;
    // The line is longer than the chunk: read a longer chunk.
    length = end === 0 ? 2 * length : BYTES_AT_ONCE;
    offset += end;
  }
}

/** What is known of a line without making texts of it. */
interface BimLine {
  /** Six tab-separated fields, the fourth made of digits only. */
  isPlain: boolean;
  chromosomeEnd: number;
  positionBp: number;
  /** Where the fifth and the sixth field begin. */
  alleles: number;
  lastAllele: number;
}

/** Whether the alleles of a plain line are the same but for the case of letters, which `parseBim` judges. */
function hasOneAllele(chunk: Uint8Array, { alleles, lastAllele }: BimLine, end: number): boolean {
  const length = lastAllele - 1 - alleles;
  for (let k = 0; k < length; k++) if (((chunk[alleles + k] ^ chunk[lastAllele + k]) & ~LOWER_CASE) !== 0) return false;
  return end - lastAllele === length || (end - lastAllele === length + 1 && chunk[end - 1] === CR);
}

/** The usual line: six tab-separated fields, the fourth made of digits only. `parseBim` handles all others. */
function lookAt(chunk: Uint8Array, start: number, end: number, line: BimLine): void {
  let tabs = 0;
  let position = 0;
  let digits = 0;
  let isPlain = true;
  for (let at = start; at < end; at++) {
    const byte = chunk[at];
    if (byte === TAB) {
      tabs++;
      if (tabs === 1) line.chromosomeEnd = at;
      else if (tabs === 4) line.alleles = at + 1;
      else if (tabs === 5) line.lastAllele = at + 1;
    } else if (tabs === 3) {
      if (byte >= DIGIT_0 && byte <= DIGIT_9 && digits++ < MAX_DIGITS) position = 10 * position + byte - DIGIT_0;
      else isPlain = false;
    }
  }
  line.isPlain = isPlain && tabs === 5 && digits > 0;
  line.positionBp = position;
}

function isSame(chunk: Uint8Array, start: number, end: number, bytes: Uint8Array): boolean {
  if (end - start !== bytes.length) return false;
  for (let at = start; at < end; at++) if (chunk[at] !== bytes[at - start]) return false;
  return true;
}

/** Markers `first` … `end − 1` of a table. */
export function partOf({ id, chromosome, positionBp, a1, a2 }: MarkerTable, first: number, end: number): MarkerTable {
  return {
    id: id.slice(first, end),
    chromosome: chromosome.slice(first, end),
    positionBp: positionBp.slice(first, end),
    a1: a1.slice(first, end),
    a2: a2.slice(first, end),
  };
}

/** Names that are not UTF-8 are read as windows-1252, here as everywhere. */
const ignoreLegacy = (): void => {};
