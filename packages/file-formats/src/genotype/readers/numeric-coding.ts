import type { ProblemCollector } from '../../problem.ts';
import { PLOIDIES } from '../panel/dosages.ts';
import { counted } from '../panel/tally.ts';
import { isMissingText } from './call-text.ts';

/** How a numeric matrix codes calls: copies of the counted allele, the same minus one, or absent/present. */
export type NumericCoding = '0/1/2' | '-1/0/1' | '0/1';
export const NUMERIC_CODINGS: readonly NumericCoding[] = ['0/1/2', '-1/0/1', '0/1'];

/** How the numbers of a matrix were read, and in which ways they could have been. */
export interface CodingOfNumbers {
  /** Null when no coding fits, or not the one that was wanted. */
  coding: NumericCoding | null;
  /** All codings that hold every value of the file. */
  fits: NumericCoding[];
}

// A whole number is kept in one byte, as itself plus 1. As soon as a file has a fraction, its values are kept as
// doubles instead.
const HIGHEST_KEPT = 16;
/** Byte of a missing value. */
export const MISSING_BYTE = 255;
/** Byte of a value that no coding knows. */
const ODD_BYTE = 254;
/** Whole numbers up to here can be the copies of a polyploid. */
const HIGHEST_PLOIDY = 16;

/** More columns with values that no coding knows are not kept apart. */
const MAX_ODD_COLUMNS = 50;

/** Values of a column that no coding knows. */
interface OddColumn {
  line: number;
  count: number;
  lowest: number;
  highest: number;
}

/** Where a value stands, for messages. */
export interface CellPlace {
  line: number;
  column: () => string;
}

/** What {@link NumberCellTable} makes of a cell that is no number. */
export const BAD_NUMBER: number = Number.POSITIVE_INFINITY;
const NOT_SEEN = Number.NEGATIVE_INFINITY;

/** Reads cells of numbers: those of one or two bytes, which are nearly all of them, are looked up once each. */
export class NumberCellTable {
  readonly #hasDecimalComma: boolean;
  readonly #short = new Float64Array(1 << 16).fill(NOT_SEEN);

  constructor(hasDecimalComma: boolean) {
    this.#hasDecimalComma = hasDecimalComma;
  }

  /** The number in ASCII bytes from `start` to before `end`, NaN when missing, {@link BAD_NUMBER} when it is none. */
  read(bytes: Buffer, start: number, end: number): number {
    const length = end - start;
    if (length > 2) return this.readText(bytes.toString('latin1', start, end).trim());
    const key = length === 2 ? bytes[start] | (bytes[start + 1] << 8) : length === 1 ? bytes[start] : 0;
    let value = this.#short[key];
    if (value === NOT_SEEN) value = this.#short[key] = this.readText(bytes.toString('latin1', start, end).trim());
    return value;
  }

  /** As `read`, for text already cut out and trimmed. */
  readText(text: string): number {
    if (isMissingText(text)) return Number.NaN;
    const value = Number(this.#hasDecimalComma ? text.replace(',', '.') : text);
    return Number.isFinite(value) ? value : BAD_NUMBER;
  }
}

/** Gathers the values of a numeric matrix while it is read and tells its coding at the end. */
export class CodingScan {
  #lowest = Number.POSITIVE_INFINITY;
  #highest = Number.NEGATIVE_INFINITY;
  #hasFraction = false;
  /**
   * First place of the lowest and highest value and of the first one beyond every diploid coding, and how many there
   * were.
   */
  #lowestPlace: { line: number; column: string } | null = null;
  #highestPlace: { line: number; column: string } | null = null;
  #belowZero = 0;
  #aboveOne = 0;
  /** Columns with values that no coding knows; null when there are many of them. */
  #oddColumns: Map<string, OddColumn> | null = new Map();

