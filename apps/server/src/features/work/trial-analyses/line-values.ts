import type { Services } from '../../../platform/http/app.ts';
import { type LineValues, readErrorTriangles } from '../line-values/index.ts';
import { getNamedRun } from '../runs/kind/index.ts';
import { keyOf, stripsOf } from './read-trials.ts';
import { listNewestAnalyses } from './served-means.ts';
import type { TrialTraitRow } from './trial-analyses.queries.ts';
import { trialAnalyses } from './trial-analysis.kind.ts';

type Row = { line: string; value: number | null; se: number | null; reliability: number | null };

/** Id of the newest analysis with results. */
export const newestAnalysis = async ({ db }: Pick<Services, 'db'>, projectId: string): Promise<string | undefined> =>
  (await listNewestAnalyses(db, [projectId]))[0]?.id;

/**
 * What an analysis says about each line over all trials: BLUPs of the series, of an analysis of one trial those of the
 * trial. Traits whose trials were not analysed together are left out.
 */
export async function readAnalysedLines(
  services: Pick<Services, 'db' | 'tables' | 'storage'>,
  projectId: string,
  id: string,
): Promise<LineValues> {
  const errorsOf =
    ({ result_keys: { errors: key } }: TrialTraitRow) =>
    async () =>
      key === undefined ? null : ((await readErrorTriangles(services.storage, key))[0] ?? null);
  const run = await getNamedRun(trialAnalyses, services.db, projectId, id);
  const traits: LineValues['traits'] = [];
  const left_out: LineValues['left_out'] = [];
  for (const row of run.trait_rows) {
    if (row.status !== 'SUCCESS') continue;
    const { unit } = await stripsOf(services, row);
    const shared = { trait: row.trait, unit, errors: errorsOf(row), genetic: null };
    const series = row.result_keys.series_table;
    if (series !== undefined) {
      const rows = await services.tables.query<Row>(
        series,
        (table) => `select line, value, se, reliability from ${table} where environment is null`,
      );
      traits.push({ ...shared, key: series, what: 'BLUP over all trials', rows });
      continue;
    }
    const key = keyOf(row, 'means_table');
    const rows = await services.tables.query<Row & { environments: number }>(
      key,
      (table) => `select line, blup as value, blup_se as se, null as reliability,
        (select count(distinct environment) from ${table}) as environments from ${table}`,
    );
    if ((rows[0]?.environments ?? 0) > 1)
      left_out.push(`${row.trait}: its trials are not analysed together. ${row.summary?.no_series ?? ''}`.trim());
    else traits.push({ ...shared, key, what: 'BLUP of the trial', rows });
  }
  return { run: { id: run.id, name: run.name, created_at: run.created_at }, traits, left_out };
}
