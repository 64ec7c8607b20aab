import type { Page } from '@heterosis/contracts/common';
import type { createModelBody, Model, ModelDetail } from '@heterosis/contracts/models';
import type { listRunsQuery } from '@heterosis/contracts/runs';
import type * as z from 'zod';
import type { DatabaseTransaction } from '../../platform/database/database.ts';
import type { Principal, ProjectAccess } from '../../platform/http/access.ts';
import type { Services } from '../../platform/http/app.ts';
import { decodeIdCursor } from '../../platform/http/pagination.ts';
import { Problem } from '../../platform/http/problem.ts';
import { findInputFiles, type InputFiles, inputHashes, requireReadyFile } from '../files/index.ts';
import {
  byTrait,
  createNamedRun,
  makeBundle,
  type NamedRuns,
  outcomeOfTraits,
  pageOfRuns,
  progressOf,
  provenanceOf,
  type Run,
  type RunRequestedBy,
  readNamedRun,
  referenceTo,
  runsOnInput,
  startRun,
  traitFiles,
  urlsByTrait,
} from '../runs/index.ts';
import { enqueueEvaluation } from './enqueue-evaluation.ts';
import { requireCommonNames, requireTraits } from './match.service.ts';
import { modelMethods } from './methods-paragraph.ts';
import {
  failRunningTraits,
  findModel,
  insertModel,
  isRunning,
  listModels as listModelRows,
  type ModelRow,
  type ModelTraitRow,
  updateModelTrait,
} from './models.queries.ts';
import { trainModelJob } from './train-model.job.ts';

/** Without a seed of the user's the folds are still the same every time, so that equal models give equal figures. */
const DEFAULT_SEED = 1;

const CSV = 'text/csv; charset=utf-8';

