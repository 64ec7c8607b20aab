import { createHash } from 'node:crypto';
import type { ValueFileChoices } from '@heterosis/contracts/data/value-files';
import { misfitOf, type ProjectTrait, storedValue, UNSET_TRAIT } from '@heterosis/contracts/people/traits';
import { type DateOrder, inOrder, isoDay, readDate } from '@heterosis/file-formats/tables/phenotype/dates';
import type { PlotValues, WrittenPlot, WrittenTrait } from '@heterosis/file-formats/tables/plot-values/plot-values';
import { isMissing } from '@heterosis/file-formats/tables/text/cell-values';
import { isPlanted, type PlotRow } from '../layout.ts';
import { type NamedTrial, plotFinder, type Refusal, trialFinder } from './find-plots.ts';

const VALUES_AT_ONCE = 4_096;

/** What is known of the project, to which a file is held. */
export interface KnownTrials {
  /** The one that the file was given to. */
  own: NamedTrial;
  all: readonly NamedTrial[];
  closed: ReadonlySet<string>;
  /** Plots of each trial that the file names, in the order of their numbers. */
  plots: ReadonlyMap<string, readonly PlotRow[]>;
  traits: readonly Pick<ProjectTrait, 'name' | 'scale' | 'ontology_id'>[];
}

/** A value of the file that can be taken. */
export interface FileValue {
  /** A hash of what it says, so that the same file given again adds nothing. */
  id: string;
  trial: NamedTrial;
  plot: PlotRow;
  trait: string;
  value: string | null;
  /** Null: the file does not say. */
  observed_at: string | null;
  collector: string | null;
  line: number;
}

export interface RefusedValue extends Refusal {
  line: number;
  column: string | null;
  value: string;
}

/** How a trait of the file was understood. */
export interface SettledTrait {
  written: WrittenTrait;
  /** Null: left out, or still to be decided. */
  trait: string | null;
  isNew: boolean;
  isOpen: boolean;
}

export interface SettledFile {
  traits: SettledTrait[];
  /** By plot and trait, each in the order of time: the last one counts. */
  cells: FileValue[][];
  refused: RefusedValue[];
  isDateOrderOpen: boolean;
  /** Rows whose plot was found. */
  found: { line: number; entry: string; plot: PlotRow }[];
}

/** The trait of the project that a trait of the file is: by its name, without case, without its unit, or by its id. */
export function settleTraits(
  read: PlotValues,
  traits: KnownTrials['traits'],
  choices: ValueFileChoices,
): SettledTrait[] {
  const exact = new Set(traits.map(({ name }) => name));
  const folded = new Map(traits.map(({ name }) => [name.toLowerCase(), name]));
  const byId = new Map(traits.flatMap(({ name, ontology_id: id }) => (id === null ? [] : [[id, name] as const])));
  return read.traits.map((written) => {
    const { header, name, ontologyId } = written;
    if (Object.hasOwn(choices.traits, header)) {
      const trait = choices.traits[header] ?? null;
      return { written, trait, isNew: trait !== null && !exact.has(trait), isOpen: false };
    }
    const trait =
      [header, name].find((one) => exact.has(one)) ??
      (ontologyId === null ? undefined : byId.get(ontologyId)) ??
      folded.get(header.toLowerCase()) ??
      folded.get(name.toLowerCase()) ??
      null;
    // A column of words that nobody has called a trait describes the plots; numbers are measured.
    const isOpen =
      trait === null && written.values > 0 && (read.shape === 'long' || written.numbers * 2 > written.values);
    return { written, trait, isNew: false, isOpen };
  });
}

/** The trials of the rows of a file; those of which values may be stored. */
export const trialsIn = (read: PlotValues, own: NamedTrial, all: readonly NamedTrial[]): string[] => {
  const find = trialFinder(all, own, read.rows);
  return [...new Set(read.rows.map(find).flatMap((found) => ('code' in found ? [] : [found.id])))];
};

