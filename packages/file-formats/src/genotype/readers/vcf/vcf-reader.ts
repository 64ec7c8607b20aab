import { REUSED_MEMORY_BYTES } from '../../../compression/bgzf.ts';
import { formatBytes } from '../../../compression/inflated-bytes.ts';
import { columnLabel, FileFormatError, type ProblemCollector } from '../../../problem.ts';
import { decodeText } from '../../../text/line-blocks.ts';
import { aligned, KernelMemory } from '../../kernels/genotype-kernels.ts';
import { type MarkerRecord, UNKNOWN_ALLELE, UNKNOWN_CHROMOSOME } from '../../panel/marker-columns.ts';
import { MAX_POSITION_BP, reportPosition } from '../../panel/marker-position.ts';
import type { MarkerSink } from '../../panel/marker-sink.ts';
import { MISSING } from '../../panel/packed-calls.ts';
import { SampleCounter } from '../../panel/sample-counter.ts';
import type { MultiallelicRule } from '../allele-calls.ts';
import { headerCells, MAX_COLUMNS } from '../split-delimited.ts';
import { type CallRules, type GenotypeField, VcfCalls } from './vcf-calls.ts';
import { FastRow } from './vcf-fast-row.ts';
import { VcfFindings } from './vcf-findings.ts';
import { FIXED_COLUMNS, reportFurtherHeader, requireVcfColumns } from './vcf-header.ts';
import type { PolyploidRow } from './vcf-polyploid.ts';

const TAB = 9;
const LF = 10;
const CR = 13;
const QUOTE = 0x22;
const HASH = 0x23;
const COMMA = 0x2c;
const ZERO = 0x30;
const GREATER = 0x3e;

/** Alleles are numbered in one byte, whose last value is a missing call. */
const MAX_ALTERNATIVES = 254;
/** Headers of many thousand contigs have a few megabytes. */
const MAX_HEADER_BYTES = 64_000_000;
/** Programs write up to some thirty. */
const MAX_FORMAT_FIELDS = 1000;

export interface VcfOptions extends CallRules {
  multiallelic: MultiallelicRule;
  /** The field that genotypes are read from: GT, and where it is not there DS or GP, unless told. */
  genotypeField?: GenotypeField | undefined;
  /** Called when text is not UTF-8. */
  onLegacyText: () => void;
}

/** ALT of the blocks of a gVCF: any other allele, which was not seen. */
const ANY_ALLELE: ReadonlySet<string> = new Set(['<NON_REF>', '<*>']);

/**
 * Reads a VCF (4.0–4.4) into a panel. Blocks hold whole lines, each ended by LF; those that are inflated go into the
 * memory of the kernels, where they are parsed without being copied. Every problem is collected; nothing but a
 * missing header stops the reading. Format: hts-specs VCFv4.4.pdf.
 */
export async function readVcf(
  blocksIn: (memory: () => Uint8Array) => AsyncIterable<Buffer>,
  writer: MarkerSink,
  problems: ProblemCollector,
  options: VcfOptions,
): Promise<void> {
  const reader = new VcfReader(writer, problems, options);
  for await (const block of blocksIn(() => reader.textMemory)) {
    let at = 0;
    while (at < block.length && !reader.hasHeader) at = await reader.headerLine(block, at);
    while (at < block.length) at = reader.dataLine(block, at);
    await writer.drain();
  }
  reader.finish();
}

class VcfReader {
  readonly #writer: MarkerSink;
  readonly #problems: ProblemCollector;
  readonly #options: VcfOptions;
  #line = 0;
  #fast: FastRow | null = null;
  #calls: VcfCalls;
  /** Names of the samples as the header has them. */
  #names: readonly string[] = [];
  #chromosome = '';
  #chromosomeBytes: Buffer = Buffer.alloc(0);
  /** Starts of the nine fixed fields of the current line and of the first call. */
  readonly #fields = new Int32Array(10);

  readonly #findings = new VcfFindings();
  #headerBytes = 0;
  hasHeader = false;
  /** For the next block of text. */
  textMemory: Uint8Array = new Uint8Array(REUSED_MEMORY_BYTES);

