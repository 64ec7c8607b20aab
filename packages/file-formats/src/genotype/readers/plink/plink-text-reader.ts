import { type ZipArchive, zipEntrySource } from '../../../compression/zip-archive.ts';
import { columnLabel, FileFormatError, type ProblemCollector } from '../../../problem.ts';
import { decodeText, lineBlocks } from '../../../text/line-blocks.ts';
import { textLines } from '../../../text/text-lines.ts';
import { MAX_POSITION_BP } from '../../panel/marker-position.ts';
import type { PanelWriter } from '../../panel/panel-writer.ts';
import { individualNames } from '../../panel/plink-panel.ts';
import { counted, Tally } from '../../panel/tally.ts';
import { AlleleCalls, type MultiallelicRule, reportMultiallelic } from '../allele-calls.ts';
import { CallMatrixFile } from '../call-matrix-file.ts';
import { resolveAlleles } from '../resolve-alleles.ts';
import { RowProblems } from '../row-problems.ts';
import { readEntryText, soleEntry } from '../zip-entries.ts';
import type { PlinkReadOptions } from './plink-binary-reader.ts';

export interface PlinkTextOptions extends PlinkReadOptions {
  multiallelic: MultiallelicRule;
  maxLineBytes: number;
  /** Where the calls wait until all individuals are read. */
  temporaryPath: string;
}

/** Columns of a `.ped` before the alleles: FID IID father mother sex phenotype. */
const LEAD_COLUMNS = 6;
const LF = 10;
const BLANK = 0x20;
/** Alleles are kept as one byte each. */
const MAX_ALLELE_NAMES = 255;

interface MapMarker {
  id: string;
  chromosome: string;
  positionBp: number;
  line: number;
}

/**
 * Reads `.ped` and `.map` of a zip archive into a panel. Alleles keep their names (ACGT, 1234, AB, …), 0 is missing;
 * the more frequent allele becomes A1, the other is counted. FID is used only where an IID repeats. Throws {@link
 * FileFormatError} E-GT-TRIO when a file is missing.
 */
export async function readPlinkText(
  zip: ZipArchive,
  writer: PanelWriter,
  problems: ProblemCollector,
  options: PlinkTextOptions,
): Promise<void> {
  const ped = soleEntry(zip, '.ped', 'E-GT-TRIO');
  const map = soleEntry(zip, '.map', 'E-GT-TRIO');
  const markers = parseMap(await readEntryText(zip, map, options), map, problems);
  await writer.makeFolder();
  const file = await CallMatrixFile.create(options.temporaryPath, 2 * markers.length);
  try {
    const source = zipEntrySource(zip, ped, options.maxInflatedBytes);
    const people = new PedRows(markers, file, problems, options);
    const { maxInflatedBytes, maxLineBytes, signal } = options;
    const onRead = (done: number) => options.onProgress?.(done, source.size);
    for await (const block of lineBlocks(source, { maxInflatedBytes, maxLineBytes, signal, onRead })) {
      for (let at = 0; at < block.length; ) {
        const next = block.indexOf(LF, at) + 1;
        await people.line(block.subarray(at, next - 1));
        at = next;
      }
    }
    await writer.start(individualNames(people.families, people.individuals), (i) => ({
      line: people.lines[i],
      column: 1,
    }));
    await addMarkers(markers, people, file, writer, problems, options);
  } finally {
    await file.remove();
  }
}

/** Reads four columns (chromosome id cM bp) or three (without cM). */
function parseMap(text: string, name: string, problems: ProblemCollector): MapMarker[] {
  const markers: MapMarker[] = [];
  for (const { number, content } of textLines(text)) {
    if (content.trim() === '' || content.startsWith('#')) continue;
    const fields = content.trim().split(/\s+/, 5);
    const position = Number(fields.at(-1));
    const isPosition = Number.isInteger(position) && position <= MAX_POSITION_BP;
    const isMarker = (fields.length === 3 || fields.length === 4) && isPosition;
    if (!isMarker) {
      problems.error('E-GT-POS', {
        line: number,
        column: name,
        value: content,
        message: `Line ${number} of the .map file is not: chromosome, marker id, centimorgan, position in base pairs.`,
        suggestion: 'Write the files again with: plink --recode.',
      });
    }
    // A marker also when its line is bad, so that the alleles of the .ped are still counted right.
    const positionBp = isMarker ? Math.max(0, position) : 0;
    markers.push({ id: fields[1] ?? '', chromosome: fields[0], positionBp, line: number });
  }
  return markers;
}

class PedRows {
  readonly families: string[] = [];
  readonly individuals: string[] = [];
  readonly lines: number[] = [];
  readonly alleleNames: string[] = ['0'];
  readonly halfMissing = new Tally();
  readonly #alleleOf = new Map<string, number>([['0', 0]]);
  /** Allele of every one-character text, by its byte; 255 = not seen yet. */
  readonly #short = new Uint8Array(256).fill(255);
  readonly #markers: readonly MapMarker[];
  readonly #file: CallMatrixFile;
  readonly #problems: ProblemCollector;
  readonly #rowProblems: RowProblems;
  readonly #options: PlinkTextOptions;
  readonly #row: Uint8Array;
  #line = 0;

