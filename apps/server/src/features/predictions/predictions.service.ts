import type { Page } from '@heterosis/contracts/common';
import type {
  createPredictionBody,
  listPredictionsQuery,
  Prediction,
  PredictionDetail,
  PredictionResults,
  predictionResultsQuery,
  updatePredictionBody,
} from '@heterosis/contracts/predictions';
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
import { readTablePage } from '../../platform/result-tables/read-table-page.ts';
import { type FileDependants, type FileRow, findFile, requireReadyFile } from '../files/index.ts';
import { getModelRow, type ModelDependants, type ModelRow } from '../models/index.ts';
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
} from '../runs/index.ts';
import {
  findPrediction,
  insertPrediction,
  listPredictions as listPredictionRows,
  listPredictionsOf,
  lockPrediction,
  type PredictionRow,
  updatePredictionDeleted,
  updatePrediction as updatePredictionRow,
  updatePredictionStatus,
} from './predictions.queries.ts';
import { runPredictionJob } from './run-prediction.job.ts';

export async function listPredictions(
  { db }: Services,
  { projectId }: ProjectAccess,
  query: z.output<typeof listPredictionsQuery>,
): Promise<Page<Prediction>> {
  const rows = await listPredictionRows(db, projectId, {
    name: query.name,
    modelId: query.model_id,
    modelName: query.model_name,
    modelGenotypeId: query.model_genotype_id,
    modelPhenotypeId: query.model_phenotype_id,
    limit: query.limit,
    after: decodeIdCursor(query.cursor),
  });
  const { data, next_cursor } = toPage(rows, query.limit, ({ id }) => [id]);
  const runs = await findLatestRuns(
    db,
    'prediction_id',
    data.map(({ id }) => id),
  );
  const runOf = new Map(runs.map((run) => [run.owner_id, run]));
  return { data: data.map((row) => toPrediction(row, runOf.get(row.id))), next_cursor };
}

