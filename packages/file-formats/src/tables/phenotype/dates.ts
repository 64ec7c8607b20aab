/** In which order the numbers of a date stand that begins with the day or the month: 01/02/2025. */
export type DateOrder = 'day-first' | 'month-first';

/** A day in both readings, as days since 1970-01-01; NaN where it is none in that reading. */
export interface ReadDate {
  dayFirst: number;
  monthFirst: number;
}

const MONTHS = new Map<string, number>(
  [
    'jan januar january janvier enero janeiro',
    'feb februar february fevrier fev febrero fevereiro',
    'mar mrz marz maerz march mars marzo marco',
    'apr april avr avril abr abril',
    'may mai mayo maio',
    'jun juni june juin junio junho',
    'jul juli july juillet juil julio julho',
    'aug august aout ago agosto',
    'sep sept september septembre septiembre setiembre set setembro',
    'oct okt oktober october octobre octubre out outubro',
    'nov november novembre noviembre novembro',
    'dec dez dezember december decembre diciembre dic dezembro',
  ].flatMap((names, month) => names.split(' ').map((name): [string, number] => [name, month + 1])),
);

const TIME = String.raw`(?:[T\s]+\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s*(?:[ap]m)?\s*(?:Z|[+-]\d{2}:?\d{2})?)?`;
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})${TIME}$`, 'i');
const YEAR_LAST = new RegExp(String.raw`^(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(\d{4}|\d{2})${TIME}$`, 'i');
const NAMED_DAY_FIRST =
  /^(\d{1,2})(?:\.|st|nd|rd|th)?[\s-]*(?:de\s+)?([\p{L}]{3,10})\.?,?[\s-]*(?:de\s+)?(\d{4}|\d{2})$/iu;
const NAMED_MONTH_FIRST = /^([\p{L}]{3,10})\.?[\s-]+(\d{1,2})(?:st|nd|rd|th)?,?[\s-]+(\d{4})$/iu;
/** Longer cells are no dates. */
const LONGEST_DATE = 40;
const MS_PER_DAY = 86_400_000;

/**
 * Reads a date: ISO (2025-07-15, with or without a time), with points (15.07.2025, always the day first), with
 * slashes or dashes (15/07/2025 or 07/15/2025), and with the name of the month in English, German, French, Spanish and
 * Portuguese. Two digits of a year are 2000 to 2069, or 1970 to 1999. Null for all else; a number alone is no date.
 */
export function readDate(cell: string): ReadDate | null {
  if (cell.length < 6 || cell.length > LONGEST_DATE || !/\d/.test(cell)) return null;
  let parts = YEAR_FIRST.exec(cell);
  if (parts !== null) return both(dayOf(parts[1], parts[3], parts[4]));
  parts = YEAR_LAST.exec(cell);
  if (parts !== null) {
    const [, first, sign, second, year] = parts;
    const dayFirst = dayOf(year, second, first);
    // Nobody writes the month first with points.
    return eitherOf(dayFirst, sign === '.' ? dayFirst : dayOf(year, first, second));
  }
  parts = NAMED_DAY_FIRST.exec(cell);
  if (parts !== null) return both(dayOf(parts[3], monthOf(parts[2]), parts[1]));
  parts = NAMED_MONTH_FIRST.exec(cell);
  return parts === null ? null : both(dayOf(parts[3], monthOf(parts[1]), parts[2]));
}

const both = (day: number): ReadDate | null => eitherOf(day, day);
const eitherOf = (dayFirst: number, monthFirst: number): ReadDate | null =>
  Number.isNaN(dayFirst) && Number.isNaN(monthFirst) ? null : { dayFirst, monthFirst };

const monthOf = (name: string): number =>
  MONTHS.get(name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()) ?? Number.NaN;

/** Days since 1970-01-01; NaN for a day that does not exist. */
function dayOf(year: string, month: string | number, day: string): number {
  const y = year.length === 2 ? Number(year) + (Number(year) < 70 ? 2000 : 1900) : Number(year);
  const [m, d] = [Number(month), Number(day)];
  const date = new Date(0);
  date.setUTCFullYear(y, m - 1, d);
  return date.getUTCMonth() === m - 1 && date.getUTCDate() === d ? date.getTime() / MS_PER_DAY : Number.NaN;
}

/** A date by the order of its file. */
export const inOrder = ({ dayFirst, monthFirst }: ReadDate, order: DateOrder): number =>
  order === 'day-first' ? dayFirst : monthFirst;

/** 1 for 1 January, by a day since 1970-01-01. */
export function dayOfYear(day: number): number {
  const date = new Date(day * MS_PER_DAY);
  return day - Date.UTC(date.getUTCFullYear(), 0, 1) / MS_PER_DAY + 1;
}

/** `2025-07-15`. */
export const isoDay = (day: number): string => new Date(day * MS_PER_DAY).toISOString().slice(0, 10);
