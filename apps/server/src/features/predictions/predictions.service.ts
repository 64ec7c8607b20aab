import type { Page } from '@heterosis/contracts/common';
import type {
  createPredictionBody,
  listPredictionsQuery,
  Prediction,
  PredictionDetail,
} from '@heterosis/contracts/predictions';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import type * as z from 'zod';
import type { DatabaseTransaction } from '../../platform/database/database.ts';
import type { Principal, ProjectAccess } from '../../platform/http/access.ts';
import type { Services } from '../../platform/http/app.ts';
import { decodeIdCursor } from '../../platform/http/pagination.ts';
import { Problem } from '../../platform/http/problem.ts';
import { type FileRow, findFile, inputHashes, requireReadyFile } from '../files/index.ts';
import { requireModel, trainedTraits } from '../models/index.ts';
import {
  createNamedRun,
  makeBundle,
  type NamedRuns,
  pageOfRuns,
  progressOf,
  provenanceOf,
  type Run,
  type RunRequestedBy,
  readNamedRun,
  reasonInWords,
  referenceTo,
  runsOnInput,
  startRun,
} from '../runs/index.ts';
import {
  findPrediction,
  insertPrediction,
  listPredictions as listPredictionRows,
  type PredictionRow,
  updatePredictionStatus,
} from './predictions.queries.ts';
import { runPredictionJob } from './run-prediction.job.ts';

export const predictions: NamedRuns<PredictionRow, Prediction, PredictionDetail> = {
  table: 'predictions',
  page: 'predictions',
  kind: 'prediction',
  noun: 'prediction',
  owner: 'prediction_id',
  find: findPrediction,
  toItem: async (_services, row, runs) => toPrediction(row, runs),

  async toDetail({ storage }, row, runs) {
    const csvKey = row.result_keys.csv;
    return {
      ...toPrediction(row, runs),
      description: row.description,
      csv_url:
        csvKey === undefined
          ? null
          : await storage.signGet(csvKey, {
              fileName: `${row.name}_predictions.csv`,
              contentType: 'text/csv; charset=utf-8',
            }),
      model: referenceTo(row.model_id, row.model_name),
      genotype: referenceTo(row.genotype_id, row.genotype_name),
      report: row.report,
      provenance: provenanceOf(runs, { createdBy: row.creator, seed: null, parameters: row.parameters }),
    };
  },

  toBundle({ result_keys: { csv: key } }, detail) {
    const { id, name, description, traits, report, provenance } = detail;
    const inputs = { model: detail.model?.name ?? null, genotype: detail.genotype?.name ?? null };
    return makeBundle(
      { kind: 'prediction', id, name, description, traits, inputs, results: report, provenance },
      predictionMethods(detail),
      key === undefined ? [] : [{ name: 'predictions.csv', content: { key } }],
    );
  },

  outcome({ status, traits, report, error_extra }) {
    if (status === 'PROCESSING') return undefined;
    if (error_extra !== null) return { results: [], failures: [reasonInWords(error_extra)] };
    return { results: [`${report?.individuals} individuals predicted for ${traits.join(', ')}.`], failures: [] };
  },

  failUnfinished: (db, { project_id, id }, error) =>
    updatePredictionStatus(db, project_id, id, { status: 'ERROR', error_extra: error }),

  async restart(services, trx, { id, project_id: projectId, genotype_id, model_id, status }, requested) {
    if (status !== 'ERROR') throw new Problem('runs/not-retryable', 'Only a failed prediction can be repeated.');
    const genotype = genotype_id === null ? undefined : await findFile(trx, projectId, genotype_id);
    if (genotype === undefined || model_id === null)
      throw new Problem('models/input-gone', 'The model or the genotype file was deleted. Create a new prediction.');
    await updatePredictionStatus(trx, projectId, id, { status: 'PROCESSING' });
    await enqueue(services, trx, { projectId, id, genotype, ...requested });
  },
};

function toPrediction(row: PredictionRow, [run]: readonly Run[]): Prediction {
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

/** A paragraph for the methods section of a paper. */
function predictionMethods({ traits, model, report, provenance }: PredictionDetail): string {
  const shared =
    report === null
      ? ''
      : ` ${groupedNumber(report.shared)} of the ${groupedNumber(report.model_markers)} markers of the model were found.`;
  return [
    `Breeding values of ${traits.join(', ')} were predicted with the model “${model?.name ?? 'deleted'}” as its intercept plus the sum of allele dosages times marker effects.${shared}`,
    'Markers were matched by name, then by position; exchanged alleles were turned, and missing markers counted as the mean of the training panel.',
    `Computed with Heterosis ${provenance.software_version}.`,
  ].join(' ');
}

export async function listPredictions(
  services: Services,
  { projectId }: ProjectAccess,
  query: z.output<typeof listPredictionsQuery>,
): Promise<Page<Prediction>> {
  const rows = await listPredictionRows(services.db, projectId, {
    name: query.name,
    modelId: query.model_id,
    modelName: query.model_name,
    modelGenotypeId: query.model_genotype_id,
    modelPhenotypeId: query.model_phenotype_id,
    limit: query.limit,
    after: decodeIdCursor(query.cursor),
  });
  return await pageOfRuns(services, predictions, rows, query.limit);
}

export async function getPrediction(
  services: Services,
  { projectId }: ProjectAccess,
  id: string,
): Promise<PredictionDetail> {
  return await readNamedRun(services, predictions, projectId, id);
}

/** Model and genotype are checked; then the prediction and its job come to be in one transaction. */
export async function createPrediction(
  services: Services,
  { projectId }: ProjectAccess,
  principal: Principal,
  body: z.output<typeof createPredictionBody>,
): Promise<PredictionDetail> {
  const { db } = services;
  const model = await requireModel(db, projectId, body.model_id);
  const traits = trainedTraits(model);
  const genotypeId = body.genotype_id ?? model.genotype_id;
  if (genotypeId === null)
    throw new Problem(
      'models/input-gone',
      'The genotype that this model was trained on was deleted. Choose another genotype file.',
      { invalidParams: [{ name: 'body.genotype_id', reason: 'Choose a genotype file' }] },
    );
  const genotype = await requireReadyFile(db, projectId, genotypeId, 'GENOTYPE');
  return await createNamedRun(services, predictions, { projectId, name: body.name }, async (trx) => {
    const id = await insertPrediction(trx, {
      projectId,
      name: body.name,
      traits,
      genotypeId: genotype.id,
      modelId: model.id,
      minMarkerShare: body.min_marker_share,
      createdBy: principal.userId,
    });
    await enqueue(services, trx, { projectId, id, genotype, requestedBy: principal.userId });
    return id;
  });
}

async function enqueue(
  services: Services,
  trx: DatabaseTransaction,
  { projectId, id, genotype, ...requested }: { projectId: string; id: string; genotype: FileRow } & RunRequestedBy,
): Promise<void> {
  await startRun(services, trx, runPredictionJob, {
    projectId,
    owner: 'prediction_id',
    ownerId: id,
    kind: 'predict',
    ...requested,
    inputSha256: inputHashes({ genotype }),
  });
}

/** What predictions say when a file goes. */
export const predictionsOfFiles = runsOnInput(predictions, ['genotype_id'], 'The genotype file');

/** And when a model goes. */
export const predictionsOfModels = runsOnInput(predictions, ['model_id'], 'The model');
