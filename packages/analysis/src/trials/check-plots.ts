import type { ProblemCollector } from '@heterosis/file-formats/problem';
import type { DesignOfRow } from '@heterosis/file-formats/tables/phenotype/phenotype-records';
import { parseNumber } from '@heterosis/file-formats/tables/text/cell-values';
import type { TablePlot } from './plot-table.ts';

/** Rows and columns of the plots of an environment. */
export interface PlotCoordinates {
  rows: Float64Array;
  columns: Float64Array;
  /** Rows and columns start again in every replicate (or block): the plots have no common field. */
  restart: 'replicate' | 'block' | null;
}

interface Environment {
  name: string;
  plots: readonly TablePlot[];
}

/**
 * Reads the coordinates of an environment; null without them. One coordinate is enough: the other one does not vary
 * then. Adds E-TR-COORDINATE and E-TR-PLACE, for all plots concerned.
 */
export function coordinatesOf(
  { name, plots }: Environment,
  columns: DesignOfRow,
  problems: ProblemCollector,
): PlotCoordinates | null {
  const along = (role: 'row' | 'column') => {
    if (columns[role] === undefined || plots.every(({ design }) => design[role] === undefined)) return null;
    return Float64Array.from(plots, (plot) => {
      const text = plot.design[role];
      const value = text === undefined ? Number.NaN : parseNumber(text, true);
      if (Number.isNaN(value)) reportCoordinate(plot, role, columns[role] ?? role, name, problems);
      return value;
    });
  };
  const [rows, across] = [along('row'), along('column')];
  if (rows === null && across === null) return null;
  const none = new Float64Array(plots.length);
  const places = { rows: rows ?? none, columns: across ?? none };
  if (places.rows.some(Number.isNaN) || places.columns.some(Number.isNaN)) return null;
  if (sharedPlaces(places, plots, null).length === 0) return { ...places, restart: null };
  // A field with one coordinate only has a plot at each place, or blocks of plots that are not ordered.
  if (rows === null || across === null) return null;
  const within = (['replicate', 'block'] as const).filter((role) => columns[role] !== undefined);
  for (const role of within) if (sharedPlaces(places, plots, role).length === 0) return { ...places, restart: role };
  for (const pair of sharedPlaces(places, plots, within[0] ?? null)) {
    const [first, second] = pair;
    problems.error('E-TR-PLACE', {
      line: second.line,
      value: second.name,
      message: `In ${name}, the plots of "${first.name}" (line ${first.line}) and "${second.name}" (line ${second.line}) both stand in row ${second.design.row ?? ''}, column ${second.design.column ?? ''}.`,
      suggestion: 'Correct the row or the column of one of them.',
    });
  }
  return null;
}

function reportCoordinate(
  plot: TablePlot,
  role: 'row' | 'column',
  header: string,
  name: string,
  problems: ProblemCollector,
): void {
  const text = plot.design[role];
  problems.error('E-TR-COORDINATE', {
    line: plot.line,
    column: header,
    value: text ?? '',
    message:
      text === undefined
        ? `The plot of "${plot.name}" in ${name} has no ${role}, where others have one.`
        : `The ${role} of the plot of "${plot.name}" in ${name} is "${text}", which is no number.`,
    suggestion: `Give every plot its ${role} as a number, or leave the column out (--columns "${header}=ignore").`,
  });
}

/** Pairs of plots with the same row and column, and the same level of a part of the design. */
function sharedPlaces(
  { rows, columns }: { rows: Float64Array; columns: Float64Array },
  plots: readonly TablePlot[],
  within: 'replicate' | 'block' | null,
): [TablePlot, TablePlot][] {
  const first = new Map<string, TablePlot>();
  const shared: [TablePlot, TablePlot][] = [];
  for (const [i, plot] of plots.entries()) {
    const key = `${rows[i]} ${columns[i]} ${within === null ? '' : (plot.design[within] ?? '')}`;
    const other = first.get(key);
    if (other === undefined) first.set(key, plot);
    else shared.push([other, plot]);
  }
  return shared;
}

/** Largest share of blocks that may lie in two replicates where the others lie in one. */
const FEW = 0.5;

/**
 * Blocks whose names are used once in the field belong to one replicate. When most do, and some do not, the plots of
 * the smaller part are reported (E-TR-BLOCK). Names that start again in every replicate contradict nothing.
 */
export function checkBlocks({ name, plots }: Environment, columns: DesignOfRow, problems: ProblemCollector): void {
  if (columns.replicate === undefined || columns.block === undefined) return;
  const replicatesOf = new Map<string, Map<string, TablePlot[]>>();
  for (const plot of plots) {
    const { block, replicate } = plot.design;
    if (block === undefined || replicate === undefined) continue;
    const parts = replicatesOf.get(block) ?? new Map<string, TablePlot[]>();
    parts.set(replicate, [...(parts.get(replicate) ?? []), plot]);
    replicatesOf.set(block, parts);
  }
  const torn = [...replicatesOf].filter(([, parts]) => parts.size > 1);
  if (torn.length === 0 || torn.length > FEW * replicatesOf.size) return;
  for (const [block, parts] of torn) {
    const [[most = ''] = [], ...others] = [...parts].sort((a, b) => b[1].length - a[1].length);
    for (const [replicate, part] of others) {
      for (const plot of part) {
        problems.error('E-TR-BLOCK', {
          line: plot.line,
          column: columns.block,
          value: block,
          message: `In ${name}, block "${block}" belongs to replicate "${most}", but this plot of "${plot.name}" puts it into replicate "${replicate}".`,
          suggestion: 'Correct the replicate or the block of this plot.',
        });
      }
    }
  }
}

/** Lines that stand on filler and border plots only: W-TR-FILLER. Returns what it says of them. */
export function checkFillers({ name, plots }: Environment, problems: ProblemCollector): string[] {
  const notes: string[] = [];
  const entries = new Set(plots.filter(({ kind }) => kind !== 'filler').map((plot) => plot.name));
  const fillers = new Map(plots.filter((plot) => !entries.has(plot.name)).map((plot) => [plot.name, plot]));
  for (const plot of fillers.values()) {
    const message = `"${plot.name}" stands on filler or border plots of ${name} only: it gets no mean.`;
    const suggestion = 'Nothing to do when it is filler; otherwise mark its plots as entries.';
    problems.warning('W-TR-FILLER', { line: plot.line, value: plot.name, message, suggestion });
    notes.push(`${message} ${suggestion}`);
  }
  return notes;
}
