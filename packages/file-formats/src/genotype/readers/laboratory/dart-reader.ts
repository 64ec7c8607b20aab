import { columnLabel, FileFormatError, type ProblemCollector } from '../../../problem.ts';
import { groupedNumber } from '../../../text/grouped-number.ts';
import { decodeText } from '../../../text/line-blocks.ts';
import { UNKNOWN_ALLELE, UNKNOWN_CHROMOSOME } from '../../panel/marker-columns.ts';
import { MAX_POSITION_BP } from '../../panel/marker-position.ts';
import { HET, HOM_A1, HOM_A2, MISSING, packCalls } from '../../panel/packed-calls.ts';
import type { PanelWriter } from '../../panel/panel-writer.ts';
import { counted, Tally } from '../../panel/tally.ts';
import { reportUnplaced } from '../marker-findings.ts';
import type { MarkerPlaces } from '../marker-list.ts';
import { mostFrequentSeparator } from '../matrix-layout.ts';
import { RowProblems } from '../row-problems.ts';
import { headerCells, MAX_COLUMNS, rowCells, splitDelimited } from '../split-delimited.ts';
import { type DartColumns, dartColumns, isStarRow, starColumns } from './dart-layout.ts';

export interface DartOptions {
  places?: MarkerPlaces | undefined;
  onLegacyText: () => void;
  signal?: AbortSignal | undefined;
}

const LF = 10;
/** A row of the report that waits for its pair. */
interface HeldRow {
  cells: string[];
  line: number;
}

/** Codes of calls by what a cell of a report with one row a marker says: 2 is the heterozygous call. */
const ONE_ROW: Readonly<Record<string, number>> = { '0': HOM_A1, '1': HOM_A2, '2': HET };
const SILICO: Readonly<Record<string, number>> = { '0': HOM_A1, '1': HOM_A2 };
/** By presence of the reference and of the SNP allele; without either, the site is not there or was not seen. */
const TWO_ROWS: Readonly<Record<string, number>> = { '10': HOM_A1, '01': HOM_A2, '11': HET, '00': MISSING };
const NOT_CALLED: ReadonlySet<string> = new Set(['-', '', 'NA']);

type Shape = 'one-row' | 'two-row' | 'silico';

/**
 * Reads a report of Diversity Arrays Technology into a panel: DArTseq SNPs with one row a marker (0 = both copies
 * reference, 1 = both SNP, 2 = heterozygous) or two (presence of the reference allele, then of the SNP allele), or
 * SilicoDArT (0 = tag absent, 1 = present, read as none or two copies). Alleles come from the column SNP
 * (`19:C>T`) and are those of the sequenced tag. Source: Gruber et al. 2018, dartR, doi:10.1111/1755-0998.12745.
 */
export async function readDart(
  blocks: AsyncIterable<Buffer>,
  writer: PanelWriter,
  problems: ProblemCollector,
  options: DartOptions,
): Promise<void> {
  const reader = new DartReader(writer, problems, options);
  for await (const block of blocks) {
    options.signal?.throwIfAborted();
    for (let at = 0; at < block.length; ) {
      const next = block.indexOf(LF, at) + 1;
      await reader.line(decodeText(block.subarray(at, next - 1), options.onLegacyText));
      at = next;
    }
    await writer.drain();
  }
  reader.finish();
}

class DartReader {
  readonly #writer: PanelWriter;
  readonly #problems: ProblemCollector;
  readonly #options: DartOptions;
  readonly #rowProblems: RowProblems;
  readonly #bothAbsent = new Tally();
  readonly #minus = new Tally();
  #line = 0;
  #stars = 0;
  #separator: string | null = null;
  #columns: DartColumns | null = null;
  #header: string[] = [];
  #codes = new Uint8Array(0);
  #held: HeldRow | null = null;
  #shape: Shape | null = null;
  #markers = 0;
  #unplaced = 0;

  constructor(writer: PanelWriter, problems: ProblemCollector, options: DartOptions) {
    this.#writer = writer;
    this.#problems = problems;
    this.#options = options;
    this.#rowProblems = new RowProblems(problems);
  }

