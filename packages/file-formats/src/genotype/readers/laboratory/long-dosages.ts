import { columnLabel, FileFormatError, type ProblemCollector } from '../../../problem.ts';
import { groupedNumber } from '../../../text/grouped-number.ts';
import { decodeText } from '../../../text/line-blocks.ts';
import { UNKNOWN_ALLELE, UNKNOWN_CHROMOSOME } from '../../panel/marker-columns.ts';
import type { PanelWriter } from '../../panel/panel-writer.ts';
import { counted, Tally } from '../../panel/tally.ts';
import { addDosages } from '../add-dosages.ts';
import { isMissingText } from '../call-text.ts';
import { reportUnplaced } from '../marker-findings.ts';
import type { MarkerPlaces } from '../marker-list.ts';
import { reportUnnamedAlleles } from '../numeric-coding.ts';
import { createReadCaller } from '../read-caller.ts';
import { RowProblems } from '../row-problems.ts';
import type { GenotypeField } from '../vcf/vcf-calls.ts';
import { reportCalled } from '../vcf/vcf-findings.ts';
import { type LongDosageColumns, longCells, longDosageColumns } from './long-dosage-columns.ts';

export interface DosageReportOptions {
  places?: MarkerPlaces | undefined;
  /** Copies of each chromosome, where they are given. */
  ploidy?: number | undefined;
  genotypeField?: GenotypeField | undefined;
  onLegacyText: () => void;
  signal?: AbortSignal | undefined;
}

const LF = 10;
/** Bytes of all dosages that are kept in memory. */
const MAX_BYTES = 1 << 30;
/** What was not given, beside NaN for what is missing. */
const NOT_GIVEN = -1;

/**
 * Reads a table of one dosage a row into a panel: the individuals of updog's multidog (`snp, ind, ref, size, geno,
 * postmean …`; Gerard et al. 2018, doi:10.1534/genetics.118.301468) or the scores of fitPoly (`MarkerName, SampleName,
 * geno …`). Whole dosages unless posterior means (DS) or reads (AD, AD-called) are asked for. Columns of probabilities
 * tell the ploidy. Rows may come in any order.
 */
export async function readLongDosages(
  blocks: AsyncIterable<Buffer>,
  writer: PanelWriter,
  problems: ProblemCollector,
  options: DosageReportOptions,
): Promise<void> {
  const reader = new LongDosageReader(writer, problems, options);
  for await (const block of blocks) {
    options.signal?.throwIfAborted();
    for (let at = 0; at < block.length; ) {
      const next = block.indexOf(LF, at) + 1;
      reader.line(decodeText(block.subarray(at, next - 1), options.onLegacyText));
      at = next;
    }
  }
  await reader.finish();
}

class LongDosageReader {
  readonly #writer: PanelWriter;
  readonly #problems: ProblemCollector;
  readonly #options: DosageReportOptions;
  readonly #rowProblems: RowProblems;
  readonly #samples = new Map<string, { index: number; line: number }>();
  readonly #markers = new Map<string, { line: number; copies: Float64Array }>();
  readonly #conflicts = new Tally();
  readonly #called = new Tally();
  #uncertain = 0;
  #bytes = 0;
  #line = 0;
  #columns: LongDosageColumns | null = null;
  #header: string[] = [];
  #ploidy = 2;
  #copiesOf: (cells: readonly string[]) => number = () => Number.NaN;

  constructor(writer: PanelWriter, problems: ProblemCollector, options: DosageReportOptions) {
    this.#writer = writer;
    this.#problems = problems;
    this.#options = options;
    this.#rowProblems = new RowProblems(problems);
  }

