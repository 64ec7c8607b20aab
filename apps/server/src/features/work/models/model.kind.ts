import type { Model, ModelDetail } from '@heterosis/contracts/work/models';
import { sql } from 'kysely';
import type { Services } from '../../../platform/http/app.ts';
import { hasColumn } from '../../../platform/result-tables/read-table-page.ts';
import { beginStep, inputs, type RunKindDefinition } from '../runs/kind/index.ts';
import { leftOut, perTrait, provenanceOf } from '../runs/results/index.ts';
import { progressOf, type Run } from '../runs/work/index.ts';
import { beginEvaluation } from './begin-evaluation.ts';
import { evaluatedOn } from './evaluated-on.ts';
import { trainModelJob } from './jobs.ts';
import { modelMethods } from './methods-paragraph.ts';
import { modelReport } from './model-report.ts';
import {
  isRunning,
  type ModelRow,
  type ModelTraitRow,
  modelSelection,
  type TraitFitFigures,
  updateModelTrait,
} from './models.queries.ts';
import { readAccuracies } from './overview-accuracies.queries.ts';
import { completeAccuracy, predictiveAbility, traitsAsShown } from './stored-evaluations.ts';

interface GebvRow extends Record<string, unknown> {
  individual: string;
  gebv: number;
  se: number | null;
  reliability: number | null;
  rank: number;
  others: number;
}

const CSV = 'text/csv; charset=utf-8';
/** Root mean squares of all effects from which on one is told: in a model every marker has some effect. */
const LARGE = 2;

export const models: RunKindDefinition<ModelRow, Model, ModelDetail, 'model'> = {
  ...modelSelection,
  unused: ({ parameters }) => (parameters.single_step === true ? [] : ['pedigree']),
  firstStep: () => ({ job: trainModelJob, step: 'train' }),
  toItem: toModel,

  async toDetail(services, row, runs) {
    const { storage } = services;
    const model = await toModel(services, row, runs);
    const plots = Object.values(model.evaluation_plot_html_urls).filter((url) => url !== null);
    return {
      ...model,
      description: row.description,
      ...inputs.references(row, 'genotype', 'phenotype', 'pedigree'),
      html: plots[0] ?? null,
      fit: perTrait.values(row.trait_rows, ({ fit }) => fit && fitAlone(fit)),
      multi_trait: row.trait_rows.find(({ fit }) => fit?.multi_trait)?.fit?.multi_trait ?? null,
      marker_effects_csv_urls: await perTrait.urls(storage, row, 'effects', {
        ending: '_marker_effects.csv',
        contentType: CSV,
      }),
      gebv_csv_urls: await perTrait.urls(storage, row, 'gebv', { ending: '_gebv.csv', contentType: CSV }),
      folds_csv_urls: await perTrait.urls(storage, row, 'folds', { ending: '_folds.csv', contentType: CSV }),
      compared_csv_urls: await perTrait.urls(storage, row, 'compared', { ending: '_compared.csv', contentType: CSV }),
      ...(await leftOut.ofRun(
        storage,
        row,
        row.trait_rows.map(({ fit, result_keys }) => ({ report: fit?.left_out, key: result_keys.left_out })),
      )),
      provenance: provenanceOf(runs, {
        createdBy: row.creator,
        seed: row.seed,
        parameters: {
          model_type: row.model_type,
          n_fold: row.n_fold,
          n_repetition: row.n_repetition,
          optimize_time: row.optimize_time,
          include_dominance_effects: row.include_dominance_effects,
          ...row.parameters,
        },
      }),
    };
  },

  toBundle({ trait_rows: stored, parameters }, detail) {
    const trait_rows = traitsAsShown(stored, parameters);
    const { provenance, variance, fit, evaluation, multi_trait } = detail;
    const names = {
      ...inputs.names(detail, 'genotype', 'phenotype'),
      ...(provenance.parameters.single_step === true ? inputs.names(detail, 'pedigree') : {}),
    };
    const files = perTrait
      .files(trait_rows, {
        spec: 'model.json',
        effects: 'marker_effects.csv',
        gebv: 'gebv.csv',
        folds: 'folds.csv',
        compared: 'compared.csv',
        plot: 'evaluation.html',
      })
      .concat(leftOut.file(trait_rows));
    return {
      inputs: names,
      results: { variance, fit, evaluation, multi_trait },
      provenance,
      files,
    };
  },

  methods: (_row, detail) => modelMethods(detail),

  outcome: ({ trait_rows }) => perTrait.outcome(trait_rows, ({ status }) => isRunning(status), figuresInWords),

  overviewResults: readAccuracies,
  reportParts: modelReport,

  async valuesOf({ tables }, { trait_rows }, names) {
    const byTraits = await Promise.all(
      trait_rows.map(async ({ trait, result_keys: { gebv_table: key } }) => {
        if (key === undefined) return [];
        const hasSe = await hasColumn(tables, key, 'se');
        const places = names.map((_, place) => `$${place + 1}`).join(', ');
        const rows = await tables.query<GebvRow>(
          key,
          (table) =>
            `select individual, gebv, ${hasSe ? 'se' : 'null as se'}, reliability, rank, (select count(*) - 1 from ${table}) as others
             from ${table} where individual in (${places})`,
          names,
        );
        return rows.map(({ individual, gebv, se, reliability, rank, others }) => ({
          ...{ individual, trait, environment: null, estimate: 'gebv' as const, value: gebv, se, reliability },
          // Rank 1 is the largest value.
          percentile: others > 0 ? (others + 1 - rank) / others : null,
        }));
      }),
    );
    return byTraits.flat();
  },

  async effectsAt({ tables }, { trait_rows }, markers) {
    const places = markers.map((_, place) => `$${place + 1}`).join(', ');
    const byTrait = await Promise.all(
      trait_rows.map(async ({ trait, result_keys: { effects_table: key } }) => {
        if (key === undefined) return [];
        const rows = await tables.query<{ id: string; A1: string; A2: string; additive: number }>(
          key,
          (table) =>
            `select id, "A1", "A2", additive from ${table} where id in (${places})
               and abs(additive) >= ${LARGE} * (select sqrt(avg(additive * additive)) from ${table})`,
          markers,
        );
        return rows.map(({ id, A1, A2, additive }) => ({ marker: id, trait, a1: A1, a2: A2, effect: additive }));
      }),
    );
    return byTrait.flat();
  },

  keyFigure: sql`(
    select string_agg(trait || ' r ' || replace(to_char(${predictiveAbility('mean')}, 'FM0.00'), '-', '−'), ', ' order by array_position(one.traits, trait))
    from model_traits where model_id = one.id and evaluation is not null)`,

  /** Trains the traits without effects; if all failed traits are trained, evaluates them. */
  async repeat(services, trx, row, requested) {
    const failed = perTrait.failed(row.trait_rows, (status) => isRunning(status));
    for (const { trait, result_keys } of failed)
      await updateModelTrait(trx, row.id, trait, {
        status: result_keys.spec === undefined ? 'TRAINING' : 'TRAINED',
      });
    if (failed.some(({ result_keys }) => result_keys.spec === undefined))
      await beginStep(services, trx, models, { row, by: requested });
    else await beginEvaluation(services, trx, row, requested);
  },
};

