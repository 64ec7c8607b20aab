import { columnLabel, FileFormatError, type ProblemCollector } from '../../problem.ts';
import { decodeText } from '../../text/line-blocks.ts';
import { UNKNOWN_ALLELE } from '../panel/marker-columns.ts';
import { readPosition } from '../panel/marker-position.ts';
import type { PanelWriter } from '../panel/panel-writer.ts';
import { counted, Tally } from '../panel/tally.ts';
import { AlleleCalls, type MultiallelicRule, reportMultiallelic } from './allele-calls.ts';
import { LETTER_SYMBOLS, LetterCallTable, letterSymbol } from './laboratory/letter-calls.ts';
import { reportNamedOnce, reportUnplaced } from './marker-findings.ts';
import { type ResolvedAlleles, resolveAlleles } from './resolve-alleles.ts';
import { RowProblems } from './row-problems.ts';
import { headerCells, MAX_COLUMNS } from './split-delimited.ts';

/**
 * Columns before the first sample: rs#, alleles, chrom, pos, strand, assembly#, center, protLSID, assayLSID,
 * panelLSID, QCcode.
 */
const LEAD_COLUMNS = 11;
/** Letters name seven alleles; of what else stands in the column the first are enough. */
const MAX_LISTED_ALLELES = 20;
const LF = 10;
const CR = 13;
const HASH = 0x23;
const QUOTE = 0x22;
const TAB = 9;
const COMMA = 0x2c;

export interface HapmapOptions {
  multiallelic: MultiallelicRule;
  /** Called when text is not UTF-8. */
  onLegacyText: () => void;
}

/**
 * Reads a TASSEL HapMap (tab- or comma-separated; calls of one IUPAC letter or two letters) into a panel. REF is the
 * first allele of the `alleles` column. Calls with an allele that this column does not list become missing and are
 * counted in W-GT-OTHER-ALLELE.
 */
export async function readHapmap(
  blocks: AsyncIterable<Buffer>,
  writer: PanelWriter,
  problems: ProblemCollector,
  options: HapmapOptions,
): Promise<void> {
  const reader = new HapmapReader(writer, problems, options);
  for await (const block of blocks) {
    for (let at = 0; at < block.length; ) {
      const next = block.indexOf(LF, at) + 1;
      const end = next - 1 > at && block[next - 2] === CR ? next - 2 : next - 1;
      await reader.line(block, at, end);
      at = next;
    }
    await writer.drain();
  }
  reader.finish();
}

class HapmapReader {
  readonly #writer: PanelWriter;
  readonly #problems: ProblemCollector;
  readonly #options: HapmapOptions;
  readonly #rowProblems: RowProblems;
  readonly #letters = LetterCallTable.LETTERS;
  readonly #indels = LetterCallTable.INDELS;
  #line = 0;
  #hasHeader = false;
  #separator = TAB;
  #row = { first: new Uint8Array(0), second: new Uint8Array(0) };
  #calls = new AlleleCalls(0);
  readonly #multiallelic = new Tally();
  readonly #otherAllele = new Tally();
  readonly #unlisted = new Tally();
  /** Markers of which one allele is named twice, and that have another. */
  readonly #namedOnce = new Tally();
  #unplaced = 0;

  constructor(writer: PanelWriter, problems: ProblemCollector, options: HapmapOptions) {
    this.#writer = writer;
    this.#problems = problems;
    this.#options = options;
    this.#rowProblems = new RowProblems(problems);
  }