  line(text: string): void {
    this.#line++;
    if (text.trim() === '') return;
    if (this.#columns === null) {
      if (!text.startsWith('#')) this.#headerLine(text);
      return;
    }
    const { separator, count, marker, sample } = this.#columns;
    const cells = longCells(text, separator);
    const [id = '', name = ''] = [cells[marker], cells[sample]];
    if (cells.length !== count || id === '' || name === '') {
      this.#problems.error('E-GT-COLS', {
        line: this.#line,
        value: text,
        message: `The line does not have ${count} cells with the name of a marker and of a sample.`,
        suggestion: 'The file may have been cut or edited; export it again.',
      });
      return;
    }
    this.#add(name, id, this.#copiesOf(cells));
  }

  #headerLine(text: string): void {
    const columns = longDosageColumns(text);
    if (columns === null) {
      throw new FileFormatError('E-NO-HEADER', {
        line: this.#line,
        value: text,
        message: 'The header does not name the columns of markers, samples and dosages.',
        suggestion: 'Call them snp, ind and geno, as updog does, or MarkerName, SampleName and geno, as fitPoly does.',
      });
    }
    const { ploidy = columns.ploidy || 2 } = this.#options;
    if (columns.ploidy > 0 && ploidy !== columns.ploidy) {
      throw new FileFormatError('E-GT-PLOIDY', {
        line: this.#line,
        message: `The table has probabilities of 0 to ${columns.ploidy} copies, and the ploidy was given as ${ploidy}.`,
        suggestion: 'Leave the ploidy out: the columns tell it.',
      });
    }
    this.#columns = columns;
    this.#header = longCells(text, columns.separator);
    this.#ploidy = ploidy;
    this.#copiesOf = this.#reading(columns);
  }

  /** What the copies of a row are read from. */
  #reading({ geno, mean, counted: ofCounted, depth }: LongDosageColumns): (cells: readonly string[]) => number {
    const { genotypeField: field = 'GT' } = this.#options;
    if (!field.startsWith('AD')) {
      const column = field === 'DS' && mean >= 0 ? mean : geno;
      return (cells) => this.#number(cells[column] ?? '', column, this.#ploidy);
    }
    if (ofCounted < 0 || depth < 0) {
      throw new FileFormatError('E-GT-NO-GT', {
        line: this.#line,
        message: 'The table has no reads: columns ref and size are not there.',
        suggestion: 'Read the calls (GT) or their posterior means (DS).',
      });
    }
    const call = field === 'AD-called' ? createReadCaller(this.#ploidy) : null;
    return (cells) => {
      const all = this.#number(cells[depth] ?? '', depth, Number.MAX_SAFE_INTEGER);
      const reads = this.#number(cells[ofCounted] ?? '', ofCounted, all);
      if (Number.isNaN(all) || Number.isNaN(reads) || all === 0) return Number.NaN;
      if (call === null) return (this.#ploidy * reads) / all;
      const copies = call(all - reads, reads);
      this.#called.add(this.#line);
      if (Number.isNaN(copies)) this.#uncertain++;
      return copies;
    };
  }

  /** A number from 0 to `most`; NaN when it is missing, or reported as none. */
  #number(text: string, column: number, most: number): number {
    if (isMissingText(text)) return Number.NaN;
    const value = Number(text);
    if (value >= 0 && !(value > most)) return value;
    this.#rowProblems.start(this.#line);
    this.#rowProblems.badCall({
      column: () => columnLabel(this.#header[column] ?? '', column),
      value: text,
      message: `"${text}" is not a number from 0 to ${most}.`,
      suggestion:
        value > most && this.#options.ploidy === undefined && this.#columns?.ploidy === 0
          ? 'Say the ploidy of the plants (heterosis --ploidy), or correct the value.'
          : 'Correct the value, or leave it empty or write NA when it is missing.',
    });
    return Number.NaN;
  }

  #add(name: string, id: string, copies: number): void {
    let sample = this.#samples.get(name);
    if (sample === undefined) {
      sample = { index: this.#samples.size, line: this.#line };
      this.#samples.set(name, sample);
    }
    const values = this.#copies(id, sample.index);
    const before = values[sample.index];
    if (before === NOT_GIVEN || Number.isNaN(before)) values[sample.index] = copies;
    else if (!Number.isNaN(copies) && copies !== before) {
      values[sample.index] = Number.NaN;
      this.#conflicts.add(this.#line);
    }
  }

  /** The dosages of a marker, long enough for a sample. */
  #copies(id: string, index: number): Float64Array {
    const found = this.#markers.get(id);
    if (found !== undefined && found.copies.length > index) return found.copies;
    const copies = new Float64Array(Math.max(16, 2 * (index + 1))).fill(NOT_GIVEN);
    this.#bytes += copies.byteLength - (found?.copies.byteLength ?? 0);
    if (this.#bytes > MAX_BYTES) {
      throw new FileFormatError('E-TOO-LARGE', {
        line: this.#line,
        message: `The table has too many samples and markers to be put into a matrix (${groupedNumber(this.#samples.size)} and ${groupedNumber(this.#markers.size)} so far).`,
        suggestion: 'Split it by marker; or have it as a VCF or as a matrix with markers in rows.',
      });
    }
    if (found !== undefined) copies.set(found.copies);
    this.#markers.set(id, { line: found?.line ?? this.#line, copies });
    return copies;
  }

  async finish(): Promise<void> {
    const columns = this.#columns;
    if (columns === null || this.#markers.size === 0) {
      throw new FileFormatError('E-EMPTY', {
        message: 'The table has no dosages.',
        suggestion: 'Export the genotypes again.',
      });
    }
    const lines = Array.from(this.#samples.values(), ({ line }) => line);
    await this.#writer.start([...this.#samples.keys()], (i) => ({ line: lines[i] ?? null, column: columns.sample }));
    const row = new Float64Array(this.#samples.size);
    let [unplaced, unnamed, done] = [0, 0, 0];
    for (const [id, { line, copies }] of this.#markers) {
      for (let i = 0; i < row.length; i++) row[i] = (copies[i] ?? NOT_GIVEN) === NOT_GIVEN ? Number.NaN : copies[i];
      const place = this.#options.places?.get(id);
      const [a1 = UNKNOWN_ALLELE, a2 = UNKNOWN_ALLELE] = place?.alleles ?? [];
      if (a2 === UNKNOWN_ALLELE) unnamed++;
      if ((place?.positionBp ?? 0) === 0) unplaced++;
      const { chromosome = UNKNOWN_CHROMOSOME, positionBp = 0 } = place ?? {};
      addDosages(this.#writer, { id, chromosome, positionBp, a1, a2, line }, row, this.#ploidy);
      if (++done % 1024 === 0) await this.#writer.drain();
    }
    if (unnamed > 0) reportUnnamedAlleles(this.#problems);
    reportUnplaced(unplaced, this.#markers.size, this.#problems);
    reportCalled(this.#called, this.#uncertain, this.#problems);
    if (this.#conflicts.count > 0) {
      this.#problems.warning('W-GT-CONFLICT', {
        line: this.#conflicts.line,
        message: `${counted(this.#conflicts.count, 'dosage')} of a sample and marker that ${this.#conflicts.count === 1 ? 'is' : 'are'} given twice with different numbers ${this.#conflicts.count === 1 ? 'was' : 'were'} read as missing.`,
        suggestion:
          'Check whether two plants have the same name; give them different names if they are to be kept apart.',
      });
    }
  }
}
