const LOCALE = 'en';
const NOTHING = '–';

type Maybe = number | null | undefined;

const isMissing = (value: Maybe): value is null | undefined =>
  value === null || value === undefined || Number.isNaN(value);

const counts = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 });
const threeDigits = new Intl.NumberFormat(LOCALE, { minimumSignificantDigits: 3, maximumSignificantDigits: 3 });
const absoluteDate = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' });
const absoluteDay = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' });
const relativeDate = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto', style: 'short' });

/** A count with thousands separated: `2,368`. */
export function formatCount(value: Maybe): string {
  return isMissing(value) ? NOTHING : counts.format(value);
}

/** A statistic with 3 significant digits: `0.613`, `12.0`; very small or large ones as `2.30 × 10⁻⁸`. */
export function formatStatistic(value: Maybe): string {
  if (isMissing(value)) return NOTHING;
  if (value === 0) return '0';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e7) return scientific(value, 2);
  return size >= 1000 ? minus(counts.format(value)) : minus(threeDigits.format(value));
}

/**
 * A mean with its standard deviation, both to the place where the deviation has two digits: `0.487 ± 0.024`, `17.8 ±
 * 0.3`.
 */
export function formatMeanSd(value: { mean: Maybe; sd: Maybe } | undefined): string {
  if (value === undefined || isMissing(value.mean)) return NOTHING;
  if (isMissing(value.sd) || value.sd <= 0) return formatStatistic(value.mean);
  // Never more digits than the mean alone would have.
  const ofSd = 1 - Math.floor(Math.log10(value.sd));
  const ofMean = value.mean === 0 ? ofSd : 2 - Math.floor(Math.log10(Math.abs(value.mean)));
  const places = Math.min(12, Math.max(0, Math.min(ofSd, ofMean)));
  const format = fixed(places);
  return `${minus(format.format(value.mean))} ± ${format.format(value.sd)}`;
}

const fixedFormats = new Map<number, Intl.NumberFormat>();

/** A format is made once: making one takes longer than the rest of a table's cell. */
function fixed(decimals: number): Intl.NumberFormat {
  const made = fixedFormats.get(decimals);
  if (made) return made;
  const format = new Intl.NumberFormat(LOCALE, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    signDisplay: 'negative',
  });
  fixedFormats.set(decimals, format);
  return format;
}

const MOST_DECIMALS = 6;

/**
 * Decimals with which the numbers of one column are written, so that their points stand below each other: those that
 * give the middle one 3 digits, and no more than the numbers have. Undefined where some would need a power of ten.
 */
export function sharedDecimals(values: readonly Maybe[]): number | undefined {
  const sizes = values.flatMap((value) => (isMissing(value) ? [] : [Math.abs(value)])).sort((a, b) => a - b);
  const some = sizes.filter((size) => size > 0);
  const middle = some[some.length >> 1];
  if (middle === undefined) return 0;
  if (middle < 1e-4 || (sizes.at(-1) ?? 0) >= 1e7) return undefined;
  const wanted = Math.min(MOST_DECIMALS, Math.max(0, 2 - Math.floor(Math.log10(middle))));
  for (let decimals = 0; decimals < wanted; decimals++) {
    const scale = 10 ** decimals;
    if (sizes.every((size) => Math.abs(size * scale - Math.round(size * scale)) < 1e-6)) return decimals;
  }
  return wanted;
}

/** A number with fixed decimals: `1,204.50`; with `decimals` undefined, as `formatStatistic` has it. */
export function formatDecimals(value: Maybe, decimals: number | undefined): string {
  if (decimals === undefined || isMissing(value) || !Number.isFinite(value)) return formatStatistic(value);
  return minus(fixed(decimals).format(value));
}

/** The numbers of one column, with the decimals that they share. */
export function formatColumn(values: readonly Maybe[]): string[] {
  const decimals = sharedDecimals(values);
  return values.map((value) => formatDecimals(value, decimals));
}

const ticks = new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 6 });

/** A mark on an axis: no more digits than it needs: `0.05`, `30`, `1,200`, `2 × 10⁻⁶`. */
export function formatTick(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e7)) {
    return `${minus(ticks.format(value / 10 ** Math.floor(Math.log10(size))))} × 10${superscript(Math.floor(Math.log10(size)))}`;
  }
  return minus(ticks.format(value));
}

/** Smaller ones have lost digits on their way: nobody reads them as a number. */
const SMALLEST_P = 1e-300;

