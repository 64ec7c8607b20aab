import type { PlotKind, Trial, TrialLayout } from '@heterosis/contracts/data/trials';
import { MAX_THUMBNAIL_CELLS } from '@heterosis/contracts/data/trials';
import { nameOfPlot } from '@heterosis/statgen/designs/plot-names';
import { Problem } from '../../../platform/http/problem.ts';
import type { ClientDetails } from './client-details.ts';

/** An entry as the germplasm list has it. */
export interface ResolvedEntry {
  germplasm_id: string | null;
  name: string;
}

export interface PlotRow {
  number: number;
  name: string;
  row: number | null;
  column: number | null;
  replicate: number | null;
  block: number | null;
  treatment: string | null;
  kind: PlotKind;
  entry: string | null;
  germplasm_id: string | null;
  /** Absent as null. */
  client_details?: ClientDetails | null;
}

/** What lists show of a layout. */
export interface LayoutSummary {
  plot_count: number;
  planted_count: number;
  entry_count: number;
  thumbnail: Trial['thumbnail'];
}

/** Whether values are expected of a plot. */
export const isPlanted = (kind: PlotKind): boolean => kind === 'ENTRY' || kind === 'CHECK';

const MOST_NAMED = 20;

/**
 * The plots of a layout, in the order of their numbers.
 *
 * @throws Problem `trials/layout-refused` with every error of the layout, `where` before its column
 */
export function plotsOfLayout(
  layout: TrialLayout,
  entries: readonly ResolvedEntry[],
  { template, place, where }: { template: string; place: string; where: string },
): PlotRow[] {
  const count = layout.number.length;
  const lengths = Object.entries(layout).map(([name, items]) => [name, items?.length ?? count] as const);
  const [uneven] = lengths.filter(([, length]) => length !== count);
  if (uneven !== undefined)
    throw refused(where, [
      `"${uneven[0]}" has ${uneven[1]} plots and "number" has ${count}: all columns have one item a plot.`,
    ]);
  if (count === 0) throw refused(where, ['The layout has no plot.']);
  const plots = layout.number.map((number, k): PlotRow => {
    const index = layout.entry[k];
    const entry = index == null ? undefined : entries[index];
    const cells = {
      row: layout.row[k] ?? null,
      column: layout.column[k] ?? null,
      replicate: layout.replicate[k] ?? null,
      block: layout.block[k] ?? null,
    };
    return {
      number,
      ...cells,
      name: nameOfPlot(template, { place, plot: number, entry: entry?.name ?? null, ...cells }),
      treatment: layout.treatment?.[k] ?? null,
      kind: layout.kind[k] ?? 'ENTRY',
      entry: entry?.name ?? null,
      germplasm_id: entry?.germplasm_id ?? null,
    };
  });
  const errors = errorsOf(plots);
  const beyond = layout.entry.find((entry) => entry !== null && entry >= entries.length);
  if (beyond !== undefined) errors.unshift(`Entry ${beyond} is not among the ${entries.length} entries.`);
  if (errors.length > 0) throw refused(where, errors);
  return plots.sort((a, b) => a.number - b.number);
}

/** The same of plots that no layout was asked for. */
export function requirePlots(plots: readonly PlotRow[], where: string): void {
  const errors = plots.length === 0 ? ['There is no plot.'] : errorsOf(plots);
  if (errors.length > 0) throw refused(where, errors);
}

function errorsOf(plots: readonly PlotRow[]): string[] {
  const errors: string[] = [];
  const numbers = new Set<number>();
  const names = new Map<string, number>();
  const places = new Map<string, number>();
  for (const { number, name, row, column, kind, entry } of plots) {
    if (numbers.has(number)) errors.push(`Two plots have the number ${number}.`);
    numbers.add(number);
    if (name === '' || name.length > 255) errors.push(`Plot ${number} would be named "${name.slice(0, 40)}".`);
    const namesake = names.get(name);
    if (namesake !== undefined) errors.push(`Plots ${namesake} and ${number} would both be named "${name}".`);
    names.set(name, number);
    if ((row === null) !== (column === null)) errors.push(`Plot ${number} has a row or a column, but not both.`);
    else if (row !== null) {
      const at = `${row} ${column}`;
      const other = places.get(at);
      if (other !== undefined) errors.push(`Plots ${other} and ${number} both lie in row ${row}, column ${column}.`);
      places.set(at, number);
    }
    if (isPlanted(kind) && entry === null) errors.push(`Plot ${number} of kind ${kind} has no entry.`);
    if (!isPlanted(kind) && entry !== null) errors.push(`Plot ${number} of kind ${kind} has an entry, "${entry}".`);
  }
  return errors;
}

function refused(where: string, errors: readonly string[]): Problem {
  const more = errors.length > 1 ? ` There are ${errors.length - 1} further errors.` : '';
  return new Problem('trials/layout-refused', `${errors[0]}${more} Nothing was saved.`, {
    invalidParams: errors.slice(0, MOST_NAMED).map((reason) => ({ name: where, reason })),
  });
}

const LETTERS: Record<PlotKind, string> = { ENTRY: 'e', CHECK: 'c', FILLER: 'f', BORDER: 'b' };

export function summaryOf(plots: readonly PlotRow[]): LayoutSummary {
  const planted = plots.filter(({ kind }) => isPlanted(kind));
  return {
    plot_count: plots.length,
    planted_count: planted.length,
    entry_count: new Set(planted.map(({ germplasm_id, entry }) => germplasm_id ?? entry)).size,
    thumbnail: thumbnailOf(plots),
  };
}

/** Of a field with more cells every k-th row and column. */
function thumbnailOf(plots: readonly PlotRow[]): Trial['thumbnail'] {
  const placed = plots.flatMap(({ row, column, kind }) =>
    row === null || column === null ? [] : [{ row, column, kind }],
  );
  if (placed.length === 0) return null;
  const [rows, columns] = placed.reduce(
    ([most, widest], { row, column }) => [Math.max(most, row), Math.max(widest, column)],
    [0, 0],
  );
  let step = 1;
  while (Math.ceil(rows / step) * Math.ceil(columns / step) > MAX_THUMBNAIL_CELLS) step++;
  const [shownRows, shownColumns] = [Math.ceil(rows / step), Math.ceil(columns / step)];
  const letters = Array.from({ length: shownRows * shownColumns }, () => '.');
  for (const { row, column, kind } of placed)
    if ((row - 1) % step === 0 && (column - 1) % step === 0)
      letters[((row - 1) / step) * shownColumns + (column - 1) / step] = LETTERS[kind];
  return { rows: shownRows, columns: shownColumns, kinds: letters.join('') };
}
