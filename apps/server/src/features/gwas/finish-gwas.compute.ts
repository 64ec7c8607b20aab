import { columnsFromBytes, concatColumns, type GwasColumns, gwasStateFromBytes } from '@heterosis/analysis/gwas';
import type { ComputeFunction } from '../../platform/compute/compute.ts';
import { openStorageLocation } from '../../platform/object-storage/storage-location.ts';
import { readObject, withStoredInputs } from '../../platform/object-storage/stored-panel.ts';
import { type GwasComputeInput, type GwasTraitOutput, writeGwasResults } from './gwas-results.ts';

export interface FinishGwasInput extends GwasComputeInput {
  /** Keys of the prepared tests of every group, and of the results of its chunks in the order of the markers. */
  groups: { state: string; parts: string[] }[];
}

export const compute: ComputeFunction<FinishGwasInput, GwasTraitOutput[]> = (input, context) =>
  withStoredInputs(input, async (panel, phenotype) => {
    const storage = openStorageLocation(input.storage);
    const outputs: GwasTraitOutput[] = [];
    for (const [group, keys] of input.groups.entries()) {
      const state = gwasStateFromBytes(await readObject(storage, keys.state));
      const parts: GwasColumns[][] = [];
      for (const key of keys.parts) parts.push(columnsFromBytes(await readObject(storage, key)));
      const columns = state.traits.map((_, trait) => concatColumns(parts.flatMap((part) => part[trait] ?? [])));
      outputs.push(...(await writeGwasResults(input, panel, phenotype, { state, group, columns }, context)));
    }
    return outputs;
  });
