import { AnalysisError } from '@heterosis/analysis/context';
import type { ComputeFunction } from '../../../platform/compute/compute.ts';
import { type PlotsInput, trialsOfRun } from './plots-of-run.ts';

export interface PreparedTrials {
  trials: { environment: string; trait: string; plots: number }[];
}

/** Checks the plots of all files before the first model is fitted. */
export const compute: ComputeFunction<PlotsInput, PreparedTrials> = async (input, context) => {
  const { trials } = await trialsOfRun(input, context);
  if (trials.length === 0)
    throw new AnalysisError(
      'trials/no-values',
      `No plot of the files has a value of ${input.traits.join(', ')}.`,
      'Choose other traits or environments, or check the files.',
      { traits: input.traits },
    );
  return {
    trials: trials.map(({ task: { environment, trait, values } }) => ({
      ...{ environment, trait },
      plots: values.filter(Number.isFinite).length,
    })),
  };
};
