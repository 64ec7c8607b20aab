import type { WalkOrder } from '@heterosis/contracts/data/field-books';
import type { PlotKind, Trial } from '@heterosis/contracts/data/trials';
import type { ProjectTrait } from '@heterosis/contracts/people/traits';

export interface PrintedPlot {
  number: number;
  name: string;
  row: number | null;
  column: number | null;
  replicate: number | null;
  block: number | null;
  /** Null on fillers and borders. */
  entry: string | null;
  kind: PlotKind;
  treatment: string | null;
}

/** A trial as books and labels print it. */
export interface PrintedTrial {
  trial: Trial;
  /** By their numbers. */
  plots: PrintedPlot[];
  /** What is to be measured, in the order of the trial. */
  traits: ProjectTrait[];
}

/**
 * Plots in the order in which somebody walks them. Those without a place on the map come last, by their numbers, when
 * the walk goes by rows or columns.
 */
export function walked(plots: readonly PrintedPlot[], { order, corner, all_plots }: WalkOrder): PrintedPlot[] {
  const among = all_plots ? [...plots] : plots.filter(({ entry }) => entry !== null);
  const byNumber = (a: PrintedPlot, b: PrintedPlot): number => a.number - b.number;
  if (order === 'plot') return among.sort(byNumber);
  const alongRows = order.endsWith('rows');
  const down = corner.startsWith('top') ? 1 : -1;
  const right = corner.endsWith('left') ? 1 : -1;
  const [lineSign, stepSign] = alongRows ? [down, right] : [right, down];
  const placed = among.flatMap((plot) => {
    const { row, column } = plot;
    if (row === null || column === null) return [];
    const [line, step] = alongRows ? [row, column] : [column, row];
    return [{ plot, line: line * lineSign, step: step * stepSign }];
  });
  // There and back by the lines that there are: an empty row is not walked.
  const lines = [...new Set(placed.map(({ line }) => line))].sort((a, b) => a - b);
  const isBack = new Map(lines.map((line, place) => [line, order.startsWith('serpentine') && place % 2 === 1]));
  placed.sort((a, b) => a.line - b.line || (isBack.get(a.line) ? b.step - a.step : a.step - b.step));
  const unplaced = among.filter(({ row, column }) => row === null || column === null).sort(byNumber);
  return [...placed.map(({ plot }) => plot), ...unplaced];
}
