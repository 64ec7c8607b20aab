import { traitMeans } from '@heterosis/analysis/means/trait-means';
import { openEvaluation } from '@heterosis/analysis/prediction/evaluation/compare-evaluations';
import {
  type Evaluation,
  estimateEvaluation,
  evaluateModels,
} from '@heterosis/analysis/prediction/evaluation/evaluate-model';
import { evaluationCsv } from '@heterosis/analysis/prediction/evaluation/evaluation-figures';
import { foldsCsv } from '@heterosis/analysis/prediction/evaluation/folds';
import { openFolds } from '@heterosis/analysis/prediction/evaluation/open-folds';
import { inputsOf } from '@heterosis/contracts/options/define-options';
import { CSV } from '@heterosis/contracts/options/inputs';
import { MODEL_OPTIONS } from '@heterosis/contracts/options/models';
import { flagsOf, optionsOfFlags } from '@heterosis/contracts/options/option-flags';
import { type Command, type CommandIo, defineCommand } from '../command.ts';
import { GENOTYPE_OPTION, withGenotype } from '../options/genotype-option.ts';
import { LEAVE_OUT_DESCRIPTION, LEAVE_OUT_OPTIONS, leaveOutByOptions } from '../options/leaving-out-options.ts';
import {
  ENGINE_FLAGS,
  estimateResult,
  PEDIGREE_COLUMNS_OPTION,
  refuseTogether,
  reportFailedTraits,
  TRAITS_OPTION,
} from '../options/model-options.ts';
import { readPanelInputs } from '../options/panel-inputs.ts';
import { PHENOTYPE_OR_MEANS_OPTIONS, readTraitSource } from '../options/trait-source.ts';
import { writeOutput } from '../write-output.ts';
import { comparedWith } from './compare-folds.ts';
import { evaluateModelsAsked } from './evaluate-models.ts';
import { evaluateScheme } from './evaluate-scheme.ts';
import { evaluateTraits } from './evaluate-traits.ts';

