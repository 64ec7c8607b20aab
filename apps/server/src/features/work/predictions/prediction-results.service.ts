import type { InputOf } from '@heterosis/contracts/endpoint';
import type { predictionsApi } from '@heterosis/contracts/endpoints/work/predictions';
import type { PredictionResults } from '@heterosis/contracts/work/predictions';
import type { Services } from '../../../platform/http/app.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { hasColumn, numberOrNull, readTablePage } from '../../../platform/result-tables/read-table-page.ts';
import { findTraitSettings } from '../../people/projects/index.ts';
import { findModel, geneticCovariancesOf, type ModelRow, observedValues } from '../models/index.ts';
import { getNamedRun } from '../runs/kind/index.ts';
import { requireResultKey } from '../runs/results/index.ts';
import { predictions } from './prediction.kind.ts';
import type { PredictionRow } from './predictions.queries.ts';
import { readIndex } from './selection-index.ts';

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
  const kinds = [
    ...['gebv', 'rank', 'reliability'],
    ...(hasGenotypic ? ['genotypic', 'genotypic_reliability'] : []),
    ...((await hasColumn(tables, key, 'se_0')) ? ['se'] : []),
  ];
  const model = row.model_id === null ? undefined : await findModel(db, projectId, row.model_id);
  const settings = await findTraitSettings(db, projectId, row.traits);
  const index = await readIndex(tables, key, settings, (trait) => geneticCovariancesOf(model, trait));
  const errorOf = index?.errorOf ?? null;
  const found = await readTablePage<Record<string, string | number | null>>(tables, key, {
    columns: [
      'individual',
      ...places.flatMap((t) => kinds.map((kind) => `${kind}_${t}`)),
      ...(index ? ['selection_index'] : []),
      ...(errorOf === null ? [] : row.traits.map((_, t) => `se_${t}`)),
    ],
    source: index?.source,
    ...orderOf(row, query.sort, index !== undefined),
    search: { column: 'individual', text: query.search },
    limit: query.limit,
    cursor: query.cursor,
  });
  const search = query.search ?? '';
  const [{ total, everybody } = { total: 0, everybody: 0 }] = await tables.query<{ total: number; everybody: number }>(
    key,
    (table) =>
      `select count(*) filter (where contains(lower(individual), lower($1))) as total, count(*) as everybody from ${table}`,
    [search],
  );
  const observed = await readObserved(
    tables,
    model,
    shown,
    found.data.map((one) => String(one['individual'])),
  );
  return {
    traits: shown,
    index_weights: index ? places.map((t) => index.weights[t] ?? 0) : null,
    index_information: index
      ? geneticCovariancesOf(model, row.traits[0] ?? '') === null
        ? 'accuracies'
        : 'model'
      : null,
    data: found.data.map((one, at) => ({
      individual: String(one['individual']),
      gebv: places.map((t) => Number(one[`gebv_${t}`])),
      reliability: places.map((t) => numberOrNull(one[`reliability_${t}`])),
      se: places.map((t) => numberOrNull(one[`se_${t}`])),
      genotypic: places.map((t) => numberOrNull(one[`genotypic_${t}`])),
      genotypic_reliability: places.map((t) => numberOrNull(one[`genotypic_reliability_${t}`])),
      // Rank 0 is the largest value.
      percentile: places.map((t) => (everybody - 1 - Number(one[`rank_${t}`])) / Math.max(1, everybody - 1)),
      observed: observed?.[at] ?? null,
      index: numberOrNull(one['selection_index']),
      index_se: errorOf === null ? null : errorOf(row.traits.map((_, t) => numberOrNull(one[`se_${t}`]))),
    })),
    next_cursor: found.next_cursor,
    total,
  };
}

/** The values of some individuals that the model was trained on, by trait; undefined when the model was deleted. */
async function readObserved(
  tables: Services['tables'],
  model: ModelRow | undefined,
  traits: readonly string[],
  individuals: readonly string[],
): Promise<(number | null)[][] | undefined> {
  if (model === undefined) return undefined;
  const byTrait = await Promise.all(traits.map((trait) => observedValues(tables, model, trait, individuals)));
  return individuals.map((name) => byTrait.map((values) => values.get(name) ?? null));
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
