import { columnLabel, type ProblemCollector } from '../../../problem.ts';
import { dosageUnits, MISSING_DOSAGE, PLOIDIES } from '../../panel/dosages.ts';
import { AlleleCalls, NO_ALLELE } from '../allele-calls.ts';
import { createReadCaller } from '../read-caller.ts';
import { RowProblems } from '../row-problems.ts';
import { allelesToldBy, fieldStart } from './vcf-cell.ts';
import type { VcfFindings } from './vcf-findings.ts';
import { FIXED_COLUMNS } from './vcf-header.ts';
import { DifferentPloidies, type PloidiesOfSamples } from './vcf-ploidies.ts';
import { PolyploidRow } from './vcf-polyploid.ts';

const TAB = 9;
const QUOTE = 0x22;
const DOT = 0x2e;
const SLASH = 0x2f;
const ZERO = 0x30;
const COLON = 0x3a;
const PIPE = 0x7c;

/** What becomes of a call of one allele where others of the line have two. */
export type HaploidRule = 'refuse' | 'homozygous';

/** What genotypes are read from: calls, dosages, or reads of each allele, as shares or called. */
export type GenotypeField = 'GT' | 'DS' | 'AD' | 'AD-called';

/** How calls are read, and which are refused. */
export interface CallRules {
  haploidCalls?: HaploidRule | undefined;
  /** Whether calls of more than two alleles are read; they are an error unless told. */
  polyploids?: boolean | undefined;
  /** Copies of each chromosome; told by the calls themselves unless given. */
  ploidy?: number | undefined;
  /** Samples whose ploidy is known to differ, or is asked for; null or absent where it is not. */
  differing?: PloidiesOfSamples | null | undefined;
  genotypeField?: GenotypeField | undefined;
}

/** What is known of a line before its calls are read. */
export interface CallRow {
  /** Which field of a sample's cell is read, and its place among those of FORMAT. */
  field: Exclude<GenotypeField, 'AD-called'> | 'GP';
  fieldIndex: number;
  /** Place of GT among them, −1 where it is not; for the ploidy of a line that is read from another field. */
  gtIndex: number;
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
  readonly #rules: CallRules;
  readonly #differing: PloidiesOfSamples | null;
  /** By column its place among the samples that are read, −1 where it is not; null where all are. */
  readonly #placeOf: Int32Array | null;
  /** Copies of each chromosome; 0 until a call tells it. */
  ploidy: number;
  /** Calls of a line of polyploids; null for diploids. */
  polyploid: PolyploidRow | null = null;
  /** Alleles of the cell that is read. */
  readonly #cell = new Uint8Array(256);
  #line = 0;
  readonly #callers = new Map<number, ReturnType<typeof createReadCaller>>();