export const evaluateCommand: Command = defineCommand({
  name: 'evaluate',
  summary: 'cross-validate genomic prediction',
  description: [
    'Cuts the individuals with genotype and value into folds, predicts each fold from a model of the others, and repeats this with other folds. Every model estimates its own variance components, so nothing leaks from the test part; markers are filtered and imputed once on all genotyped individuals, without looking at phenotypes.',
    'Covariates and principal components are estimated anew from each training part; an individual is predicted with its own covariates, and one of a group that no individual of the training part belongs to as of an average group.',
    'r is the predictive ability: the correlation of the genetic predictions with the observed values, from which covariates and principal components are taken as the training part estimates them. Within a fold it is that among its individuals; the summary gives figures on the pooled predictions of each repetition too. With covariates or components, phenotype_r is the correlation with them in both: how well a record is predicted, not how well a line is.',
    'With --means, or --standard-errors, the errors of the values are known, as in train; every training part has those of its own values. Means of several environments are joined to one a line, unless --scheme says to predict lines in environments.',
    'With --model several models are evaluated on the same folds, and each pair of them compared (--comparison). Distances of the Gaussian kernels, and their median, are those of all genotyped individuals.',
    'The models gxe-mm, gxe-mds and gxe-mde take --trait E1,E2,… as environments of one trait. --scheme cv1 (the default) hides lines in all environments and estimates variances from every training part; cv2 hides a share of the records of lines in environments and takes the variances of all records. --folds then has a column for each environment with the folds of its records; with folds of lines, cv2 hides one environment after the other. --residual-lines adds a variance of lines that the kernel does not explain to these models. Models of one trait beside them have the same folds.',
    'With --multi-trait the traits are predicted together, and each alone on the same folds: --scheme cv1 hides all traits of the lines of a fold (new lines), cv2 the trait that is predicted (a new trait of known lines). The difference comes with the corrected resampled t-test.',
    'With --fixed-markers the effects of these markers are estimated anew from each training part, beside the relationships; they count among the genetic predictions.',
    LEAVE_OUT_DESCRIPTION,
  ],
  options: {
    genotype: GENOTYPE_OPTION,
    ...PHENOTYPE_OR_MEANS_OPTIONS,
    trait: TRAITS_OPTION,
    ...flagsOf(MODEL_OPTIONS),
    'pedigree-columns': PEDIGREE_COLUMNS_OPTION,
    ...LEAVE_OUT_OPTIONS,
    ...ENGINE_FLAGS,
    ...flagsOf({ out: CSV }),
  },
  output: [
    'With --model and --multi-trait CSV with the columns model (with --multi-trait those are multi-trait and rrblup), trait, environment (of models with genotype by environment the trait, otherwise empty), repetition, fold, n and r. Otherwise:',
    'CSV with one row a fold: trait, repetition, fold, n (individuals predicted), r, with covariates or components phenotype_r, with --leave-out the group (r is empty where it is not defined, as when the training part shows no genetic variance and all predictions are the same).',
    'The summary gives the accuracy as well, r divided by the square root of a heritability: of the H² of the means where the design of the file gives one (Cullis, or of the entry means where there are no variance components) and there are neither covariates nor components, otherwise of the share of the variance that the kinship explains beside them. What an accuracy above 1 means is said with it.',
  ],
  examples: [
    'heterosis evaluate --genotype maize.vcf.gz --phenotype traits.csv --trait EarHT --out evaluation.csv',
    'heterosis evaluate --genotype maize --phenotype traits.csv --trait EarHT --folds folds.csv --out evaluation.csv --json',
    'heterosis evaluate --genotype maize --phenotype plots.csv --trait EarHT --leave-out environment --out evaluation.csv',
    'heterosis evaluate --genotype maize --phenotype traits.csv --trait EarHT --model rrblup,gaussian --comparison comparison.csv --out evaluation.csv',
    'heterosis evaluate --genotype maize --phenotype yields.csv --trait E1,E2,E3 --model gxe-mds,gxe-mde --scheme cv2 --out evaluation.csv',
    'heterosis evaluate --genotype maize --phenotype traits.csv --trait EarHT,EarDia --multi-trait --scheme cv2 --out evaluation.csv',
  ],
  takesPolyploids: true,
  usesMatrixProducts: true,
  async run(options, io) {
    const asked = optionsOfFlags(MODEL_OPTIONS, options);
    refuseTogether(MODEL_OPTIONS, asked);
    const leaveOut = options['leave-out'];
    const source = await readTraitSource(options, io);
    const { reading, traits, path } = source;
    const { compare, scheme } = options;
    const earlier = compare === undefined ? undefined : await openEvaluation(compare, io.context);
    const isTogether = options['multi-trait'];
    const isOfMeans = scheme !== undefined && !isTogether && options.model === undefined;
    if (isOfMeans) return evaluateScheme({ ...options, scheme }, source, earlier, io);
    const inputsOfPanel = await readPanelInputs(options, source, io);
    const folds = options.folds === undefined ? undefined : await openFolds(options.folds, io.context);
    const evaluated = await withGenotype(options.genotype, io, async (whole) => {
      const leftOut = await leaveOutByOptions(whole, options, io);
      const input = {
        ...inputsOf(MODEL_OPTIONS, asked),
        ...(await inputsOfPanel(leftOut.panel)),
        ...(folds === undefined ? {} : { folds }),
        ...(reading === null ? {} : { cullisH2: cullisH2Of(reading, traits, io) }),
        ...(leaveOut === undefined || reading === null
          ? {}
          : {
              plots: { observations: reading.observations, environments: reading.design.environments },
            }),
      };
      if (options.model !== undefined) {
        return { together: await evaluateModelsAsked(input, options.model, options, { path, io }), leftOut };
      }
      if (isTogether) return { together: await evaluateTraits(input, options, earlier, io), leftOut };
      return options.estimate
        ? { plan: await estimateEvaluation(input, io.context), results: null }
        : { plan: null, results: await evaluateModels(input, io.context), leftOut };
    });
    if (evaluated.together !== undefined) {
      const { summary, lines } = evaluated.together;
      return {
        summary: { ...evaluated.leftOut.summary, ...summary },
        lines: [...evaluated.leftOut.lines, ...source.lines, ...lines],
      };
    }
    if (evaluated.results === null) return estimateResult(evaluated.plan);
    const { results, leftOut } = evaluated;
    const evaluations = results.flatMap(({ evaluation }) => (evaluation === null ? [] : [evaluation]));
    reportFailedTraits(
      results.map(({ trait, error }) => ({ name: trait, error })),
      path,
      io,
    );
    if (folds !== undefined) reportWithoutFold(evaluations, options.folds ?? '', io);
    else if (leaveOut !== undefined) reportWithoutFold(evaluations, path, io);
    reportWithoutR(evaluations, io);
    await writeOutput(options.out, evaluationCsv(evaluations));
    const compared = comparedWith(evaluations, earlier);
    const first = evaluations.at(0);
    if (options['folds-out'] !== undefined && first !== undefined) {
      await writeOutput(options['folds-out'], foldsCsv(first.folds));
    }
    return {
      summary: {
        ...leftOut.summary,
        traits: evaluations.map(({ trait, n, m, seed, nFold, nRepetition, summary, accuracy, meanFoldR, perFold }) => ({
          trait,
          n,
          m,
          n_fold: nFold,
          n_repetition: nRepetition,
          seed: folds === undefined && leaveOut === undefined ? seed : null,
          evaluation: summary,
          mean_fold_r: meanFoldR,
          accuracy,
          ...(leaveOut === undefined
            ? {}
            : { groups: perFold.map(({ group, n: size, r, phenotype_r }) => ({ group, n: size, r, phenotype_r })) }),
          folds_without_r: perFold.filter(({ r }) => r === null).length,
        })),
        ...compared.summary,
        out: options.out,
      },
      lines: [
        ...leftOut.lines,
        ...source.lines,
        ...evaluations.flatMap(describe),
        ...compared.lines,
        `written: ${options.out}`,
      ],
    };
  },
});

