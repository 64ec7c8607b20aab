import { columnLabel, FileFormatError, type ProblemCollector } from '../../../problem.ts';
import { groupedNumber } from '../../../text/grouped-number.ts';
import { decodeText } from '../../../text/line-blocks.ts';
import { UNKNOWN_ALLELE, UNKNOWN_CHROMOSOME } from '../../panel/marker-columns.ts';
import { MAX_POSITION_BP } from '../../panel/marker-position.ts';
import { HET, HOM_A1, HOM_A2, MISSING, packCalls } from '../../panel/packed-calls.ts';
import type { PanelWriter } from '../../panel/panel-writer.ts';
import { counted, Tally } from '../../panel/tally.ts';
import { addDosages } from '../add-dosages.ts';
import { reportUnplaced } from '../marker-findings.ts';
import { mostFrequentSeparator } from '../matrix-layout.ts';
import { createReadCaller } from '../read-caller.ts';
import { RowProblems } from '../row-problems.ts';
import { headerCells, MAX_COLUMNS, rowCells, splitDelimited } from '../split-delimited.ts';
import { reportCalled } from '../vcf/vcf-findings.ts';
import { type DartColumns, dartColumns, isStarRow, starColumns } from './dart-layout.ts';
import type { DosageReportOptions } from './long-dosages.ts';

const LF = 10;
/** A row of the report that waits for its pair. */
interface HeldRow {
  cells: string[];
  line: number;
}

/** What becomes of cells that are reads. */
interface ReadCells {
  ploidy: number;
  /** Of a marker, one a sample. */
  copies: Float64Array;
  /** Null for shares. */
  call: ReturnType<typeof createReadCaller> | null;
}

/** Codes of calls by what a cell of a report with one row a marker says: 2 is the heterozygous call. */
const ONE_ROW: Readonly<Record<string, number>> = { '0': HOM_A1, '1': HOM_A2, '2': HET };
const SILICO: Readonly<Record<string, number>> = { '0': HOM_A1, '1': HOM_A2 };
/** By presence of the reference and of the SNP allele; without either, the site is not there or was not seen. */
const TWO_ROWS: Readonly<Record<string, number>> = { '10': HOM_A1, '01': HOM_A2, '11': HET, '00': MISSING };
const NOT_CALLED: ReadonlySet<string> = new Set(['-', '', 'NA']);

type Shape = 'one-row' | 'two-row' | 'silico' | 'tag';

/** Haplotypes of DArTag that are the two alleles of the target SNP: `name|Ref_0001`, `name|Alt_0002`. */
const TAG_ALLELE = /\|(Ref|Alt)(?:_\d+)?$/;
/** Markers that are named by their place, `chr1.1_000194324`. */
const NAMED_PLACE = /^(chr.*)_0*(\d+)$/i;

/**
 * Reads a report of Diversity Arrays Technology into a panel: DArTseq SNPs with one row a marker (0 = both copies
 * reference, 1 = both SNP, 2 = heterozygous) or two (presence of the reference allele, then of the SNP allele), or
 * SilicoDArT (0 = tag absent, 1 = present, read as none or two copies). Alleles come from the column SNP
 * (`19:C>T`) and are those of the sequenced tag. Reads of DArTag, and those of SNPs in two rows where reads are asked
 * for (AD), become their share times the ploidy, or are called. Source: Gruber et al. 2018, dartR,
 * doi:10.1111/1755-0998.12745.
 */
