import type { InputOf } from '@heterosis/contracts/endpoint';
import type { trialAnalysesApi } from '@heterosis/contracts/endpoints/work/trial-analyses';
import type {
  TrialLine,
  TrialMeanRow,
  TrialMeans,
  TrialPlots,
  TrialSeries,
  TrialStrips,
  TrialVariogram,
} from '@heterosis/contracts/work/trial-analyses';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { numberOrNull, readTablePage } from '../../../platform/result-tables/read-table-page.ts';
import { getNamedRun } from '../runs/kind/index.ts';
import { perTrait } from '../runs/results/index.ts';
import { keyOf, placeOf, readField, readJson, stripsOf } from './read-trials.ts';
import type { StoredField } from './stored-trials.ts';
import type { TrialTraitRow } from './trial-analyses.queries.ts';
import { trialAnalyses } from './trial-analysis.kind.ts';

type Input<Name extends keyof typeof trialAnalysesApi> = InputOf<(typeof trialAnalysesApi)[Name]>;

/** `GET …/trial_analyses/{id}/trials`. */
export async function getTrials(call: ProjectCall, { id, query }: Input<'getTrials'>): Promise<TrialStrips> {
  const { trait, unit, data } = await stripsOf(call.services, await traitOf(call, id, query.trait));
  return { trait, unit, data };
}

/** `GET …/trial_analyses/{id}/plots`. */
export async function getPlots(call: ProjectCall, { id, query }: Input<'getPlots'>): Promise<TrialPlots> {
  return (await fieldOf(call, id, query)).plots;
}

/** `GET …/trial_analyses/{id}/variogram`. */
export async function getVariogram(call: ProjectCall, { id, query }: Input<'getVariogram'>): Promise<TrialVariogram> {
  return (await fieldOf(call, id, query)).variogram;
}

/** `GET …/trial_analyses/{id}/series`. */
export async function getSeries(call: ProjectCall, { id, query }: Input<'getSeries'>): Promise<TrialSeries> {
  const row = await traitOf(call, id, query.trait);
  const reason = row.summary?.no_series;
  if (reason != null)
    throw new Problem('runs/no-result', `The trials of ${row.trait} are not analysed together. ${reason}`, {
      details: { reason: row.summary?.no_series_code ?? null },
    });
  return await readJson<TrialSeries>(call.services, row, 'series_page');
}

const SORTS = ['place', 'line', 'environment', 'mean', 'blup'];

/** `GET …/trial_analyses/{id}/means`. */
export async function getMeans(call: ProjectCall, { id, query }: Input<'getMeans'>): Promise<TrialMeans> {
  const { services } = call;
  const row = await traitOf(call, id, query.trait);
  const key = keyOf(row, 'means_table');
  const { unit, data: strips } = await stripsOf(services, row);
  const place = query.environment === undefined ? -1 : placeOf(strips, query.environment);
  const isDescending = query.sort?.startsWith('-') === true;
  const order = (isDescending ? query.sort?.slice(1) : query.sort) ?? 'place';
  if (!SORTS.includes(order)) {
    const reason = `The order is one of ${SORTS.slice(1).join(', ')}.`;
    throw new Problem('request/invalid', reason, { invalidParams: [{ name: 'query.sort', reason }] });
  }
  // The place of the environment among the strips, never text of a user.
  const source = (table: string): string =>
    place < 0 ? table : `(select * from ${table} where environment_place = ${place})`;
  const found = await readTablePage<TrialMeanRow & Record<string, unknown>>(services.tables, key, {
    columns: ['environment', 'line', 'mean', 'se', 'blup', 'blup_se', 'replicates'],
    order: order === 'place' ? order : `by_${order}`,
    ...{
      isDescending,
      source,
      search: { column: 'line', text: query.search },
      limit: query.limit,
      cursor: query.cursor,
    },
  });
  const [{ total } = { total: 0 }] = await services.tables.query<{ total: number }>(
    key,
    (table) => `select count(*) as total from ${source(table)} where contains(lower(line), lower($1))`,
    [query.search ?? ''],
  );
  return {
    ...{ unit, mean_sed: strips[place]?.mean_sed ?? null, next_cursor: found.next_cursor, total },
    data: found.data.map((one) => meanRow(one)),
  };
}

const meanRow = ({ environment, line, mean, se, blup, blup_se, replicates }: TrialMeanRow): TrialMeanRow => ({
  ...{ environment, line, replicates, mean: numberOrNull(mean), se: numberOrNull(se) },
  ...{ blup: numberOrNull(blup), blup_se: numberOrNull(blup_se) },
});

/** `GET …/trial_analyses/{id}/lines/{name}`. */
export async function getLine(call: ProjectCall, { id, name, query }: Input<'getLine'>): Promise<TrialLine> {
  const { services } = call;
  const row = await traitOf(call, id, query.trait);
  const { unit, data: strips } = await stripsOf(services, row);
  const means = await services.tables.query<TrialMeanRow & Record<string, unknown>>(
    keyOf(row, 'means_table'),
    (table) => `select environment, line, mean, se, blup, blup_se, replicates from ${table} where line = $1`,
    [name],
  );
  const key = row.result_keys.series_table;
  const effects =
    key === undefined
      ? []
      : await services.tables.query<{
          environment: string | null;
          value: number;
          se: number;
          reliability: number | null;
        }>(key, (table) => `select environment, value, se, reliability from ${table} where line = $1`, [name]);
  if (means.length === 0 && effects.length === 0) throw notFound(`A line "${name}" in this trial analysis`);
  const meanOf = new Map(means.map((one) => [one.environment, meanRow(one)]));
  const effectOf = new Map(effects.map((one) => [one.environment, one]));
  const overall = effectOf.get(null);
  return {
    ...{ line: name, trait: row.trait, unit },
    environments: strips.map(({ environment }) => {
      const mean = meanOf.get(environment);
      const effect = effectOf.get(environment);
      return {
        ...{ environment, mean: mean?.mean ?? null, se: mean?.se ?? null, blup: mean?.blup ?? null },
        ...{ blup_se: mean?.blup_se ?? null, replicates: mean?.replicates ?? 0, value: numberOrNull(effect?.value) },
        ...{ value_se: numberOrNull(effect?.se), reliability: numberOrNull(effect?.reliability) },
      };
    }),
    overall:
      overall === undefined
        ? null
        : { value: overall.value, se: overall.se, reliability: numberOrNull(overall.reliability) },
  };
}

async function fieldOf(
  call: ProjectCall,
  id: string,
  { environment, trait }: { environment: string; trait: string },
): Promise<StoredField> {
  const row = await traitOf(call, id, trait);
  const { data, fields } = await stripsOf(call.services, row);
  const place = placeOf(data, environment);
  const range = fields[place];
  if (range == null)
    throw new Problem('runs/no-result', `${trait} in ${environment} was not analysed. ${data[place]?.reason ?? ''}`);
  return await readField(call.services, row, range);
}

/** The trait of a run; refuses another one. */
async function traitOf(
  { services, access: { projectId } }: ProjectCall,
  id: string,
  trait: string,
): Promise<TrialTraitRow> {
  return perTrait.requireRow(await getNamedRun(trialAnalyses, services.db, projectId, id), trait);
}
