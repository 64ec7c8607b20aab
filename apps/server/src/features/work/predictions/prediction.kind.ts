import type { Prediction, PredictionDetail } from '@heterosis/contracts/work/predictions';
import { hasColumn, numberOrNull, readRowsOf } from '../../../platform/result-tables/read-table-page.ts';
import { inputs, oneStep, type RunKindDefinition } from '../runs/kind/index.ts';
import { leftOut, provenanceOf } from '../runs/results/index.ts';
import type { Run } from '../runs/work/index.ts';
import { runPredictionJob } from './jobs.ts';
import { predictionMethods } from './methods-paragraph.ts';
import { predictionReport } from './prediction-report.ts';
import { PREDICTION_KEY_FIGURE, type PredictionRow, predictionSelection, readRanking } from './predictions.queries.ts';

export const predictions: RunKindDefinition<PredictionRow, Prediction, PredictionDetail, 'prediction'> = {
  ...predictionSelection,
  unused: ({ parameters }) => (parameters.known === true ? [] : ['phenotype']),
  firstStep: () => ({ job: runPredictionJob, step: 'predict' }),
  toItem: async (_services, row, runs) => toPrediction(row, runs),

  async toDetail({ storage }, row, runs) {
    return {
      ...toPrediction(row, runs),
      description: row.description,
      csv_url: await oneStep.csvUrl(storage, row, 'csv', 'predictions'),
      ...inputs.references(row, 'model', 'genotype', 'phenotype'),
      report: row.report,
      ...(await leftOut.ofRun(storage, row, [{ report: row.report?.left_out, key: row.result_keys.left_out }])),
      provenance: provenanceOf(runs, { createdBy: row.creator, seed: null, parameters: row.parameters }),
    };
  },

  toBundle(row, detail) {
    const { report: results, provenance } = detail;
    const names = {
      ...inputs.names(detail, 'model', 'genotype'),
      ...(row.parameters.known === true ? inputs.names(detail, 'phenotype') : {}),
    };
    const files = [...oneStep.files(row, { 'predictions.csv': 'csv' }), ...leftOut.file([row])];
    return { inputs: names, results, provenance, files };
  },

  methods: (_row, detail) => predictionMethods(detail),

  outcome: (row) =>
    oneStep.outcome(row, ({ report, traits }) => [
      `${report?.individuals} individuals predicted for ${traits.join(', ')}.`,
    ]),

  reportParts: predictionReport,

  async valuesOf({ tables }, { traits, report, result_keys: { table: key } }, names) {
    if (key === undefined) return [];
    const hasSe = await hasColumn(tables, key, 'se_0');
    const kinds = ['gebv', 'rank', 'reliability', ...(hasSe ? ['se'] : [])];
    const rows = await readRowsOf<Record<string, number | string | null>>(tables, key, {
      columns: ['individual', ...traits.flatMap((_, t) => kinds.map((kind) => `${kind}_${t}`))],
      column: 'individual',
      values: names,
    });
    const others = (report?.individuals ?? 0) - 1;
    return rows.flatMap((row) =>
      traits.map((trait, t) => ({
        ...{ individual: String(row['individual']), trait, environment: null, estimate: 'gebv' as const },
        value: numberOrNull(row[`gebv_${t}`]),
        se: numberOrNull(row[`se_${t}`]),
        reliability: numberOrNull(row[`reliability_${t}`]),
        // Rank 0 is the largest value.
        percentile: others > 0 ? (others - Number(row[`rank_${t}`])) / others : null,
      })),
    );
  },

  keyFigure: PREDICTION_KEY_FIGURE,
  overviewResults: readRanking,

  repeat: (services, trx, row, by) => oneStep.repeat(services, trx, predictions, { row, by }),
};

const toPrediction = (row: PredictionRow, runs: readonly Run[]): Prediction => ({
  ...oneStep.item(row, runs),
  ...inputs.columns(
    row,
    ...(['genotype_id', 'model_id', 'phenotype_id'] as const),
    ...(['genotype_name', 'model_name', 'phenotype_name'] as const),
  ),
});
