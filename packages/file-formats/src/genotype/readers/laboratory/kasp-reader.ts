import { columnLabel, FileFormatError, type ProblemCollector } from '../../../problem.ts';
import { decodeText } from '../../../text/line-blocks.ts';
import { UNKNOWN_CHROMOSOME } from '../../panel/marker-columns.ts';
import type { PanelWriter } from '../../panel/panel-writer.ts';
import { counted, Tally } from '../../panel/tally.ts';
import { AlleleCalls, type MultiallelicRule, reportMultiallelic } from '../allele-calls.ts';
import { isMissingText } from '../call-text.ts';
import { reportOtherAlleles, reportUnlistedAlleles, reportUnplaced } from '../marker-findings.ts';
import type { MarkerPlaces } from '../marker-list.ts';
import { headerKey, mostFrequentSeparator } from '../matrix-layout.ts';
import { resolveAlleles } from '../resolve-alleles.ts';
import { RowProblems } from '../row-problems.ts';
import { splitDelimited } from '../split-delimited.ts';
import { type KaspColumns, kaspColumns, MAX_KASP_COLUMNS, readKaspCall } from './kasp-layout.ts';
import { LongCalls, MAX_ALLELE_SYMBOLS } from './long-calls.ts';

export interface KaspOptions {
  multiallelic: MultiallelicRule;
  places?: MarkerPlaces | undefined;
  onLegacyText: () => void;
  signal?: AbortSignal | undefined;
}

const LF = 10;
const DELETION = '-';
/** A control without DNA. */
const CONTROL = 'NTC';

/**
 * Reads KASP calls, one a row, into a panel: a table with columns of markers, samples and calls, as it is or as the
 * part "Data" of LGC's report. Lists of markers in that report tell which of them have a deletion as an allele. Rows
 * may come in any order. Controls without DNA and wells without a name are passed over. Format of the report:
 * KlusterCaller, LGC Genomics.
 */
