import type { InputOf } from '@heterosis/contracts/endpoint';
import type { predictionsApi } from '@heterosis/contracts/endpoints/work/predictions';
import type { PredictionResults } from '@heterosis/contracts/work/predictions';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { hasColumn, numberOrNull, readTablePage } from '../../../platform/result-tables/read-table-page.ts';
import { findTraitSettings } from '../../people/projects/index.ts';
import { getNamedRun } from '../runs/kind/index.ts';
import { requireResultKey } from '../runs/results/index.ts';
import { predictions } from './prediction.kind.ts';
import type { PredictionRow } from './predictions.queries.ts';
import { withIndex } from './selection-index.ts';

/** `GET …/predictions/{id}/results`. Sorted by individual, or by a trait (largest first with a leading minus). */
export async function getResults(
  { services: { db, tables }, access: { projectId } }: ProjectCall,
  { id, query }: InputOf<typeof predictionsApi.getResults>,
): Promise<PredictionResults> {
  const row = await getNamedRun(predictions, db, projectId, id);
  const key = requireResultKey('The prediction', row, 'table');
  const shown = query.trait === undefined ? row.traits : [query.trait];
  for (const trait of shown) placeOf(row, trait, 'query.trait');
  const places = shown.map((trait) => row.traits.indexOf(trait));
  const hasGenotypic = await hasColumn(tables, key, 'genotypic_0');
  const kinds = hasGenotypic ? ['gebv', 'reliability', 'genotypic', 'genotypic_reliability'] : ['gebv', 'reliability'];
  const source = withIndex(await findTraitSettings(db, projectId, row.traits));
  const found = await readTablePage<Record<string, string | number | null>>(tables, key, {
    columns: [
      'individual',
      ...places.flatMap((t) => kinds.map((kind) => `${kind}_${t}`)),
      ...(source ? ['selection_index'] : []),
    ],
    source,
    ...orderOf(row, query.sort, source !== undefined),
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
      reliability: places.map((t) => numberOrNull(one[`reliability_${t}`])),
      genotypic: places.map((t) => numberOrNull(one[`genotypic_${t}`])),
      genotypic_reliability: places.map((t) => numberOrNull(one[`genotypic_reliability_${t}`])),
      index: numberOrNull(one['selection_index']),
    })),
    next_cursor: found.next_cursor,
    total,
  };
}

function orderOf(
  row: PredictionRow,
  sort: string | undefined,
  hasIndex: boolean,
): { order: string; isDescending: boolean } {
  if (sort === undefined) return { order: 'place', isDescending: false };
  // The trait's own name may begin with a minus.
  const isDescending = sort.startsWith('-') && !row.traits.includes(sort);
  const column = isDescending ? sort.slice(1) : sort;
  if (column === 'individual' && !row.traits.includes(column)) return { order: 'by_name', isDescending };
  if (column === 'index' && hasIndex && !row.traits.includes(column))
    return { order: 'index_rank', isDescending: !isDescending };
  // Rank 0 is the largest value.
  return { order: `rank_${placeOf(row, column, 'query.sort')}`, isDescending: !isDescending };
}

/** Place of a trait in the table of a prediction. */
export function placeOf(row: PredictionRow, trait: string, parameter: string): number {
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
