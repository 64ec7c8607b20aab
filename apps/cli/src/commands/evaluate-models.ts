import type {
  EnvironmentEvaluation,
  EnvironmentInput,
  EnvironmentKernelModel,
} from '@heterosis/analysis/prediction/evaluation/evaluate-environments';
import type {
  KernelEvaluation,
  KernelEvaluations,
  KernelModel,
} from '@heterosis/analysis/prediction/evaluation/evaluate-kernels';
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
  const scheme = schemeOf(options.scheme);
  const { comparisonsCsv, modelsCsv } = await import('@heterosis/analysis/prediction/evaluation/models-csv');
  const { comparisonsOf, evaluateKernels } = await import('@heterosis/analysis/prediction/evaluation/evaluate-kernels');
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
  const ofTraits: KernelEvaluations = { evaluations: [], comparisons: [], failed: [] };
  for (const part of alone.length === 0 ? [] : partsWithFolds(input, ofEnvironments, scheme)) {
    // A variance of lines is of the models of environments: in one it cannot be told from the residual.
    const own = { models: alone, lengths: chainLengths(options), residualLines: false };
    const asks = { ...input, ...part, ...own };
    const { evaluations, failed } = await evaluateKernels(asks, io.context);
    ofTraits.evaluations.push(...evaluations);
    ofTraits.failed.push(...failed);
  }
  const { failed } = ofTraits;
  const evaluations: Evaluated[] = [...ofTraits.evaluations, ...ofEnvironments];
  const byTrait = [...Map.groupBy(evaluations, ({ trait }) => trait).values()];
  const comparisons = byTrait.flatMap((own) => comparisonsOf(own));
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

function schemeOf(asked: string | undefined): TraitScheme {
  const scheme = asked ?? 'cv1';
  if (scheme === 'cv1' || scheme === 'cv2') return scheme;
  throw inputError(
    'E-CLI-VALUE',
    `--model does not go with --scheme ${scheme}.`,
    'Choose cv1 (new lines) or cv2 (records of known lines).',
  );
}

/**
 * The traits of models of one trait, with the folds of models of environments beside them: with folds of records each
 * trait has its own.
 */
function partsWithFolds(
  { traits, folds }: Pick<EvaluateInput, 'traits' | 'folds'>,
  ofEnvironments: readonly EnvironmentEvaluation[],
  scheme: TraitScheme,
): Pick<EvaluateInput, 'traits' | 'folds'>[] {
  if (ofEnvironments.length > 0) {
    const byTrait = new Map(ofEnvironments.map((own) => [own.trait, own.folds]));
    return [...byTrait].map(([trait, own]) => ({ traits: [trait], folds: own }));
  }
  const places = traits.map((trait) => folds?.columns?.indexOf(trait) ?? -1);
  if (scheme === 'cv1' || folds === undefined || places.includes(-1)) return [{ traits, ...(folds && { folds }) }];
  return traits.map((trait, t) => ({
    traits: [trait],
    folds: { individuals: folds.individuals, repetitions: folds.repetitions.slice(places[t], (places[t] ?? 0) + 1) },
  }));
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