export async function readKasp(
  blocks: AsyncIterable<Buffer>,
  writer: PanelWriter,
  problems: ProblemCollector,
  options: KaspOptions,
): Promise<void> {
  const reader = new KaspReader(writer, problems, options);
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

class KaspReader {
  readonly #writer: PanelWriter;
  readonly #problems: ProblemCollector;
  readonly #options: KaspOptions;
  readonly #rowProblems: RowProblems;
  readonly #calls = new LongCalls();
  readonly #alleleNames: string[] = [''];
  readonly #symbolOf = new Map<string, number>([['', 0]]);
  /** Symbols of calls that were read before, by their texts. */
  readonly #known = new Map<string, readonly [number, number] | null>();
  readonly #controls = new Tally();
  /** Markers of which a list says that the deletion is an allele. */
  readonly #withDeletion = new Set<string>();
  #list: { separator: string; id: number; alleles: number[] } | null = null;
  #columns: KaspColumns | null = null;
  #header: string[] = [];
  #line = 0;

  constructor(writer: PanelWriter, problems: ProblemCollector, options: KaspOptions) {
    this.#writer = writer;
    this.#problems = problems;
    this.#options = options;
    this.#rowProblems = new RowProblems(problems);
  }

  line(text: string): void {
    this.#line++;
    if (this.#columns !== null) this.#dataLine(text, this.#columns);
    else if (!text.startsWith('#')) this.#lineBeforeData(text);
  }

  /** The header of the data, or a line of a list of markers with their alleles. */
  #lineBeforeData(text: string): void {
    this.#columns = kaspColumns(text);
    if (this.#columns !== null) {
      this.#header = splitDelimited(text, this.#columns.separator, MAX_KASP_COLUMNS);
      return;
    }
    const separator = mostFrequentSeparator(text);
    const cells = separator === null ? [] : splitDelimited(text, separator, MAX_KASP_COLUMNS);
    const keys = cells.map(headerKey);
    const alleles = [keys.indexOf('allelex'), keys.indexOf('alleley')];
    if (separator !== null && !alleles.includes(-1) && (keys[0] === 'snp' || keys[0] === 'snpid'))
      this.#list = { separator, id: 0, alleles };
    else if (cells.every((cell) => cell === '')) this.#list = null;
    else if (this.#list !== null && this.#list.alleles.some((column) => cells[column] === DELETION))
      this.#withDeletion.add(cells[this.#list.id] ?? '');
  }

  #dataLine(text: string, columns: KaspColumns): void {
    const cells = splitDelimited(text, columns.separator, MAX_KASP_COLUMNS);
    if (cells.every((cell) => cell === '')) return;
    const [marker, sample, call] = [cells[columns.marker], cells[columns.sample], cells[columns.call]];
    if (marker === undefined || sample === undefined || call === undefined || marker === '') {
      this.#problems.error('E-GT-COLS', {
        line: this.#line,
        value: text,
        message: `The line does not name a marker, a sample and a call (columns ${['marker', 'sample', 'call'].map((role) => this.#label(columns[role as 'call'])).join(', ')}).`,
        suggestion: 'The file may have been cut or edited; export it again.',
      });
      return;
    }
    if (isMissingText(sample) || call.toUpperCase() === CONTROL) {
      this.#controls.add(this.#line);
      return;
    }
    const symbols = this.#symbols(call);
    if (symbols === null) {
      this.#rowProblems.start(this.#line);
      this.#rowProblems.badCall({
        column: () => this.#label(columns.call),
        value: call,
        message: `"${call}" is not a call.`,
        suggestion: 'Write calls as A:G or AG, and leave missing ones empty or write NA, ? or Uncallable.',
      });
      return;
    }
    this.#calls.add(sample, marker, symbols[0], symbols[1], this.#line);
  }

  #label(column: number): string {
    return columnLabel(this.#header[column] ?? '', column);
  }

  #symbols(text: string): readonly [number, number] | null {
    let symbols = this.#known.get(text);
    if (symbols !== undefined) return symbols;
    const call = readKaspCall(text);
    symbols = call === null ? null : [this.#symbol(call[0]), this.#symbol(call[1])];
    if (symbols !== null) this.#known.set(text, symbols);
    return symbols;
  }

  #symbol(allele: string): number {
    let symbol = this.#symbolOf.get(allele);
    if (symbol === undefined) {
      symbol = this.#alleleNames.length;
      if (symbol >= MAX_ALLELE_SYMBOLS) {
        throw new FileFormatError('E-GT-BAD-CALL', {
          line: this.#line,
          value: allele,
          message: `The file has more than ${MAX_ALLELE_SYMBOLS - 1} different alleles.`,
          suggestion: 'Check that the column of calls holds the calls of SNPs and short insertions.',
        });
      }
      this.#alleleNames.push(allele);
      this.#symbolOf.set(allele, symbol);
    }
    return symbol;
  }

  async finish(): Promise<void> {
    if (this.#columns === null) {
      throw new FileFormatError('E-NO-HEADER', {
        message: 'No row names the columns of markers, samples and calls.',
        suggestion:
          'Call them MarkerName, SampleName and SNPcall; in a report of LGC they stand below the line "Data".',
      });
    }
    const { samples, markers } = this.#calls;
    const names = [...samples.keys()];
    const lines = Array.from(samples.values(), ({ line }) => line);
    const sampleColumn = this.#columns.sample;
    await this.#writer.start(names, (i) => ({ line: lines[i] ?? null, column: sampleColumn }));
    if (names.length === 0 || markers.size === 0) {
      throw new FileFormatError('E-EMPTY', {
        message: 'The file has no calls of samples.',
        suggestion: 'Export the genotypes again.',
      });
    }
    await this.#addMarkers(names.length);
    this.#reportRows();
  }

  async #addMarkers(sampleCount: number): Promise<void> {
    const calls = new AlleleCalls(sampleCount);
    const row = { first: new Uint8Array(sampleCount), second: new Uint8Array(sampleCount) };
    const multiallelic = new Tally();
    const otherAllele = new Tally();
    let unlisted = 0;
    let unplaced = 0;
    let done = 0;
    for (const [id, { line, calls: given }] of this.#calls.markers) {
      this.#calls.row(given, row.first, row.second);
      this.#settleDeletions(id, row);
      const place = this.#options.places?.get(id);
      const listed = (place?.alleles ?? []).map((allele) => this.#symbol(allele.toUpperCase()));
      if (listed.length === 0) unlisted++;
      if ((place?.positionBp ?? 0) === 0) unplaced++;
      const { alleles, otherCalls } = resolveAlleles(row, this.#alleleNames, listed, calls);
      if (otherCalls > 0) otherAllele.add(line, otherCalls);
      if (alleles.length > 2) multiallelic.add(line);
      if (alleles.length <= 2 || this.#options.multiallelic === 'split') {
        const { chromosome = UNKNOWN_CHROMOSOME, positionBp = 0 } = place ?? {};
        calls.addTo(this.#writer, { id, chromosome, positionBp, line }, alleles);
      }
      if (++done % 1024 === 0) await this.#writer.drain();
    }
    reportUnlistedAlleles(unlisted, this.#problems);
    reportOtherAlleles(otherAllele, this.#problems);
    reportMultiallelic(multiallelic, 'marker', this.#options.multiallelic, this.#problems);
    reportUnplaced(unplaced, this.#calls.markers.size, this.#problems);
  }

  /** `-:-` is a call where the deletion is an allele of the marker: in its list, or in a call beside another allele. */
  #settleDeletions(marker: string, { first, second }: { first: Uint8Array; second: Uint8Array }): void {
    const deletion = this.#symbolOf.get(DELETION);
    if (deletion === undefined || this.#withDeletion.has(marker)) return;
    if (first.some((symbol, i) => symbol !== second[i] && (symbol === deletion || second[i] === deletion))) return;
    for (let i = 0; i < first.length; i++) if (first[i] === deletion) first[i] = second[i] = 0;
  }

  #reportRows(): void {
    const { conflicts } = this.#calls;
    if (conflicts.count > 0) {
      this.#problems.warning('W-GT-CONFLICT', {
        line: conflicts.line,
        message: `${counted(conflicts.count, 'call')} of a sample and marker that ${conflicts.count === 1 ? 'is' : 'are'} given twice with different alleles ${conflicts.count === 1 ? 'was' : 'were'} read as missing.`,
        suggestion:
          'Check whether two plants have the same name; give them different names if they are to be kept apart.',
      });
    }
    if (this.#controls.count > 0) {
      this.#problems.info('I-GT-CONTROLS', {
        line: this.#controls.line,
        message: `${counted(this.#controls.count, 'row')} of controls without DNA (NTC) and of wells without a sample ${this.#controls.count === 1 ? 'was' : 'were'} passed over.`,
        suggestion: 'Nothing to do.',
      });
    }
  }
}