const fitAlone = ({ multi_trait: _, ...fit }: TraitFitFigures): NonNullable<ModelDetail['fit'][string]> => fit;

function figuresInWords({ evaluation, variance }: ModelTraitRow): string {
  const within = evaluation?.within_group_r ?? null;
  const { mean, sd } = within ?? evaluation?.pearson_r ?? { mean: null, sd: null };
  const accuracy = mean === null ? 'no accuracy' : `r ${mean.toFixed(2)}${sd === null ? '' : ` ± ${sd.toFixed(2)}`}`;
  return `${accuracy} ${within === null ? 'in the cross-validation' : 'within groups left out'}${variance === null ? '' : `, h² ${variance.h2.toFixed(2)}`}`;
}

async function toModel({ storage }: Services, row: ModelRow, runs: readonly Run[]): Promise<Model> {
  const underWay = runs.find(({ finished_at }) => finished_at === null);
  return {
    ...perTrait.item(row),
    pedigree_id: row.pedigree_id,
    pedigree_name: row.pedigree_name,
    progress: perTrait.values(row.trait_rows, ({ status }) => (isRunning(status) ? progressOf(underWay) : null)),
    model_type: row.model_type,
    n_fold: row.n_fold,
    n_repetition: row.n_repetition,
    optimize_time: row.optimize_time,
    include_dominance_effects: row.include_dominance_effects,
    evaluated_on: evaluatedOn(row),
    evaluation: perTrait.values(
      row.trait_rows,
      ({ evaluation }) => evaluation && completeAccuracy(evaluation, row.parameters),
    ),
    variance: perTrait.values(row.trait_rows, ({ variance }) => variance),
    evaluation_plot_html_urls: await perTrait.urls(
      storage,
      { ...row, trait_rows: traitsAsShown(row.trait_rows, row.parameters) },
      'plot',
      {
        ending: '_evaluation.html',
        contentType: 'text/html; charset=utf-8',
        inline: true,
      },
    ),
    spec_urls: await perTrait.urls(storage, row, 'spec', { ending: '_model.json', contentType: 'application/json' }),
  };
}