function toPrediction(row: PredictionRow, run: Run | undefined): Prediction {
  return {
    id: row.id,
    name: row.name,
    project_id: row.project_id,
    genotype_id: row.genotype_id,
    model_id: row.model_id,
    genotype_name: row.genotype_name,
    model_name: row.model_name,
    status: row.status,
    error_extra: row.error_extra,
    progress: row.status === 'PROCESSING' ? progressOf(run) : null,
    traits: row.traits,
    created_by: row.creator,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** A prediction of the project; 404 for anything else. */
async function getRow(db: Queryable, projectId: string, id: string): Promise<PredictionRow> {
  const row = isUuid(id) ? await findPrediction(db, projectId, id) : undefined;
  if (row === undefined) throw notFound('This prediction');
  return row;
}

export async function getPrediction(
  services: Services,
  { projectId }: ProjectAccess,
  id: string,
): Promise<PredictionDetail> {
  return await toDetail(services, services.db, projectId, id);
}

async function toDetail(
  { storage }: Services,
  db: Queryable,
  projectId: string,
  id: string,
): Promise<PredictionDetail> {
  const row = await getRow(db, projectId, id);
  const runs = await findLatestRuns(db, 'prediction_id', [id]);
  const csvKey = row.result_keys.csv;
  return {
    ...toPrediction(row, runs[0]),
    description: row.description,
    csv_url:
      csvKey === undefined
        ? null
        : await storage.signGet(csvKey, {
            fileName: `${row.name}_predictions.csv`,
            contentType: 'text/csv; charset=utf-8',
          }),
    model: row.model_id === null ? null : { id: row.model_id, name: row.model_name ?? '' },
    genotype: row.genotype_id === null ? null : { id: row.genotype_id, name: row.genotype_name ?? '' },
    report: row.report,
    provenance: provenanceOf(runs, { createdBy: row.creator, seed: null, parameters: row.parameters }),
  };
}

/** The predicted values, with what they rest on. */
export async function bundlePrediction(services: Services, projectId: string, id: string): Promise<Bundle> {
  const detail = await toDetail(services, services.db, projectId, id);
  const key = (await getRow(services.db, projectId, id)).result_keys.csv;
  const { name, description, traits, report, provenance } = detail;
  const inputs = { model: detail.model?.name ?? null, genotype: detail.genotype?.name ?? null };
  const shared =
    report === null ? '' : ` ${report.shared} of the ${report.model_markers} markers of the model were found.`;
  const methods = [
    `Breeding values of ${traits.join(', ')} were predicted with the model “${inputs.model ?? 'deleted'}” as its intercept plus the sum of allele dosages times marker effects.${shared}`,
    'Markers were matched by name, then by position; exchanged alleles were turned, and missing markers counted as the mean of the training panel.',
    `Computed with Heterosis ${provenance.software_version}.`,
  ].join(' ');
  return makeBundle(
    { kind: 'prediction', id, name, description, traits, inputs, results: report, provenance },
    methods,
    key === undefined ? [] : [{ name: 'predictions.csv', content: { key } }],
  );
}

/** Model and genotype are checked; then the prediction and its job come to be in one transaction. */
export async function createPrediction(
  services: Services,
  { projectId }: ProjectAccess,
  principal: Principal,
  body: z.output<typeof createPredictionBody>,
): Promise<PredictionDetail> {
  const { db } = services;
  const model = await getModelRow(db, projectId, body.model_id, 'The model chosen');
  const traits = trainedTraits(model);
  const genotypeId = body.genotype_id ?? model.genotype_id;
  if (genotypeId === null)
    throw new Problem(
      'models/input-gone',
      'The genotype that this model was trained on was deleted. Choose another genotype file.',
      { invalidParams: [{ name: 'body.genotype_id', reason: 'Choose a genotype file' }] },
    );
  const genotype = await requireReadyFile(db, projectId, genotypeId, 'GENOTYPE');
  return await nameTaken(body.name, () =>
    db.transaction().execute(async (trx) => {
      const id = await insertPrediction(trx, {
        projectId,
        name: body.name,
        traits,
        genotypeId: genotype.id,
        modelId: model.id,
        minMarkerShare: body.min_marker_share,
        createdBy: principal.userId,
      });
      await enqueue(services, trx, { projectId, id, genotype });
      return await toDetail(services, trx, projectId, id);
    }),
  );
}

/** Traits that can be predicted; training is enough, evaluation may still be running. */
function trainedTraits(model: ModelRow): string[] {
  const trained = model.trait_rows.flatMap(({ trait, result_keys }) => (result_keys.spec === undefined ? [] : [trait]));
  if (trained.length > 0) return trained;
  throw new Problem(
    'predictions/model-not-trained',
    `No trait of the model "${model.name}" is trained. Wait until training has ended, or choose another model.`,
  );
}

async function enqueue(
  { jobs }: Services,
  trx: DatabaseTransaction,
  { projectId, id, genotype }: { projectId: string; id: string; genotype: FileRow },
): Promise<void> {
  const runId = await insertRun(trx, {
    projectId,
    owner: 'prediction_id',
    ownerId: id,
    kind: 'predict',
    inputSha256: genotype.sha256 === null ? {} : { genotype: genotype.sha256 },
  });
  const job = await jobs.enqueue(trx, runPredictionJob, { project_id: projectId, prediction_id: id, run_id: runId });
  await attachJob(trx, runId, job);
  await tell(trx, await getRow(trx, projectId, id));
}

export async function updatePrediction(
  services: Services,
  access: ProjectAccess,
  principal: Principal,
  id: string,
  body: z.output<typeof updatePredictionBody>,
): Promise<PredictionDetail> {
  const { db } = services;
  const { projectId } = access;
  const row = await getRow(db, projectId, id);
  requireOwn(access, principal, row.created_by);
  return await nameTaken(body.name, () =>
    db.transaction().execute(async (trx) => {
      await updatePredictionRow(trx, projectId, id, body);
      await tell(trx, row);
      return await toDetail(services, trx, projectId, id);
    }),
  );
}

/** Into the bin. */
export async function deletePrediction(
  { db, jobs }: Services,
  access: ProjectAccess,
  principal: Principal,
  { id, requestId }: { id: string; requestId: string },
): Promise<void> {
  const { projectId, organizationId } = access;
  const row = await getRow(db, projectId, id);
  requireOwn(access, principal, row.created_by);
  await db.transaction().execute(async (trx) => {
    if (!(await lockPrediction(trx, projectId, id))) throw notFound('This prediction');
    const running = await cancelRuns(trx, 'prediction_id', id);
    if (running !== undefined) await jobs.cancel(trx, ...running);
    await updatePredictionDeleted(trx, projectId, id);
    await recordAuditEvent(trx, {
      action: 'prediction.deleted',
      actor: principal,
      organizationId,
      projectId,
      targetType: 'prediction',
      targetId: id,
      details: { name: row.name },
      requestId,
    });
    await tell(trx, row);
  });
}

export async function cancelPrediction(
  services: Services,
  access: ProjectAccess,
  principal: Principal,
  id: string,
): Promise<PredictionDetail> {
  const { db, jobs } = services;
  const { projectId } = access;
  const row = await getRow(db, projectId, id);
  requireOwn(access, principal, row.created_by);
  return await db.transaction().execute(async (trx) => {
    if (!(await lockPrediction(trx, projectId, id))) throw notFound('This prediction');
    const running = await cancelRuns(trx, 'prediction_id', id);
    if (running === undefined)
      throw new Problem('runs/not-cancellable', 'This prediction has ended; there is nothing to cancel.');
    await jobs.cancel(trx, ...running);
    await updatePredictionStatus(trx, projectId, id, {
      status: 'ERROR',
      error_extra: ofCancellation(principal.email),
    });
    await tell(trx, row);
    return await toDetail(services, trx, projectId, id);
  });
}

export async function retryPrediction(
  services: Services,
  access: ProjectAccess,
  principal: Principal,
  id: string,
): Promise<PredictionDetail> {
  const { db } = services;
  const { projectId } = access;
  requireOwn(access, principal, (await getRow(db, projectId, id)).created_by);
  return await db.transaction().execute(async (trx) => {
    if (!(await lockPrediction(trx, projectId, id))) throw notFound('This prediction');
    const row = await getRow(trx, projectId, id);
    if (row.status !== 'ERROR') throw new Problem('runs/not-retryable', 'Only a failed prediction can be repeated.');
    const genotype = row.genotype_id === null ? undefined : await findFile(trx, projectId, row.genotype_id);
    if (genotype === undefined || row.model_id === null)
      throw new Problem('models/input-gone', 'The model or the genotype file was deleted. Create a new prediction.');
    await updatePredictionStatus(trx, projectId, id, { status: 'PROCESSING' });
    await enqueue(services, trx, { projectId, id, genotype });
    return await toDetail(services, trx, projectId, id);
  });
}

/** `GET …/predictions/{id}/results`. Sorted by individual, or by a trait (largest first with a leading minus). */
export async function getResults(
  { db, tables }: Services,
  { projectId }: ProjectAccess,
  id: string,
  query: z.output<typeof predictionResultsQuery>,
): Promise<PredictionResults> {
  const row = await getRow(db, projectId, id);
  const key = row.result_keys.table;
  if (key === undefined)
    throw new Problem(
      'runs/no-result',
      row.status === 'ERROR'
        ? `The prediction ended with an error: ${row.error_extra?.message ?? ''}`
        : 'The prediction is not finished yet. Its results appear here when it is.',
    );
  const shown = query.trait === undefined ? row.traits : [query.trait];
  for (const trait of shown) placeOf(row, trait, 'query.trait');
  const places = shown.map((trait) => row.traits.indexOf(trait));
  const found = await readTablePage<Record<string, string | number | null>>(tables, key, {
    columns: ['individual', ...places.flatMap((t) => [`gebv_${t}`, `reliability_${t}`])],
    ...orderOf(row, query.sort),
    search: { column: 'individual', text: query.search },
    limit: query.limit,
    cursor: query.cursor,
  });
  const search = query.search ?? '';
  const [{ total } = { total: 0 }] = await tables.query<{ total: number }>(
    key,
    (table) => `select count(*) as total from ${table} where contains(lower(individual), lower($1))`,
    [search],
  );
  return {
    traits: shown,
    data: found.data.map((one) => ({
      individual: String(one['individual']),
      gebv: places.map((t) => Number(one[`gebv_${t}`])),
      reliability: places.map((t) => {
        const reliability = one[`reliability_${t}`];
        return typeof reliability === 'number' ? reliability : null;
      }),
    })),
    next_cursor: found.next_cursor,
    total,
  };
}

function orderOf(row: PredictionRow, sort: string | undefined): { order: string; isDescending: boolean } {
  if (sort === undefined) return { order: 'place', isDescending: false };
  // A trait may begin with a minus itself.
  const isDescending = sort.startsWith('-') && !row.traits.includes(sort);
  const column = isDescending ? sort.slice(1) : sort;
  if (column === 'individual' && !row.traits.includes(column)) return { order: 'by_name', isDescending };
  // Rank 0 is the largest value.
  return { order: `rank_${placeOf(row, column, 'query.sort')}`, isDescending: !isDescending };
}

function placeOf(row: PredictionRow, trait: string, parameter: string): number {
  const place = row.traits.indexOf(trait);
  if (place >= 0) return place;
  throw new Problem(
    'request/invalid',
    `This prediction has no trait "${trait}". Its traits are ${row.traits.join(', ')}.`,
    {
      invalidParams: [{ name: parameter, reason: 'Not a trait of this prediction' }],
    },
  );
}

async function nameTaken<Result>(name: string | undefined, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!violates(error, 'predictions_name')) throw error;
    throw new Problem(
      'request/conflict',
      `There is a prediction "${name}" in this project already. Choose another name.`,
      { cause: error, invalidParams: [{ name: 'body.name', reason: 'This name is taken' }] },
    );
  }
}

