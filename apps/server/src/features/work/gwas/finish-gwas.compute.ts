import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  columnsToBytes,
  type GwasColumns,
  gwasStateFromBytes,
  hasEveryArray,
  readColumns,
} from '@heterosis/analysis/gwas/gwas-columns';
import type { GwasState } from '@heterosis/analysis/gwas/gwas-state';
import { testGwasMarkers } from '@heterosis/analysis/gwas/test-gwas-markers';
import type { MarkerRange } from '@heterosis/analysis/inputs/open-panel';
import { type ByteSource, openFileSource } from '@heterosis/file-formats/byte-source';
import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { subsetBlocks } from '@heterosis/file-formats/genotype/panel/subset-panel';
import type { ComputeContext, ComputeFunction } from '../../../platform/compute/compute.ts';
import { readKept } from '../../../platform/object-storage/left-out.ts';
import type { ObjectStorage } from '../../../platform/object-storage/object-storage.ts';
import { openStorageLocation } from '../../../platform/object-storage/storage-location.ts';
import { readingStored, readObject, withStoredBlocks } from '../../../platform/object-storage/stored-panel.ts';
import { type GwasComputeInput, type GwasTraitOutput, writeGwasResults } from './write-gwas-results.ts';

/** The key of the results of a chunk, and its markers. */
interface StoredPart extends MarkerRange {
  key: string;
}

export interface FinishGwasInput extends GwasComputeInput {
  /** Key of the places kept; null when nothing was to be left out. */
  kept: string | null;
  /** Key of the prepared tests of every group, and the results of its chunks in marker order. */
  groups: { state: string; parts: StoredPart[] }[];
}

/** Opens the results of a chunk. */
type OpenPart = () => Promise<ByteSource & { close(): Promise<void> }>;

export const compute: ComputeFunction<FinishGwasInput, GwasTraitOutput[]> = (input, context) =>
  withStoredBlocks(input, async (whole, phenotype) => {
    const storage = openStorageLocation(input.storage);
    const found = input.kept === null ? null : await readKept(storage, input.kept);
    const panel = found === null ? whole : subsetBlocks(whole, found.kept);
    const outputs: GwasTraitOutput[] = [];
    for (const [group, keys] of input.groups.entries()) {
      const bytes = await readObject(storage, keys.state);
      const state = readingStored('state of a GWAS', () => gwasStateFromBytes(bytes));
      const opened: OpenPart[] = [];
      for (const part of keys.parts)
        opened.push(await currentPart(storage, part, { state, panel, directory: input.directory }, context));
      /** One part of one trait is in memory at a time. */
      const parts = async function* (trait: number): AsyncGenerator<GwasColumns> {
        for (const open of opened) yield await columnsOf(open, trait);
      };
      outputs.push(...(await writeGwasResults(input, { panel, phenotype }, { state, group, parts, found }, context)));
    }
    return outputs;
  });

/**
 * The results of a chunk, as this version writes them. A chunk that was tested before an upgrade may lack arrays that
 * came with it: its markers are tested again.
 */
async function currentPart(
  storage: Pick<ObjectStorage, 'open'>,
  { key, first, count }: StoredPart,
  { state, panel, directory }: { state: GwasState; panel: PanelBlocks; directory: string },
  context: ComputeContext,
): Promise<OpenPart> {
  const stored: OpenPart = () => storage.open(key);
  if (hasEveryArray(await columnsOf(stored, 0))) return stored;
  const file = join(directory, key.replaceAll('/', '-'));
  await writeFile(file, columnsToBytes(await testGwasMarkers(state, panel, { first, count }, context)));
  return () => openFileSource(file);
}

async function columnsOf(open: OpenPart, trait: number): Promise<GwasColumns> {
  const source = await open();
  try {
    return await readColumns(source, trait);
  } finally {
    await source.close();
  }
}
