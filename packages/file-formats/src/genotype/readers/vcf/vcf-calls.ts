import { columnLabel, type ProblemCollector } from '../../../problem.ts';
import { dosageUnits, MISSING_DOSAGE } from '../../panel/dosages.ts';
import { AlleleCalls, NO_ALLELE } from '../allele-calls.ts';
import { RowProblems } from '../row-problems.ts';
import type { VcfFindings } from './vcf-findings.ts';
import { FIXED_COLUMNS } from './vcf-header.ts';

const TAB = 9;
const QUOTE = 0x22;
const DOT = 0x2e;
const SLASH = 0x2f;
const ZERO = 0x30;
const COLON = 0x3a;
const PIPE = 0x7c;

/** What becomes of a call of one allele where others of the line have two. */
export type HaploidRule = 'refuse' | 'homozygous';

/** What is known of a line before its calls are read. */
export interface CallRow {
  /** Which field of a sample's cell is read, and its place among those of FORMAT. */
  field: 'GT' | 'DS' | 'GP';
  fieldIndex: number;
  /** Alternative alleles of the line. */
  alternatives: number;
  line: number;
}

/** Reads the cells of the samples of a VCF, line by line, and reports those that are no calls. */
export class VcfCalls {
  /** Calls of the line. */
  readonly alleles: AlleleCalls;
  /** Dosages of a line that is read from DS or GP. */
  readonly units: Uint16Array;
  readonly #samples: readonly string[];
  readonly #findings: VcfFindings;
  readonly #problems: ProblemCollector;
  readonly #rowProblems: RowProblems;
  readonly #haploidCalls: HaploidRule | undefined;
  #line = 0;

  constructor(
    samples: readonly string[],
    findings: VcfFindings,
    problems: ProblemCollector,
    { haploidCalls }: { haploidCalls?: HaploidRule | undefined },
  ) {
    this.#samples = samples;
    this.#findings = findings;
    this.#problems = problems;
    this.#rowProblems = new RowProblems(problems);
    this.#haploidCalls = haploidCalls;
    this.alleles = new AlleleCalls(samples.length);
    this.units = new Uint16Array(samples.length);
  }

  /**
   * Reads the cells between two places of a block into `alleles`, and DS and GP into `units` too. Returns their number,
   * without empty ones beyond those of the header.
   */
  read(block: Buffer, start: number, end: number, row: CallRow): number {
    this.#line = row.line;
    this.#rowProblems.start(row.line);
    const cells = this.#readCells(block, start, end, row);
    this.#rowProblems.finish();
    return cells;
  }