  async line(block: Buffer, start: number, end: number): Promise<void> {
    this.#line++;
    if (end === start) return;
    if (this.#hasHeader) this.#dataLine(unquoted(block, start, end));
    else await this.#headerLine(unquoted(block, start, end));
  }

  async #headerLine(text: Buffer): Promise<void> {
    const line = decodeText(text, this.#options.onLegacyText);
    this.#separator = line.includes('\t') ? TAB : COMMA;
    const separator = String.fromCharCode(this.#separator);
    const columns = headerCells(line.split(separator, MAX_COLUMNS + 1), this.#line);
    if (!/^rs#?$/i.test(columns[0].trim())) {
      if (text[0] === HASH) return; // a comment before the header
      throw new FileFormatError('E-NO-HEADER', {
        line: this.#line,
        value: line,
        message: 'The HapMap file has no header line: it must start with rs#.',
        suggestion: 'Export the file again with its header.',
      });
    }
    if (columns.length <= LEAD_COLUMNS) {
      throw new FileFormatError('E-COL-MISSING', {
        line: this.#line,
        message: `The header has ${columns.length} columns; a HapMap file has 11 before the first sample, and at least one sample.`,
        suggestion:
          'The columns are rs# alleles chrom pos strand assembly# center protLSID assayLSID panelLSID QCcode, then the samples.',
      });
    }
    const names = columns.slice(LEAD_COLUMNS);
    const headerLine = this.#line;
    await this.#writer.start(names, (i) => ({ line: headerLine, column: LEAD_COLUMNS + i }));
    this.#row = { first: new Uint8Array(names.length), second: new Uint8Array(names.length) };
    this.#calls = new AlleleCalls(names.length);
    this.#hasHeader = true;
  }

  #dataLine(text: Buffer): void {
    const starts: number[] = [0];
    let at = 0;
    for (; at < text.length && starts.length <= LEAD_COLUMNS; at++)
      if (text[at] === this.#separator) starts.push(at + 1);
    if (starts.length <= LEAD_COLUMNS) {
      this.#reportColumns(starts.length, LEAD_COLUMNS + this.#writer.samples.length, 'columns');
      return;
    }
    const field = (i: number) =>
      decodeText(text.subarray(starts[i], starts[i + 1] - 1), this.#options.onLegacyText).trim();
    const id = field(0);
    const chromosome = field(2);
    if (chromosome === '') {
      this.#problems.error('E-GT-POS', {
        line: this.#line,
        column: columnLabel('chrom', 2),
        value: '',
        message: 'The marker has no chromosome.',
        suggestion: 'Write the chromosome, or UN when it is not known.',
      });
    }
    const positionBp = readPosition(
      field(3),
      { line: this.#line, column: columnLabel('pos', 3), chromosome },
      this.#problems,
    );
    if (positionBp === 0) this.#unplaced++;
    const alleles = listedAlleles(field(1));
    const found = this.#readCalls(text, starts[LEAD_COLUMNS], alleles.hasIndel);
    if (found !== this.#writer.samples.length) {
      this.#reportColumns(found, this.#writer.samples.length, 'samples');
      return;
    }
    const resolved = resolveAlleles(this.#row, LETTER_SYMBOLS, alleles.symbols, this.#calls);
    if (resolved.otherCalls > 0) this.#otherAllele.add(this.#line, resolved.otherCalls);
    if (alleles.symbols.length === 0) this.#unlisted.add(this.#line);
    if (alleles.isRepeated && resolved.alleles[1] !== UNKNOWN_ALLELE) this.#namedOnce.add(this.#line);
    this.#addMarker(id, chromosome, positionBp, namedAlleles(resolved, alleles.names));
  }

  #addMarker(id: string, chromosome: string, positionBp: number, alleles: string[]): void {
    if (alleles.length > 2) {
      this.#multiallelic.add(this.#line);
      if (this.#options.multiallelic === 'drop') return;
    }
    const marker = { id: id === '' || id === '.' || id === 'NA' ? null : id, chromosome, positionBp, line: this.#line };
    this.#calls.addTo(this.#writer, marker, alleles);
  }

  /** Fills the row of symbols; returns the number of cells, without empty ones beyond those of the header. */
  #readCalls(text: Buffer, start: number, hasIndel: boolean): number {
    const table = hasIndel ? this.#indels : this.#letters;
    const { first, second } = this.#row;
    const separator = this.#separator;
    this.#rowProblems.start(this.#line);
    let cell = 0;
    let cells = 0;
    for (let at = start; at <= text.length; cell++) {
      let end = at;
      while (end < text.length && text[end] !== separator) end++;
      if (cell < first.length || end > at) cells = cell + 1;
      if (cell < first.length) {
        const pair = table.read(text, at, end);
        if (pair < 0) this.#badCall(cell, text.toString('latin1', at, end));
        first[cell] = pair < 0 ? 0 : pair & 0xff;
        second[cell] = pair < 0 ? 0 : pair >> 8;
      }
      at = end + 1;
    }
    this.#rowProblems.finish();
    return cells;
  }

  #badCall(sample: number, value: string): void {
    this.#rowProblems.badCall({
      column: () => columnLabel(this.#writer.samples[sample], LEAD_COLUMNS + sample),
      value,
      message: `"${value}" is not a genotype call.`,
      suggestion: 'Write calls as one IUPAC letter (A, R) or two letters (AA, AG), and N or NN when missing.',
    });
  }

  #reportColumns(found: number, expected: number, what: 'columns' | 'samples'): void {
    this.#problems.error('E-GT-COLS', {
      line: this.#line,
      message: `The line has ${found} of ${expected} ${what}.`,
      suggestion: 'Each line needs one call for each sample of the header; the file may have been cut or edited.',
    });
  }

  finish(): void {
    if (!this.#hasHeader) {
      throw new FileFormatError('E-NO-HEADER', {
        message: 'The HapMap file has no header line.',
        suggestion: 'Export the file again with its header, which starts with rs#.',
      });
    }
    const problems = this.#problems;
    reportMultiallelic(this.#multiallelic, 'line', this.#options.multiallelic, problems);
    reportUnplaced(this.#unplaced, this.#writer.markerCount, problems);
    if (this.#otherAllele.count > 0) {
      problems.warning('W-GT-OTHER-ALLELE', {
        line: this.#otherAllele.line,
        message: `${counted(this.#otherAllele.count, 'call')} with an allele that the column "alleles" does not list ${this.#otherAllele.count === 1 ? 'was' : 'were'} read as missing.`,
        suggestion: 'List all alleles in the column "alleles" (A/C/G) if these calls are real.',
      });
    }
    reportNamedOnce(this.#namedOnce, problems);
    if (this.#unlisted.count > 0) {
      problems.warning('W-GT-ALLELES', {
        line: this.#unlisted.line,
        message: `${counted(this.#unlisted.count, 'marker')} without alleles in the column "alleles": the more frequent allele of the calls was taken as the reference.`,
        suggestion: 'Fill the column "alleles" if this panel shall be compared with others.',
      });
    }
  }
}

interface ListedAlleles {
  /** Places in {@link LETTER_SYMBOLS}. */
  symbols: number[];
  /** Names as the file writes them, by symbol. */
  names: Map<string, string>;
  hasIndel: boolean;
  /** Whether several are listed and all of them are the same. */
  isRepeated: boolean;
}

/**
 * Reads `A/C`, `+/-`, `A/C/G`, `-/ACT`; unknown (`NA`, `N`, empty) gives none. An allele of several bases is written
 * `+` in calls.
 */
function listedAlleles(text: string): ListedAlleles {
  const parts = text === 'NA' ? [] : text.toUpperCase().split(/[/,|]/, MAX_LISTED_ALLELES);
  const names = new Map<string, string>();
  const symbols: number[] = [];
  for (const part of parts) {
    const allele = part.trim();
    const sign = allele.length > 1 ? '+' : allele === '0' ? '-' : allele;
    const symbol = letterSymbol(sign);
    if (symbol < 0 || symbols.includes(symbol)) continue;
    symbols.push(symbol);
    names.set(sign, allele === '0' ? '-' : allele);
  }
  const isRepeated = parts.length > 1 && symbols.length === 1;
  return { symbols, names, hasIndel: names.has('+') || names.has('-'), isRepeated };
}

function namedAlleles(resolved: ResolvedAlleles, names: Map<string, string>): string[] {
  return resolved.alleles.map((allele) => names.get(allele) ?? allele);
}

/** The line without the quotes that a spreadsheet may have put around its cells; those inside a name are part of it. */
function unquoted(block: Buffer, start: number, end: number): Buffer {
  const line = block.subarray(start, end);
  if (!line.includes(QUOTE)) return line;
  const isEdge = (byte: number | undefined) => byte === undefined || byte === TAB || byte === COMMA;
  return Buffer.from(line.filter((byte, at) => byte !== QUOTE || !(isEdge(line[at - 1]) || isEdge(line[at + 1]))));
}
