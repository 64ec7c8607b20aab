import { UNKNOWN_ALLELE } from '../panel/marker-columns.ts';
import type { PanelWriter } from '../panel/panel-writer.ts';
import { MISSING_NIBBLE } from '../panel/polyploid-file.ts';
import type { Tally } from '../panel/tally.ts';
import { addDosages } from './add-dosages.ts';
import { letterSymbol } from './laboratory/letter-calls.ts';
import type { MatrixMarker } from './matrix-marker.ts';
import { valuesOfBytes } from './numeric-coding.ts';
import { countLetters } from './polyploid-letters.ts';

/** The cells of a matrix of polyploids by marker, as they were kept while it was read. */
export interface PolyploidRows {
  rows: AsyncIterable<Uint8Array>;
  markers: readonly MatrixMarker[];
  writer: PanelWriter;
  /** Whether the numbers of a marker differ. */
  hasBoth: (bytes: Uint8Array) => boolean;
  /** Markers of which one of the alleles named is none of the calls, and calls with another allele. */
  namedOnce: Tally;
  otherAllele: Tally;
  pause: (marker: number) => Promise<void>;
}

/** Adds numbers that are copies of A2; doubles where `isWide`, else bytes. */
export async function addCopiesOfRows(
  { rows, markers, writer, hasBoth, namedOnce, pause }: PolyploidRows,
  { ploidy, isWide }: { ploidy: number; isWide: boolean },
): Promise<void> {
  const ofByte = Uint8Array.from(valuesOfBytes(), (value) =>
    Number.isNaN(value) ? MISSING_NIBBLE : value === 0 ? 0 : value + 1,
  );
  const samples = writer.samples.length;
  const copies = new Float64Array(samples);
  const codes = new Uint8Array(samples);
  const calls = { ploidy, copies, codes: isWide ? null : codes, alleles: null, unphased: new Uint8Array(0) };
  let marker = 0;
  for await (const bytes of rows) {
    const { id, alleles, isNamed, ...place } = markers[marker++];
    const [a1 = UNKNOWN_ALLELE, a2 = UNKNOWN_ALLELE] = alleles;
    if (isNamed && alleles.length === 1 && hasBoth(bytes)) namedOnce.add(place.line);
    if (isWide) copies.set(new Float64Array(bytes.buffer, bytes.byteOffset, samples));
    else for (let i = 0; i < samples; i++) codes[i] = ofByte[bytes[i]];
    writer.addCopies({ ...place, id: id === '' ? null : id, a1, a2 }, calls);
    await pause(marker);
  }
}

/** Adds letters that are classes; returns the number of markers whose reference was chosen by frequency. */
export async function addLettersOfRows(
  { rows, markers, writer, namedOnce, otherAllele, pause }: PolyploidRows,
  ploidy: number,
): Promise<number> {
  const copies = new Float64Array(writer.samples.length);
  let unlisted = 0;
  let marker = 0;
  for await (const bytes of rows) {
    const { id, alleles: named, isNamed, ...place } = markers[marker++];
    const listed = named.map(letterSymbol).filter((symbol) => symbol > 0);
    const { others, ...alleles } = countLetters(bytes, ploidy, listed, copies);
    if (listed.length === 0 && alleles.a2 !== 'B') unlisted++;
    if (isNamed && listed.length < 2 && alleles.a2 !== UNKNOWN_ALLELE) namedOnce.add(place.line);
    if (others > 0) otherAllele.add(place.line, others);
    addDosages(writer, { ...place, id: id === '' ? null : id, ...alleles }, copies, ploidy);
    await pause(marker);
  }
  return unlisted;
}
