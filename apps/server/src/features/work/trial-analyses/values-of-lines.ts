import type { Services } from '../../../platform/http/app.ts';
import { numberOrNull } from '../../../platform/result-tables/read-table-page.ts';
import type { IndividualValue } from '../line-values/index.ts';
import type { TrialAnalysisRow, TrialTraitRow } from './trial-analyses.queries.ts';

interface ValueRow extends Record<string, unknown> {
  line: string;
  environment: string | null;
  value: number | null;
  se: number | null;
  reliability?: number | null;
  percentile: number | null;
}

/**
 * What a trial analysis found for some lines: of a series the BLUPs over all environments and in each, otherwise the
 * BLUPs of the trials, or where lines are fixed only, their means.
 */
export async function valuesOfLines(
  { tables }: Pick<Services, 'tables'>,
  { trait_rows }: TrialAnalysisRow,
  names: readonly string[],
): Promise<IndividualValue[]> {
  const byTrait = await Promise.all(
    trait_rows.map(async (row) =>
      row.result_keys.series_table !== undefined
        ? await valuesOfSeries({ tables }, row, names)
        : row.result_keys.means_table !== undefined
          ? await valuesOfTrials({ tables }, row, names)
          : [],
    ),
  );
  return byTrait.flat();
}

/** The rows of some lines, each with its place among all of its environment. `value` is an expression over columns. */
async function read(
  { tables }: Pick<Services, 'tables'>,
  key: string,
  { value, columns }: { value: string; columns: string },
  names: readonly string[],
): Promise<ValueRow[]> {
  const places = names.map((_, place) => `$${place + 1}`).join(', ');
  return await tables.query<ValueRow>(
    key,
    (table) =>
      `select * from (
         select line, environment, ${columns}, ${value} as value,
           percent_rank() over (partition by environment order by ${value}) as percentile
         from ${table} where ${value} is not null)
       where line in (${places}) order by environment nulls first`,
    names,
  );
}

async function valuesOfSeries(
  services: Pick<Services, 'tables'>,
  { trait, result_keys }: TrialTraitRow,
  names: readonly string[],
): Promise<IndividualValue[]> {
  const columns = { value: 'value', columns: 'se, reliability' };
  const rows = await read(services, result_keys.series_table ?? '', columns, names);
  return rows.map((row) => ({ ...valueOf(trait, row), estimate: 'blup' }));
}

async function valuesOfTrials(
  services: Pick<Services, 'tables'>,
  { trait, result_keys }: TrialTraitRow,
  names: readonly string[],
): Promise<IndividualValue[]> {
  const key = result_keys.means_table ?? '';
  const blups = await read(services, key, { value: 'blup', columns: 'blup_se as se' }, names);
  if (blups.length > 0) return blups.map((row) => ({ ...valueOf(trait, row), estimate: 'blup' }));
  const means = await read(services, key, { value: 'mean', columns: 'se' }, names);
  return means.map((row) => ({ ...valueOf(trait, row), estimate: 'blue' }));
}

const valueOf = (trait: string, row: ValueRow): Omit<IndividualValue, 'estimate'> => ({
  ...{ individual: row.line, trait, environment: row.environment },
  ...{ value: numberOrNull(row.value), se: numberOrNull(row.se) },
  ...{ reliability: numberOrNull(row.reliability), percentile: numberOrNull(row.percentile) },
});
