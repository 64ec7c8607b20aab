import type { Services } from '../../../platform/http/app.ts';
import { hasColumn } from '../../../platform/result-tables/read-table-page.ts';
import { type LineValues, lineValuesOf } from '../line-values/index.ts';
import { findModel, geneticCovariancesOf } from '../models/index.ts';
import { getNamedRun } from '../runs/kind/index.ts';
import { requireResultKey } from '../runs/results/index.ts';
import { predictions } from './prediction.kind.ts';
import { readRanking, standardErrorOf } from './predictions.queries.ts';

/** Id of the newest prediction that succeeded. */
export const newestPrediction = async ({ db }: Pick<Services, 'db'>, projectId: string): Promise<string | undefined> =>
  (await readRanking(db, projectId)).ranking?.id;

/** Breeding values with the roots of their prediction error variances. */
export async function readPredictedLines(
  services: Pick<Services, 'db' | 'tables' | 'storage'>,
  projectId: string,
  id: string,
): Promise<LineValues> {
  const run = await getNamedRun(predictions, services.db, projectId, id);
  const key = requireResultKey('The prediction', run, 'table');
  const hasSe = await hasColumn(services.tables, key, 'se_0');
  const model = run.model_id === null ? undefined : await findModel(services.db, projectId, run.model_id);
  return await lineValuesOf(services, run, {
    key,
    geneticOf: (trait) => geneticCovariancesOf(model, trait),
    errors: run.result_keys.errors,
    what: 'Breeding value (GEBV)',
    columns: (t, table) => `individual as line, gebv_${t} as value, reliability_${t} as reliability,
      ${standardErrorOf(t, table, hasSe)} as se`,
  });
}
