import { GrowingFloat64 } from '../../growing-array.ts';
import { MAX_LISTED_PROBLEMS, type ProblemCollector } from '../../problem.ts';
import { groupedNumber } from '../../text/grouped-number.ts';
import { type DateOrder, dayOfYear, inOrder, isoDay, type ReadDate, readDate } from './dates.ts';
import { forgetWord } from './phenotype-groups.ts';
import type { DateChoice, PhenotypeOptions } from './phenotype-options.ts';
import type { CollectedTraits, TraitData, TraitDates, WrittenCell } from './trait-data.ts';

/** A trait with at least this share of dates among its values is one of dates. */
const DATE_SHARE = 0.9;
/** More days after sowing look like a sowing date of another year. */
const LONGEST_SEASON = 400;
const DATE_UNITS = { 'days-after-sowing': 'days after sowing', 'day-of-year': 'day of year' } as const;

export const createTraitDates = (): TraitDates => ({
  dayFirst: new GrowingFloat64(),
  monthFirst: new GrowingFloat64(),
  count: 0,
  texts: [],
});

/** Keeps the date of a row. */
export function setDate(dates: TraitDates, { dayFirst, monthFirst }: ReadDate, cell: WrittenCell): void {
  const { row } = cell;
  while (dates.dayFirst.length < row) {
    dates.dayFirst.push(Number.NaN);
    dates.monthFirst.push(Number.NaN);
  }
  dates.dayFirst.push(dayFirst);
  dates.monthFirst.push(monthFirst);
  dates.count++;
  if (dates.texts.length < MAX_LISTED_PROBLEMS) dates.texts.push(cell);
}

/** Whether most values of a trait are dates, and none is to be a number by the header. */
export const isOfDates = ({ dates, numberCount, textCount, missingWordCount }: TraitData): boolean =>
  dates !== null && dates.count >= DATE_SHARE * (numberCount + textCount - missingWordCount);

/**
 * Makes numbers of the traits that hold dates: days after sowing, or days of the year. Without a choice they stay words
 * and W-PH-DATE offers it. Where no date of the file tells whether day or month comes first, E-PH-DATE-ORDER asks; a
 * cell that is no date is E-PH-NOT-DATE, a row whose sowing is not known E-PH-SOWING, days before sowing or long after
 * it are W-PH-DATE-FAR.
 */
export function settleDates(collected: CollectedTraits, options: PhenotypeOptions, problems: ProblemCollector): void {
  const traits = collected.traits.filter((trait) => trait.header.declaredKind === null && isOfDates(trait));
  if (traits.length === 0) return;
  const choice = options.dates;
  const order = choice?.order ?? orderIn(traits, collected);
  if (choice === undefined) {
    for (const trait of traits) offerDates(trait, collected, order, problems);
    return;
  }
  if (order === null) {
    askOrder(traits, collected, problems);
    return;
  }
  const sowing = choice.as === 'day-of-year' ? null : sowingOf(choice, collected, order, problems);
  if (sowing === undefined) return;
  for (const trait of traits) convert(trait, { order, sowing, as: choice.as }, problems);
}

/** The order that a date of the file tells; null when none does, and `day-first` when it makes no difference. */
function orderIn(traits: readonly TraitData[], { sowings }: CollectedTraits): DateOrder | null {
  let isOpen = false;
  const tells = (dayFirst: number, monthFirst: number): DateOrder | null => {
    if (Number.isNaN(dayFirst) !== Number.isNaN(monthFirst))
      return Number.isNaN(dayFirst) ? 'month-first' : 'day-first';
    if (dayFirst !== monthFirst && !Number.isNaN(dayFirst)) isOpen = true;
    return null;
  };
  for (const { dates } of traits) {
    for (let row = 0; row < (dates?.dayFirst.length ?? 0); row++) {
      const told = tells(dates?.dayFirst.at(row) ?? Number.NaN, dates?.monthFirst.at(row) ?? Number.NaN);
      if (told !== null) return told;
    }
  }
  for (const { dayFirst, monthFirst } of sowings.values()) {
    const told = tells(dayFirst, monthFirst);
    if (told !== null) return told;
  }
  return isOpen ? null : 'day-first';
}

