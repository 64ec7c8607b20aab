import type { KeptPlaces, LeftOut } from '@heterosis/analysis/inputs/leaving-out';
import { type TrainingPlan, type TrainingTile, tileMb, tilesOf } from '@heterosis/analysis/prediction/train-in-parts';
import { packRecord, unpackRecord } from '@heterosis/analysis/results/binary-record';
import type { Needs } from '../../../platform/job-queue/job.ts';
import type { ObjectStorage } from '../../../platform/object-storage/object-storage.ts';
import { readingStored, readObject } from '../../../platform/object-storage/stored-panel.ts';

/** What the parts of a training share. */
export interface TrainingState {
  plan: TrainingPlan;
  /** What lists and rules have left of the genotype; null when nothing was to be left out. */
  kept: { places: KeptPlaces; report: LeftOut } | null;
}

/** A training that goes on in parts. */
export interface DividedTraining {
  /** File with the {@link TrainingState}. */
  state: string;
  tiles: TrainingTile[];
  /** Of each tile. */
  needs: Needs;
}

export const divideTraining = (plan: TrainingPlan, state: string): DividedTraining => ({
  state,
  tiles: tilesOf(plan),
  needs: tileMb(plan),
});

export const stateToBytes = (state: TrainingState): Uint8Array => packRecord(state);

/** What {@link stateToBytes} has stored. */
export async function readTrainingState(storage: Pick<ObjectStorage, 'open'>, key: string): Promise<TrainingState> {
  const bytes = await readObject(storage, key);
  return readingStored('state of a training', () => unpackRecord<TrainingState>(bytes));
}

/** Names below the prefix of an attempt: what the tiles of a training share, and the tiles. */
export const STATE_NAME = 'parts/state';
export const tileName = ({ selection, row, column }: TrainingTile): string => `parts/${selection}-${row}-${column}`;
