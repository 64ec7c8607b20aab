import type { RefusedValueCode } from '@heterosis/contracts/data/value-files';
import { normalizeName } from '@heterosis/file-formats/names/normalize-name';
import type { PlotValues, WrittenPlot } from '@heterosis/file-formats/tables/plot-values/plot-values';
import type { PlotRow } from '../layout.ts';

/** A trial that a file may have values of. */
export interface NamedTrial {
  id: string;
  name: string;
  location_name: string;
  season: string;
}

/** Why a row, or a value, cannot be taken. */
export interface Refusal {
  code: RefusedValueCode;
  message: string;
}

/** `plotIdOf`, which labels, field books and BrAPI clients have. */
const PLOT_ID = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-(\d{1,7})$/i;

const keyOf = (text: string): string => normalizeName(text).toLowerCase();
const refusal = (code: RefusedValueCode, message: string): Refusal => ({ code, message });

/**
 * Finds the trial of each row: by the id of its plot, by the name of a trial, by the place among the trials of a
 * season, or else the trial that the file was given to. A column of trials or places that says one thing in all rows,
 * which no trial is called, says nothing.
 *
 * @param all trials of the project; `own` is the one that the file was given to
 */
export function trialFinder(
  all: readonly NamedTrial[],
  own: NamedTrial,
  rows: PlotValues['rows'],
): (row: WrittenPlot) => NamedTrial | Refusal {
  const byId = new Map(all.map((trial) => [trial.id, trial]));
  const byName = new Map(all.map((trial) => [keyOf(trial.name), trial]));
  const byPlace = Map.groupBy(all, (trial) => keyOf(trial.location_name));
  const isAlone = (column: 'trial' | 'location'): boolean => new Set(rows.map((row) => row[column] ?? '')).size === 1;
  const alone = { trial: isAlone('trial'), location: isAlone('location') };
  const known = new Map<string, NamedTrial | Refusal>();

  const byWords = ({ trial, location, season }: WrittenPlot): NamedTrial | Refusal => {
    const named = trial === undefined ? undefined : byName.get(keyOf(trial));
    if (named !== undefined) return named;
    const place = location ?? trial;
    if (place === undefined) return own;
    const year = season === undefined ? own.season : season;
    const there = (byPlace.get(keyOf(place)) ?? []).filter(
      (one) => one.season === year || (season !== undefined && one.season.split(/\D+/).includes(season)),
    );
    if (there.some(({ id }) => id === own.id)) return own;
    const [found, ...more] = there;
    if (more.length > 0)
      return refusal(
        'unknown-trial',
        `The project has ${there.length} trials at "${place}" in ${year}. Give the file to one of them, with the rows of that trial alone.`,
      );
    if (found !== undefined) return found;
    if (alone[location === undefined ? 'trial' : 'location']) return own;
    return refusal(
      'unknown-trial',
      `The project has no trial called "${place}", and none at "${place}" in ${year}. Correct the name, or leave the rows out.`,
    );
  };

  return (row) => {
    for (const text of row.plots) {
      const id = PLOT_ID.exec(text)?.[1]?.toLowerCase();
      const trial = id === undefined ? undefined : byId.get(id);
      if (trial !== undefined) return trial;
    }
    const key = JSON.stringify([row.trial, row.location, row.season]);
    let found = known.get(key);
    if (found === undefined) {
      found = byWords(row);
      known.set(key, found);
    }
    return found;
  };
}

/**
 * Finds the plot of a row in its trial: by its id, its name, its number, or its row and column. Where a row of the file
 * says both, they have to agree; a file most of whose rows disagree counts rows and columns in another way, and goes by
 * its plots.
 *
 * @param plots of the trial, in the order of their numbers
 * @param rows of the file
 */
export function plotFinder(
  trial: NamedTrial,
  plots: readonly PlotRow[],
  rows: PlotValues['rows'],
): (row: WrittenPlot) => PlotRow | Refusal {
  const byName = new Map(plots.map((plot) => [keyOf(plot.name), plot]));
  const byNumber = new Map(plots.map((plot) => [String(plot.number), plot]));
  const byCell = new Map(plots.map((plot) => [`${plot.row} ${plot.column}`, plot]));
  const called = (text: string): PlotRow | undefined => {
    const [, id, place] = PLOT_ID.exec(text) ?? [];
    if (id !== undefined && place !== undefined && id.toLowerCase() === trial.id) return plots[Number(place)];
    return byName.get(keyOf(text)) ?? byNumber.get(text.replace(/^0+(?=\d)/, '').replace(/\.0+$/, ''));
  };
  const namedBy = ({ plots: texts }: WrittenPlot): PlotRow | undefined =>
    texts.map(called).find((plot) => plot !== undefined);
  const placedBy = ({ row, column }: WrittenPlot): PlotRow | undefined =>
    row === undefined || column === undefined ? undefined : byCell.get(`${Number(row)} ${Number(column)}`);
  const compared = rows.flatMap((row) => {
    const named = row.row === undefined || row.column === undefined ? undefined : namedBy(row);
    return named === undefined ? [] : [placedBy(row) === named];
  });
  const isSameMap = compared.filter(Boolean).length * 2 >= compared.length;
  return (written) => {
    const { plots: texts, row, column } = written;
    const named = namedBy(written);
    const hasCell = row !== undefined && column !== undefined;
    const placed = placedBy(written);
    if (named === undefined) {
      if (texts.length === 0 && placed !== undefined) return placed;
      const what = [...texts.map((text) => `"${text}"`), ...(hasCell ? [`row ${row}, column ${column}`] : [])];
      return refusal(
        'unknown-plot',
        what.length === 0
          ? 'The row does not say of which plot it is.'
          : `"${trial.name}" has no plot ${what.join(', ')}.`,
      );
    }
    const differs = isSameMap && hasCell && named.row !== null && placed !== named && !Number.isNaN(Number(row));
    return differs
      ? refusal(
          'contradiction',
          `Plot ${named.number} stands in row ${named.row}, column ${named.column}, and the file says row ${row}, column ${column}.`,
        )
      : named;
  };
}
