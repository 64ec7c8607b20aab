import { isAscii } from 'node:buffer';
import { columnLabel, FileFormatError, type ProblemCollector } from '../../problem.ts';
import { groupedNumber } from '../../text/grouped-number.ts';
import { decodeText } from '../../text/line-blocks.ts';
import { dosageUnits } from '../panel/dosages.ts';
import { UNKNOWN_ALLELE } from '../panel/marker-columns.ts';
import type { PanelWriter } from '../panel/panel-writer.ts';
import { Tally } from '../panel/tally.ts';
import { AlleleCalls, type MultiallelicRule, reportMultiallelic } from './allele-calls.ts';
import { CallMatrixFile } from './call-matrix-file.ts';
import { reportOtherColumns, withoutLabIds } from './laboratory/laboratory-columns.ts';
import { type CallTable, LetterCallTable } from './laboratory/letter-calls.ts';
import { NamedCallTable } from './laboratory/named-calls.ts';
import { reportNamedOnce, reportOtherAlleles, reportUnlistedAlleles, reportUnplaced } from './marker-findings.ts';
import type { MarkerPlaces } from './marker-list.ts';
import { findMatrixLayout, isTitleRow, MAX_TITLE_ROWS, type MatrixLayout, type MatrixRows } from './matrix-layout.ts';
import { type MatrixMarker, markerOfColumn, markerOfRow } from './matrix-marker.ts';
import {
  BAD_NUMBER,
  type CodingOfNumbers,
  CodingScan,
  codeTable,
  copiesOf,
  MISSING_BYTE,
  NumberCellTable,
  type NumericCoding,
  reportCoding,
  reportUnnamedAlleles,
  valuesOfBytes,
} from './numeric-coding.ts';
import { callInWords, PolyploidLetterTable } from './polyploid-letters.ts';
import { addCopiesOfRows, addLettersOfRows, type PolyploidRows } from './polyploid-matrix.ts';
import { resolveAlleles } from './resolve-alleles.ts';
import { RowProblems } from './row-problems.ts';
import { rowCells } from './split-delimited.ts';

/** Rows of a matrix by what they are: names and markers of all rows stand in memory. */
const MAX_ROWS = { samples: 1_000_000, markers: 5_000_000 };
const LF = 10;
const CR = 13;
const DOUBLE_QUOTE = 0x22;
const APOSTROPHE = 0x27;

export interface MatrixOptions {
  /** `names`: letters, or any names of alleles, as in Flapjack. */
  cells: 'numbers' | 'letters' | 'names';
  multiallelic: MultiallelicRule;
  /** Coding of numbers when the user chose one. */
  coding?: NumericCoding | undefined;
  /** Copies of each chromosome where the numbers count more than two; and whether such numbers are read. */
  ploidy?: number | undefined;
  polyploids?: boolean | undefined;
  /** What the rows are, when the user said it. */
  rows?: MatrixRows | undefined;
  /** Places by marker id, from another file. */
  places?: MarkerPlaces | undefined;
  /** Where the calls wait until the whole file is read. */
  temporaryPath: string;
  onLegacyText: () => void;
  signal?: AbortSignal | undefined;
}

/**
 * Reads a matrix of calls into a panel: samples or markers in rows, numbers or letters. Calls are buffered in a
 * temporary file, because the coding of numbers, and with samples in rows the calls of a marker, are complete only at
 * the end of the file.
 *
 * @returns how numbers were read; null for letters
 */
export async function readMatrix(
  blocks: AsyncIterable<Buffer>,
  writer: PanelWriter,
  problems: ProblemCollector,
  options: MatrixOptions,
): Promise<CodingOfNumbers | null> {
  const reader = new MatrixReader(writer, problems, options);
  try {
    for await (const block of blocks) {
      for (let at = 0; at < block.length; ) {
        const next = block.indexOf(LF, at) + 1;
        const end = next - 1 > at && block[next - 2] === CR ? next - 2 : next - 1;
        await reader.line(block.subarray(at, end));
        at = next;
      }
    }
    await reader.finish();
    return reader.codingOfNumbers;
  } finally {
    await reader.close();
  }
}