/** A p-value: `0.0312`, `2.3 × 10⁻⁸`, `< 10⁻³⁰⁰`. */
export function formatPValue(value: Maybe): string {
  if (isMissing(value)) return NOTHING;
  if (value < SMALLEST_P) return '< 10⁻³⁰⁰';
  return value < 1e-3 ? scientific(value, 1) : threeDigits.format(value);
}

/** What a p-value may be at most: `p ≤ 2.1 × 10⁻⁵`. */
export function formatLargestP(value: Maybe): string {
  const text = formatPValue(value);
  return text.startsWith('<') ? `p ${text}` : `p ≤ ${text}`;
}

/** A share (0–1) as a percentage: without decimals unless small: `97 %`, `3.9 %`, `0.04 %`. */
export function formatShare(value: Maybe): string {
  if (isMissing(value)) return NOTHING;
  const percent = value * 100;
  const size = Math.abs(percent);
  if (size === 0) return '0 %';
  const digits = size >= 10 ? 0 : size >= 0.1 ? 1 : 2;
  const rounded = Number(percent.toFixed(digits));
  // 99.97 % must not read as complete.
  if (rounded === 100 && value < 1) return `${(Math.floor(percent * 100) / 100).toFixed(2)} %`;
  if (rounded === 0) return '< 0.01 %';
  return `${minus(new Intl.NumberFormat(LOCALE, { maximumFractionDigits: digits }).format(rounded))} %`;
}

/** Money in the smallest unit of its currency: `$1,200`, `$12.50`, `¥500`. */
export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat(LOCALE, { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  const whole = amount % 10 ** digits === 0 ? { maximumFractionDigits: 0 } : {};
  return minus(new Intl.NumberFormat(LOCALE, { style: 'currency', currency, ...whole }).format(amount / 10 ** digits));
}

/** A chromosome where nothing else says that it is one: `chr 3A`; a name that says so stays, as `chr3`. */
export function formatChromosome(name: string): string {
  return /^(?:chr|lg|scaffold|contig)/i.test(name) ? name : `chr ${name}`;
}

/** A position in Mb: `123.457`. The unit stands in the column head; `formatBp` is for the hover. */
export function formatMb(positionBp: Maybe): string {
  if (isMissing(positionBp)) return NOTHING;
  return fixed(3).format(positionBp / 1e6);
}

export function formatBp(positionBp: Maybe): string {
  return isMissing(positionBp) ? NOTHING : `${counts.format(positionBp)} bp`;
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** A size in decimal units: `532 B`, `1.24 MB`. */
export function formatBytes(bytes: Maybe): string {
  if (isMissing(bytes)) return NOTHING;
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < BYTE_UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${BYTE_UNITS[unit]}`;
}

/** Seconds for people: `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(seconds: Maybe): string {
  if (isMissing(seconds)) return NOTHING;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return joinParts(Math.floor(whole / 60), 'min', whole % 60, 's');
  return joinParts(Math.floor(whole / 3600), 'h', Math.floor((whole % 3600) / 60), 'min');
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
];

/** `3 min. ago`, `yesterday`; older than about a year the day itself. */
export function formatRelative(date: string | Date, now: number): string {
  const time = new Date(date).getTime();
  let amount = (time - now) / 1000;
  // What was just done may lie ahead of a clock that is a little slow.
  if (amount > -10 && amount < 60) return 'now';
  for (const [unit, size] of STEPS) {
    if (Math.abs(Math.round(amount)) < size) return relativeDate.format(Math.round(amount), unit);
    amount /= size;
  }
  return absoluteDay.format(time);
}

export function formatDateTime(date: string | Date): string {
  return absoluteDate.format(new Date(date));
}

export function formatDay(date: string | Date): string {
  return absoluteDay.format(new Date(date));
}

const SUPERSCRIPT: Record<string, string> = { '-': '⁻' };
for (const [digit, sign] of [...'⁰¹²³⁴⁵⁶⁷⁸⁹'].entries()) SUPERSCRIPT[digit] = sign;

function superscript(exponent: number): string {
  return [...String(exponent)].map((sign) => SUPERSCRIPT[sign] ?? sign).join('');
}

/** `2.3 × 10⁻⁸`, with `digits` decimals of the mantissa. */
function scientific(value: number, digits: number): string {
  const [mantissa = '', exponent = ''] = value.toExponential(digits).split('e');
  return `${minus(mantissa)} × 10${superscript(Number(exponent))}`;
}

/** The typographic minus, which is as wide as a digit. */
function minus(text: string): string {
  return text.replace(/^-/, '−');
}

function joinParts(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}