  /** @param columns of samples in the file, those that are not read included */
  constructor(
    { samples, columns }: { samples: readonly string[]; columns: number },
    findings: VcfFindings,
    problems: ProblemCollector,
    rules: CallRules,
  ) {
    const { differing = null } = rules;
    this.#samples = samples;
    this.#findings = findings;
    this.#problems = problems;
    this.#rowProblems = new RowProblems(problems);
    this.#rules = rules;
    this.#differing = differing;
    this.#placeOf = placesIn(differing?.columns ?? null, columns);
    const ploidies = differing?.ploidies ?? null;
    this.ploidy = ploidies === null ? (rules.ploidy ?? 0) : Math.max(...new Set(ploidies));
    if (this.ploidy > 2) {
      const isMixed = ploidies?.some((one) => one !== this.ploidy) === true;
      this.polyploid = new PolyploidRow(samples.length, this.ploidy, isMixed ? (ploidies ?? undefined) : undefined);
    }
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
    const places = this.#placeOf;
    const columns = places?.length ?? this.#samples.length;
    // ALT "." accepts allele 1: some array exports write it when they do not know the name.
    const maxAllele = Math.max(1, row.alternatives);
    let rowPloidy = this.polyploid?.ploidy ?? 0;
    if (row.field !== 'GT' && this.ploidy === 0 && row.gtIndex >= 0) this.#learnPloidy(block, start, end, row.gtIndex);
    this.polyploid?.start(row.field === 'GT');
    const checksGt = row.field !== 'GT' && row.gtIndex >= 0 && this.#rules.ploidy === undefined;
    let isMixReported = false;
    let cell = 0;
    let cells = 0;
    for (let at = start; at <= end; cell++) {
      let cellEnd = at;
      while (cellEnd < end && block[cellEnd] !== TAB) cellEnd++;
      if (cell < columns || cellEnd > at) cells = cell + 1;
      const sample = places === null ? cell : (places[cell] ?? -1);
      if (cell >= columns || sample < 0) {
        at = cellEnd + 1;
        continue;
      }
      const isQuoted = cellEnd > at + 1 && block[at] === QUOTE && block[cellEnd - 1] === QUOTE;
      const last = isQuoted ? cellEnd - 1 : cellEnd;
      const from = fieldStart(block, isQuoted ? at + 1 : at, last, row.fieldIndex);
      let to = from;
      while (to < last && block[to] !== COLON) to++;
      if (row.field === 'GT') {
        const ploidy = this.#readGt(block, from, Math.max(from, to), sample, maxAllele);
        if (ploidy > 0 && rowPloidy === 0) rowPloidy = ploidy;
        const expected = this.#differing?.ploidies[sample] ?? (ploidy > 2 && this.ploidy === 2 ? 2 : rowPloidy);
        if (ploidy > 0 && ploidy !== expected && this.#differing !== null) {
          this.#addOtherOfSample(sample, { expected, ploidy }, block.toString('latin1', at, cellEnd));
        } else if (ploidy > 0 && ploidy !== expected && this.#rules.ploidy !== undefined) {
          this.#findings.addOtherPloidy(this.#line, ploidy, () => block.toString('latin1', at, cellEnd));
        } else if (ploidy > 0 && ploidy !== expected && !isMixReported) {
          this.#requireAlike(ploidy, expected);
          isMixReported = true;
          this.#problems.error('E-GT-PLOIDY-MIX', {
            line: this.#line,
            column: this.#sampleColumn(sample),
            value: block.toString('latin1', at, cellEnd),
            message: `Samples of this line have different numbers of alleles (${expected} and ${ploidy}).`,
            suggestion:
              ploidy + expected === 3
                ? 'Choose to read calls of one allele as homozygous if that is what they are; or write every call with two alleles, such as 0/0 instead of 0.'
                : 'Write every call of a marker with the same number of alleles.',
          });
        }
      } else {
        if (checksGt) {
          const told = allelesToldBy(block, at, last, row.gtIndex);
          this.#checkPloidy(told, sample, () => block.toString('latin1', at, cellEnd));
        }
        this.#readEstimate(row, block.toString('latin1', from, Math.max(from, to)), sample);
      }
      at = cellEnd + 1;
    }
    return cells;
  }

  /** Lets the file be read by the ploidies of its samples where both of two that it has are read. */
  #requireAlike(one: number, other: number): void {
    const isRead = [one, other].every((ploidy) => PLOIDIES.includes(ploidy));
    if (isRead && this.#rules.polyploids === true) throw new DifferentPloidies();
  }

  /** Compares the ploidy that GT tells of a sample with what its dosage is read by. */
  #checkPloidy(ploidy: number, sample: number, text: () => string): void {
    if (ploidy < 2) return;
    const expected = this.#differing?.ploidies[sample] ?? this.ploidy;
    if (ploidy === expected) return;
    if (this.#differing === null) this.#requireAlike(ploidy, expected);
    else this.#addOtherOfSample(sample, { expected, ploidy }, text());
  }

  #addOtherOfSample(sample: number, ploidies: { expected: number; ploidy: number }, value: string): void {
    this.#findings.addOtherOfSample(
      { line: this.#line, column: this.#sampleColumn(sample), value },
      {
        name: this.#samples[sample] ?? '',
        ...ploidies,
      },
    );
  }

  /** Reads one GT; returns its number of alleles, 0 when it tells none (`.`, `./.`) or is bad. */
  #readGt(block: Buffer, start: number, end: number, sample: number, maxAllele: number): number {
    let ploidy = 0;
    let missing = 0;
    let first = NO_ALLELE;
    let second = NO_ALLELE;
    let isPhased = false;
    let isUnphased = false;
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
      this.#cell[ploidy & 255] = value < 0 ? NO_ALLELE : value;
      if (ploidy === 0) first = value < 0 ? NO_ALLELE : value;
      else if (ploidy === 1) second = value < 0 ? NO_ALLELE : value;
      ploidy++;
      if (at === end) break;
      if (block[at] !== SLASH && block[at] !== PIPE) return this.#badCall(block, start, end, sample, -1, maxAllele);
      if (block[at] === SLASH) isUnphased = true;
      isPhased = block[at] === PIPE;
      at++;
      if (at === end) return this.#badCall(block, start, end, sample, -1, maxAllele);
    }
    if (ploidy === 0) return this.#badCall(block, start, end, sample, -1, maxAllele);
    if (ploidy === 1) {
      this.alleles.set(sample, first, first);
      if (missing > 0) return 0;
      this.#findings.haploid.add(this.#line);
      if (this.#rules.haploidCalls !== 'homozygous') return 1;
      if (this.polyploid === null) return 2;
      ploidy = this.polyploid.ploidyOf(sample);
      this.#cell.fill(first, 0, ploidy);
    }
    if (ploidy > 2 || this.polyploid?.ploidies !== undefined) {
      this.alleles.setMissing(sample);
      // Some programs write ./. for plants of any ploidy.
      if (missing === ploidy && this.#differing !== null) return 0;
      const text = () => block.toString('latin1', start, end);
      this.#takePolyploid(sample, { ploidy, missing, isPhased: !isUnphased }, text);
      return ploidy;
    }
    if (missing > 0) {
      this.alleles.setMissing(sample);
      if (missing === 2) return 0;
      this.#findings.halfMissing.add(this.#line);
      return 2;
    }
    if (this.ploidy === 0) this.ploidy = 2;
    this.alleles.set(sample, first, second, isPhased);
    if (first !== second) {
      if (isPhased) this.#findings.phasedHet++;
      else this.#findings.unphasedHet++;
    }
    return 2;
  }

  /** Takes the call of more than two alleles in `#cell`. */
  #takePolyploid(
    sample: number,
    { ploidy, missing, isPhased }: { ploidy: number; missing: number; isPhased: boolean },
    text: () => string,
  ): void {
    if (this.#differing !== null && this.#differing.ploidies[sample] !== ploidy) return;
    if (this.#rules.polyploids !== true || (this.ploidy === 0 && !PLOIDIES.includes(ploidy))) {
      this.#findings.addPolyploid(this.#line, ploidy, text);
      return;
    }
    if (this.ploidy === 0) {
      this.ploidy = ploidy;
      this.polyploid = new PolyploidRow(this.#samples.length, ploidy);
      this.polyploid.start(true);
    }
    if (this.polyploid?.ploidyOf(sample) !== ploidy || missing === ploidy) return;
    if (missing > 0) {
      this.#findings.halfMissing.add(this.#line);
      return;
    }
    const isHeterozygous = this.polyploid.set(sample, this.#cell, isPhased);
    if (isHeterozygous && isPhased) this.#findings.phasedHet++;
    else if (isHeterozygous) this.#findings.unphasedHet++;
  }

  /** The ploidy of a line that is not read from GT, by its GT. */
  #learnPloidy(block: Buffer, start: number, end: number, gtIndex: number): void {
    for (let at = start; at < end; ) {
      let cellEnd = at;
      while (cellEnd < end && block[cellEnd] !== TAB) cellEnd++;
      const alleles = allelesToldBy(block, at, cellEnd, gtIndex);
      if (alleles > 1) {
        this.ploidy = alleles;
        if (alleles > 2 && this.#rules.polyploids === true && PLOIDIES.includes(alleles)) {
          this.polyploid = new PolyploidRow(this.#samples.length, alleles);
        }
        return;
      }
      at = cellEnd + 1;
    }
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
   * Reads DS (expected copies of the alternative), GP (probabilities of 0, 1, 2 … copies, whose mean is the dosage) or
   * AD (reads of the reference and the alternative, whose share times the ploidy is the dosage; missing without reads).
   */
  #readEstimate(row: CallRow, text: string, sample: number): void {
    this.units[sample] = MISSING_DOSAGE;
    this.alleles.setMissing(sample);
    if (text === '' || text === '.') return;
    const ploidy = this.polyploid?.ploidyOf(sample) ?? 2;
    const values = text.split(',', ploidy + 2).map(Number);
    const isBiallelic = row.alternatives === 1;
    let copies = Number.NaN;
    if (row.field === 'AD' && values.length === row.alternatives + 1 && isBiallelic) {
      const [reference, alternative] = values;
      if (reference + alternative === 0 || /^\.(?:,\.)*$/.test(text)) {
        this.#findings.withoutReads.add(this.#line);
        return;
      }
      if (values.every((reads) => Number.isInteger(reads) && reads >= 0)) {
        const isCalled = this.#rules.genotypeField === 'AD-called';
        copies = isCalled ? this.#called(ploidy, values) : (ploidy * alternative) / (reference + alternative);
        if (Number.isNaN(copies)) {
          this.#findings.uncertain.add(this.#line);
          return;
        }
      }
    }
    if (row.field === 'DS' && isBiallelic && values.length === 1) copies = values[0];
    if (row.field === 'GP' && isBiallelic && values.length === ploidy + 1 && values.every((p) => p >= 0 && p <= 1)) {
      // Probabilities are printed with few digits, so their sum is not exactly 1.
      const total = values.reduce((sum, p) => sum + p, 0);
      copies = values.reduce((sum, p, count) => sum + count * p, 0) / total;
      this.#findings.probabilities.add(this.#line);
    }
    if (copies >= 0 && copies <= ploidy) {
      const nearest = Math.round(copies);
      if (nearest > 0 && nearest < ploidy) this.#findings.unphasedHet++;
      if (this.polyploid !== null) {
        this.polyploid.copies[sample] = copies;
        return;
      }
      this.units[sample] = dosageUnits(copies);
      this.alleles.set(sample, nearest === 2 ? 1 : 0, nearest === 0 ? 0 : 1);
      return;
    }
    this.#rowProblems.badCall({
      column: () => this.#sampleColumn(sample),
      value: text,
      message: isBiallelic
        ? `"${text}" is not ${WORDS[row.field](ploidy)}.`
        : `${row.field} can be read only where a marker has one alternative allele.`,
      suggestion:
        row.field === 'DS' && copies > ploidy && this.#rules.polyploids === true
          ? 'Correct the value; or, where the plants have more copies of each chromosome, give their ploidy.'
          : 'Export the file with genotype calls (GT).',
    });
  }

  #called(ploidy: number, [reference = 0, alternative = 0]: readonly number[]): number {
    const call = this.#callers.get(ploidy) ?? createReadCaller(ploidy);
    this.#callers.set(ploidy, call);
    this.#findings.called.add(this.#line);
    return call(reference, alternative);
  }

  #sampleColumn(sample: number): string {
    const column = this.#differing?.columns?.[sample] ?? sample;
    return columnLabel(this.#samples[sample] ?? '', FIXED_COLUMNS.length + column);
  }
}

/** What a value of a field is, for messages. */
const WORDS = {
  DS: (ploidy: number) => `a dosage from 0 to ${ploidy}`,
  GP: (ploidy: number) => `a set of ${ploidy === 2 ? 'three' : ploidy + 1} genotype probabilities`,
  AD: () => 'a pair of whole numbers of reads',
  GT: () => 'a genotype call',
};

/** The inverse of `columns`. */
function placesIn(columns: Int32Array | null, count: number): Int32Array | null {
  if (columns === null) return null;
  const places = new Int32Array(count).fill(-1);
  for (const [place, column] of columns.entries()) places[column] = place;
  return places;
}
