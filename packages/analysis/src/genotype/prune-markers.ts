import { ploidyOf } from '@heterosis/file-formats/genotype/panel/dosages';
import type { ChromosomeRun, PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { createLinkedCalls } from '@heterosis/statgen/linkage/linked-calls';
import { type PruningRule, pruneByLd } from '@heterosis/statgen/linkage/prune-by-ld';
import { type AnalysisContext, reportProgress } from '../context.ts';
import { isKnownChromosome } from '../inputs/marker-places.ts';
import { markerRanges, readRange } from '../inputs/open-panel.ts';
import { requireOnePloidy } from '../inputs/require-diploids.ts';

export type { PruningRule };

/** Windows where none are chosen: those of plink2's documentation. */
export const USUAL_WINDOWS = { window: 50, unit: 'markers', step: 5 } as const;

/** What pruning by LD leaves of a panel. */
export interface PrunedPanel {
  /** 1 for each marker of the panel that is kept. */
  kept: Uint8Array;
  keptCount: number;
  /** Markers without a chromosome: they are kept, as nothing is known of their neighbours. */
  unplaced: number;
}

/**
 * Prunes the markers of a panel by LD, chromosome by chromosome, see `pruneByLd`. Calls are compared, not fractional
 * dosages; of polyploids the nearest classes of dosage, by composite r². One chromosome is in memory at a time, 3 bits
 * a call, of polyploids 8.
 *
 * @throws StatgenError `bad-option`; AnalysisError `analysis/one-ploidy`
 */
export async function pruneMarkers(
  panel: PanelBlocks,
  rule: PruningRule,
  context: AnalysisContext,
): Promise<PrunedPanel> {
  requireOnePloidy(panel, 'Pruning by LD');
  const kept = new Uint8Array(panel.markerCount).fill(1);
  const chromosomes = Map.groupBy(await panel.chromosomeRuns(), ({ chromosome }) => chromosome);
  let unplaced = 0;
  let done = 0;
  for (const [chromosome, runs] of chromosomes) {
    const count = runs.reduce((sum, run) => sum + run.count, 0);
    if (isKnownChromosome(chromosome)) {
      const { places, positions } = await markersInOrder(panel, runs);
      const calls = await callsOf(panel, runs, places, (read) =>
        reportProgress(context, 'read', done + read, panel.markerCount),
      );
      const keptHere = pruneByLd(calls, positions, rule);
      for (const [k, place] of places.entries()) kept[place] = keptHere[k];
    } else unplaced += count;
    done += count;
  }
  reportProgress(context, 'read', done, panel.markerCount);
  return { kept, keptCount: kept.reduce((sum, one) => sum + one, 0), unplaced };
}

/** The markers of a chromosome by position; those at the same place in the order of the file. */
async function markersInOrder(
  panel: PanelBlocks,
  runs: readonly ChromosomeRun[],
): Promise<{ places: Int32Array; positions: Float64Array }> {
  const places: number[] = [];
  const positionOf = new Map<number, number>();
  for (const run of runs) {
    for (const { first, count } of markerRanges(run.count)) {
      const { positionBp } = await panel.readMarkers(run.first + first, count);
      for (let k = 0; k < count; k++) {
        places.push(run.first + first + k);
        positionOf.set(run.first + first + k, positionBp[k]);
      }
    }
  }
  const positionAt = (place: number): number => positionOf.get(place) ?? 0;
  places.sort((a, b) => positionAt(a) - positionAt(b) || a - b);
  return { places: Int32Array.from(places), positions: Float64Array.from(places, positionAt) };
}

async function callsOf(
  panel: PanelBlocks,
  runs: readonly ChromosomeRun[],
  places: Int32Array,
  report: (read: number) => void,
) {
  const linked = createLinkedCalls(panel.samples.length, places.length, ploidyOf(panel));
  const orderOf = new Map(Array.from(places, (place, k) => [place, k]));
  let read = 0;
  for (const run of runs) {
    for (const { first, count } of markerRanges(run.count)) {
      report(read);
      const calls = await readRange(panel, { first: run.first + first, count });
      for (let k = 0; k < count; k++) linked.set(orderOf.get(run.first + first + k) ?? 0, calls, k);
      read += count;
    }
  }
  return linked;
}