export async function readDart(
  blocks: AsyncIterable<Buffer>,
  writer: PanelWriter,
  problems: ProblemCollector,
  options: DosageReportOptions,
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
  readonly #options: DosageReportOptions;
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
  /** What copies are made of, where the cells are reads. */
  #reads: ReadCells | null = null;
  readonly #called = new Tally();
  readonly #withoutReads = new Tally();
  #uncertain = 0;
  /** Haplotypes beside those of the SNP, and SNPs of which one allele has no row. */
  readonly #otherHaplotypes = new Tally();
  readonly #singleAlleles = new Tally();

  constructor(writer: PanelWriter, problems: ProblemCollector, options: DosageReportOptions) {
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
    this.#readReads(columns, names.length);
  }

  #readReads({ isTag, isSilico }: DartColumns, samples: number): void {
    const { genotypeField: field = 'GT', ploidy } = this.#options;
    if (isTag) this.#shape = 'tag';
    if (isSilico || (!isTag && !field.startsWith('AD'))) {
      if (ploidy === undefined || ploidy === 2) return;
      throw new FileFormatError('E-GT-PLOIDY', {
        value: String(ploidy),
        message: `The report holds calls of diploids, and the ploidy was given as ${ploidy}.`,
        suggestion: 'Upload the report of reads and read its shares or calls (AD), or leave the ploidy out.',
      });
    }
    if (ploidy === undefined) {
      throw new FileFormatError('E-GT-PLOIDY', {
        line: this.#line,
        message: 'The report has reads of each allele, and does not say how many copies the plants have.',
        suggestion: 'Say the ploidy of the plants (heterosis --ploidy 4; 2 for diploids).',
      });
    }
    const call = field === 'AD-called' ? createReadCaller(ploidy) : null;
    this.#reads = { ploidy, copies: new Float64Array(samples), call };
  }

  #dataRow(row: HeldRow, columns: DartColumns): void {
    if (this.#shape === 'tag') {
      this.#tagRow(row, columns);
      return;
    }
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

  /** Rows of one marker stand together, in any order. */
  #tagRow(row: HeldRow, columns: DartColumns): void {
    const held = this.#held;
    const allele = TAG_ALLELE.exec(row.cells[columns.id] ?? '')?.[1];
    if (held !== null && cloneOf(held, columns) !== cloneOf(row, columns)) {
      this.#singleAlleles.add(held.line);
      this.#held = null;
    }
    if (allele === undefined) this.#otherHaplotypes.add(row.line);
    else if (this.#held === null) this.#held = row;
    else {
      const isReferenceFirst = TAG_ALLELE.exec(this.#held.cells[columns.id] ?? '')?.[1] === 'Ref';
      if (isReferenceFirst === (allele === 'Ref')) this.#reportPair(row.line);
      else if (isReferenceFirst) this.#twoRows(this.#held, row, columns);
      else this.#twoRows(row, this.#held, columns);
      this.#held = null;
    }
  }

  #reportPair(line: number): void {
    this.#problems.error('E-GT-DART-ROWS', {
      line,
      message:
        this.#shape === 'tag'
          ? 'The report has this allele of its marker twice: rows named Ref and Alt are one each of every CloneID.'
          : 'The report has two rows a marker, but this row does not follow the other row of its marker: first that of the reference (column SNP empty), then that of the SNP, with the same CloneID.',
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
    if (this.#reads !== null) {
      this.#pairOfReads(reference, snp, columns, this.#reads);
      return;
    }
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

  #pairOfReads(reference: HeldRow, snp: HeldRow, columns: DartColumns, { copies, ploidy, call }: ReadCells): void {
    this.#rowProblems.start(snp.line);
    for (let i = 0; i < copies.length; i++) {
      const place = columns.count + i;
      const [first, second] = [reference, snp].map(({ cells }) => this.#readCount(cells[place] ?? '', place));
      copies[i] = Number.NaN;
      if (Number.isNaN(first + second)) continue;
      if (first + second === 0) this.#withoutReads.add(snp.line);
      else if (call === null) copies[i] = (ploidy * second) / (first + second);
      else {
        copies[i] = call(first, second);
        this.#called.add(snp.line);
        if (Number.isNaN(copies[i])) this.#uncertain++;
      }
    }
    this.#rowProblems.finish();
    this.#add(snp, columns, reference);
  }

  /** Reads of an allele; NaN when they are not there, or reported as none. */
  #readCount(cell: string, column: number): number {
    if (NOT_CALLED.has(cell)) return Number.NaN;
    if (/^\d{1,15}$/.test(cell)) return Number(cell);
    this.#rowProblems.badCall({
      column: () => columnLabel(this.#header[column] ?? '', column),
      value: cell,
      message: `"${cell}" is not a whole number of reads.`,
      suggestion: 'Upload the report as DArT wrote it.',
    });
    return Number.NaN;
  }

  #badCell(value: string, column: number): void {
    if (/^\d+(?:\.\d+)?$/.test(value)) {
      throw new FileFormatError('E-GT-BAD-CALL', {
        line: this.#line,
        column: columnLabel(this.#header[column] ?? '', column),
        value,
        message: `"${value}" is no call of DArT: this looks like a report of read counts.`,
        suggestion:
          'Read its reads (heterosis --genotype-field AD, with --ploidy), if it has two rows a marker; or upload the report of calls (SNP in one or two rows, or SilicoDArT) that DArT delivered with the counts.',
      });
    }
    this.#rowProblems.badCall({
      column: () => columnLabel(this.#header[column] ?? '', column),
      value,
      message: `"${value}" is not a call of DArT.`,
      suggestion: 'Calls are 0, 1 and 2 in a report with one row a marker, otherwise 0 and 1, and - when missing.',
    });
  }

  #add(row: HeldRow, columns: DartColumns, reference?: HeldRow): void {
    const { cells, line } = row;
    const id = columns.isTag ? cloneOf(row, columns) : (cells[columns.id] ?? '');
    const [a1, a2] =
      columns.isTag && reference !== undefined
        ? allelesOfSequences(reference.cells[columns.sequence] ?? '', cells[columns.sequence] ?? '')
        : allelesOfSnp(cells[columns.snp] ?? '');
    const place =
      placeOf(cells, columns) ?? this.#options.places?.get(id) ?? (columns.isTag ? placeInName(id) : undefined);
    if (place === undefined || place.positionBp === 0) this.#unplaced++;
    if (/^(?:minus|-)/i.test(cells[columns.strand] ?? '')) this.#minus.add(line);
    this.#markers++;
    const { chromosome = UNKNOWN_CHROMOSOME, positionBp = 0 } = place ?? {};
    const marker = { id: id === '' ? null : id, chromosome, positionBp, a1, a2, line };
    if (this.#reads !== null) {
      addDosages(this.#writer, marker, this.#reads.copies, this.#reads.ploidy);
      return;
    }
    packCalls(this.#codes, this.#writer.row);
    this.#writer.add(marker);
  }

  finish(): void {
    if (this.#columns === null) {
      throw new FileFormatError('E-NO-HEADER', {
        message: 'The report ends before its header.',
        suggestion: 'Upload the report as DArT wrote it.',
      });
    }
    if (this.#held !== null && this.#shape === 'tag') this.#singleAlleles.add(this.#held.line);
    else if (this.#held !== null) this.#reportPair(this.#held.line);
    if (this.#shape === null || this.#problems.errorCount > 0) return;
    reportUnplaced(this.#unplaced, this.#markers, this.#problems);
    this.#reportReading(this.#shape, this.#columns);
  }

  #reportReading(shape: Shape, columns: DartColumns): void {
    const absent = this.#bothAbsent.count;
    const texts: Record<Shape, string> = {
      'one-row':
        'Read as SNPs with one row a marker: 0 = two copies of the reference, 1 = two copies of the SNP allele, 2 = one of each.',
      'two-row': `Read as SNPs with two rows a marker: ${this.#reads === null ? 'presence' : 'reads'} of the reference, and of the SNP allele.${absent === 0 ? '' : ` ${counted(absent, 'call')} with neither ${absent === 1 ? 'was' : 'were'} read as missing.`}`,
      tag: `Read as reads of DArTag: the haplotypes named Ref and Alt of each marker.${this.#otherHaplotypes.count === 0 ? '' : ` ${counted(this.#otherHaplotypes.count, 'row')} of other haplotypes (RefMatch, AltMatch …) ${this.#otherHaplotypes.count === 1 ? 'was' : 'were'} passed over.`}${this.#singleAlleles.count === 0 ? '' : ` ${counted(this.#singleAlleles.count, 'marker')} with a row of one allele alone ${this.#singleAlleles.count === 1 ? 'was' : 'were'} left out.`}`,
      silico: 'Read as SilicoDArT: 0 = tag absent, 1 = present, as none or two copies of the tag.',
    };
    const isTagPlace = !columns.isSilico && columns.position >= 0 && !columns.isSnpPosition;
    this.#problems.info('I-GT-DART', {
      message: `${texts[shape]}${isTagPlace ? ' Positions are those of the tags, up to some 70 bp from the SNPs.' : ''}`,
      suggestion: 'Nothing to do if this is what DArT delivered.',
    });
    reportCalled(this.#called, this.#uncertain, this.#problems);
    if (this.#withoutReads.count > 0) {
      this.#problems.warning('W-GT-NO-READS', {
        line: this.#withoutReads.line,
        message: `${counted(this.#withoutReads.count, 'call')} ${this.#withoutReads.count === 1 ? 'has' : 'have'} no reads; they were read as missing.`,
        suggestion: 'Nothing to do if so many plants could not be sequenced at these markers.',
      });
    }
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

function allelesOfSnp(text: string): [string, string] {
  const [, a1 = UNKNOWN_ALLELE, a2 = UNKNOWN_ALLELE] = /:([A-Z-]+)>([A-Z-]+)$/i.exec(text) ?? [];
  return [a1, a2];
}

/** The bases at the only place where two haplotypes differ; unknown where they differ otherwise. */
function allelesOfSequences(reference: string, alternative: string): [string, string] {
  const places = [...reference].flatMap((base, at) => (base === alternative[at] ? [] : [at]));
  const [at] = places;
  if (reference.length !== alternative.length || places.length !== 1 || at === undefined)
    return [UNKNOWN_ALLELE, UNKNOWN_ALLELE];
  return [reference[at] ?? UNKNOWN_ALLELE, alternative[at] ?? UNKNOWN_ALLELE];
}

function placeInName(id: string): { chromosome: string; positionBp: number } | undefined {
  const [, chromosome, position] = NAMED_PLACE.exec(id) ?? [];
  const positionBp = Number(position);
  return chromosome !== undefined && positionBp > 0 && positionBp <= MAX_POSITION_BP
    ? { chromosome, positionBp }
    : undefined;
}

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