  #readCells(block: Buffer, start: number, end: number, row: CallRow): number {
    const sampleCount = this.#samples.length;
    // ALT "." accepts allele 1: some array exports write it when they do not know the name.
    const maxAllele = Math.max(1, row.alternatives);
    let rowPloidy = 0;
    let isMixReported = false;
    let cell = 0;
    let cells = 0;
    for (let at = start; at <= end; cell++) {
      let cellEnd = at;
      while (cellEnd < end && block[cellEnd] !== TAB) cellEnd++;
      if (cell < sampleCount || cellEnd > at) cells = cell + 1;
      if (cell >= sampleCount) {
        at = cellEnd + 1;
        continue;
      }
      const isQuoted = cellEnd > at + 1 && block[at] === QUOTE && block[cellEnd - 1] === QUOTE;
      const last = isQuoted ? cellEnd - 1 : cellEnd;
      let from = isQuoted ? at + 1 : at;
      for (let skip = row.fieldIndex; skip > 0 && from <= last; from++) {
        if (from === last) skip = 0;
        else if (block[from] === COLON) skip--;
      }
      let to = from;
      while (to < last && block[to] !== COLON) to++;
      if (row.field === 'GT') {
        let ploidy = this.#readGt(block, from, Math.max(from, to), cell, maxAllele);
        if (ploidy === 1 && this.#haploidCalls === 'homozygous') ploidy = 2;
        if (ploidy > 0 && rowPloidy === 0) rowPloidy = ploidy;
        if (ploidy > 0 && ploidy !== rowPloidy && !isMixReported) {
          isMixReported = true;
          this.#problems.error('E-GT-PLOIDY-MIX', {
            line: this.#line,
            column: this.#sampleColumn(cell),
            value: block.toString('latin1', at, cellEnd),
            message: `Samples of this line have different numbers of alleles (${rowPloidy} and ${ploidy}).`,
            suggestion:
              ploidy + rowPloidy === 3
                ? 'Choose to read calls of one allele as homozygous if that is what they are; or write every call with two alleles, such as 0/0 instead of 0.'
                : 'Write every call of a marker with the same number of alleles.',
          });
        }
      } else {
        this.#readEstimate(row, block.toString('latin1', from, Math.max(from, to)), cell);
      }
      at = cellEnd + 1;
    }
    return cells;
  }

  /** Reads one GT; returns its number of alleles, 0 when it tells none (`.`, `./.`) or is bad. */
  #readGt(block: Buffer, start: number, end: number, sample: number, maxAllele: number): number {
    let ploidy = 0;
    let missing = 0;
    let first = NO_ALLELE;
    let second = NO_ALLELE;
    let isPhased = false;
    // VCF 4.4 allows a phase sign before the first allele.
    let at = start < end && (block[start] === SLASH || block[start] === PIPE) ? start + 1 : start;
    while (at < end) {
      let value = -1;
      if (block[at] === DOT) {
        at++;
        missing++;
      } else {
        const digitsFrom = at;
        value = 0;
        for (; at < end && block[at] >= ZERO && block[at] <= ZERO + 9; at++) value = 10 * value + block[at] - ZERO;
        if (at === digitsFrom || value > maxAllele) return this.#badCall(block, start, end, sample, value, maxAllele);
      }
      if (ploidy === 0) first = value < 0 ? NO_ALLELE : value;
      else if (ploidy === 1) second = value < 0 ? NO_ALLELE : value;
      ploidy++;
      if (at === end) break;
      if (block[at] !== SLASH && block[at] !== PIPE) return this.#badCall(block, start, end, sample, -1, maxAllele);
      isPhased = block[at] === PIPE;
      at++;
      if (at === end) return this.#badCall(block, start, end, sample, -1, maxAllele);
    }
    if (ploidy === 0) return this.#badCall(block, start, end, sample, -1, maxAllele);
    if (ploidy === 1) {
      this.alleles.set(sample, first, first);
      if (missing > 0) return 0;
      this.#findings.haploid.add(this.#line);
      return 1;
    }
    if (ploidy > 2) {
      this.#findings.addPolyploid(this.#line, ploidy, () => block.toString('latin1', start, end));
      this.alleles.setMissing(sample);
      return ploidy;
    }
    if (missing > 0) {
      this.alleles.setMissing(sample);
      if (missing === 2) return 0;
      this.#findings.halfMissing.add(this.#line);
      return 2;
    }
    this.alleles.set(sample, first, second, isPhased);
    if (first !== second) {
      if (isPhased) this.#findings.phasedHet++;
      else this.#findings.unphasedHet++;
    }
    return 2;
  }

  #badCall(block: Buffer, start: number, end: number, sample: number, alleleNumber: number, maxAllele: number): number {
    this.alleles.setMissing(sample);
    const value = block.toString('latin1', start, end);
    this.#rowProblems.badCall({
      column: () => this.#sampleColumn(sample),
      value,
      message:
        alleleNumber > maxAllele
          ? `The call "${value}" names allele ${alleleNumber}, but the line has only ${maxAllele} alternative ${maxAllele === 1 ? 'allele' : 'alleles'}.`
          : `"${value}" is not a genotype call.`,
      suggestion: 'Write calls as 0/0, 0/1, 1/1 (or with |), and ./. when missing.',
    });
    return 0;
  }

  /**
   * Reads DS (expected copies of the alternative) or GP (probabilities of 0, 1 and 2 copies, whose mean is the
   * dosage).
   */
  #readEstimate(row: CallRow, text: string, sample: number): void {
    this.units[sample] = MISSING_DOSAGE;
    this.alleles.setMissing(sample);
    if (text === '' || text === '.') return;
    const values = text.split(',', 4).map(Number);
    const isBiallelic = row.alternatives === 1;
    let copies = Number.NaN;
    if (row.field === 'DS' && isBiallelic && values.length === 1) copies = values[0];
    if (row.field === 'GP' && isBiallelic && values.length === 3 && values.every((p) => p >= 0 && p <= 1)) {
      // Probabilities are printed with few digits, so their sum is not exactly 1.
      const [none, one, two] = values;
      copies = (one + 2 * two) / (none + one + two);
    }
    if (copies >= 0 && copies <= 2) {
      this.units[sample] = dosageUnits(copies);
      const nearest = Math.round(copies);
      if (nearest === 1) this.#findings.unphasedHet++;
      this.alleles.set(sample, nearest === 2 ? 1 : 0, nearest === 0 ? 0 : 1);
      return;
    }
    this.#rowProblems.badCall({
      column: () => this.#sampleColumn(sample),
      value: text,
      message: isBiallelic
        ? `"${text}" is not ${row.field === 'DS' ? 'a dosage from 0 to 2' : 'a set of three genotype probabilities'}.`
        : `${row.field} can be read only where a marker has one alternative allele.`,
      suggestion: 'Export the file with genotype calls (GT).',
    });
  }

  #sampleColumn(sample: number): string {
    return columnLabel(this.#samples[sample] ?? '', FIXED_COLUMNS.length + sample);
  }
}
