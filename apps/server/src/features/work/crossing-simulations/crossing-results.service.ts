import type { InputOf } from '@heterosis/contracts/endpoint';
import type { crossingSimulationsApi } from '@heterosis/contracts/endpoints/work/crossing-simulations';
import type {
  CrossDetail,
  CrossingResults,
  CrossOrder,
  ProgenyList,
} from '@heterosis/contracts/work/crossing-simulations';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { hasColumn, readTablePage } from '../../../platform/result-tables/read-table-page.ts';
import { getNamedRun } from '../runs/kind/index.ts';
import { requireResultKey } from '../runs/results/index.ts';
import { correlationColumn } from './cross-result-columns.ts';
import { crossingSimulations } from './crossing-simulation.kind.ts';
import type { CrossingSimulationRow } from './crossing-simulations.queries.ts';
import { type CrossTableRow, crossColumns, readProgenyHistogram, toCross } from './read-crosses.ts';

/** `GET …/crossing_simulations/{id}/results`. */
export async function getResults(
  { services: { db, tables }, access: { projectId } }: ProjectCall,
  { id, query }: InputOf<typeof crossingSimulationsApi.getResults>,
): Promise<CrossingResults> {
  const row = await getNamedRun(crossingSimulations, db, projectId, id);
  const key = requireResultKey('The crossing simulation', row, 'table');
  const t = placeOf(row, query.trait, 'query.trait');
  const other = query.with === undefined ? undefined : placeOf(row, query.with, 'query.with');
  const correlation = other === undefined || other === t ? undefined : correlationColumn(t, other);
  const isOfThisVersion = await hasColumn(tables, key, 'segregating_markers');
  const found = await readTablePage<CrossTableRow>(tables, key, {
    columns: crossColumns(t, { isOfThisVersion, correlation }),
    ...orderOf(query.sort, t),
    search: { column: 'names', text: query.search },
    limit: query.limit,
    cursor: query.cursor,
  });
  const [{ total } = { total: 0 }] = await tables.query<{ total: number }>(
    key,
    (table) => `select count(*) as total from ${table} where contains(lower(names), lower($1))`,
    [query.search ?? ''],
  );
  return {
    data: found.data.map((one) => toCross(one, t, correlation)),
    next_cursor: found.next_cursor,
    total,
  };
}

function orderOf(sort: CrossOrder | `-${CrossOrder}` | undefined, t: number): { order: string; isDescending: boolean } {
  if (sort === undefined) return { order: 'place', isDescending: false };
  const isDescending = sort.startsWith('-');
  const figure = isDescending ? sort.slice(1) : sort;
  return { order: figure === 'cross' ? 'by_name' : `rank_${figure}_${t}`, isDescending };
}

/** `GET …/crossing_simulations/{id}/crosses/{place}`. */
export async function getCross(
  { services: { db, tables }, access: { projectId } }: ProjectCall,
  { id, place: text, query: { trait } }: InputOf<typeof crossingSimulationsApi.getCross>,
): Promise<CrossDetail> {
  const row = await getNamedRun(crossingSimulations, db, projectId, id);
  requireResultKey('The crossing simulation', row, 'table');
  const t = placeOf(row, trait, 'query.trait');
  if (!/^\d{1,9}$/.test(text)) throw notFound('This cross');
  const place = Number(text);
  if (place >= (row.report?.crosses ?? 0)) throw notFound('This cross');
  const key = row.result_keys.progeny_table;
  if (key === undefined) return { place, trait, histogram: null };
  const histogram = await readProgenyHistogram(tables, key, t, place);
  if (histogram === undefined) throw notFound('This cross');
  return { place, trait, histogram };
}

/** `GET …/crossing_simulations/{id}/progeny`: the highest values first, or the lowest where low values are wanted. */
export async function getProgeny(
  { services: { db, tables }, access: { projectId } }: ProjectCall,
  { id, query: { trait, cross, limit } }: InputOf<typeof crossingSimulationsApi.getProgeny>,
): Promise<ProgenyList> {
  const row = await getNamedRun(crossingSimulations, db, projectId, id);
  requireResultKey('The crossing simulation', row, 'table');
  const t = placeOf(row, trait, 'query.trait');
  const key = row.result_keys.progeny_table;
  if (key === undefined) return { traits: row.traits, data: [] };
  const direction = row.parameters.low_traits.includes(trait) ? 'asc' : 'desc';
  const values = row.traits.map((_, place) => `value_${place}`);
  const found = await tables.query<Record<string, string | number>>(
    key,
    (table) => `
      select id, cross_name, ${values.join(', ')} from ${table} ${cross === undefined ? '' : 'where cross_place = $1'}
      order by value_${t} ${direction}, place limit ${limit}`,
    cross === undefined ? [] : [cross],
  );
  return {
    traits: row.traits,
    data: found.map((one) => ({
      id: String(one['id']),
      cross: String(one['cross_name']),
      values: values.map((column) => Number(one[column])),
    })),
  };
}

function placeOf(row: CrossingSimulationRow, trait: string, parameter: string): number {
  const place = row.traits.indexOf(trait);
  if (place >= 0) return place;
  throw new Problem(
    'request/invalid',
    `This crossing simulation has no trait "${trait}". Its traits are ${row.traits.join(', ')}.`,
    { invalidParams: [{ name: parameter, reason: 'Not a trait of this crossing simulation' }] },
  );
}
