const MISSING_SPELLINGS = new Set(['', 'na', 'n/a', 'nan', 'null', '.', '-', '#n/a']);

/** True for the spellings of "no value" that every table accepts, in any case. -999 and its like are not among them. */
export function isMissing(cell: string): boolean {
  return cell.length <= 4 && MISSING_SPELLINGS.has(cell.toLowerCase());
}

/** A header as it is compared: without case, blanks, `_`, `-` and `.`. */
export function headerKey(header: string): string {
  return header
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_.-]+/g, '');
}

const POINT_NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const COMMA_NUMBER = /^[+-]?(?:\d+,\d*|,\d+)(?:[eE][+-]?\d+)?$/;
/** `1,234` is a thousand and something in English and a little more than one in most of Europe. */
const THOUSANDS_COMMA = /^[+-]?\d{1,3},\d{3}$/;

/**
 * A cell as a finite number, or NaN when it is none. `decimalComma` says that the file may write decimals with a comma (its
 * separator is not a comma); without it a quoted comma is taken as decimal only where it cannot be a thousands separator.
 * The typographic minus (U+2212) counts as a minus. No thousands separators, hexadecimals, percent signs or infinities.
 */
export function parseNumber(cell: string, decimalComma: boolean): number {
  let text = cell;
  if (text.charCodeAt(0) === 0x2212) text = `-${text.slice(1)}`;
  if (POINT_NUMBER.test(text)) return finite(Number(text));
  if (COMMA_NUMBER.test(text) && (decimalComma || !THOUSANDS_COMMA.test(text)))
    return finite(Number(text.replace(',', '.')));
  return Number.NaN;
}

/** True when a cell that is a number uses the comma as decimal sign. */
export function hasDecimalComma(cell: string): boolean {
  return COMMA_NUMBER.test(cell);
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : Number.NaN;
}
