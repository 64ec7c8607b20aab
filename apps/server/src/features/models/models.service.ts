import type { Page } from '@heterosis/contracts/common';
import type {
  createModelBody,
  listModelsQuery,
  Model,
  ModelDetail,
  updateModelBody,
} from '@heterosis/contracts/models';
import type * as z from 'zod';
import { recordAuditEvent } from '../../platform/audit/audit-events.ts';
import { type DatabaseTransaction, type Queryable, violates } from '../../platform/database/database.ts';
import { publishEvent } from '../../platform/events/events.ts';
import type { Principal, ProjectAccess } from '../../platform/http/access.ts';
import type { Services } from '../../platform/http/app.ts';
import { decodeIdCursor, toPage } from '../../platform/http/pagination.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { isUuid } from '../../platform/http/uuid.ts';
import type { JobReference } from '../../platform/job-queue/job-queue.ts';
import { type FileDependants, type FileRow, findFile, requireReadyFile } from '../files/index.ts';
import { requireOwn } from '../projects/index.ts';
import {
  attachJob,
  type Bundle,
  cancelRuns,
  failRuns,
  findLatestRuns,
  inputGone,
  insertRun,
  makeBundle,
  ofCancellation,
  progressOf,
  provenanceOf,
  type Run,
  traitFolder,
} from '../runs/index.ts';
import type { ModelDependants } from './dependants.ts';
import { enqueueEvaluation } from './enqueue-evaluation.ts';
import { requireCommonNames, requireTraits } from './match.service.ts';
import { modelMethods } from './methods-paragraph.ts';
import { eventOf } from './model-event.ts';
import {
  failRunningTraits,
  findModel,
  insertModel,
  isRunning,
  listModels as listModelRows,
  listModelsOfFile,
  lockModel,
  type ModelResultKind,
  type ModelRow,
  type ModelTraitRow,
  updateModelDeleted,
  updateModel as updateModelRow,
  updateModelTrait,
} from './models.queries.ts';
import { trainModelJob } from './train-model.job.ts';

/** Without a seed of the user's the folds are still the same every time, so that equal models give equal figures. */
const DEFAULT_SEED = 1;

export async function listModels(
  services: Services,
  { projectId }: ProjectAccess,
  query: z.output<typeof listModelsQuery>,
): Promise<Page<Model>> {
  const { db } = services;
  const rows = await listModelRows(db, projectId, {
    genotypeId: query.genotype_id,
    phenotypeId: query.phenotype_id,
    name: query.name,
    limit: query.limit,
    after: decodeIdCursor(query.cursor),
  });
  const { data, next_cursor } = toPage(rows, query.limit, ({ id }) => [id]);
  const runs = Map.groupBy(
    await findLatestRuns(
      db,
      'model_id',
      data.map(({ id }) => id),
    ),
    ({ owner_id }) => owner_id,
  );
  return { data: await Promise.all(data.map((row) => toModel(services, row, runs.get(row.id) ?? []))), next_cursor };
}

