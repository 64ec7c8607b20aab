import type {
  EnvironmentEvaluation,
  EnvironmentInput,
  EnvironmentKernelModel,
} from '@heterosis/analysis/prediction/evaluation/evaluate-environments';
import type { KernelEvaluation, KernelModel } from '@heterosis/analysis/prediction/evaluation/evaluate-kernels';
import type { EvaluateInput } from '@heterosis/analysis/prediction/evaluation/evaluate-model';
import type { TraitScheme } from '@heterosis/analysis/prediction/evaluation/evaluate-together';
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
    scheme?: string | undefined;
    'gxe-kernel': string;
    'residual-lines': boolean;
    'fixed-markers'?: readonly string[] | undefined;
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
  const alone = models.filter((model) => !isOfEnvironments(model));
  const environments = models.filter(isOfEnvironments);
  const scheme = schemeOf(options.scheme, { alone, environments });
  const { comparisonsCsv, modelsCsv } = await import('@heterosis/analysis/prediction/evaluation/models-csv');
  const { comparisonsOf, evaluateKernels } = await import('@heterosis/analysis/prediction/evaluation/evaluate-kernels');
  const { readFixedMarkers } = await import('@heterosis/analysis/prediction/fixed-markers/fixed-markers');
  const ofEnvironments =
    environments.length === 0 ? [] : await evaluateTogether({ ...input, models: environments, scheme }, options, io);
  const { 'fixed-markers': fixedNames } = options;
  const withoutFixed = models.find((model) => !['rrblup', 'gaussian', 'kernel-average'].includes(model));
  if (fixedNames !== undefined && withoutFixed !== undefined) {
    throw inputError(
      'E-CLI-OPTION',
      `--fixed-markers does not go with the model ${withoutFixed}.`,
      'Evaluate rrblup, gaussian and kernel-average with it, and others apart.',
    );
  }
  // All models have the same folds.
  const folds = ofEnvironments.at(0)?.folds ?? input.folds;
  const ofTraits =
    alone.length === 0
      ? { evaluations: [], comparisons: [], failed: [] }
      : await evaluateKernels(
          {
            ...{ ...input, models: alone, lengths: chainLengths(options) },
            ...(folds === undefined ? {} : { folds }),
            ...(fixedNames === undefined ? {} : { fixedMarkers: await readFixedMarkers(input.panel, fixedNames) }),
          },
          io.context,
        );
  const { failed } = ofTraits;
  const evaluations: Evaluated[] = [...ofTraits.evaluations, ...ofEnvironments];
  const byTrait = [...Map.groupBy(evaluations, ({ trait }) => trait).values()];
  const comparisons = byTrait.flatMap((own) => comparisonsOf(own));
  const fitted = [...new Set(evaluations.map(({ trait }) => trait))].map((name) => ({ name, error: null }));
  reportFailedTraits([...fitted, ...failed], path, io);
  await writeOutput(options.out, modelsCsv(evaluations));
  if (options.comparison !== undefined) await writeOutput(options.comparison, comparisonsCsv(comparisons));
  const first = evaluations.at(0);
  if (options['folds-out'] !== undefined && first !== undefined && first.folds !== null) {
    const { foldsCsv } = await import('@heterosis/analysis/prediction/evaluation/folds');
    await writeOutput(options['folds-out'], foldsCsv(first.folds));
  }
  return {
    summary: {
      models: evaluations.map(
        ({ model, trait, n, m, nFold, nRepetition, seed, meanFoldR, bandwidth, chains, fit, perFold }) => ({
          ...{ model, trait, n, m, n_fold: nFold, n_repetition: nRepetition },
          seed: input.folds === undefined ? seed : null,
          mean_fold_r: meanFoldR,
          ...(bandwidth == null ? {} : { bandwidth }),
          ...(fit === undefined ? {} : { variances: variancesOf(fit), log_likelihood: fit.logLikelihood }),
          ...(chains == null ? {} : { folds_not_met: chains.notMet, largest_r_hat: chains.rHat }),
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

/** What models of one trait and of several environments have in common, and what each has of its own. */
type Evaluated = (KernelEvaluation | EnvironmentEvaluation) & {
  bandwidth?: number | null;
  chains?: KernelEvaluation['chains'];
  fit?: EnvironmentEvaluation['fit'];
};

const isOfEnvironments = (model: KernelModel | EnvironmentKernelModel): model is EnvironmentKernelModel =>
  model.startsWith('gxe-');

function schemeOf(
  asked: string | undefined,
  { alone, environments }: { alone: readonly string[]; environments: readonly string[] },
): TraitScheme {
  const scheme = asked ?? 'cv1';
  if (scheme !== 'cv1' && scheme !== 'cv2') {
    throw inputError(
      'E-CLI-VALUE',
      `--model does not go with --scheme ${scheme}.`,
      'Choose cv1 (new lines) or cv2 (records of known lines).',
    );
  }
  if (scheme === 'cv2' && alone.length > 0 && environments.length > 0) {
    throw inputError(
      'E-CLI-OPTION',
      `With --scheme cv2 the folds of ${environments[0]} are of records, and those of ${alone[0]} of lines.`,
      'Evaluate them apart, or with --scheme cv1.',
    );
  }
  return scheme;
}

async function evaluateTogether(
  input: Omit<EnvironmentInput, 'kernel'>,
  options: { 'gxe-kernel': string; 'residual-lines': boolean },
  io: CommandIo,
): Promise<EnvironmentEvaluation[]> {
  const { evaluateEnvironments } = await import('@heterosis/analysis/prediction/evaluation/evaluate-environments');
  const kernel = options['gxe-kernel'] === 'linear' ? 'linear' : 'gaussian';
  return await evaluateEnvironments(
    // The variance of lines is one of the model; errors of values are not known.
    { ...input, residualLines: false, kernel, hasLines: options['residual-lines'] },
    io.context,
  );
}

const variancesOf = ({ main, specific, lines, residual }: EnvironmentEvaluation['fit']) => ({
  ...{ main, specific, residual },
  ...(lines === 0 ? {} : { lines }),
});

function variancesInWords({ main, specific, lines, residual }: EnvironmentEvaluation['fit']): string {
  const short = (value: number): string => String(Number(value.toPrecision(4)));
  return `main ${short(main)}, of environments ${specific.map(short).join(' ')}, ${lines === 0 ? '' : `of lines ${short(lines)}, `}residual ${short(residual)}`;
}

function modelOf(name: string): KernelModel | EnvironmentKernelModel {
  const { choices } = MODEL_OPTIONS.model;
  const found = choices.find((choice) => choice === name);
  if (found !== undefined) return found;
  throw inputError('E-CLI-VALUE', `--model cannot be "${name}".`, `Choose of ${choices.join(', ')}.`);
}

function describe(evaluation: Evaluated): string {
  const { model, trait, n, m, nFold, nRepetition, meanFoldR, bandwidth, chains, fit, perFold } = evaluation;
  const without = perFold.filter(({ r }) => r === null).length;
  const r = meanFoldR.mean === null ? 'undefined' : meanFoldR.mean.toFixed(3);
  const notes = [
    ...(bandwidth == null ? [] : [`, bandwidth ${bandwidth.toPrecision(3)}`]),
    ...(fit === undefined ? [] : [`, variances ${variancesInWords(fit)}`]),
    ...(chains == null || chains.notMet === 0
      ? []
      : [
          `; the chains of ${chains.notMet} folds have not met (largest R̂ ${chains.rHat.toFixed(3)}): give more --cycles`,
        ]),
    ...(without === 0 ? [] : [`; ${without} folds have no r`]),
  ];
  return `${trait}: ${model}, n = ${n}, ${m} markers, ${nFold} folds × ${nRepetition}: r within folds ${r}${notes.join('')}`;
}
