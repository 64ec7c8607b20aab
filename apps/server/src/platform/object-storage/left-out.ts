import { writeFile } from 'node:fs/promises';
import type { PruningRule } from '@heterosis/analysis/genotype/prune-markers';
import type { KeptPlaces, LeavingOut, LeftOut as NamedLeftOut } from '@heterosis/analysis/inputs/leaving-out';
import { leftOutCsv } from '@heterosis/analysis/inputs/left-out-words';
import type { ListedName } from '@heterosis/analysis/inputs/name-list';
import { packRecord, unpackRecord } from '@heterosis/analysis/results/binary-record';
import type { Exclusions, LeftOut } from '@heterosis/contracts/work/exclusions';
import type { ObjectStorage } from './object-storage.ts';
import { readingStored, readObject } from './stored-panel.ts';

/** The lists and rules of a run under the names used by the analysis. */
export function leavingOutOf(asked: Exclusions | undefined): LeavingOut {
  if (asked === undefined) return {};
  const found = {
    onlySamples: listed(asked.only_samples),
    samples: listed(asked.samples),
    markers: listed(asked.markers),
    minSampleCallRate: asked.min_sample_call_rate,
    maxSampleHeterozygosity: asked.max_sample_heterozygosity,
    duplicates: asked.duplicates,
    minMarkerCallRate: asked.min_marker_call_rate,
    minMaf: asked.min_maf,
    ldPruning: asked.ld_pruning === undefined ? undefined : pruningOf(asked.ld_pruning),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined && value !== false));
}

const pruningOf = ({ r2, window, step, window_kb: kb }: NonNullable<Exclusions['ld_pruning']>): PruningRule =>
  kb === undefined ? { window, unit: 'markers', step, r2 } : { window: 1000 * kb, unit: 'bp', step: 1, r2 };

const listed = (names: readonly string[] | undefined): ListedName[] | undefined =>
  names?.map((name, k) => ({ name, line: k + 1 }));

/** For the rows of a run: the names are in a file of their own. */
export const countsOf = ({ rules, ...sizes }: NamedLeftOut): LeftOut => ({
  ...sizes,
  rules: rules.map(({ names: _, ...rule }) => rule),
});

/** Writes what was left out, one name a row. */
export async function writeLeftOut(path: string, { rules }: NamedLeftOut): Promise<void> {
  await writeFile(path, leftOutCsv(rules));
}

/** What the later jobs of a run need of what its first one left out: the places that are kept, and the counts. */
export interface KeptOfRun {
  kept: KeptPlaces;
  report: LeftOut;
}

export const keptToBytes = (found: KeptOfRun): Uint8Array => packRecord(found);

/** What {@link keptToBytes} has stored. */
export async function readKept(storage: Pick<ObjectStorage, 'open'>, key: string): Promise<KeptOfRun> {
  const bytes = await readObject(storage, key);
  return readingStored('places kept by a run', () => unpackRecord<KeptOfRun>(bytes));
}
