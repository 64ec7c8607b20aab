import type { ChromosomeRun, PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { isKnownChromosome } from '@heterosis/file-formats/tables/linkage-map/chromosome-name';
import type { TestedGroup } from '@heterosis/statgen/marker-space/left-out-markers';
import { AnalysisError } from '../context.ts';

/** Markers that are tested with the same kinship when chromosomes are left out. */
export interface ChromosomeGroup {
  /** Null for the markers without a chromosome, which are tested with the kinship of all. */
  chromosome: string | null;
  /** In an unsorted file a chromosome has several. */
  runs: ChromosomeRun[];
  /** Markers kept. */
  markers: number;
}

/**
 * The markers without a chromosome, if any, then each chromosome. A marker that may lie anywhere may lie beside the
 * one tested: it is in the kinship of no chromosome.
 *
 * @param kept 1 for each marker of the panel that passes the filters
 * @throws AnalysisError `gwas/chromosomes-left-out` when fewer than two chromosomes have markers kept
 */
export async function chromosomeGroups(panel: PanelBlocks, kept: Uint8Array): Promise<ChromosomeGroup[]> {
  const runs = await panel.chromosomeRuns();
  const keyOf = ({ chromosome }: ChromosomeRun): string | null => (isKnownChromosome(chromosome) ? chromosome : null);
  const groups = [...Map.groupBy(runs, keyOf)].flatMap(([chromosome, ofGroup]): ChromosomeGroup[] => {
    const markers = ofGroup.reduce((sum, run) => sum + countKept(kept, run), 0);
    return markers === 0 ? [] : [{ chromosome, runs: ofGroup, markers }];
  });
  if (groups.filter(({ chromosome }) => chromosome !== null).length < 2) {
    throw new AnalysisError(
      'gwas/chromosomes-left-out',
      'The markers tested are on fewer than two chromosomes, so that nothing is left without one.',
      'Test with the kinship of all markers.',
    );
  }
  return [
    ...groups.filter(({ chromosome }) => chromosome === null),
    ...groups.filter(({ chromosome }) => chromosome !== null),
  ];
}

const countKept = (kept: Uint8Array, { first, count }: ChromosomeRun): number =>
  kept.subarray(first, first + count).reduce((sum, one) => sum + one, 0);

/** The groups by the places of their markers among those kept. */
export function groupsOfKept(groups: readonly ChromosomeGroup[], kept: Uint8Array): TestedGroup[] {
  const places = new Int32Array(kept.length);
  let before = 0;
  for (const [j, one] of kept.entries()) {
    places[j] = before;
    before += one;
  }
  const members = groups.map(({ runs }) =>
    runs.flatMap(({ first, count }) =>
      Array.from({ length: count }, (_, k) => first + k).flatMap((j) => (kept[j] === 1 ? [places[j] ?? 0] : [])),
    ),
  );
  const nowhere = groups.flatMap(({ chromosome }, g) => (chromosome === null ? (members[g] ?? []) : []));
  return groups.map(({ chromosome }, g) => {
    const tested = members[g] ?? [];
    return {
      tested: Int32Array.from(tested),
      leftOut: Int32Array.from(chromosome === null ? [] : [...tested, ...nowhere]),
    };
  });
}