  constructor(writer: MarkerSink, problems: ProblemCollector, options: VcfOptions) {
    this.#writer = writer;
    this.#problems = problems;
    this.#options = options;
    this.#calls = new VcfCalls({ samples: [], columns: 0 }, this.#findings, problems, options);
  }

  async headerLine(block: Buffer, start: number): Promise<number> {
    const next = block.indexOf(LF, start) + 1;
    this.#line++;
    this.#headerBytes += next - start;
    if (this.#headerBytes > MAX_HEADER_BYTES) {
      throw new FileFormatError('E-TOO-LARGE', {
        line: this.#line,
        message: `The header of the VCF is longer than ${formatBytes(MAX_HEADER_BYTES)}.`,
        suggestion: 'Check that this is the genotype file you meant; remove the lines that begin with ## when it is.',
      });
    }
    const line = decodeText(block.subarray(start, lineEnd(block, start, next)), this.#options.onLegacyText);
    // A spreadsheet puts cells with commas or quotes in quotes when it saves a text.
    if (line.startsWith('##') || line.startsWith('"##') || line.trim() === '') return next;
    if (!/^#CHROM\b/i.test(line)) {
      throw new FileFormatError('E-NO-HEADER', {
        line: this.#line,
        value: line,
        message: 'The VCF has no header line: a line that starts with #CHROM must come before the first marker.',
        suggestion: 'Export the file again with its header (bcftools view writes it).',
      });
    }
    const columns = headerCells(line.split('\t', MAX_COLUMNS + 1), this.#line);
    requireVcfColumns(columns, this.#line);
    const all = columns.slice(FIXED_COLUMNS.length).map(unquoted);
    const chosen = this.#options.differing?.columns ?? null;
    const names = chosen === null ? all : Array.from(chosen, (column) => all[column]);
    const headerLine = this.#line;
    const memory = new KernelMemory(
      aligned(REUSED_MEMORY_BYTES) + SampleCounter.memoryFor(names.length) + FastRow.memoryFor(names.length),
    );
    this.textMemory = memory.take(REUSED_MEMORY_BYTES);
    const placeOf = (i: number) => ({ line: headerLine, column: FIXED_COLUMNS.length + (chosen?.[i] ?? i) });
    await this.#writer.start(names, placeOf, memory);
    if (chosen === null && !this.#writer.needsAlleles) this.#fast = new FastRow(names.length, this.#writer.row, memory);
    const { samples } = this.#writer;
    this.#calls = new VcfCalls({ samples, columns: all.length }, this.#findings, this.#problems, this.#options);
    this.#names = all;
    this.hasHeader = true;
    return next;
  }

  /** Reads the line at `start` and returns the start of the next. */
  dataLine(block: Buffer, start: number): number {
    this.#line++;
    const fields = this.#fields;
    if (block[start] === HASH || block[start] === LF || (block[start] === CR && block[start + 1] === LF)) {
      const next = block.indexOf(LF, start) + 1;
      if (block[start] === HASH) this.#furtherHeader(block, start, next);
      return next;
    }
    let at = start;
    fields[0] = start;
    for (let field = 1; field <= 9; at++) {
      const byte = block[at];
      if (byte === TAB) fields[field++] = at + 1;
      else if (byte === LF) return this.#shortLine(start, at, field, block);
    }

    this.#findings.lines++;
    const chromosome = this.#readChromosome(block, start, fields[1] - 1);
    const position = this.#readPosition(block, fields[1], fields[2] - 1);
    const id = readField(block, fields[2], fields[3] - 1, this.#options.onLegacyText);
    const ref = readField(block, fields[3], fields[4] - 1, this.#options.onLegacyText);
    const altEnd = fields[5] - 1;
    const isMultiallelic = hasComma(block, fields[4], altEnd);
    const alt = readField(block, fields[4], altEnd, this.#options.onLegacyText);
    if (block[altEnd - 1] === GREATER) refuseGvcf(alt, this.#line);
    if (ref === '' || alt === '' || (isMultiallelic && /^,|,,|,$/.test(alt))) this.#emptyAllele(ref);
    const marker = { id: id === '.' || id === '' ? null : id, chromosome, positionBp: position, line: this.#line };

    const calls = fields[9];
    const isGtOnly =
      calls - fields[8] === 3 &&
      block[fields[8]] === 0x47 &&
      block[fields[8] + 1] === 0x54 &&
      !this.#options.genotypeField?.startsWith('AD');
    const fast = this.#fast;
    const plain = this.#calls.polyploid;
    if (plain !== null && isGtOnly && !isMultiallelic && plain.readPlain(block, calls, this.#writer.needsAlleles)) {
      const end = calls + plain.textLength;
      if (ref === '.' || alt === '.') this.#findings.unknownAlleles.add(this.#line);
      if (plain.halfMissing > 0) this.#findings.halfMissing.add(this.#line, plain.halfMissing);
      this.#findings.phasedHet += plain.phasedHet;
      this.#findings.unphasedHet += plain.unphasedHet;
      this.#writer.addCopies?.({ ...marker, a1: allele(ref), a2: allele(alt) }, plain, 1);
      return end + (block[end] === CR ? 2 : 1);
    }
    if (fast !== null && plain === null && isGtOnly && !isMultiallelic && isLineEnd(block, calls + fast.textLength)) {
      if (fast.parse(block, calls)) {
        if (this.#calls.ploidy === 0 && hasCall(this.#writer.row, this.#writer.samples.length)) this.#calls.ploidy = 2;
        if (ref === '.' || alt === '.') this.#noteUnknownAlleles(ref, alt, this.#writer.row);
        if (fast.halfMissing > 0) this.#findings.halfMissing.add(this.#line, fast.halfMissing);
        this.#writer.add({ ...marker, a1: allele(ref), a2: allele(alt) });
        this.#findings.phasedHet += fast.phasedHet;
        this.#findings.unphasedHet += this.#writer.lastHet - fast.phasedHet;
        const end = calls + fast.textLength;
        return end + (block[end] === CR ? 2 : 1);
      }
    }
    return this.#generalLine(block, marker, [ref, ...(isMultiallelic ? alt.split(',', MAX_ALTERNATIVES + 1) : [alt])]);
  }

  /** A line with # among the markers: another header when files were put one behind the other. */
  #furtherHeader(block: Buffer, start: number, next: number): void {
    if (!/^#CHROM\t/i.test(block.toString('latin1', start, start + 7))) {
      if (block[start + 1] !== HASH) this.#findings.passedOver.add(this.#line);
      return;
    }
    const line = decodeText(block.subarray(start, lineEnd(block, start, next)), this.#options.onLegacyText);
    const names = line.split('\t', MAX_COLUMNS).slice(FIXED_COLUMNS.length).map(unquoted);
    reportFurtherHeader(names, this.#names, this.#line, this.#problems);
  }

  #shortLine(start: number, end: number, fieldCount: number, block: Buffer): number {
    this.#problems.error('E-GT-COLS', {
      line: this.#line,
      value: block.toString('latin1', start, Math.min(end, start + 100)),
      message: `The line has ${fieldCount} of ${FIXED_COLUMNS.length + this.#names.length} columns.`,
      suggestion: 'The file may have been cut, or its tabs replaced by blanks; export it again.',
    });
    return end + 1;
  }

  #readChromosome(block: Buffer, start: number, end: number): string {
    const known = this.#chromosomeBytes;
    let same = end - start === known.length;
    for (let i = 0; same && i < known.length; i++) same = block[start + i] === known[i];
    if (same && end > start) return this.#chromosome;
    this.#chromosomeBytes = Buffer.from(block.subarray(start, end));
    this.#chromosome = decodeText(this.#chromosomeBytes, this.#options.onLegacyText).trim();
    if (this.#chromosome === '') {
      this.#problems.error('E-GT-POS', {
        line: this.#line,
        column: columnLabel('#CHROM', 0),
        value: '',
        message: 'The marker has no chromosome.',
        suggestion: 'Write the chromosome, or UN when it is not known.',
      });
    }
    return this.#chromosome;
  }

  #readPosition(block: Buffer, start: number, end: number): number {
    let value = 0;
    for (let i = start; i < end; i++) {
      const digit = block[i] - ZERO;
      if (digit < 0 || digit > 9 || value > MAX_POSITION_BP) {
        value = -1;
        break;
      }
      value = 10 * value + digit;
    }
    if (value > 0 && value <= MAX_POSITION_BP) return value;
    const text = block.toString('latin1', start, end);
    if (value === 0 && end > start && this.#chromosome === UNKNOWN_CHROMOSOME) this.#findings.unplaced++;
    else reportPosition(text, { line: this.#line, column: columnLabel('POS', 1) }, this.#problems);
    return 0;
  }

  #emptyAllele(ref: string): void {
    const [name, column] = ref === '' ? ['REF', 3] : ['ALT', 4];
    this.#problems.error('E-GT-NO-ALLELE', {
      line: this.#line,
      column: columnLabel(name as string, column as number),
      value: '',
      message: `${name} names no allele.`,
      suggestion: 'Write the allele, or "." when it is not known; the file may have been damaged or edited.',
    });
  }

  #noteUnknownAlleles(ref: string, alt: string, row: Uint8Array): void {
    // ALT "." beside a named REF is an ordinary site without variants; only a call of allele 1 makes it one without a
    // name.
    if (ref === '.' || row.some((byte) => (byte & 0xaa) !== 0)) this.#findings.unknownAlleles.add(this.#line);
  }

  #generalLine(
    block: Buffer,
    marker: { id: string | null; chromosome: string; positionBp: number; line: number },
    alleles: string[],
  ): number {
    const fields = this.#fields;
    const format = block.toString('latin1', fields[8], fields[9] - 1).split(':', MAX_FORMAT_FIELDS);
    const isMultiallelic = alleles.length > 2;
    // A line of several alternatives has a dosage for each of them; GT is read there.
    const wanted = isMultiallelic ? 'GT' : (this.#options.genotypeField ?? 'GT');
    const field = FIELDS[wanted].find((name) => format.includes(name));
    const next = block.indexOf(LF, fields[9]) + 1;
    if (field === undefined) {
      this.#problems.error('E-GT-NO-GT', {
        line: this.#line,
        column: columnLabel('FORMAT', 8),
        value: format.join(':'),
        message: wanted.startsWith('AD')
          ? 'The line has no reads of each allele: FORMAT does not name AD.'
          : 'The line has no genotypes: FORMAT names neither GT nor DS nor GP.',
        suggestion: wanted.startsWith('AD')
          ? 'Read the calls (GT) or dosages (DS).'
          : 'Export the file with genotype calls (GT).',
      });
      return next;
    }
    if (alleles.length > MAX_ALTERNATIVES + 1) {
      this.#problems.error('E-GT-BAD-CALL', {
        line: this.#line,
        column: columnLabel('ALT', 4),
        message: `The line has more than ${MAX_ALTERNATIVES} alternative alleles.`,
        suggestion: 'Split the variant, for example with: bcftools norm -m -any.',
      });
      return next;
    }
    if (isMultiallelic) this.#findings.multiallelic.add(this.#line);
    if (field === 'GT' && (format.includes('DS') || format.includes('GP')))
      this.#findings.unusedDosages.add(this.#line);
    const end = lineEnd(block, fields[9], next);
    const row = {
      field,
      fieldIndex: format.indexOf(field),
      gtIndex: format.indexOf('GT'),
      alternatives: alleles.length - 1,
      line: this.#line,
    };
    const found = this.#calls.read(block, fields[9], end, row);
    if (found !== this.#names.length) {
      this.#problems.error('E-GT-COLS', {
        line: this.#line,
        message: `The line has ${found} of ${this.#names.length} samples.`,
        suggestion: 'Each line needs one call for each sample of the header; the file may have been cut or edited.',
      });
      return next;
    }
    if (isMultiallelic && this.#options.multiallelic === 'drop') return next;
    const { polyploid } = this.#calls;
    if (polyploid !== null) {
      this.#addPolyploids(polyploid, marker, alleles);
      return next;
    }
    if (field !== 'GT' && !isMultiallelic && this.#writer.addDosages !== undefined) {
      const [a1, a2] = alleles.map(allele);
      this.#writer.addDosages({ ...marker, a1, a2 }, this.#calls.units);
      return next;
    }
    const { alleles: numbers } = this.#calls;
    const usesAlternative = () => numbers.first.some((a, i) => a === 1 || numbers.second[i] === 1);
    if (alleles[0] === '.' || (alleles[1] === '.' && usesAlternative())) this.#findings.unknownAlleles.add(this.#line);
    numbers.addTo(this.#writer, marker, alleles.map(allele));
    return next;
  }

  /** One marker for each alternative, as `AlleleCalls.addTo` adds them. */
  #addPolyploids(row: PolyploidRow, marker: Omit<MarkerRecord, 'a1' | 'a2'>, alleles: readonly string[]): void {
    if (alleles[0] === '.' || alleles[1] === '.') this.#findings.unknownAlleles.add(this.#line);
    const isSplit = alleles.length > 2;
    const [a1, ...alternatives] = alleles.map(allele);
    for (const [place, a2] of alternatives.entries()) {
      if (row.alleles !== null) row.count(place + 1);
      this.#writer.addCopies?.({ ...marker, id: isSplit ? null : marker.id, a1, a2, isSplit }, row, place + 1);
    }
  }

  finish(): void {
    const problems = this.#problems;
    if (!this.hasHeader) {
      throw new FileFormatError('E-NO-HEADER', {
        message: 'The VCF ends before its header line (#CHROM …).',
        suggestion: 'The file was cut; export it again.',
      });
    }
    this.#findings.report(this.#options.multiallelic, problems, { ...this.#options, found: this.#calls.ploidy });
  }
}

