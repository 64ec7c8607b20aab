/**
 * Words that people write for a missing value, without case, blanks and points: German n.b., n.d., k.A., n.v., o.A.,
 * French n.c., English "missing", and Excel's errors. `NA`, `.` and `-` are missing everywhere and are not among them.
 */
const MISSING_WORDS = new Set(
  [
    '* ** *** ? ?? -- --- nb nd ka nv oa nc nm miss missing nodata notavailable notrecorded unknown',
    'fehlt fehlend keineangabe unbekannt inconnu manquant desconocido faltante',
    '#div0! #value! #wert! #bezug! #ref! #num! #zahl! #name?',
  ].flatMap((words) => words.split(' ')),
);

const LONGEST_WORD = 20;

/** Whether a word among numbers says by itself that the value is missing. */
export const isMissingWord = (word: string): boolean =>
  word.length <= LONGEST_WORD && MISSING_WORDS.has(word.toLowerCase().replaceAll(/[\s._/]+/g, ''));

/** A number that may mean "missing": how often it occurs, and at which row first. */
export interface SuspectNumber {
  code: number;
  count: number;
  row: number;
}

/** Nines and other repeated digits that no scale reaches by accident: −9, −99, 99, 999, 9999, −99.9, 777, 8888. */
const CODE_LIKE = /^(?:-9+(?:\.9+)?|9{2,}(?:\.9+)?|-?([78])\1{2,})$/;
/** Fewer digits may be a value that is far from the others once. */
const DIGITS_OF_ONE = 3;
/** Others lie so many standard deviations, computed without the suspect, from their own mean. */
const FAR_SDS = 6;
/** A code for "missing" leaves other values; below this many, a gap between them tells nothing. */
const FEWEST_OTHERS = 10;
/** Negative values that a trait may have besides, when its others are positive: typing errors. */
const STRAY_NEGATIVES = 0.01;
/** Fewer different others are a scale or groups, of which one may be far. */
const FEWEST_DISTINCT = 5;
/** Scores reach no further; counts do. */
const MOST_OF_SCALE = 10;
const RARE = 0.1;

/**
 * Numbers of a trait (NaN = missing) that may mean "missing". All of them stand alone:
 *
 * - A number that looks like a code ({@link CODE_LIKE}) is suspected once it occurs when it alone is negative; else
 *   when it lies outside the range of the others, and recurs more than one of their standard deviations from it, or has
 *   three digits and lies 6 of them from their mean.
 * - Any other number is suspected when it recurs exactly, makes up less than half of the values, and is alone in sign
 *   (negative, and further from the others than any two neighbours in their smaller half lie apart, or 6 standard
 *   deviations; −1 among counts) or in magnitude (further from the others than all of them lie apart, and 6 standard
 *   deviations; a rare 0 half as far).
 *   So 0 among flowering days is suspected; 0 among counts or percentages, 9 on a scale of 1–9 and 999 among yields
 *   near 1,000 are not.
 *
 * O(n log n) for n values.
 */
export function suspectNumbers(values: Float64Array): SuspectNumber[] {
  const distinct = distinctOf(values);
  if (distinct.length === 0) return [];
  const isCode = distinct.map(({ value }) => CODE_LIKE.test(String(value)));
  const others = distinct.filter((_, index) => !isCode[index]);
  const codes = distinct.filter((one, index) => isCode[index] && isCodeAlone(one, others));
  const kept = distinct.filter((one) => !codes.includes(one));
  const suspects = [...codes, ...ends(kept).filter((one) => standsAlone(one, kept))];
  return suspects.map(({ value, count }) => ({ code: value, count, row: values.indexOf(value) }));
}

interface Distinct {
  value: number;
  count: number;
}

/** Each number once, in ascending order. */
function distinctOf(values: Float64Array): Distinct[] {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort();
  const distinct: Distinct[] = [];
  for (const value of sorted) {
    const last = distinct.at(-1);
    if (last?.value === value) last.count++;
    else distinct.push({ value, count: 1 });
  }
  return distinct;
}

const total = (distinct: readonly Distinct[]): number => distinct.reduce((sum, { count }) => sum + count, 0);

const ends = (distinct: readonly Distinct[]): Distinct[] =>
  distinct.length < 2 ? [] : [distinct[0], distinct[distinct.length - 1]];

function isCodeAlone({ value: code, count }: Distinct, others: readonly Distinct[]): boolean {
  const n = total(others);
  if (n === 0) return code < 0;
  const negative = total(others.filter(({ value }) => value < 0));
  if (code < 0 && negative <= STRAY_NEGATIVES * n) return true;
  const isLong = String(Math.abs(code)).replace('.', '').length >= DIGITS_OF_ONE;
  const { mean, sd } = meanOf(others);
  const gap = gapTo(code, others);
  return gap > 0 && ((isLong && Math.abs(code - mean) > FAR_SDS * sd) || (count > 1 && gap > sd));
}

/** How far a number lies outside the range of others; 0 inside. */
const gapTo = (value: number, others: readonly Distinct[]): number =>
  Math.max(0, others[0].value - value, value - others[others.length - 1].value);

function meanOf(values: readonly Distinct[]): { mean: number; sd: number } {
  const n = total(values);
  const mean = values.reduce((sum, { value, count }) => sum + value * count, 0) / n;
  const squares = values.reduce((sum, { value, count }) => sum + count * (value - mean) ** 2, 0);
  return { mean, sd: Math.sqrt(squares / Math.max(1, n - 1)) };
}

/** Further than 6 standard deviations from the mean of the others. */
function isFar(value: number, others: readonly Distinct[]): boolean {
  const { mean, sd } = meanOf(others);
  return Math.abs(value - mean) > FAR_SDS * sd;
}

/** For the smallest and the largest of the values. */
function standsAlone(suspect: Distinct, values: readonly Distinct[]): boolean {
  const others = values.filter((one) => one !== suspect);
  const n = total(others);
  if (suspect.count < 2 || suspect.count >= n || n < FEWEST_OTHERS || others.length < 2) return false;
  if (suspect.value < 0 && others[0].value >= 0) return isAloneInSign(suspect.value, others);
  const [least, most] = [others[0].value, others[others.length - 1].value];
  const gap = gapTo(suspect.value, others);
  const isZero = suspect.value === 0;
  // Zero is also the state of what is absent: it is then frequent.
  if (isZero && suspect.count >= RARE * n) return false;
  if (others.length < FEWEST_DISTINCT || isScale(values)) return false;
  return gap > (most - least) / (isZero ? 2 : 1) && isFar(suspect.value, others);
}

/** Numbers from 0 to 10 without decimals are scores, whose ends may be rare. */
const isScale = (values: readonly Distinct[]): boolean =>
  values.every(({ value }) => Number.isInteger(value) && value >= 0 && value <= MOST_OF_SCALE);

/** A negative number among others that are not, further from them than they are from each other. */
function isAloneInSign(value: number, others: readonly Distinct[]): boolean {
  const gap = others[0].value - value;
  let widest = 0;
  // Among the smaller half: the largest values of many traits lie far apart.
  for (let i = 1; 2 * i <= others.length; i++) widest = Math.max(widest, others[i].value - others[i - 1].value);
  if (gap > widest || isFar(value, others)) return true;
  const isOfCounts =
    others[others.length - 1].value >= MOST_OF_SCALE && others.every((one) => Number.isInteger(one.value));
  return value === -1 && isOfCounts;
}
