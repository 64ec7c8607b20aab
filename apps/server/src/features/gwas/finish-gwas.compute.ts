import { type GwasColumns, gwasStateFromBytes, readColumns } from '@heterosis/analysis/gwas/gwas-columns';
import type { ComputeFunction } from '../../platform/compute/compute.ts';
import { openStorageLocation } from '../../platform/object-storage/storage-location.ts';
import { readingStored, readObject, withStoredBlocks } from '../../platform/object-storage/stored-panel.ts';
import { type GwasComputeInput, type GwasTraitOutput, writeGwasResults } from './write-gwas-results.ts';

export interface FinishGwasInput extends GwasComputeInput {
  /** Keys of the prepared tests of every group, and of the results of its chunks in marker order. */
  groups: { state: string; parts: string[] }[];
}

export const compute: ComputeFunction<FinishGwasInput, GwasTraitOutput[]> = (input, context) =>
  withStoredBlocks(input, async (panel, phenotype) => {
    const storage = openStorageLocation(input.storage);
    const outputs: GwasTraitOutput[] = [];
    for (const [group, keys] of input.groups.entries()) {
      const bytes = await readObject(storage, keys.state);
      const state = readingStored('state of a GWAS', () => gwasStateFromBytes(bytes));
      /** One part of one trait is in memory at a time. */
      const parts = async function* (trait: number): AsyncGenerator<GwasColumns> {
        for (const key of keys.parts) {
          const source = await storage.open(key);
          try {
            yield await readColumns(source, trait);
          } finally {
            await source.close();
          }
        }
      };
      outputs.push(...(await writeGwasResults(input, panel, phenotype, { state, group, parts }, context)));
    }
    return outputs;
  });