export const models: NamedRuns<ModelRow, Model, ModelDetail> = {
  table: 'models',
  page: 'models',
  kind: 'model',
  noun: 'model',
  owner: 'model_id',
  find: findModel,
  toItem: toModel,

  async toDetail(services, row, runs) {
    const { storage } = services;
    const model = await toModel(services, row, runs);
    const plots = Object.values(model.evaluation_plot_html_urls).filter((url) => url !== null);
    return {
      ...model,
      description: row.description,
      genotype: referenceTo(row.genotype_id, row.genotype_name),
      phenotype: referenceTo(row.phenotype_id, row.phenotype_name),
      html: plots[0] ?? null,
      fit: byTrait(row.trait_rows, ({ fit }) => fit),
      marker_effects_csv_urls: await urlsByTrait(storage, row, 'effects', {
        ending: '_marker_effects.csv',
        contentType: CSV,
      }),
      gebv_csv_urls: await urlsByTrait(storage, row, 'gebv', { ending: '_gebv.csv', contentType: CSV }),
      folds_csv_urls: await urlsByTrait(storage, row, 'folds', { ending: '_folds.csv', contentType: CSV }),
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

  toBundle({ trait_rows }, detail) {
    const { id, name, description, traits, provenance, variance, fit, evaluation } = detail;
    const inputs = { genotype: detail.genotype?.name ?? null, phenotype: detail.phenotype?.name ?? null };
    const results = { variance, fit, evaluation };
    return makeBundle(
      { kind: 'model', id, name, description, traits, inputs, results, provenance },
      modelMethods(detail),
      traitFiles(trait_rows, {
        spec: 'model.json',
        effects: 'marker_effects.csv',
        gebv: 'gebv.csv',
        folds: 'folds.csv',
        plot: 'evaluation.html',
      }),
    );
  },

  outcome: ({ trait_rows }) => outcomeOfTraits(trait_rows, ({ status }) => isRunning(status), figuresInWords),

  failUnfinished: (db, { id }, error) => failRunningTraits(db, id, error),

  /** The training of traits that have none, the evaluation of those that are trained. */
  async restart(services, trx, row, requested) {
    const failed = row.trait_rows.filter(({ status }) => status === 'ERROR');
    if (failed.length === 0 || row.trait_rows.some(({ status }) => isRunning(status)))
      throw new Problem('runs/not-retryable', 'Only what has failed can be repeated, once nothing else is running.');
    const inputs = await findInputFiles(trx, row);
    if (inputs === undefined)
      throw new Problem(
        'models/input-gone',
        'An input file of this model was deleted. Train a new model with other files.',
      );
    for (const { trait, result_keys } of failed)
      await updateModelTrait(trx, row.id, trait, {
        status: result_keys.spec === undefined ? 'TRAINING' : 'TRAINED',
      });
    if (failed.some(({ result_keys }) => result_keys.spec === undefined))
      await enqueueTraining(services, trx, row, inputs, requested);
    else await enqueueEvaluation(services, trx, row, requested);
  },
};

function figuresInWords({ evaluation, variance }: ModelTraitRow): string {
  const { mean, sd } = evaluation?.pearson_r ?? { mean: null, sd: null };
  const accuracy = mean === null ? 'no accuracy' : `r ${mean.toFixed(2)}${sd === null ? '' : ` ± ${sd.toFixed(2)}`}`;
  return `${accuracy} in the cross-validation${variance === null ? '' : `, h² ${variance.h2.toFixed(2)}`}`;
}

async function toModel({ storage }: Services, row: ModelRow, runs: readonly Run[]): Promise<Model> {
  const underWay = runs.find(({ finished_at }) => finished_at === null);
  return {
    id: row.id,
    name: row.name,
    project_id: row.project_id,
    genotype_id: row.genotype_id,
    phenotype_id: row.phenotype_id,
    genotype_name: row.genotype_name,
    phenotype_name: row.phenotype_name,
    status: byTrait(row.trait_rows, ({ status }) => status),
    error_extras: byTrait(row.trait_rows, ({ error_extra }) => error_extra),
    progress: byTrait(row.trait_rows, ({ status }) => (isRunning(status) ? progressOf(underWay) : null)),
    model_type: row.model_type,
    traits: row.traits,
    n_fold: row.n_fold,
    n_repetition: row.n_repetition,
    optimize_time: row.optimize_time,
    include_dominance_effects: row.include_dominance_effects,
    evaluation: byTrait(row.trait_rows, ({ evaluation }) => evaluation),
    variance: byTrait(row.trait_rows, ({ variance }) => variance),
    evaluation_plot_html_urls: await urlsByTrait(storage, row, 'plot', {
      ending: '_evaluation.html',
      contentType: 'text/html; charset=utf-8',
      inline: true,
    }),
    spec_urls: await urlsByTrait(storage, row, 'spec', { ending: '_model.json', contentType: 'application/json' }),
    created_by: row.creator,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

export async function listModels(
  services: Services,
  { projectId }: ProjectAccess,
  query: z.output<typeof listRunsQuery>,
): Promise<Page<Model>> {
  const rows = await listModelRows(services.db, projectId, {
    genotypeId: query.genotype_id,
    phenotypeId: query.phenotype_id,
    name: query.name,
    limit: query.limit,
    after: decodeIdCursor(query.cursor),
  });
  return await pageOfRuns(services, models, rows, query.limit);
}

export async function getModel(services: Services, { projectId }: ProjectAccess, id: string): Promise<ModelDetail> {
  return await readNamedRun(services, models, projectId, id);
}

/** Inputs, traits and names are checked; then model, traits and job come to be in one transaction. */
export async function createModel(
  services: Services,
  { projectId }: ProjectAccess,
  principal: Principal,
  body: z.output<typeof createModelBody>,
): Promise<ModelDetail> {
  const { db } = services;
  const genotype = await requireReadyFile(db, projectId, body.genotype_id, 'GENOTYPE');
  const phenotype = await requireReadyFile(db, projectId, body.phenotype_id, 'PHENOTYPE');
  const traits = requireTraits(phenotype, body.traits);
  await requireCommonNames(services, genotype, phenotype, body.renames);
  return await createNamedRun(services, models, { projectId, name: body.name }, async (trx) => {
    const id = await insertModel(trx, {
      projectId,
      name: body.name,
      traits,
      seed: body.seed ?? DEFAULT_SEED,
      parameters: {
        kinship: body.kinship,
        thresh_maf: body.thresh_maf,
        thresh_callrate: body.thresh_callrate,
        ...(body.renames === undefined || body.renames.length === 0 ? {} : { renames: body.renames }),
      },
      genotypeId: genotype.id,
      phenotypeId: phenotype.id,
      nFold: body.n_fold,
      nRepetition: body.n_repetition,
      optimizeTime: body.optimize_time,
      hasDominance: body.dominance_effect,
      createdBy: principal.userId,
    });
    await enqueueTraining(
      services,
      trx,
      { id, project_id: projectId },
      { genotype, phenotype },
      { requestedBy: principal.userId },
    );
    return id;
  });
}

async function enqueueTraining(
  services: Services,
  trx: DatabaseTransaction,
  { id, project_id: projectId }: Pick<ModelRow, 'id' | 'project_id'>,
  inputs: InputFiles,
  requested: RunRequestedBy,
): Promise<void> {
  await startRun(services, trx, trainModelJob, {
    projectId,
    owner: 'model_id',
    ownerId: id,
    kind: 'train',
    ...requested,
    inputSha256: inputHashes({ ...inputs }),
  });
}

/** What models say when a file goes. */
export const modelsOfFiles = runsOnInput(models, ['genotype_id', 'phenotype_id']);
