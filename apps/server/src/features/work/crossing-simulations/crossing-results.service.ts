import type { InputOf } from '@heterosis/contracts/endpoint';
import type { crossingSimulationsApi } from '@heterosis/contracts/endpoints/work/crossing-simulations';
import type {
  CrossDetail,
  CrossingResults,
  CrossOrder,
  CrossRow,
  ProgenyList,
} from '@heterosis/contracts/work/crossing-simulations';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { hasColumn, readTablePage } from '../../../platform/result-tables/read-table-page.ts';
import { getNamedRun } from '../runs/kind/index.ts';
import { requireResultKey } from '../runs/results/index.ts';
import { CROSS_FIGURES, correlationColumn, LATER_COLUMNS, LATER_FIGURES } from './cross-result-columns.ts';
import { crossingSimulations } from './crossing-simulation.kind.ts';
import type { CrossingSimulationRow } from './crossing-simulations.queries.ts';

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
  const found = await readTablePage<TableRow>(tables, key, {
    columns: [
      ...['place', 'cross_name', 'parent1', 'parent2', 'population', 'progeny'],
      ...CROSS_FIGURES.map((figure) => `${figure}_${t}`),
      ...(isOfThisVersion ? [...LATER_COLUMNS, ...LATER_FIGURES.map((figure) => `${figure}_${t}`)] : []),
      ...(correlation === undefined ? [] : [correlation]),
    ],
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

type TableRow = Record<string, string | number | null>;

function toCross(one: TableRow, t: number, correlation: string | undefined): CrossRow {
  const figure = (name: (typeof CROSS_FIGURES)[number]) => Number(one[`${name}_${t}`]);
  return {
    place: Number(one['place']),
    cross: String(one['cross_name']),
    parent1: String(one['parent1']),
    parent2: String(one['parent2']),
    parent3: textOrNull(one['parent3']),
    parent4: textOrNull(one['parent4']),
    population: one['population'] as CrossRow['population'],
    progeny: Number(one['progeny']),
    parent1_value: figure('parent1_value'),
    parent2_value: figure('parent2_value'),
    parent3_value: numberOrNull(one[`parent3_value_${t}`]),
    parent4_value: numberOrNull(one[`parent4_value_${t}`]),
    mean: figure('mean'),
    sd: figure('sd'),
    usefulness: figure('usefulness'),
    p_transgress: figure('p_transgress'),
    expected_best: figure('expected_best'),
    sim_mean: numberOrNull(one[`sim_mean_${t}`]),
    sim_sd: numberOrNull(one[`sim_sd_${t}`]),
    kinship: numberOrNull(one['kinship']),
    segregating_markers: numberOrNull(one['segregating_markers']),
    correlation: correlation === undefined ? null : numberOrNull(one[correlation]),
  };
}

const numberOrNull = (value: string | number | null | undefined): number | null =>
  typeof value === 'number' ? value : null;
const textOrNull = (value: string | number | null | undefined): string | null =>
  typeof value === 'string' ? value : null;

function orderOf(sort: CrossOrder | `-${CrossOrder}` | undefined, t: number): { order: string; isDescending: boolean } {
  if (sort === undefined) return { order: 'place', isDescending: false };
  const isDescending = sort.startsWith('-');
  const figure = isDescending ? sort.slice(1) : sort;
  return { order: figure === 'cross' ? 'by_name' : `rank_${figure}_${t}`, isDescending };
}

const BINS = 40;

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
  const bins = await tables.query<{ least: number; most: number; bin: number; count: number }>(
    key,
    (table) => `
      with progeny as (select value_${t} as value from ${table} where cross_place = $1),
        ends as (select min(value) as least, max(value) as most from progeny)
      select least, most, count(*)::integer as count,
        case when most > least then least(${BINS - 1}, floor((value - least) / (most - least) * ${BINS})) else 0 end::integer as bin
      from progeny, ends group by all`,
    [place],
  );
  const [first] = bins;
  if (first === undefined) throw notFound('This cross');
  const counts = Array.from({ length: first.most > first.least ? BINS : 1 }, () => 0);
  for (const { bin, count } of bins) counts[bin] = count;
  return { place, trait, histogram: { from: first.least, to: first.most, counts } };
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
