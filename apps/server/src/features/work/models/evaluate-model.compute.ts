import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ErrorExtra } from '@heterosis/analysis/describe-error';
import { leaveOutOfPanel } from '@heterosis/analysis/inputs/leaving-out';
import { readPhenotype } from '@heterosis/analysis/inputs/read-phenotype';
import {
  type EvaluateInput,
  evaluateModels,
  type TraitEvaluation,
} from '@heterosis/analysis/prediction/evaluation/evaluate-model';
import { foldsCsv } from '@heterosis/analysis/prediction/evaluation/folds';
import type { PlotData } from '@heterosis/analysis/prediction/leave-out';
import type { InputsOf } from '@heterosis/contracts/options/define-options';
import type { EVALUATION_OPTIONS } from '@heterosis/contracts/options/models';
import type { MeansSummaryBody } from '@heterosis/contracts/work/adjusted-means';
import type { ModelEvaluation } from '@heterosis/contracts/work/models';
import type { PhenotypeOptions } from '@heterosis/file-formats/tables/phenotype/phenotype-options';
import type { PhenotypeTable } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import type { ComputeContext, ComputeFunction } from '../../../platform/compute/compute.ts';
import { leavingOutOf } from '../../../platform/object-storage/left-out.ts';
import { openStorageLocation } from '../../../platform/object-storage/storage-location.ts';
import { readingStored, readObject, withStoredInputs } from '../../../platform/object-storage/stored-panel.ts';
import type { Compared } from './comparing/compared-models.ts';
import { comparedModelsOf, evaluationsOf, modelsOnFolds } from './comparing/models-on-folds.ts';
import { traitsTogether } from './comparing/traits-together.ts';
import { evaluationPlotHtml } from './evaluation-plot-html.ts';
import { type ModelComputeInput, settingsOf, storedExtras } from './model-inputs.ts';
import type { ModelResultKind, TraitAccuracy } from './models.queries.ts';

/** Only what the analysis knows: an option that it does not take is no option. */
type EvaluationOptions = Pick<EvaluateInput, keyof InputsOf<typeof EVALUATION_OPTIONS>>;

export interface EvaluateModelInput extends ModelComputeInput {
  modelName: string;
  /** All traits of the model, which are evaluated together where they were fitted together. */
  modelTraits: readonly string[];
  evaluation: InputsOf<typeof EVALUATION_OPTIONS>;
  /** The phenotype file itself where whole environments are left out: only it holds the plots. */
  plots: { key: string; name: string; options: PhenotypeOptions } | null;
  /** Key of the figures of the phenotype file, among them H² of its means. */
  phenotypeQc: string;
}

export interface EvaluatedTraitOutput {
  trait: string;
  error: ErrorExtra | null;
  result: { evaluation: TraitAccuracy; files: Partial<Record<ModelResultKind, string>> } | null;
}

export const compute: ComputeFunction<EvaluateModelInput, EvaluatedTraitOutput[]> = (input, context) =>
  withStoredInputs(input, async (whole, phenotype) => {
    const { panel } = await leaveOutOfPanel(whole, leavingOutOf(input.parameters.exclusions), context);
    const { traits } = input;
    const { leaveOut } = input.evaluation;
    const read = await readPlots(input, context);
    const table = read?.table ?? phenotype;
    const asked = {
      panel,
      phenotype: table,
      ...(read === null ? {} : { plots: read.plots }),
      traits,
      ...(input.evaluation satisfies EvaluationOptions),
      ...settingsOf(input),
      ...(await storedExtras(input, panel, table)),
      cullisH2: await readCullisH2(input),
    };
    const results: (TraitEvaluation & { compared?: Compared })[] =
      input.options.multiTrait === true
        ? await traitsTogether({ ...asked, traits: input.modelTraits }, traits, context)
        : await withOthers(input, asked, context);
    const outputs: EvaluatedTraitOutput[] = [];
    for (const [place, { evaluation, error, compared }] of results.entries()) {
      const trait = traits[place] ?? '';
      if (evaluation === null) {
        outputs.push({ trait, error, result: null });
        continue;
      }
      const summary = {
        ...evaluation.summary,
        accuracy: evaluation.accuracy,
        within_group_r: leaveOut === undefined ? null : evaluation.meanFoldR,
        note: null,
      };
      const shown: ModelEvaluation = {
        trait,
        seed: evaluation.seed,
        points: evaluation.points,
        per_fold: evaluation.perFold,
        per_repetition: evaluation.perRepetition,
        evaluation: summary,
      };
      const prefix = join(input.directory, `${place}`);
      const files = {
        evaluation: `${prefix}-evaluation.json`,
        folds: `${prefix}-folds.csv`,
        plot: `${prefix}-plot.html`,
        ...(compared === undefined ? {} : { compared: `${prefix}-compared.csv` }),
      };
      await writeFile(files.evaluation, JSON.stringify(shown));
      if (compared !== undefined && files.compared !== undefined) await writeFile(files.compared, compared.csv);
      await writeFile(files.folds, [...foldsCsv(evaluation.folds)].join(''));
      await writeFile(
        files.plot,
        evaluationPlotHtml(shown, {
          modelName: input.modelName,
          folds: input.evaluation.nFold,
          repetitions: input.evaluation.nRepetition,
          leaveOut: leaveOut ?? null,
        }),
      );
      // What it took differs from run to run, and the bytes of files do not.
      const compares = compared === undefined ? {} : { compared: compared.figures };
      outputs.push({ trait, error: null, result: { evaluation: { ...summary, ...compares }, files } });
    }
    return outputs;
  });

/** The model that was trained, beside others on the same folds where these were asked for. */
async function withOthers(
  { parameters, model, chains }: EvaluateModelInput,
  asked: EvaluateInput,
  context: ComputeContext,
): Promise<(TraitEvaluation & { compared?: Compared })[]> {
  const models = comparedModelsOf(model, parameters.compared_models ?? []);
  if (models.length === 1) return await evaluateModels(asked, context);
  const on = async () => await modelsOnFolds({ ...asked, models, lengths: chains }, context);
  if (model !== 'rrblup') return evaluationsOf(model, await on(), asked);
  const results = await evaluateModels(asked, context);
  const { byTrait } = await on();
  return results.map((result) => {
    const own = result.evaluation === null ? undefined : byTrait.get(result.trait);
    return own === undefined ? result : { ...result, compared: own.compared };
  });
}

/** Trait → H² of its means after Cullis, of those that the check of the file estimated. */
async function readCullisH2({ storage, phenotypeQc }: EvaluateModelInput): Promise<Map<string, number>> {
  const bytes = await readObject(openStorageLocation(storage), phenotypeQc);
  const { means = [] } = readingStored(
    'figures of a file',
    () =>
      JSON.parse(new TextDecoder().decode(bytes)) as {
        means?: MeansSummaryBody[];
      },
  );
  return new Map(means.flatMap(({ trait, h2_cullis: h2 }) => (h2 === null ? [] : [[trait, h2]])));
}

/** The means of the phenotype file and the plots behind them, as the check of the file read them. */
async function readPlots(
  { storage, plots }: EvaluateModelInput,
  context: ComputeContext,
): Promise<{ table: PhenotypeTable; plots: PlotData } | null> {
  if (plots === null) return null;
  const source = await openStorageLocation(storage).open(plots.key, plots.name);
  try {
    const { table, observations, design } = await readPhenotype(source, context, plots.options);
    if (table === null) throw new Error('a phenotype file that was checked cannot be read again');
    return { table, plots: { observations, environments: design.environments } };
  } finally {
    await source.close();
  }
}
