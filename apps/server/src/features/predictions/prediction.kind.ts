import type { Prediction, PredictionDetail } from '@heterosis/contracts/predictions';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import { Problem } from '../../platform/http/problem.ts';
import { numberOrNull, readRowsOf } from '../../platform/result-tables/read-table-page.ts';
import {
  leftOutFile,
  leftOutInWords,
  leftOutOfRun,
  makeBundle,
  progressOf,
  provenanceOf,
  type Run,
  type RunKindDefinition,
  reasonInWords,
  referenceTo,
  requireInputs,
  startStep,
} from '../runs/index.ts';
import {
  PREDICTION_KEY_FIGURE,
  type PredictionRow,
  predictionSelection,
  updatePredictionStatus,
} from './predictions.queries.ts';
import { runPredictionJob } from './run-prediction.job.ts';

export const predictions: RunKindDefinition<PredictionRow, Prediction, PredictionDetail, 'prediction'> = {
  ...predictionSelection,
  firstStep: () => ({ job: runPredictionJob, step: 'predict' }),
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
      ...(await leftOutOfRun(storage, row, [{ report: row.report?.left_out, key: row.result_keys.left_out }])),
      provenance: provenanceOf(runs, { createdBy: row.creator, seed: null, parameters: row.parameters }),
    };
  },

  toBundle({ result_keys }, detail) {
    const { csv: key } = result_keys;
    const { id, name, description, traits, report, provenance } = detail;
    const inputs = { model: detail.model?.name ?? null, genotype: detail.genotype?.name ?? null };
    return makeBundle(
      { kind: 'prediction', id, name, description, traits, inputs, results: report, provenance },
      predictionMethods(detail),
      [
        ...(key === undefined ? [] : [{ name: 'predictions.csv', content: { key } }]),
        ...leftOutFile([{ result_keys }]),
      ],
    );
  },

  outcome({ status, traits, report, error_extra }) {
    if (status === 'PROCESSING') return undefined;
    if (error_extra !== null) return { results: [], failures: [reasonInWords(error_extra)] };
    return { results: [`${report?.individuals} individuals predicted for ${traits.join(', ')}.`], failures: [] };
  },

  async valuesOf({ tables }, { traits, result_keys: { table: key } }, names) {
    if (key === undefined) return [];
    const rows = await readRowsOf<Record<string, number | string | null>>(tables, key, {
      columns: ['individual', ...traits.flatMap((_, t) => [`gebv_${t}`, `reliability_${t}`])],
      column: 'individual',
      values: names,
    });
    return rows.flatMap((row) =>
      traits.map((trait, t) => ({
        individual: String(row['individual']),
        trait,
        value: numberOrNull(row[`gebv_${t}`]),
        reliability: numberOrNull(row[`reliability_${t}`]),
      })),
    );
  },

  keyFigure: PREDICTION_KEY_FIGURE,

  async restart(services, trx, row, requested) {
    if (row.status !== 'ERROR') throw new Problem('runs/not-retryable', 'Only a failed prediction can be repeated.');
    requireInputs(predictions, row);
    await updatePredictionStatus(trx, row.project_id, row.id, { status: 'PROCESSING' });
    await startStep(services, trx, predictions, row, requested);
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
    key_figure: row.key_figure,
    created_by: row.creator,
    created_by_id: row.created_by,
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
    ...leftOutInWords(report?.left_out),
    'Markers were matched by name, then by position; exchanged alleles were turned, and missing markers counted as the mean of the training panel.',
    `Computed with Heterosis ${provenance.software_version}.`,
  ].join(' ');
}