class MatrixReader {
  readonly #writer: PanelWriter;
  readonly #problems: ProblemCollector;
  readonly #options: MatrixOptions;
  readonly #rowProblems: RowProblems;
  readonly #scan = new CodingScan();
  readonly #letters: CallTable;
  readonly #multiallelic = new Tally();
  readonly #otherAllele = new Tally();
  readonly #namedOnce = new Tally();
  #line = 0;
  #headerText: { text: string; line: number } | null = null;
  readonly #titles: string[] = [];
  #layout: MatrixLayout | null = null;
  #headerLine = 0;
  #file: CallMatrixFile | null = null;
  #row = new Uint8Array(0);
  /** Whether the file holds doubles, since a fraction was seen. */
  #isWide = false;
  #numbers = new NumberCellTable(false);
  /** Numbers of a row, NaN when missing. */
  #values = new Float64Array(0);
  /** Rows: samples (names and lines) or markers. */
  readonly #sampleNames: string[] = [];
  readonly #sampleLines: number[] = [];
  readonly #markers: MatrixMarker[] = [];
  /** Null until numbers were read to their end. */
  codingOfNumbers: CodingOfNumbers | null = null;

  constructor(writer: PanelWriter, problems: ProblemCollector, options: MatrixOptions) {
    this.#writer = writer;
    this.#problems = problems;
    this.#options = options;
    this.#letters =
      options.cells === 'names'
        ? new NamedCallTable()
        : (options.ploidy ?? 2) > 2
          ? new PolyploidLetterTable(options.ploidy ?? 2)
          : LetterCallTable.LETTERS;
    this.#rowProblems = new RowProblems(problems);
  }