/**
 * Holds a file against the trials of a project. Values that cannot be taken are listed with why; of several values of
 * one plot and trait each later one corrects the one before it.
 *
 * @param sha of the file; it tells values without a time from those of other files
 */
export async function settleFile(
  read: PlotValues,
  known: KnownTrials,
  choices: ValueFileChoices,
  sha: string,
): Promise<SettledFile> {
  const traits = settleTraits(read, known.traits, choices);
  const scales = new Map(known.traits.map((one) => [one.name, one.scale]));
  const order = choices.date_order ?? tellsOrder(read, traits, scales);
  const plotOf = rowFinder(read, known);
  const times = read.rows.map(({ time }) => (time === undefined ? null : momentOf(time, order ?? 'day-first')));
  const refused: RefusedValue[] = [];
  const cells = new Map<string, FileValue[]>();
  const seenRows = new Set<number>();
  const found: SettledFile['found'] = [];
  for (const [k, { row: place, trait: index, text, number }] of read.values.entries()) {
    // Other requests are served in between.
    if (k % VALUES_AT_ONCE === VALUES_AT_ONCE - 1) await new Promise(setImmediate);
    const row = read.rows[place];
    const settled = traits[index];
    if (row === undefined || settled === undefined || settled.trait === null) continue;
    const { trait, written } = settled;
    const at = plotOf(place);
    const first = !seenRows.has(place);
    seenRows.add(place);
    const refuse = ({ code, message }: Refusal, column: string | null = written.header, value = text): void => {
      refused.push({ ...{ line: row.line, column, code, value: value.slice(0, 100), message } });
    };
    if ('code' in at) {
      // Once for all values of the row.
      if (first) refuse(at, null, row.plots.join(' '));
      continue;
    }
    if (first && row.entry !== undefined) found.push({ line: row.line, entry: row.entry, plot: at.plot });
    const time = times[place] ?? null;
    if (row.time !== undefined && time === null) {
      if (first)
        refuse({ code: 'bad-date', message: `"${row.time}" is no date or time that can be read.` }, null, row.time);
      continue;
    }
    const missing = isMissing(text);
    // A wide table fills the cells of what nobody looked at.
    if (missing && read.shape === 'wide') continue;
    const scale = scales.get(trait) ?? UNSET_TRAIT.scale;
    const value = missing ? null : valueOf(text, number, scale, order ?? 'day-first');
    const misfit = value === null ? null : misfitOf(scale, value);
    if (value !== null && value.length > 1_000)
      refuse({ code: 'bad-value', message: 'The text has more than 1,000 characters.' });
    else if (misfit !== null)
      refuse({ code: 'misfit', message: `"${trait}" on plot ${at.plot.number}: ${value} ${misfit}.` });
    else {
      const collector = row.person?.slice(0, 255) ?? null;
      const own = {
        ...at,
        trait,
        value: value === null ? null : storedValue(scale, value),
        observed_at: time,
        collector,
      };
      const key = `${at.trial.id} ${at.plot.number} ${trait}`;
      const others = cells.get(key) ?? [];
      cells.set(key, others);
      others.push({ ...own, id: idOf(own, sha), line: row.line });
    }
  }
  return {
    ...{ traits, refused, found, isDateOrderOpen: order === null },
    cells: [...cells.values()].map(inTime),
  };
}

