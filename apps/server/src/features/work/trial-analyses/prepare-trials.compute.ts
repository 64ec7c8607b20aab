import { AnalysisError } from '@heterosis/analysis/context';
import type { ComputeFunction } from '../../../platform/compute/compute.ts';
import { type PlotsInput, type TrialOfRun, trialsOfRun, type Unmeasured } from './plots-of-run.ts';

export interface PreparedTrials {
  trials: { environment: string; trait: string; plots: number }[];
  unmeasured: Unmeasured[];
  /** Of the trait whose trials take most memory together; undefined where no trait has several. */
  series: { lines: number; squares: number } | undefined;
}

/** Checks the plots of all files before the first model is fitted. */
export const compute: ComputeFunction<PlotsInput, PreparedTrials> = async (input, context) => {
  const { trials, unmeasured } = await trialsOfRun(input, context);
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
    unmeasured,
    series: largestSeries(trials),
  };
};

function largestSeries(trials: readonly TrialOfRun[]): PreparedTrials['series'] {
  const sizes = [...Map.groupBy(trials, ({ task }) => task.trait).values()].flatMap((own) => {
    if (own.length < 2) return [];
    const tested = own.map(({ task: { plots, values } }) => [
      ...new Set(plots.flatMap(({ name }, i) => (Number.isFinite(values[i]) ? [name] : []))),
    ]);
    const squares = tested.reduce((sum, { length }) => sum + length ** 2, 0);
    return [{ lines: new Set(tested.flat()).size, squares }];
  });
  return sizes.toSorted((a, b) => b.squares + b.lines ** 2 - a.squares - a.lines ** 2)[0];
}