  /** Takes a value and returns its byte, which means nothing for a fraction. */
  take(value: number, place: CellPlace): number {
    if (value < this.#lowest) {
      this.#lowest = value;
      this.#lowestPlace = { line: place.line, column: place.column() };
    }
    if (value > this.#highest) {
      this.#highest = value;
      this.#highestPlace = { line: place.line, column: place.column() };
    }
    if (value < 0) this.#belowZero++;
    if (value > 1) this.#aboveOne++;
    if (!Number.isInteger(value)) this.#hasFraction = true;
    if (value < -1 || value > 2) this.#addOdd(value, place);
    return value < -1 || value > HIGHEST_KEPT ? ODD_BYTE : value + 1;
  }

  #addOdd(value: number, place: CellPlace): void {
    if (this.#oddColumns === null) return;
    const name = place.column();
    const known = this.#oddColumns.get(name);
    if (known === undefined) this.#oddColumns.set(name, { line: place.line, count: 1, lowest: value, highest: value });
    else {
      known.count++;
      known.lowest = Math.min(known.lowest, value);
      known.highest = Math.max(known.highest, value);
    }
    if (this.#oddColumns.size > MAX_ODD_COLUMNS) this.#oddColumns = null;
  }

  /** The few columns most of whose values no coding knows, where the matrix has others. */
  #spoiltColumns({ rows, columns }: { rows: number; columns: number }): [string, OddColumn][] {
    const spoilt = [...(this.#oddColumns ?? [])].filter(([, { count }]) => 2 * count >= rows);
    return spoilt.length < columns / 2 ? spoilt : [];
  }

  get hasFraction(): boolean {
    return this.#hasFraction;
  }

  /** The codings that hold every value seen so far. */
  fitting(): NumericCoding[] {
    const lowest = this.#lowest;
    const highest = this.#highest;
    const fits: Record<NumericCoding, boolean> = {
      '0/1/2': lowest >= 0 && highest <= 2,
      '-1/0/1': lowest >= -1 && highest <= 1,
      '0/1': lowest >= 0 && highest <= 1,
    };
    return NUMERIC_CODINGS.filter((coding) => fits[coding]);
  }

  /**
   * Whether every value is a dosage of 0 to `ploidy` copies; otherwise E-GT-PLOIDY is reported.
   */
  isWithin(ploidy: number, problems: ProblemCollector): boolean {
    if (!(this.#lowest < 0 || this.#highest > ploidy)) return true;
    const isHigh = this.#highest > ploidy;
    const value = isHigh ? this.#highest : this.#lowest;
    problems.error('E-GT-PLOIDY', {
      ...(isHigh ? this.#highestPlace : this.#lowestPlace),
      value: String(value),
      message: `The values run from ${this.#lowest} to ${this.#highest}, and plants of ploidy ${ploidy} have 0 to ${ploidy} copies.`,
      suggestion: 'Correct the value, or choose another ploidy.',
    });
    return false;
  }

  /**
   * The coding, or null after E-GT-PLOIDY or E-GT-CODING was reported. `wanted` overrules the detection when the
   * values allow it.
   *
   * @param size how many rows and columns of calls there are, and whether polyploids are read
   */
  decide(
    problems: ProblemCollector,
    wanted: NumericCoding | undefined,
    { polyploids = false, ...size }: { rows: number; columns: number; polyploids?: boolean | undefined },
  ): NumericCoding | null {
    const lowest = this.#lowest;
    const highest = this.#highest;
    if (lowest === Number.POSITIVE_INFINITY) return wanted ?? '0/1/2';
    const fits = this.fitting();
    if (wanted !== undefined && fits.includes(wanted)) return wanted;
    if (wanted === undefined && fits.includes('0/1')) return '0/1';
    if (wanted === undefined && fits[0] !== undefined) return fits[0];
    if (lowest >= 0 && highest <= HIGHEST_PLOIDY && !this.#hasFraction && wanted === undefined) {
      problems.error('E-GT-PLOIDY', {
        ...this.#highestPlace,
        value: String(highest),
        message: `The values run from ${lowest} to ${highest}: this looks like a polyploid with ${highest} or more copies${polyploids ? ', and the table does not say its ploidy' : '; only diploid genotypes can be analysed'}.`,
        suggestion: polyploids
          ? `Say the ploidy of the plants: ${PLOIDIES.find((ploidy) => ploidy >= highest) ?? 8} or more (heterosis --ploidy).`
          : 'Call the genotypes as diploid (0, 1, 2), or export presence/absence of each allele.',
      });
      return null;
    }
    const spoilt = this.#spoiltColumns(size);
    if (spoilt.length > 0) {
      reportSpoiltColumns(spoilt, problems);
      return null;
    }
    const odd = highest > 2 || (lowest < 0 && lowest >= -1) ? this.#highestPlace : this.#lowestPlace;
    const value = odd === this.#highestPlace ? highest : lowest;
    const few = lowest < 0 ? counted(this.#belowZero, 'value') : counted(this.#aboveOne, 'value');
    problems.error('E-GT-CODING', {
      ...odd,
      value: String(value),
      message:
        wanted === undefined
          ? `The values run from ${lowest} to ${highest}, which fits neither 0/1/2 nor -1/0/1 (${few} ${lowest < 0 ? 'below 0' : 'above 1'}).`
          : `The values run from ${lowest} to ${highest}, which does not fit the coding ${wanted}.`,
      suggestion:
        fits.length > 0
          ? `Read the numbers as ${fits.join(' or ')}.`
          : 'Leave missing calls empty or write NA; use 0, 1, 2 for the copies of the counted allele.',
    });
    return null;
  }
}

/** E-GT-CODING for columns that hold something else than calls. */
function reportSpoiltColumns(columns: readonly [string, OddColumn][], problems: ProblemCollector): void {
  for (const [column, { line, count, lowest, highest }] of columns) {
    const values = lowest === highest ? `: ${lowest}` : ` from ${lowest} to ${highest}`;
    problems.error('E-GT-CODING', {
      line,
      column,
      value: lowest === highest ? String(lowest) : `${lowest} to ${highest}`,
      message: `The column ${column} does not hold calls: it has ${counted(count, 'value')}${values}, which no coding of genotypes knows.`,
      suggestion:
        'Remove the column. Columns beside the calls are known as marker, chrom, pos, REF and ALT, or as sample when rows are samples.',
    });
  }
}

/** Reports how the numbers were read: W-GT-CODING unless the user has said it, and W-GT-ALLELES. */
export function reportCoding(
  coding: NumericCoding,
  facts: { isConfirmed: boolean; hasAlleleNames: boolean },
  problems: ProblemCollector,
): void {
  const meaning = {
    '0/1/2': '0, 1, 2 = copies of the counted allele',
    '-1/0/1': '-1, 0, 1 = none, one or two copies of the counted allele',
    '0/1': '0 = absent, 1 = present, read as none or two copies of the counted allele',
  }[coding];
  if (!facts.isConfirmed) {
    problems.warning('W-GT-CODING', {
      value: coding,
      message: `The numbers were read as ${meaning}.`,
      suggestion: 'Confirm this if it is right; otherwise choose how they are to be read.',
    });
  }
  if (!facts.hasAlleleNames) reportUnnamedAlleles(problems);
}

/** W-GT-ALLELES for a matrix of numbers. */
export function reportUnnamedAlleles(problems: ProblemCollector): void {
  problems.warning('W-GT-ALLELES', {
    message: 'The file does not name the alleles; the counted allele is the one whose copies the numbers give.',
    suggestion: 'Add columns REF and ALT (with markers in rows) if this panel shall be compared with others.',
  });
}

/** Copies of the counted allele that a number stands for. */
export function copiesOf(value: number, coding: NumericCoding): number {
  return coding === '-1/0/1' ? value + 1 : coding === '0/1' ? 2 * value : value;
}

/** The whole numbers that the bytes of {@link CodingScan.take} stand for; NaN when missing. */
export function valuesOfBytes(): Float64Array {
  return Float64Array.from({ length: 256 }, (_, byte) => (byte < ODD_BYTE ? byte - 1 : Number.NaN));
}

/** Call codes of the bytes of {@link CodingScan.take}: 0, 2 or 3 for 0, 1 and 2 copies, 1 for missing. */
export function codeTable(coding: NumericCoding): Uint8Array {
  return Uint8Array.from(valuesOfBytes(), (value) => [0, 2, 3][copiesOf(value, coding)] ?? 1);
}