/** The plot of a row of the file, looked for once. */
function rowFinder(read: PlotValues, { own, all, closed, plots }: KnownTrials) {
  const trialOf = trialFinder(all, own, read.rows);
  const finders = new Map<string, ReturnType<typeof plotFinder>>();
  const known = new Map<number, { trial: NamedTrial; plot: PlotRow } | Refusal>();
  const find = (row: WrittenPlot): { trial: NamedTrial; plot: PlotRow } | Refusal => {
    const trial = trialOf(row);
    if ('code' in trial) return trial;
    if (closed.has(trial.id))
      return { code: 'closed', message: `"${trial.name}" is closed. Reopen it to store values.` };
    const finder = finders.get(trial.id) ?? plotFinder(trial, plots.get(trial.id) ?? [], read.rows);
    finders.set(trial.id, finder);
    const plot = finder(row);
    if ('code' in plot) return plot;
    return isPlanted(plot.kind)
      ? { trial, plot }
      : {
          code: 'not-planted',
          message: `Plot ${plot.number} is a ${plot.kind.toLowerCase()}, of which no value is kept.`,
        };
  };
  return (place: number): { trial: NamedTrial; plot: PlotRow } | Refusal => {
    const row = read.rows[place];
    const before = known.get(place);
    if (before !== undefined) return before;
    const at = find(row ?? { line: 0, plots: [] });
    known.set(place, at);
    return at;
  };
}

/** A value as its scale writes it; where nobody has said the scale, numbers in their shortest form. */
function valueOf(text: string, number: number | null, scale: ProjectTrait['scale'], order: DateOrder): string {
  if (scale?.kind === 'date') {
    const date = readDate(text);
    const day = date === null ? Number.NaN : inOrder(date, order);
    return Number.isNaN(day) ? text : isoDay(day);
  }
  const isNumber = scale === null || scale.kind === 'numeric' || scale.kind === 'integer';
  return isNumber && number !== null ? String(number) : text;
}

const TIMESTAMP = /^(\d{4}-\d{2}-\d{2})[T\s]+(\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)\s*(Z|[+-]\d{2}:?\d{2})?$/i;

/** A time of the file; without a zone it is UTC, and a day alone its noon, which is the same day almost everywhere. */
function momentOf(text: string, order: DateOrder): string | null {
  const [, day, clock, zone = 'Z'] = TIMESTAMP.exec(text.trim()) ?? [];
  if (day !== undefined && clock !== undefined) {
    const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone;
    const padded = clock.indexOf(':') === 1 ? `0${clock}` : clock;
    const moment = new Date(`${day}T${padded.replace(',', '.')}${offset}`);
    return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
  }
  const date = readDate(text.trim());
  const days = date === null ? Number.NaN : inOrder(date, order);
  return Number.isNaN(days) ? null : `${isoDay(days)}T12:00:00.000Z`;
}

/** The order that some date of the file tells; null when dates are open, and `day-first` when there are none. */
function tellsOrder(
  read: PlotValues,
  traits: readonly SettledTrait[],
  scales: ReadonlyMap<string, ProjectTrait['scale']>,
): DateOrder | null {
  const isDate = traits.map(({ trait }) => trait !== null && scales.get(trait)?.kind === 'date');
  let isOpen = false;
  const texts = function* () {
    for (const { time } of read.rows) if (time !== undefined && !TIMESTAMP.test(time)) yield time;
    for (const { trait, text } of read.values) if (isDate[trait]) yield text;
  };
  for (const text of texts()) {
    const date = readDate(text);
    if (date === null || date.dayFirst === date.monthFirst) continue;
    if (Number.isNaN(date.monthFirst)) return 'day-first';
    if (Number.isNaN(date.dayFirst)) return 'month-first';
    isOpen = true;
  }
  return isOpen ? null : 'day-first';
}

/** A UUID (version 8) of what a value says: without a time it is that of its file. */
function idOf(
  { trial, plot, trait, value, observed_at, collector }: Omit<FileValue, 'id' | 'line'>,
  sha: string,
): string {
  const text = JSON.stringify([trial.id, plot.number, trait, value, observed_at ?? sha, collector]);
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** By time where all have one, else as they stand; what is said twice is said once. */
function inTime(values: FileValue[]): FileValue[] {
  if (values.length === 1) return values;
  const sorted = values.every(({ observed_at: at }) => at !== null)
    ? values.toSorted((a, b) => Date.parse(a.observed_at ?? '') - Date.parse(b.observed_at ?? ''))
    : values;
  return [...new Map(sorted.map((one) => [one.id, one])).values()];
}
