import type { KernelEvaluation, KernelModel } from '@heterosis/analysis/prediction/evaluation/evaluate-kernels';
import type { EvaluateInput } from '@heterosis/analysis/prediction/evaluation/evaluate-model';
import { MODEL_OPTIONS } from '@heterosis/contracts/options/models';
import { type CommandIo, type CommandResult, inputError } from '../command.ts';
import { type ChainOptions, chainLengths } from '../options/chain-options.ts';
import { reportFailedTraits } from '../options/model-options.ts';
import { writeOutput } from '../write-output.ts';

/** `evaluate --model`: several models on the same folds. */
export async function evaluateModelsAsked(
  input: EvaluateInput,
  asked: readonly string[],
  options: {
    estimate: boolean;
    engine: string;
    out: string;
    comparison?: string | undefined;
    'folds-out'?: string | undefined;
    seed: number;
  } & ChainOptions,
  { path, io }: { path: string; io: CommandIo },
): Promise<CommandResult> {
  if (options.estimate || options.engine === 'markers') {
    throw inputError(
      'E-CLI-OPTION',
      `--model does not go with ${options.estimate ? '--estimate' : '--engine markers'}.`,
      'Leave out one of them.',
    );
  }
  const models = asked.map(modelOf);
  const { evaluateKernels } = await import('@heterosis/analysis/prediction/evaluation/evaluate-kernels');
  const { comparisonsCsv, modelsCsv } = await import('@heterosis/analysis/prediction/evaluation/models-csv');
  const { evaluations, comparisons, failed } = await evaluateKernels(
    { ...input, models, lengths: chainLengths(options) },
    io.context,
  );
  const fitted = [...new Set(evaluations.map(({ trait }) => trait))].map((name) => ({ name, error: null }));
  reportFailedTraits([...fitted, ...failed], path, io);
  await writeOutput(options.out, modelsCsv(evaluations));
  if (options.comparison !== undefined) await writeOutput(options.comparison, comparisonsCsv(comparisons));
  const first = evaluations.at(0);
  if (options['folds-out'] !== undefined && first !== undefined) {
    const { foldsCsv } = await import('@heterosis/analysis/prediction/evaluation/folds');
    await writeOutput(options['folds-out'], foldsCsv(first.folds));
  }
  return {
    summary: {
      models: evaluations.map(
        ({ model, trait, n, m, nFold, nRepetition, seed, meanFoldR, bandwidth, chains, perFold }) => ({
          ...{ model, trait, n, m, n_fold: nFold, n_repetition: nRepetition },
          seed: input.folds === undefined ? seed : null,
          mean_fold_r: meanFoldR,
          ...(bandwidth === null ? {} : { bandwidth }),
          ...(chains === null ? {} : { folds_not_met: chains.notMet, largest_r_hat: chains.rHat }),
          folds_without_r: perFold.filter(({ r }) => r === null).length,
        }),
      ),
      comparison: comparisons.map(({ models: [model1, model2], trait, difference, standardError, p }) => ({
        ...{ model1, model2, trait, difference, se: standardError, p },
      })),
      out: options.out,
    },
    lines: [
      ...evaluations.map(describe),
      ...comparisons.map(
        ({ models: [one, other], trait, difference, standardError, p }) =>
          `${trait}: ${one} minus ${other} ${difference.toFixed(4)} ± ${standardError.toFixed(4)}, p = ${p.toPrecision(3)} (corrected resampled t-test)`,
      ),
      `written: ${options.out}`,
    ],
  };
}

function modelOf(name: string): KernelModel {
  const { choices } = MODEL_OPTIONS.model;
  const found = choices.find((choice) => choice === name);
  if (found !== undefined) return found;
  throw inputError('E-CLI-VALUE', `--model cannot be "${name}".`, `Choose of ${choices.join(', ')}.`);
}

function describe(evaluation: KernelEvaluation): string {
  const { model, trait, n, m, nFold, nRepetition, meanFoldR, bandwidth, chains, perFold } = evaluation;
  const without = perFold.filter(({ r }) => r === null).length;
  const r = meanFoldR.mean === null ? 'undefined' : meanFoldR.mean.toFixed(3);
  const notes = [
    ...(bandwidth === null ? [] : [`, bandwidth ${bandwidth.toPrecision(3)}`]),
    ...(chains === null || chains.notMet === 0
      ? []
      : [
          `; the chains of ${chains.notMet} folds have not met (largest R̂ ${chains.rHat.toFixed(3)}): give more --cycles`,
        ]),
    ...(without === 0 ? [] : [`; ${without} folds have no r`]),
  ];
  return `${trait}: ${model}, n = ${n}, ${m} markers, ${nFold} folds × ${nRepetition}: r within folds ${r}${notes.join('')}`;
}
