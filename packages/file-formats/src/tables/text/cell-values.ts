const MISSING_SPELLINGS = new Set(['', 'na', 'n/a', 'nan', 'null', '.', '-', '#n/a']);

/**
 * True for the spellings of a missing value that every table accepts, in any case. Codes such as -999 are not among
 * them.
 */
export function isMissing(cell: string): boolean {
  return cell.length <= 4 && MISSING_SPELLINGS.has(cell.toLowerCase());
}

/** A header for comparison: without case, accents, blanks, `_`, `-` and `.`. */
export function headerKey(header: string): string {
  return header
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s_.-]+/g, '');
}

const POINT_NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const COMMA_NUMBER = /^[+-]?(?:\d+,\d*|,\d+)(?:[eE][+-]?\d+)?$/;
/** `1,234` is 1234 in English and 1.234 in most of Europe. */
const THOUSANDS_COMMA = /^[+-]?\d{1,3},\d{3}$/;

/**
 * Parses a cell as a finite number; NaN when it is not one. `decimalComma` says that decimals may be written with a
 * comma (the separator of the file is another one); without it a comma counts as decimal only where it cannot be a
 * thousands separator. The typographic minus (U+2212) counts as a minus. Thousands separators, hexadecimal numbers,
 * percent signs and infinities are not numbers.
 */
export function parseNumber(cell: string, decimalComma: boolean): number {
  let text = cell;
  if (text.charCodeAt(0) === 0x2212) text = `-${text.slice(1)}`;
  if (POINT_NUMBER.test(text)) return finite(Number(text));
  if (COMMA_NUMBER.test(text) && (decimalComma || !THOUSANDS_COMMA.test(text)))
    return finite(Number(text.replace(',', '.')));
  return Number.NaN;
}

/** True when a cell is a number with a decimal comma. */
export function hasDecimalComma(cell: string): boolean {
  return COMMA_NUMBER.test(cell);
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : Number.NaN;
}
