import type { ChromosomeRun, PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { AnalysisError } from '../context.ts';

/**
 * The runs of each chromosome; in an unsorted file one has several.
 *
 * @throws AnalysisError `gwas/chromosomes-left-out` when the markers kept are all on one chromosome
 */
export async function chromosomeGroups(panel: PanelBlocks, kept: Uint8Array): Promise<ChromosomeRun[][]> {
  const groups = [...Map.groupBy(await panel.chromosomeRuns(), ({ chromosome }) => chromosome).values()];
  const tested = groups.filter((runs) =>
    runs.some(({ first, count }) => kept.subarray(first, first + count).includes(1)),
  );
  if (tested.length < 2) {
    throw new AnalysisError(
      'gwas/chromosomes-left-out',
      'All markers tested are on one chromosome, so that nothing is left without it.',
      'Test with the kinship of all markers.',
    );
  }
  return tested;
}

/** The chromosome of each marker kept, 0, 1, 2 … in the order of the panel. */
export async function chromosomesOfKept(panel: PanelBlocks, kept: Uint8Array): Promise<Int32Array> {
  const numbers = new Int32Array(kept.length);
  for (const [number, runs] of (await chromosomeGroups(panel, kept)).entries()) {
    for (const { first, count } of runs) numbers.fill(number, first, first + count);
  }
  return numbers.filter((_, j) => kept[j] === 1);
}
