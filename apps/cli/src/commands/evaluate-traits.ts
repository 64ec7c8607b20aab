import type { EarlierFolds } from '@heterosis/analysis/prediction/evaluation/compare-evaluations';
import type { EvaluateInput } from '@heterosis/analysis/prediction/evaluation/evaluate-model';
import type { TogetherEvaluation } from '@heterosis/analysis/prediction/evaluation/evaluate-together';
import { type CommandIo, type CommandResult, inputError } from '../command.ts';
import { writeOutput } from '../write-output.ts';
import { comparedWith } from './compare-folds.ts';

/** `evaluate --multi-trait`: several traits together beside each alone, on the same folds. */
export async function evaluateTraits(
  input: EvaluateInput,
  options: {
    scheme?: string | undefined;
    estimate: boolean;
    'folds-out'?: string | undefined;
    comparison?: string | undefined;
    out: string;
  },
  earlier: EarlierFolds | undefined,
  io: CommandIo,
): Promise<CommandResult> {
  const { scheme = 'cv1' } = options;
  if (scheme !== 'cv1' && scheme !== 'cv2') {
    throw inputError(
      'E-CLI-OPTION',
      `--scheme ${scheme} hides environments, and --multi-trait predicts traits.`,
      'Take --scheme cv1 (new lines) or cv2 (a new trait of known lines).',
    );
  }
  if (options.estimate) {
    throw inputError('E-CLI-OPTION', '--multi-trait does not go with --estimate.', 'Leave out one of them.');
  }
  const { evaluateTogether } = await import('@heterosis/analysis/prediction/evaluation/evaluate-together');
  const { comparisonsCsv, modelsCsv } = await import('@heterosis/analysis/prediction/evaluation/models-csv');
  const evaluations = await evaluateTogether({ ...input, schemes: [scheme] }, io.context);
  const alone = evaluations.flatMap(({ trait, alone: own }) =>
    own === null ? [] : [{ model: 'rrblup', trait, perFold: own.perFold }],
  );
  await writeOutput(
    options.out,
    modelsCsv([...evaluations.map((own) => ({ ...own, model: 'multi-trait' })), ...alone]),
  );
  if (options.comparison !== undefined) {
    const compared = evaluations.flatMap(({ trait, comparison }) =>
      comparison === null ? [] : [{ models: ['multi-trait', 'rrblup'] as const, trait, ...comparison }],
    );
    await writeOutput(options.comparison, comparisonsCsv(compared));
  }
  const first = evaluations.at(0);
  if (options['folds-out'] !== undefined && first !== undefined) {
    const { foldsCsv } = await import('@heterosis/analysis/prediction/evaluation/folds');
    await writeOutput(options['folds-out'], foldsCsv(first.folds));
  }
  const againstEarlier = comparedWith(evaluations, earlier);
  return {
    summary: {
      scheme,
      traits: evaluations.map(({ trait, n, m, seed, nFold, nRepetition, meanFoldR, alone, comparison, perFold }) => ({
        ...{ trait, n, m, n_fold: nFold, n_repetition: nRepetition, seed: input.folds === undefined ? seed : null },
        mean_fold_r: meanFoldR,
        mean_fold_r_alone: alone?.meanFoldR ?? null,
        difference: comparison?.difference ?? null,
        difference_se: comparison?.standardError ?? null,
        difference_p: comparison?.p ?? null,
        folds_without_r: perFold.filter(({ r }) => r === null).length,
      })),
      ...againstEarlier.summary,
      out: options.out,
    },
    lines: [...evaluations.flatMap(describe), ...againstEarlier.lines, `written: ${options.out}`],
  };
}

function describe({
  trait,
  scheme,
  n,
  nFold,
  nRepetition,
  meanFoldR,
  alone,
  comparison,
  perFold,
}: TogetherEvaluation): string[] {
  const figure = (value: number | null | undefined) =>
    value === null || value === undefined ? 'undefined' : value.toFixed(3);
  const without = perFold.filter(({ r }) => r === null);
  return [
    `${trait}: ${scheme}, n = ${n}, ${nFold} folds × ${nRepetition}: r within folds ${figure(meanFoldR.mean)} together, ${figure(alone?.meanFoldR.mean)} alone`,
    ...(comparison === null
      ? []
      : [
          `  difference ${comparison.difference.toFixed(4)} ± ${comparison.standardError.toFixed(4)}, p = ${comparison.p.toPrecision(3)} (corrected resampled t-test)`,
        ]),
    ...without.slice(0, 1).map(({ reason }) => `  ${without.length} folds have no r, the first: ${reason}`),
  ];
}
