/**
 * What a number field holds: a number, nothing, or text that is no number or not clearly one. Such text is wrapped, so
 * that nothing can take it for a number: `Number('1.234')` is one, and `Number({ text: '1.234' })` is none.
 */
export type FieldNumber = number | '' | { text: string };

export const isFieldText = (value: unknown): value is { text: string } =>
  typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string';

/** The number of a field; NaN where it holds none. */
export const numberOf = (value: FieldNumber): number => (typeof value === 'number' ? value : Number.NaN);

/** `0,5`, `12.25`, `.5`, `-3e-4`. */
const PLAIN = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?$/i;

/** `1.234` and `1,234`: three digits after at most three others may be decimals or thousands. `0.123` is clear. */
const DECIMALS_OR_THOUSANDS = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/;

/** Digits in groups of three, with one separator throughout and at most one other mark, that of the decimals. */
const GROUPED = /^[+-]?[1-9]\d{0,2}([ '’.,])\d{3}(?:\1\d{3})*(?:(?!\1)[.,]\d+)?$/;

/**
 * The number that a text is, or `{ text }` where it is none or may separate thousands, which `readingsOf` tells. Where
 * no thousand is allowed, such as among degrees, three digits after a mark are decimals.
 */
export function readFieldNumber(text: string, mayBeThousands = true): FieldNumber {
  const plain = plainText(text);
  if (plain === '') return '';
  const isAsked = mayBeThousands && DECIMALS_OR_THOUSANDS.test(plain);
  const number = PLAIN.test(plain) && !isAsked ? decimal(plain) : Number.NaN;
  return Number.isFinite(number) ? number : { text };
}

/** The numbers that a text with separators of thousands may stand for; none for any other text. */
export function readingsOf(text: string): number[] {
  const plain = plainText(text);
  const separator = GROUPED.exec(plain)?.[1];
  if (separator === undefined) return [];
  const grouped = decimal(plain.replaceAll(separator, ''));
  return DECIMALS_OR_THOUSANDS.test(plain) ? [decimal(plain), grouped] : [grouped];
}

/** Without what other programs put around and into numbers: wide digits, narrow spaces, a real minus. */
const plainText = (text: string): string => text.normalize('NFKC').trim().replaceAll('−', '-');

const decimal = (text: string): number => Number(text.replace(',', '.'));