  async line(bytes: Buffer): Promise<void> {
    this.#line++;
    const layout = this.#layout;
    const lead = layout === null ? null : this.#plainCells(bytes, layout);
    if (layout !== null && lead !== null) {
      this.#startRow(lead, layout);
      if (this.#options.cells === 'numbers') this.#takeNumbers(layout);
      await this.#append();
      return;
    }
    const text = decodeText(bytes, this.#options.onLegacyText);
    if (text.trim() === '') return;
    if (this.#headerText === null) {
      if (text.startsWith('#') && !/^#chrom/i.test(text)) return;
      if (this.#titles.length < MAX_TITLE_ROWS && isTitleRow(text)) this.#titles.push(text);
      else this.#headerText = { text, line: this.#line };
      return;
    }
    if (this.#layout === null) await this.#start(this.#headerText, text);
    await this.#dataRow(text);
  }

  async #start(header: { text: string; line: number }, firstLine: string): Promise<void> {
    const layout = findMatrixLayout(header.text, firstLine, this.#options.rows);
    if (layout === null) {
      throw new FileFormatError('E-NO-HEADER', {
        line: header.line,
        value: header.text,
        message: 'The header does not show whether rows are samples or markers.',
        suggestion:
          'Say which it is on the page of the file; or call the first column "sample" (rows are samples) or "marker" (rows are markers).',
      });
    }
    this.#layout = layout;
    this.#headerLine = header.line;
    if (this.#titles.length > 0)
      this.#problems.info('I-HEADER-ROW', {
        line: header.line,
        value: this.#titles.map((title) => title.replace(/[,;\t\s]+$/, '')).join(' | '),
        message: `The header was found on row ${header.line}; the rows above it were taken as titles.`,
        suggestion: 'Nothing to do if this is right; otherwise remove the rows above the header.',
      });
    reportOtherColumns(layout, header.line, this.#problems);
    const width = this.#options.cells === 'numbers' ? 1 : 2;
    this.#row = new Uint8Array(width * (layout.header.length - layout.leadCount));
    this.#numbers = new NumberCellTable(layout.separator !== ',');
    if (this.#options.cells === 'numbers') this.#values = new Float64Array(this.#row.length);
    // The writer makes the folder; with samples in rows it can start only at the end.
    if (layout.rows === 'markers') {
      const names = layout.header.slice(layout.leadCount);
      if (names.length === 0) this.#noSamples();
      await this.#writer.start(names, (i) => ({ line: header.line, column: layout.leadCount + i }));
    } else {
      await this.#writer.makeFolder();
    }
    this.#file = await CallMatrixFile.create(this.#options.temporaryPath, this.#row.length);
  }

  #noSamples(): void {
    this.#problems.error('E-COL-MISSING', {
      line: this.#headerLine,
      message: 'The file has no sample columns.',
      suggestion: 'Add one column for each sample.',
    });
  }

  async #dataRow(text: string): Promise<void> {
    const layout = this.#layout;
    if (layout === null || this.#file === null) return;
    const width = layout.header.length;
    const cells = rowCells(text, layout.split, width);
    if (cells.length !== width) {
      const things = layout.rows === 'markers' ? 'samples' : 'markers';
      this.#problems.error('E-GT-COLS', {
        line: this.#line,
        message:
          cells.length > width
            ? `The line has more cells than the header has columns (${width}).`
            : `The line has ${Math.max(0, cells.length - layout.leadCount)} of ${width - layout.leadCount} ${things}.`,
        suggestion: 'Each line needs one cell for each column of the header; the file may have been cut or edited.',
      });
      return;
    }
    this.#startRow(cells, layout);
    this.#rowProblems.start(this.#line);
    if (this.#options.cells === 'numbers') this.#numberCells(cells, layout);
    else this.#letterCells(cells, layout);
    this.#rowProblems.finish();
    await this.#append();
  }

  async #append(): Promise<void> {
    if (this.#file === null) return;
    if (this.#scan.hasFraction && !this.#isWide) {
      this.#isWide = true;
      this.#file = await this.#file.widened(`${this.#options.temporaryPath}.wide`, valuesOfBytes());
    }
    await this.#file.append(this.#isWide ? new Uint8Array(this.#values.buffer) : this.#row);
  }

  /** Takes what stands before the calls of a row. */
  #startRow(cells: string[], layout: MatrixLayout): void {
    const most = MAX_ROWS[layout.rows];
    if (this.#sampleNames.length + this.#markers.length >= most) {
      throw new FileFormatError('E-TOO-LARGE', {
        line: this.#line,
        message: `The matrix has more than ${groupedNumber(most)} ${layout.rows} as rows.`,
        suggestion: 'Check that this is the file you meant. So large a panel is better kept as VCF or PLINK .bed.',
      });
    }
    if (layout.rows === 'samples') {
      this.#sampleNames.push(cells[layout.lead.id]);
      this.#sampleLines.push(this.#line);
    } else {
      this.#markers.push(
        markerOfRow(cells, layout, { line: this.#line, places: this.#options.places }, this.#problems),
      );
    }
  }

  /**
   * Reads the calls of a line without making texts of them, which is what takes long. Returns the cells before them;
   * null, with nothing taken, when the line has quotes, letters beyond ASCII, a bad call or another number of cells:
   * then it is read cell by cell.
   */
  #plainCells(bytes: Buffer, layout: MatrixLayout): string[] | null {
    if (bytes.includes(DOUBLE_QUOTE) || bytes.includes(APOSTROPHE) || !isAscii(bytes)) return null;
    const separator = layout.separator.charCodeAt(0);
    let at = 0;
    for (let k = 0; k < layout.leadCount; k++) {
      at = bytes.indexOf(separator, at) + 1;
      if (at === 0) return null;
    }
    const lead = layout.split(bytes.toString('latin1', 0, at), layout.leadCount);
    const isRead =
      this.#options.cells === 'numbers'
        ? this.#plainNumbers(bytes, at, separator)
        : this.#plainLetters(bytes, at, separator);
    return isRead ? lead : null;
  }

  #plainNumbers(bytes: Buffer, start: number, separator: number): boolean {
    const values = this.#values;
    const numbers = this.#numbers;
    let at = start;
    for (let i = 0; i < values.length; i++) {
      if (at > bytes.length) return false;
      let end = at;
      while (end < bytes.length && bytes[end] !== separator) end++;
      const value = numbers.read(bytes, at, end);
      if (value === BAD_NUMBER) return false;
      values[i] = value;
      at = end + 1;
    }
    return at === bytes.length + 1;
  }

  #takeNumbers(layout: MatrixLayout): void {
    let i = 0;
    const column = () => columnLabel(layout.header[layout.leadCount + i], layout.leadCount + i);
    const place = { line: this.#line, column };
    for (; i < this.#values.length; i++) {
      const value = this.#values[i];
      this.#row[i] = Number.isNaN(value) ? MISSING_BYTE : this.#scan.take(value, place);
    }
  }