  async line(text: string): Promise<void> {
    this.#line++;
    if (text.trim() === '') return;
    if (this.#columns === null) {
      await this.#headerLine(text);
      return;
    }
    const separator = this.#separator ?? ',';
    const width = this.#header.length;
    const cells = rowCells(text, (line, limit) => splitDelimited(line, separator, limit), width);
    if (cells.length !== width) {
      this.#problems.error('E-GT-COLS', {
        line: this.#line,
        message: `The line has ${groupedNumber(cells.length)} cells; the header has ${groupedNumber(width)} columns.`,
        suggestion: 'The file may have been cut or edited; export it again.',
      });
      return;
    }
    this.#dataRow({ cells, line: this.#line }, this.#columns);
  }

  async #headerLine(text: string): Promise<void> {
    this.#separator ??= mostFrequentSeparator(text);
    const cells = headerCells(splitDelimited(text, this.#separator ?? ',', MAX_COLUMNS + 1), this.#line);
    if (isStarRow(cells)) {
      this.#stars = Math.max(this.#stars, starColumns(cells));
      return;
    }
    const columns = dartColumns(cells, this.#stars);
    if (columns === null) {
      throw new FileFormatError('E-NO-HEADER', {
        line: this.#line,
        value: text,
        message:
          'The header is not that of a report of DArT: it has neither AlleleID and SNP nor CloneID and OneRatio.',
        suggestion: 'Upload the report as DArT wrote it, with its header.',
      });
    }
    this.#columns = columns;
    this.#header = cells;
    const names = cells.slice(columns.count);
    if (names.length === 0) {
      this.#problems.error('E-COL-MISSING', {
        line: this.#line,
        message: 'The report has no columns of samples.',
        suggestion: 'Upload the report as DArT wrote it.',
      });
    }
    const line = this.#line;
    await this.#writer.start(names, (i) => ({ line, column: columns.count + i }));
    this.#codes = new Uint8Array(names.length);
    if (columns.isSilico) this.#shape = 'silico';
  }

  #dataRow(row: HeldRow, columns: DartColumns): void {
    const isReference = !columns.isSilico && NOT_CALLED.has(row.cells[columns.snp] ?? '');
    if (this.#shape === null) this.#shape = isReference ? 'two-row' : 'one-row';
    if (this.#shape !== 'two-row') {
      this.#oneRow(row, columns, isReference);
      return;
    }
    const held = this.#held;
    this.#held = null;
    if (held === null && isReference) this.#held = row;
    else if (held === null || isReference) {
      this.#reportPair(row.line);
      if (isReference) this.#held = row;
    } else if (cloneOf(held, columns) !== cloneOf(row, columns)) this.#reportPair(row.line);
    else this.#twoRows(held, row, columns);
  }

  #reportPair(line: number): void {
    this.#problems.error('E-GT-DART-ROWS', {
      line,
      message:
        'The report has two rows a marker, but this row does not follow the other row of its marker: first that of the reference (column SNP empty), then that of the SNP, with the same CloneID.',
      suggestion: 'Upload the report in the order in which DArT wrote it, without sorting or filtering its rows.',
    });
  }

  #oneRow(row: HeldRow, columns: DartColumns, isReference: boolean): void {
    if (isReference) {
      this.#reportPair(row.line);
      return;
    }
    const codes = this.#codes;
    const table = columns.isSilico ? SILICO : ONE_ROW;
    this.#rowProblems.start(row.line);
    for (let i = 0; i < codes.length; i++) {
      const cell = row.cells[columns.count + i] ?? '';
      codes[i] = table[cell] ?? MISSING;
      if (codes[i] === MISSING && !NOT_CALLED.has(cell)) this.#badCell(cell, columns.count + i);
    }
    this.#rowProblems.finish();
    this.#add(row, columns);
  }

  #twoRows(reference: HeldRow, snp: HeldRow, columns: DartColumns): void {
    const codes = this.#codes;
    this.#rowProblems.start(snp.line);
    for (let i = 0; i < codes.length; i++) {
      const place = columns.count + i;
      const [first = '', second = ''] = [reference.cells[place], snp.cells[place]];
      codes[i] = TWO_ROWS[first + second] ?? MISSING;
      if (first === '0' && second === '0') this.#bothAbsent.add(snp.line);
      if (codes[i] !== MISSING || (first === '0' && second === '0')) continue;
      for (const cell of [first, second])
        if (!NOT_CALLED.has(cell) && cell !== '0' && cell !== '1') this.#badCell(cell, place);
    }
    this.#rowProblems.finish();
    this.#add(snp, columns);
  }

  #badCell(value: string, column: number): void {
    if (/^\d+(?:\.\d+)?$/.test(value)) {
      throw new FileFormatError('E-GT-BAD-CALL', {
        line: this.#line,
        column: columnLabel(this.#header[column] ?? '', column),
        value,
        message: `"${value}" is no call of DArT: this looks like a report of read counts.`,
        suggestion:
          'Upload the report of calls (SNP in one or two rows, or SilicoDArT) that DArT delivered with the counts.',
      });
    }
    this.#rowProblems.badCall({
      column: () => columnLabel(this.#header[column] ?? '', column),
      value,
      message: `"${value}" is not a call of DArT.`,
      suggestion: 'Calls are 0, 1 and 2 in a report with one row a marker, otherwise 0 and 1, and - when missing.',
    });
  }

  #add({ cells, line }: HeldRow, columns: DartColumns): void {
    const id = cells[columns.id] ?? '';
    const [, a1 = UNKNOWN_ALLELE, a2 = UNKNOWN_ALLELE] = /:([A-Z-]+)>([A-Z-]+)$/i.exec(cells[columns.snp] ?? '') ?? [];
    const place = placeOf(cells, columns) ?? this.#options.places?.get(id);
    if (place === undefined || place.positionBp === 0) this.#unplaced++;
    if (/^(?:minus|-)/i.test(cells[columns.strand] ?? '')) this.#minus.add(line);
    this.#markers++;
    packCalls(this.#codes, this.#writer.row);
    const { chromosome = UNKNOWN_CHROMOSOME, positionBp = 0 } = place ?? {};
    this.#writer.add({ id: id === '' ? null : id, chromosome, positionBp, a1, a2, line });
  }

  finish(): void {
    if (this.#columns === null) {
      throw new FileFormatError('E-NO-HEADER', {
        message: 'The report ends before its header.',
        suggestion: 'Upload the report as DArT wrote it.',
      });
    }
    if (this.#held !== null) this.#reportPair(this.#held.line);
    if (this.#shape === null || this.#problems.errorCount > 0) return;
    reportUnplaced(this.#unplaced, this.#markers, this.#problems);
    this.#reportReading(this.#shape, this.#columns);
  }

  #reportReading(shape: Shape, columns: DartColumns): void {
    const absent = this.#bothAbsent.count;
    const texts: Record<Shape, string> = {
      'one-row':
        'Read as SNPs with one row a marker: 0 = two copies of the reference, 1 = two copies of the SNP allele, 2 = one of each.',
      'two-row': `Read as SNPs with two rows a marker: presence of the reference, and of the SNP allele.${absent === 0 ? '' : ` ${counted(absent, 'call')} with neither ${absent === 1 ? 'was' : 'were'} read as missing.`}`,
      silico: 'Read as SilicoDArT: 0 = tag absent, 1 = present, as none or two copies of the tag.',
    };
    const isTagPlace = !columns.isSilico && columns.position >= 0 && !columns.isSnpPosition;
    this.#problems.info('I-GT-DART', {
      message: `${texts[shape]}${isTagPlace ? ' Positions are those of the tags, up to some 70 bp from the SNPs.' : ''}`,
      suggestion: 'Nothing to do if this is what DArT delivered.',
    });
    if (this.#minus.count === 0 || columns.isSilico) return;
    this.#problems.warning('W-GT-STRAND', {
      line: this.#minus.line,
      message: `${counted(this.#minus.count, 'tag')} of ${groupedNumber(this.#markers)} ${this.#minus.count === 1 ? 'lies' : 'lie'} on the minus strand; alleles are given as the tags were read, not as the genome has them.`,
      suggestion:
        'Nothing to do within this panel; turn the alleles round before it is compared with panels of other arrays.',
    });
  }
}

/** What two rows of one marker have in common. */
const cloneOf = ({ cells }: HeldRow, { clone, id }: DartColumns): string =>
  (cells[clone < 0 ? id : clone] ?? '').replace(/\|.*$/s, '');

/** What Ensembl writes behind the name of a sequence: `5 dna:chromosome`, `5 chromosome:AGPv2:5:1:217872852:1 …`. */
const SEQUENCE_DESCRIPTION = /\s(?:dna|dna_[rs]m|chromosome|scaffold|contig|supercontig|primary_assembly):.*$/i;

function placeOf(
  cells: readonly string[],
  { chromosome, position }: DartColumns,
): { chromosome: string; positionBp: number } | undefined {
  const name = (cells[chromosome] ?? '').replace(SEQUENCE_DESCRIPTION, '');
  const positionBp = Number(cells[position] ?? '');
  const isPlaced = !['', '*', '-', '.', '0', 'NA'].includes(name);
  return isPlaced && Number.isInteger(positionBp) && positionBp > 0 && positionBp <= MAX_POSITION_BP
    ? { chromosome: name, positionBp }
    : undefined;
}
