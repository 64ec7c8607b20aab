import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { leaveOutOfPanel } from '@heterosis/analysis/inputs/leaving-out';
import { trainBySampling } from '@heterosis/analysis/prediction/sampling/train-by-sampling';
import { beginTraining, type TileRule } from '@heterosis/analysis/prediction/train-in-parts';
import type { ComputeFunction } from '../../../platform/compute/compute.ts';
import { leavingOutOf } from '../../../platform/object-storage/left-out.ts';
import { withStoredInputs } from '../../../platform/object-storage/stored-panel.ts';
import { type ModelComputeInput, settingsOf, storedExtras } from './model-inputs.ts';
import { type DividedTraining, divideTraining, stateToBytes } from './training-state.ts';
import { type TrainedTraitOutput, writeTrainedModel } from './write-trained-model.ts';

export interface TrainModelInput extends ModelComputeInput {
  tiles: TileRule;
}

export interface TrainModelOutput {
  /** Null when the training is left to its parts. */
  outputs: TrainedTraitOutput[] | null;
  /** Null when the training is finished. */
  divided: DividedTraining | null;
}

/** Trains the traits; where the products of the markers are large, what these and the fit need is written instead. */
export const compute: ComputeFunction<TrainModelInput, TrainModelOutput> = (input, context) =>
  withStoredInputs(input, async (whole, phenotype) => {
    const { panel, leftOut } = await leaveOutOfPanel(whole, leavingOutOf(input.parameters.exclusions), context);
    const asked = {
      ...{ panel, phenotype, traits: input.traits },
      ...settingsOf(input),
      ...(await storedExtras(input, panel, phenotype)),
    };
    const { sampled } = input;
    const begun =
      sampled === null
        ? await beginTraining(asked, input.tiles, context)
        : { model: await trainBySampling(asked, { model: sampled, ...input.chains }, context) };
    if ('model' in begun) {
      const outputs = await writeTrainedModel(input, begun.model, leftOut?.report ?? null, context);
      return { outputs, divided: null };
    }
    const file = join(input.directory, 'state');
    const kept = leftOut === null ? null : { places: leftOut.kept, report: leftOut.report };
    await writeFile(file, stateToBytes({ plan: begun.plan, kept }));
    return { outputs: null, divided: divideTraining(begun.plan, file) };
  });
