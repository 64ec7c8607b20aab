import type { SuspectPlots } from '@heterosis/contracts/work/trial-analyses';

export type AnalysedTrait = SuspectPlots['data'][number];

/** What is wrong with a plot by the analysis of a trait. */
export type Suspect = { trait: string; plot: number } & (
  | { kind: 'outlier'; statistic: number; p: number }
  | { kind: 'suspicion'; text: string }
  | { kind: 'aside'; reason: string }
);

/** Everything that is said of single plots, by their numbers. */
export function suspectsByPlot(analysed: readonly AnalysedTrait[]): Map<number, Suspect[]> {
  const byPlot = new Map<number, Suspect[]>();
  const add = (suspect: Suspect): void => {
    byPlot.set(suspect.plot, [...(byPlot.get(suspect.plot) ?? []), suspect]);
  };
  for (const { trait, outliers, suspicions, set_aside } of analysed) {
    for (const { plot, statistic, p } of outliers) add({ kind: 'outlier', trait, plot, statistic, p });
    for (const { text, plots } of suspicions) for (const plot of plots) add({ kind: 'suspicion', trait, plot, text });
    for (const { plot, reason } of set_aside) add({ kind: 'aside', trait, plot, reason });
  }
  return byPlot;
}

/** Plots with a ring and with a cross on the map of a trait; of all traits where none is shown. */
export function marksOf(
  byPlot: ReadonlyMap<number, readonly Suspect[]>,
  numbers: readonly number[],
  trait: string | undefined,
): { marked: number[]; crossed: number[] } {
  const where = (isAside: boolean): number[] =>
    numbers.flatMap((number, place) =>
      byPlot
        .get(number)
        ?.some((one) => (one.kind === 'aside') === isAside && (trait === undefined || one.trait === trait)) === true
        ? [place]
        : [],
    );
  return { marked: where(false), crossed: where(true) };
}