/** Where genotypes are looked for, the first that is there. */
const FIELDS = { GT: ['GT', 'DS', 'GP'], DS: ['DS', 'GP', 'GT'], AD: ['AD'], 'AD-called': ['AD'] } as const;

/** Whether a row of packed calls has one that is not missing. */
function hasCall(row: Uint8Array, count: number): boolean {
  for (let i = 0; i < count; i++) if (((row[i >> 2] >> (2 * (i & 3))) & 3) !== MISSING) return true;
  return false;
}

/** @throws FileFormatError `E-GT-GVCF` for the blocks of a gVCF, of which one line can stand for many sites. */
function refuseGvcf(alt: string, line: number): void {
  if (!alt.split(',', MAX_ALTERNATIVES).some((one) => ANY_ALLELE.has(one))) return;
  throw new FileFormatError('E-GT-GVCF', {
    line,
    column: columnLabel('ALT', 4),
    value: alt,
    message: `This is a gVCF: its lines are blocks of the genome and possible variants of single samples (ALT ${alt}), not genotypes of a panel.`,
    suggestion:
      'Call the genotypes of all samples together and upload that VCF, for example with GATK GenotypeGVCFs, GLnexus or bcftools call.',
  });
}

function allele(text: string): string {
  return text === '.' || text === '' ? UNKNOWN_ALLELE : text;
}

function readField(block: Buffer, start: number, end: number, onLegacyText: () => void): string {
  if (end - start === 1) return ONE_CHARACTER[block[start]];
  const text = block.toString('utf8', start, end);
  return unquoted(text.includes('\uFFFD') ? decodeText(block.subarray(start, end), onLegacyText) : text);
}

function unquoted(text: string): string {
  const isQuoted = text.length > 1 && text.charCodeAt(0) === QUOTE && text.endsWith('"');
  return isQuoted ? text.slice(1, -1).replaceAll('""', '"') : text;
}

const ONE_CHARACTER = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte));

function hasComma(block: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (block[i] === COMMA) return true;
  return false;
}

function isLineEnd(block: Buffer, at: number): boolean {
  return block[at] === LF || (block[at] === CR && block[at + 1] === LF);
}

/** End of the line's text: before its LF or CRLF. `next` is the start of the next line. */
function lineEnd(block: Buffer, start: number, next: number): number {
  const end = next - 1;
  return end > start && block[end - 1] === CR ? end - 1 : end;
}
