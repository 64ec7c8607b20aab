import { finishTraining, tileFromBytes } from '@heterosis/analysis/prediction/train-in-parts';
import { subsetPanel } from '@heterosis/file-formats/genotype/panel/subset-panel';
import type { ComputeFunction } from '../../../platform/compute/compute.ts';
import { openStorageLocation } from '../../../platform/object-storage/storage-location.ts';
import { readingStored, readObject, withStoredInputs } from '../../../platform/object-storage/stored-panel.ts';
import { type ModelComputeInput, settingsOf, storedExtras } from './model-inputs.ts';
import { readTrainingState, STATE_NAME, tileName } from './training-state.ts';
import { type TrainedTraitOutput, writeTrainedModel } from './write-trained-model.ts';

export interface FinishTrainingInput extends ModelComputeInput {
  /** Of the keys of the state and the tiles. */
  prefix: string;
}

/** Puts the tiles together and fits the model. */
export const compute: ComputeFunction<FinishTrainingInput, TrainedTraitOutput[]> = (input, context) =>
  withStoredInputs(input, async (whole, phenotype) => {
    const storage = openStorageLocation(input.storage);
    const { plan, kept } = await readTrainingState(storage, `${input.prefix}${STATE_NAME}`);
    const panel = kept === null ? whole : subsetPanel(whole, kept.places);
    const model = await finishTraining(
      {
        ...{ panel, phenotype, traits: input.traits },
        ...settingsOf(input),
        ...(await storedExtras(input, panel, phenotype)),
      },
      plan,
      async (tile) => {
        const bytes = await readObject(storage, `${input.prefix}${tileName(tile)}`);
        return readingStored('tile of a training', () => tileFromBytes(plan, tile, bytes));
      },
      context,
    );
    return await writeTrainedModel(input, model, kept?.report ?? null, context);
  });