async function toModel(services: Services, row: ModelRow, runs: readonly Run[]): Promise<Model> {
  const underWay = runs.find(({ finished_at }) => finished_at === null);
  return {
    id: row.id,
    name: row.name,
    project_id: row.project_id,
    genotype_id: row.genotype_id,
    phenotype_id: row.phenotype_id,
    genotype_name: row.genotype_name,
    phenotype_name: row.phenotype_name,
    status: byTrait(row, ({ status }) => status),
    error_extras: byTrait(row, ({ error_extra }) => error_extra),
    progress: byTrait(row, ({ status }) => (isRunning(status) ? progressOf(underWay) : null)),
    model_type: row.model_type,
    traits: row.traits,
    n_fold: row.n_fold,
    n_repetition: row.n_repetition,
    optimize_time: row.optimize_time,
    include_dominance_effects: row.include_dominance_effects,
    evaluation: byTrait(row, ({ evaluation }) => evaluation),
    variance: byTrait(row, ({ variance }) => variance),
    evaluation_plot_html_urls: await urls(services, row, 'plot', '_evaluation.html', 'text/html; charset=utf-8'),
    spec_urls: await urls(services, row, 'spec', '_model.json', 'application/json'),
    created_by: row.creator,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

const byTrait = <Value>(row: ModelRow, value: (trait: ModelTraitRow) => Value): Record<string, Value> =>
  Object.fromEntries(row.trait_rows.map((trait) => [trait.trait, value(trait)]));

async function urls(
  { storage }: Services,
  row: ModelRow,
  kind: ModelResultKind,
  ending: string,
  contentType = 'text/csv; charset=utf-8',
): Promise<Record<string, string | null>> {
  const signed = await Promise.all(
    row.trait_rows.map(async ({ trait, result_keys }) => {
      const key = result_keys[kind];
      if (key === undefined) return [trait, null] as const;
      const url = await storage.signGet(key, {
        fileName: `${row.name}_${trait}${ending}`,
        contentType,
        inline: kind === 'plot',
      });
      return [trait, url] as const;
    }),
  );
  return Object.fromEntries(signed);
}

/** A model of the project; 404 for anything else. */
export async function getModelRow(
  db: Queryable,
  projectId: string,
  id: string,
  what = 'This model',
): Promise<ModelRow> {
  const row = isUuid(id) ? await findModel(db, projectId, id) : undefined;
  if (row === undefined) throw notFound(what);
  return row;
}

export async function getModel(services: Services, { projectId }: ProjectAccess, id: string): Promise<ModelDetail> {
  return await toDetail(services, services.db, projectId, id);
}

async function toDetail(services: Services, db: Queryable, projectId: string, id: string): Promise<ModelDetail> {
  const row = await getModelRow(db, projectId, id);
  const runs = await findLatestRuns(db, 'model_id', [id]);
  const model = await toModel(services, row, runs);
  const plots = Object.values(model.evaluation_plot_html_urls).filter((url) => url !== null);
  return {
    ...model,
    description: row.description,
    genotype: row.genotype_id === null ? null : { id: row.genotype_id, name: row.genotype_name ?? '' },
    phenotype: row.phenotype_id === null ? null : { id: row.phenotype_id, name: row.phenotype_name ?? '' },
    html: plots[0] ?? null,
    fit: byTrait(row, ({ fit }) => fit),
    marker_effects_csv_urls: await urls(services, row, 'effects', '_marker_effects.csv'),
    gebv_csv_urls: await urls(services, row, 'gebv', '_gebv.csv'),
    folds_csv_urls: await urls(services, row, 'folds', '_folds.csv'),
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
}

/** The results of all traits, with what they rest on. */
export async function bundleModel(services: Services, projectId: string, id: string): Promise<Bundle> {
  const detail = await toDetail(services, services.db, projectId, id);
  const { trait_rows } = await getModelRow(services.db, projectId, id);
  const { name, description, traits, provenance, variance, fit, evaluation } = detail;
  const files = trait_rows.flatMap(({ trait, result_keys }) =>
    (
      [
        ['spec', 'model.json'],
        ['effects', 'marker_effects.csv'],
        ['gebv', 'gebv.csv'],
        ['folds', 'folds.csv'],
        ['plot', 'evaluation.html'],
      ] as const
    ).flatMap(([kind, file]) => {
      const key = result_keys[kind];
      return key === undefined ? [] : [{ name: `${traitFolder(traits, trait)}/${file}`, content: { key } }];
    }),
  );
  const inputs = { genotype: detail.genotype?.name ?? null, phenotype: detail.phenotype?.name ?? null };
  const results = { variance, fit, evaluation };
  return makeBundle(
    { kind: 'model', id, name, description, traits, inputs, results, provenance },
    modelMethods(detail),
    files,
  );
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
  return await nameTaken(body.name, () =>
    db.transaction().execute(async (trx) => {
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
      await enqueueTraining(services, trx, { projectId, id, genotype, phenotype });
      await publishEvent(trx, eventOf(await getModelRow(trx, projectId, id)));
      return await toDetail(services, trx, projectId, id);
    }),
  );
}

async function enqueueTraining(
  { jobs }: Services,
  trx: DatabaseTransaction,
  { projectId, id, genotype, phenotype }: { projectId: string; id: string; genotype: FileRow; phenotype: FileRow },
): Promise<void> {
  const runId = await insertRun(trx, {
    projectId,
    owner: 'model_id',
    ownerId: id,
    kind: 'train',
    inputSha256: inputHashes(genotype, phenotype),
  });
  const job = await jobs.enqueue(trx, trainModelJob, { project_id: projectId, model_id: id, run_id: runId });
  await attachJob(trx, runId, job);
}

/** SHA-256 of the originals by role, for the provenance of a run. */
export const inputHashes = (genotype: FileRow, phenotype: FileRow): Record<string, string> => ({
  ...(genotype.sha256 === null ? {} : { genotype: genotype.sha256 }),
  ...(phenotype.sha256 === null ? {} : { phenotype: phenotype.sha256 }),
});

export async function updateModel(
  services: Services,
  access: ProjectAccess,
  principal: Principal,
  id: string,
  body: z.output<typeof updateModelBody>,
): Promise<ModelDetail> {
  const { db } = services;
  const { projectId } = access;
  const row = await getModelRow(db, projectId, id);
  requireOwn(access, principal, row.created_by);
  return await nameTaken(body.name, () =>
    db.transaction().execute(async (trx) => {
      await updateModelRow(trx, projectId, id, body);
      await publishEvent(trx, eventOf(row));
      return await toDetail(services, trx, projectId, id);
    }),
  );
}

/** Into the bin; predictions made with it stay, those under way end with a clear error. */
export async function deleteModel(
  { db, jobs }: Services,
  access: ProjectAccess,
  principal: Principal,
  { id, requestId }: { id: string; requestId: string },
  users: readonly ModelDependants[],
): Promise<void> {
  const { projectId, organizationId } = access;
  const row = await getModelRow(db, projectId, id);
  requireOwn(access, principal, row.created_by);
  await db.transaction().execute(async (trx) => {
    if (!(await lockModel(trx, projectId, id))) throw notFound('This model');
    const stopped = (await cancelRuns(trx, 'model_id', id)) ?? [];
    for (const user of users) stopped.push(...(await user.endRunsOf(trx, projectId, id)));
    if (stopped.length > 0) await jobs.cancel(trx, ...stopped);
    await updateModelDeleted(trx, projectId, id);
    await recordAuditEvent(trx, {
      action: 'model.deleted',
      actor: principal,
      organizationId,
      projectId,
      targetType: 'model',
      targetId: id,
      details: { name: row.name },
      requestId,
    });
    await publishEvent(trx, eventOf(row));
  });
}

export async function cancelModel(
  services: Services,
  access: ProjectAccess,
  principal: Principal,
  id: string,
): Promise<ModelDetail> {
  const { db, jobs } = services;
  const { projectId } = access;
  requireOwn(access, principal, (await getModelRow(db, projectId, id)).created_by);
  return await db.transaction().execute(async (trx) => {
    if (!(await lockModel(trx, projectId, id))) throw notFound('This model');
    const running = await cancelRuns(trx, 'model_id', id);
    if (running === undefined)
      throw new Problem('runs/not-cancellable', 'Nothing of this model is running; there is nothing to cancel.');
    const row = await getModelRow(trx, projectId, id);
    await jobs.cancel(trx, ...running);
    await failRunningTraits(trx, row, ofCancellation(principal.email));
    await publishEvent(trx, eventOf(row));
    return await toDetail(services, trx, projectId, id);
  });
}

/** Runs again what failed: the training of traits that have none, the evaluation of those that are trained. */
export async function retryModel(
  services: Services,
  access: ProjectAccess,
  principal: Principal,
  id: string,
): Promise<ModelDetail> {
  const { db } = services;
  const { projectId } = access;
  requireOwn(access, principal, (await getModelRow(db, projectId, id)).created_by);
  return await db.transaction().execute(async (trx) => {
    if (!(await lockModel(trx, projectId, id))) throw notFound('This model');
    const row = await getModelRow(trx, projectId, id);
    const failed = row.trait_rows.filter(({ status }) => status === 'ERROR');
    if (failed.length === 0 || row.trait_rows.some(({ status }) => isRunning(status)))
      throw new Problem('runs/not-retryable', 'Only what has failed can be repeated, once nothing else is running.');
    const genotype = row.genotype_id === null ? undefined : await findFile(trx, projectId, row.genotype_id);
    const phenotype = row.phenotype_id === null ? undefined : await findFile(trx, projectId, row.phenotype_id);
    if (genotype === undefined || phenotype === undefined)
      throw new Problem(
        'models/input-gone',
        'An input file of this model was deleted. Train a new model with other files.',
      );
    for (const { trait, result_keys } of failed)
      await updateModelTrait(
        trx,
        id,
        trait,
        result_keys.spec === undefined ? { status: 'TRAINING' } : { status: 'TRAINED' },
      );
    if (failed.some(({ result_keys }) => result_keys.spec === undefined))
      await enqueueTraining(services, trx, { projectId, id, genotype, phenotype });
    else await enqueueEvaluation(services, trx, row);
    await publishEvent(trx, eventOf(row));
    return await toDetail(services, trx, projectId, id);
  });
}

async function nameTaken<Result>(name: string | undefined, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!violates(error, 'models_name')) throw error;
    throw new Problem('request/conflict', `There is a model "${name}" in this project already. Choose another name.`, {
      cause: error,
      invalidParams: [{ name: 'body.name', reason: 'This name is taken' }],
    });
  }
}

/** What models say when a file goes. */
export const modelsOfFiles: FileDependants = {
  listDependants: listModelsOfFile,
  async endRunsOf(db, projectId, fileId) {
    const stopped: JobReference[] = [];
    for (const { id } of await listModelsOfFile(db, projectId, fileId)) {
      const jobs = await failRuns(db, 'model_id', id, inputGone());
      if (jobs.length === 0) continue;
      const row = await getModelRow(db, projectId, id);
      await failRunningTraits(db, row, inputGone());
      await publishEvent(db, eventOf(row));
      stopped.push(...jobs);
    }
    return stopped;
  },
};