/** Trait → H² of its means after Cullis, where the file has a trial. */
function cullisH2Of(
  reading: Parameters<typeof traitMeans>[0],
  traits: readonly string[],
  io: CommandIo,
): Map<string, number> {
  if (reading.table?.reductions.every((reduction) => reduction === 'as given') !== false) return new Map();
  const means = traitMeans(reading, io.context, { traits });
  return new Map([...means].flatMap(({ name, h2Cullis }) => (h2Cullis === null ? [] : [[name, h2Cullis]])));
}

const BASES = { cullis: 'H² Cullis', 'entry-mean': 'H² entry-mean', genomic: 'genomic h²' };

function describe(evaluation: Evaluation): string[] {
  const { trait, n, m, nFold, nRepetition, summary, accuracy, meanFoldR } = evaluation;
  const figure = ({ mean, sd }: { mean: number | null; sd: number | null }) =>
    mean === null ? 'undefined' : `${mean.toFixed(3)}${sd === null ? '' : ` ± ${sd.toFixed(3)}`}`;
  const figures = [
    `r within folds ${figure(meanFoldR)}`,
    `pooled ${figure(summary.pearson_r)}`,
    ...(summary.phenotype_r === null ? [] : [`with the fixed effects ${figure(summary.phenotype_r)}`]),
    `slope ${figure(summary.slope)}`,
    ...(accuracy === null
      ? []
      : [
          `accuracy r/√${accuracy.basis === 'genomic' ? 'h²' : 'H²'} ${accuracy.value.toFixed(3)} (${BASES[accuracy.basis]} ${accuracy.h2.toFixed(3)})`,
        ]),
  ];
  const note = accuracy?.note ?? null;
  return [
    `${trait}: n = ${n}, ${m} markers, ${nFold} folds × ${nRepetition}: ${figures.join(', ')}`,
    ...(note === null ? [] : [`  accuracy: ${note}`]),
  ];
}

/** A mean over only those folds that have an r misrepresents the model. */
function reportWithoutR(evaluations: readonly Evaluation[], io: CommandIo): void {
  for (const { trait, perFold } of evaluations) {
    const without = perFold.filter(({ r }) => r === null);
    const [first] = without;
    if (first === undefined) continue;
    const where = `repetition ${first.repetition}, fold ${first.fold}`;
    io.report(
      [
        {
          severity: 'warning',
          code: 'W-CV-NO-R',
          line: null,
          column: trait,
          value: String(without.length),
          message: `${without.length} of ${perFold.length} folds have no r and are not in its mean (first ${where}): ${first.reason}`,
          suggestion: null,
        },
      ],
      '',
    );
  }
}

/**
 * Individuals with genotype and value but no fold are excluded; without a warning, a table made for another file would
 * go unnoticed.
 */
function reportWithoutFold(evaluations: readonly Evaluation[], file: string, io: CommandIo): void {
  for (const { trait, n, folds } of evaluations) {
    if (folds.repetitions.length === 0) continue;
    const placed = folds.individuals.filter((_, i) => folds.repetitions.some((fold) => (fold[i] ?? 0) > 0)).length;
    if (placed >= n) continue;
    io.report(
      [
        {
          severity: 'warning',
          code: 'W-FO-NO-FOLD',
          line: null,
          column: trait,
          value: String(n - placed),
          message: `${n - placed} of ${n} individuals with genotype and value have no fold and take no part.`,
          suggestion: 'Check that the folds were made for these files, or that the column is filled in.',
        },
      ],
      file,
    );
  }
}