  #plainLetters(bytes: Buffer, start: number, separator: number): boolean {
    const row = this.#row;
    const letters = this.#letters;
    let at = start;
    for (let i = 0; i < row.length; i += 2) {
      if (at > bytes.length) return false;
      let end = at;
      while (end < bytes.length && bytes[end] !== separator) end++;
      const pair = letters.read(bytes, at, end);
      if (pair < 0) return false;
      row[i] = pair & 0xff;
      row[i + 1] = pair >> 8;
      at = end + 1;
    }
    return at === bytes.length + 1;
  }

  #numberCells(cells: string[], layout: MatrixLayout): void {
    let cell = layout.leadCount;
    const place = { line: this.#line, column: () => columnLabel(layout.header[cell], cell) };
    for (; cell < cells.length; cell++) {
      const value = this.#numbers.readText(cells[cell]);
      let byte = MISSING_BYTE;
      if (value === BAD_NUMBER) this.#badCall(layout, cell, cells[cell], 'a number');
      else if (!Number.isNaN(value)) byte = this.#scan.take(value, place);
      this.#row[cell - layout.leadCount] = byte;
      this.#values[cell - layout.leadCount] = value;
    }
  }

  #letterCells(cells: string[], layout: MatrixLayout): void {
    for (let cell = layout.leadCount; cell < cells.length; cell++) {
      const pair = this.#letters.readText(cells[cell]);
      if (pair < 0) this.#badCall(layout, cell, cells[cell], callInWords(this.#options.ploidy));
      const at = 2 * (cell - layout.leadCount);
      this.#row[at] = pair < 0 ? 0 : pair & 0xff;
      this.#row[at + 1] = pair < 0 ? 0 : pair >> 8;
    }
  }

  #badCall(layout: MatrixLayout, cell: number, value: string, expected: string): void {
    this.#rowProblems.badCall({
      column: () => columnLabel(layout.header[cell], cell),
      value,
      message: `"${value}" is not ${expected}.`,
      suggestion:
        expected === 'a number'
          ? 'Write 0, 1 or 2 copies of the counted allele, and leave missing calls empty or write NA.'
          : (this.#options.ploidy ?? 2) > 2
            ? 'Write a letter for each copy, as AAAG, with at most two alleles a marker, and N or NA when missing.'
            : value.toUpperCase() === 'H'
              ? 'Write heterozygous calls as AB.'
              : 'Write calls as AA, AG or A, R, and N or NN when missing.',
    });
  }

  async finish(): Promise<void> {
    const layout = this.#layout;
    if (layout === null || this.#file === null) {
      throw new FileFormatError('E-EMPTY', {
        message: this.#headerText === null ? 'The file is empty.' : 'The file has a header but no rows.',
        suggestion: 'Export the genotypes again.',
      });
    }
    if (layout.rows === 'samples') {
      const lines = this.#sampleLines;
      const names = layout.hasLabIds ? withoutLabIds(this.#sampleNames, this.#problems) : this.#sampleNames;
      await this.#writer.start(names, (i) => ({ line: lines[i], column: null }));
      for (const id of layout.header.slice(layout.leadCount))
        this.#markers.push(markerOfColumn(id, { line: this.#headerLine, places: this.#options.places }));
    }
    if (this.#options.cells === 'numbers') await this.#addNumbers(layout, this.#file);
    else if (this.#letters instanceof PolyploidLetterTable) {
      const { ploidy = 2 } = this.#options;
      this.#reportLetters(await addLettersOfRows(this.#polyploidRows(layout, this.#file), ploidy));
    } else {
      if (this.#letters instanceof NamedCallTable) this.#letters.report(this.#problems);
      await this.#addLetters(layout, this.#file);
    }
    const without = this.#markers.filter(({ positionBp }) => positionBp === 0).length;
    reportNamedOnce(this.#namedOnce, this.#problems);
    reportUnplaced(without, this.#markers.length, this.#problems);
  }

  #markerRows(layout: MatrixLayout, file: CallMatrixFile): AsyncGenerator<Uint8Array> {
    return layout.rows === 'markers'
      ? file.rows()
      : file.columns(this.#options.cells !== 'numbers' ? 2 : this.#isWide ? 8 : 1);
  }

  #polyploidRows(layout: MatrixLayout, file: CallMatrixFile): PolyploidRows {
    return {
      rows: this.#markerRows(layout, file),
      markers: this.#markers,
      writer: this.#writer,
      hasBoth: (bytes) => this.#hasBoth(bytes),
      ...{ namedOnce: this.#namedOnce, otherAllele: this.#otherAllele },
      pause: (marker) => this.#pause(marker),
    };
  }

  async #addNumbers(layout: MatrixLayout, file: CallMatrixFile): Promise<void> {
    const { ploidy = 2, polyploids } = this.#options;
    if (ploidy > 2) {
      if (!this.#scan.isWithin(ploidy, this.#problems)) return;
      await addCopiesOfRows(this.#polyploidRows(layout, file), { ploidy, isWide: this.#isWide });
      if (this.#markers.every(({ alleles }) => alleles.length === 0)) reportUnnamedAlleles(this.#problems);
      return;
    }
    const coding = this.#scan.decide(this.#problems, this.#options.coding, {
      rows: file.rowCount,
      columns: layout.header.length - layout.leadCount,
      polyploids,
    });
    this.codingOfNumbers = { coding, fits: this.#scan.fitting() };
    const codes = codeTable(coding ?? '0/1/2');
    const row = this.#writer.row;
    const units = new Uint16Array(this.#writer.samples.length);
    let marker = 0;
    for await (const bytes of this.#markerRows(layout, file)) {
      const { id, alleles, isNamed, ...place } = this.#markers[marker++];
      const [a1 = UNKNOWN_ALLELE, a2 = UNKNOWN_ALLELE] = alleles;
      const record = { ...place, id: id === '' ? null : id, a1, a2 };
      if (isNamed && alleles.length === 1 && this.#hasBoth(bytes)) this.#namedOnce.add(place.line);
      if (this.#isWide) {
        const values = new Float64Array(bytes.buffer, bytes.byteOffset, units.length);
        for (let i = 0; i < units.length; i++) units[i] = dosageUnits(copiesOf(values[i], coding ?? '0/1/2'));
        this.#writer.addDosages(record, units);
      } else {
        row.fill(0);
        for (let i = 0; i < bytes.length; i++) row[i >> 2] |= codes[bytes[i]] << (2 * (i & 3));
        this.#writer.add(record);
      }
      await this.#pause(marker);
    }
    if (coding === null) return;
    reportCoding(
      coding,
      {
        isConfirmed: this.#options.coding !== undefined,
        hasAlleleNames: this.#markers.some(({ alleles }) => alleles.length > 0),
      },
      this.#problems,
    );
  }

  /** Whether the numbers of a marker differ: it has both alleles. */
  #hasBoth(bytes: Uint8Array): boolean {
    if (this.#isWide)
      return new Set(new Float64Array(bytes.slice().buffer).filter((value) => !Number.isNaN(value))).size > 1;
    return new Set(bytes.filter((byte) => byte !== MISSING_BYTE)).size > 1;
  }

  async #addLetters(layout: MatrixLayout, file: CallMatrixFile): Promise<void> {
    const sampleCount = this.#writer.samples.length;
    const calls = new AlleleCalls(sampleCount);
    const symbols = { first: new Uint8Array(sampleCount), second: new Uint8Array(sampleCount) };
    let unlisted = 0;
    let marker = 0;
    for await (const bytes of this.#markerRows(layout, file)) {
      for (let i = 0; i < sampleCount; i++) {
        symbols.first[i] = bytes[2 * i];
        symbols.second[i] = bytes[2 * i + 1];
      }
      const { id, alleles: named, isNamed, ...place } = this.#markers[marker++];
      const listed = named.map(this.#letters.symbolOf, this.#letters).filter((symbol) => symbol > 0);
      if (listed.length === 0) unlisted++;
      const { alleles, otherCalls } = resolveAlleles(symbols, this.#letters.symbols, listed, calls);
      if (isNamed && listed.length < 2 && alleles[1] !== UNKNOWN_ALLELE) this.#namedOnce.add(place.line);
      if (otherCalls > 0) this.#otherAllele.add(place.line, otherCalls);
      if (alleles.length > 2) this.#multiallelic.add(place.line);
      if (alleles.length <= 2 || this.#options.multiallelic === 'split') {
        calls.addTo(this.#writer, { ...place, id: id === '' ? null : id }, alleles);
      }
      await this.#pause(marker);
    }
    this.#reportLetters(unlisted);
  }

  #reportLetters(unlisted: number): void {
    const problems = this.#problems;
    reportUnlistedAlleles(unlisted, problems);
    reportOtherAlleles(this.#otherAllele, problems);
    reportMultiallelic(this.#multiallelic, 'marker', this.#options.multiallelic, problems);
  }

  async #pause(marker: number): Promise<void> {
    if (marker % 1024 !== 0) return;
    this.#options.signal?.throwIfAborted();
    await this.#writer.drain();
  }

  async close(): Promise<void> {
    await this.#file?.remove();
    this.#file = null;
  }
}