function offerDates(
  trait: TraitData,
  { header, headerLine }: CollectedTraits,
  order: DateOrder | null,
  problems: ProblemCollector,
): void {
  const sample = trait.dates?.texts[0]?.text ?? '';
  problems.warning('W-PH-DATE', {
    line: headerLine,
    column: trait.column,
    value: sample,
    message: `${trait.header.name} holds dates such as ${sample}, which no analysis can use as they are.${order === null ? ' Whether the day or the month comes first is not clear.' : ''}`,
    suggestion: `Choose days after sowing (--dates days-after-sowing${header.sowing === null ? ' --sowing-date 2025-04-20' : `, with the dates in ${header.sowing.name}`}) or days of the year (--dates day-of-year).`,
  });
}

function askOrder(traits: readonly TraitData[], { headerLine }: CollectedTraits, problems: ProblemCollector): void {
  for (const trait of traits) {
    const sample = trait.dates?.texts[0]?.text ?? '';
    problems.error('E-PH-DATE-ORDER', {
      line: headerLine,
      column: trait.column,
      value: sample,
      message: `In ${trait.header.name} no date tells whether the day or the month comes first: ${sample} can be two days.`,
      suggestion: 'Choose "day first" or "month first" (--date-order day-first or month-first).',
    });
  }
}

/** The day of sowing of each row; undefined, with a problem, when it is not known at all. */
function sowingOf(
  { sowing }: DateChoice,
  { header, headerLine }: CollectedTraits,
  order: DateOrder,
  problems: ProblemCollector,
): ((date: ReadDate | null) => number) | undefined {
  if (sowing !== undefined) {
    const day = readDate(sowing)?.dayFirst ?? Number.NaN;
    if (!Number.isNaN(day)) return () => day;
  } else if (header.sowing !== null) {
    return (date) => (date === null ? Number.NaN : inOrder(date, order));
  }
  problems.error('E-PH-SOWING', {
    line: headerLine,
    value: sowing ?? null,
    message:
      sowing === undefined
        ? 'Days after sowing need the date of sowing, and the file has no column of it.'
        : `"${sowing}" is no date of sowing.`,
    suggestion: 'Give the date (--sowing-date 2025-04-20), or say which column has it.',
  });
  return undefined;
}

interface Conversion {
  order: DateOrder;
  /** Null for days of the year. */
  sowing: ((date: ReadDate | null) => number) | null;
  as: DateChoice['as'];
}

function convert(trait: TraitData, { order, sowing, as }: Conversion, problems: ProblemCollector): void {
  const { dates, rows } = trait;
  if (dates === null) return;
  const read = order === 'day-first' ? dates.dayFirst : dates.monthFirst;
  const far = { count: 0, row: -1 };
  const unsown = { count: 0, row: -1 };
  let converted = 0;
  for (let row = 0; row < read.length; row++) {
    const day = read.at(row);
    if (Number.isNaN(day)) continue;
    const sown = sowing === null ? 0 : sowing(rows.sowing?.[row] ?? null);
    if (Number.isNaN(sown) && unsown.count++ === 0) unsown.row = row;
    const value = sowing === null ? dayOfYear(day) : day - sown;
    if (sowing !== null && (value < 0 || value > LONGEST_SEASON) && far.count++ === 0) far.row = row;
    trait.values.set(row, value);
    if (trait.words !== null) forgetWord(trait.words, row);
    converted++;
  }
  dates.texts = dates.texts.filter(({ row }) => Number.isNaN(read.at(row)));
  trait.textCount -= converted;
  trait.numberCount += converted;
  trait.header.unit = DATE_UNITS[as];
  trait.header.declaredKind = 'numeric';
  trait.isOfDates = true;
  const where = (row: number) => ({ line: rows.line.at(row), column: trait.column });
  if (unsown.count > 0) {
    problems.error('E-PH-SOWING', {
      ...where(unsown.row),
      value: String(unsown.count),
      message: `${groupedNumber(unsown.count)} dates of ${trait.header.name} stand in rows without a date of sowing.`,
      suggestion: 'Fill in the date of sowing, give one date for all rows (--sowing-date), or choose days of the year.',
    });
  }
  if (far.count > 0) {
    problems.warning('W-PH-DATE-FAR', {
      ...where(far.row),
      value: `${isoDay(read.at(far.row))}: ${trait.values.at(far.row)}`,
      message: `${groupedNumber(far.count)} dates of ${trait.header.name} lie before sowing, or more than ${LONGEST_SEASON} days after it.`,
      suggestion: 'Check the dates. A file of several seasons needs a column with the date of sowing of each row.',
    });
  }
}
