import type { PlotKind, TrialPlots } from '@heterosis/contracts/data/trials';
import type { DesignEntry, DesignedPlot } from '@heterosis/statgen/designs/design-types';
import { nameOfPlot } from '@heterosis/statgen/designs/plot-names';

/** Plots of one trial as columns of one length, in the order of walking. */
export interface PlotRows {
  number: readonly number[];
  name: readonly string[];
  row: readonly (number | null)[];
  column: readonly (number | null)[];
  replicate: readonly (number | null)[];
  block: readonly (number | null)[];
  /** Name of the line; null for fillers and borders. */
  entry: readonly (string | null)[];
  kind: readonly PlotKind[];
  treatment: readonly (string | null)[];
}

export const rowsOfTrial = (plots: TrialPlots): PlotRows => ({
  ...plots,
  entry: plots.entry.map((place) => (place === null ? null : (plots.entries[place]?.name ?? null))),
});

/** Rows of plots that are not saved yet. */
export function rowsOfDesign(
  plots: readonly DesignedPlot[],
  entries: readonly DesignEntry[],
  { place, template, firstPlot }: { place: string; template: string; firstPlot: number },
): PlotRows {
  const number = plots.map((plot) => plot.number + firstPlot - 1);
  const entry = plots.map((plot) => (plot.entry === null ? null : (entries[plot.entry]?.name ?? null)));
  return {
    ...{ number, entry },
    name: plots.map(({ row, column, replicate, block }, at) =>
      nameOfPlot(template, {
        ...{ place, row, column, replicate, block },
        plot: number[at] ?? 0,
        entry: entry[at] ?? null,
      }),
    ),
    row: plots.map(({ row }) => row),
    column: plots.map(({ column }) => column),
    replicate: plots.map(({ replicate }) => replicate),
    block: plots.map(({ block }) => block),
    kind: plots.map(({ kind }) => kind.toUpperCase() as PlotKind),
    treatment: plots.map(({ mainPlot }) => mainPlot),
  };
}

/** What is measured: entries and checks. */
export const isGrown = ({ kind }: Pick<PlotRows, 'kind'>, plot: number): boolean =>
  kind[plot] === 'ENTRY' || kind[plot] === 'CHECK';
