import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { leaveOutOfPanel } from '@heterosis/analysis/inputs/leaving-out';
import { trainByKernel } from '@heterosis/analysis/prediction/kernels/train-by-kernel';
import { trainBySampling } from '@heterosis/analysis/prediction/sampling/train-by-sampling';
import { beginTraining, type TileRule, type TrainingPlan } from '@heterosis/analysis/prediction/train-in-parts';
import type { TrainInput } from '@heterosis/analysis/prediction/train-model';
import type { TrainedModel } from '@heterosis/analysis/prediction/trained-model';
import type { ComputeContext, ComputeFunction } from '../../../platform/compute/compute.ts';
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
    const begun = await begin(input, asked, context);
    if ('model' in begun) {
      const outputs = await writeTrainedModel(input, begun.model, leftOut?.report ?? null, context);
      return { outputs, divided: null };
    }
    const file = join(input.directory, 'state');
    const kept = leftOut === null ? null : { places: leftOut.kept, report: leftOut.report };
    await writeFile(file, stateToBytes({ plan: begun.plan, kept }));
    return { outputs: null, divided: divideTraining(begun.plan, file) };
  });

/** Models by kernels and by sampling have no parts. */
async function begin(
  { model, chains, tiles }: TrainModelInput,
  asked: TrainInput,
  context: ComputeContext,
): Promise<{ model: TrainedModel } | { plan: TrainingPlan }> {
  if (model === 'rrblup') return await beginTraining(asked, tiles, context);
  const trained =
    model === 'gaussian' || model === 'kernel-average'
      ? await trainByKernel(asked, model, context)
      : await trainBySampling(asked, { model, ...chains }, context);
  return { model: trained };
}