async function tell(db: Queryable, { id, project_id, organization_id }: PredictionRow): Promise<void> {
  await publishEvent(db, { type: 'prediction', id, project_id, organization_id });
}

/** An input went: ends the runs that still need it. */
async function endRuns(
  db: Queryable,
  projectId: string,
  predictions: readonly { id: string }[],
  what: string,
): Promise<JobReference[]> {
  const stopped: JobReference[] = [];
  for (const { id } of predictions) {
    const jobs = await failRuns(db, 'prediction_id', id, inputGone(what));
    if (jobs.length === 0) continue;
    await updatePredictionStatus(db, projectId, id, { status: 'ERROR', error_extra: inputGone(what) });
    await tell(db, await getRow(db, projectId, id));
    stopped.push(...jobs);
  }
  return stopped;
}

/** What predictions say when a file goes. */
export const predictionsOfFiles: FileDependants = {
  listDependants: (db, projectId, fileId) => listPredictionsOf(db, projectId, 'genotype_id', fileId),
  endRunsOf: async (db, projectId, fileId) =>
    endRuns(db, projectId, await listPredictionsOf(db, projectId, 'genotype_id', fileId), 'The genotype file'),
};

/** And when a model goes. */
export const predictionsOfModels: ModelDependants = {
  endRunsOf: async (db, projectId, modelId) =>
    endRuns(db, projectId, await listPredictionsOf(db, projectId, 'model_id', modelId), 'The model'),
};