  constructor(
    markers: readonly MapMarker[],
    file: CallMatrixFile,
    problems: ProblemCollector,
    options: PlinkTextOptions,
  ) {
    this.#markers = markers;
    this.#file = file;
    this.#problems = problems;
    this.#rowProblems = new RowProblems(problems);
    this.#options = options;
    this.#row = new Uint8Array(2 * markers.length);
    this.#short['0'.charCodeAt(0)] = 0;
  }

  async line(text: Buffer): Promise<void> {
    this.#line++;
    const row = this.#row;
    const lead: string[] = [];
    let found = 0;
    this.#rowProblems.start(this.#line);
    for (let at = 0; at < text.length; ) {
      while (at < text.length && text[at] <= BLANK) at++;
      if (at === text.length) break;
      let end = at;
      while (end < text.length && text[end] > BLANK) end++;
      if (lead.length < LEAD_COLUMNS) lead.push(decodeText(text.subarray(at, end), this.#options.onLegacyText));
      else if (found < row.length) row[found] = this.#allele(text, at, end, found++);
      else found++;
      at = end;
    }
    this.#rowProblems.finish();
    if (lead.length === 0) return;
    if (found !== row.length || lead.length < LEAD_COLUMNS) {
      this.#problems.error('E-GT-COLS', {
        line: this.#line,
        column: lead[1] ?? null,
        message: `The line has ${found} of ${row.length} alleles (two for each of the ${this.#markers.length} markers of the .map).`,
        suggestion: 'Write the files again with: plink --recode.',
      });
      return;
    }
    for (let i = 0; i < row.length; i += 2) {
      if ((row[i] === 0) !== (row[i + 1] === 0)) this.halfMissing.add(this.#line);
    }
    this.families.push(lead[0]);
    this.individuals.push(lead[1]);
    this.lines.push(this.#line);
    await this.#file.append(row);
  }

  #allele(text: Buffer, start: number, end: number, place: number): number {
    const isShort = end - start === 1;
    if (isShort && this.#short[text[start]] !== 255) return this.#short[text[start]];
    const name = text.toString('latin1', start, end);
    let allele = this.#alleleOf.get(name);
    if (allele === undefined) {
      if (!/^[A-Za-z0-9+*.<>:-]+$/.test(name) || this.alleleNames.length >= MAX_ALLELE_NAMES) {
        const marker = this.#markers[place >> 1];
        this.#rowProblems.badCall({
          column: () => columnLabel(marker.id, LEAD_COLUMNS + place),
          value: name,
          message:
            this.alleleNames.length >= MAX_ALLELE_NAMES
              ? `The file has more than ${MAX_ALLELE_NAMES} different alleles.`
              : `"${name}" is not an allele.`,
          suggestion: 'Alleles are A, C, G, T, or 1, 2, 3, 4, or A, B, and 0 when missing; use VCF for long indels.',
        });
        return 0;
      }
      allele = this.alleleNames.length;
      this.alleleNames.push(name);
      this.#alleleOf.set(name, allele);
    }
    if (isShort) this.#short[text[start]] = allele;
    return allele;
  }
}

async function addMarkers(
  markers: readonly MapMarker[],
  people: PedRows,
  file: CallMatrixFile,
  writer: PanelWriter,
  problems: ProblemCollector,
  options: PlinkTextOptions,
): Promise<void> {
  const count = people.individuals.length;
  const calls = new AlleleCalls(count);
  const symbols = { first: new Uint8Array(count), second: new Uint8Array(count) };
  const multiallelic = new Tally();
  let index = 0;
  for await (const bytes of file.columns(2)) {
    for (let i = 0; i < count; i++) {
      symbols.first[i] = bytes[2 * i];
      symbols.second[i] = bytes[2 * i + 1];
    }
    const marker = markers[index++];
    const { alleles } = resolveAlleles(symbols, people.alleleNames, [], calls);
    if (alleles.length > 2) multiallelic.add(marker.line);
    if (alleles.length <= 2 || options.multiallelic === 'split') calls.addTo(writer, marker, alleles);
    if (index % 1024 === 0) {
      options.signal?.throwIfAborted();
      await writer.drain();
    }
  }
  problems.warning('W-GT-ALLELES', {
    message:
      'PLINK text files do not say which allele is the reference: the more frequent one was taken, and the other is counted.',
    suggestion: 'Use VCF or PLINK binary files if the reference allele matters to you.',
  });
  if (people.halfMissing.count > 0) {
    problems.warning('W-GT-HALF-CALL', {
      line: people.halfMissing.line,
      message: `${counted(people.halfMissing.count, 'call')} with one of two alleles missing ${people.halfMissing.count === 1 ? 'was' : 'were'} read as missing.`,
      suggestion: 'Write both alleles, or 0 0 when the call is missing.',
    });
  }
  reportMultiallelic(multiallelic, 'marker', options.multiallelic, problems);
  if (count === 0 && problems.errorCount === 0) {
    throw new FileFormatError('E-EMPTY', {
      message: 'The .ped file lists no individuals.',
      suggestion: 'Write the files again with: plink --recode.',
    });
  }
}
