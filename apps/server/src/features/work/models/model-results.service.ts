import type { Page } from '@heterosis/contracts/common';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { modelsApi } from '@heterosis/contracts/endpoints/work/models';
import type { GebvRow, MarkerEffect, ModelEvaluation } from '@heterosis/contracts/work/models';
import type { ProjectAccess } from '../../../platform/http/access.ts';
import type { Services } from '../../../platform/http/app.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { readObject } from '../../../platform/object-storage/stored-panel.ts';
import { hasColumn, readTablePage } from '../../../platform/result-tables/read-table-page.ts';
import { getNamedRun } from '../runs/kind/index.ts';
import { perTrait, requireResultKey } from '../runs/results/index.ts';
import { models } from './model.kind.ts';
import type { ModelResultKind } from './models.queries.ts';
import { completeEvaluation } from './stored-evaluations.ts';

/** `GET …/models/{id}/evaluation`: data of the evaluation plots. */
export async function getEvaluation(
  { services, access }: ProjectCall,
  { id, query: { trait } }: InputOf<typeof modelsApi.getEvaluation>,
): Promise<ModelEvaluation> {
  const model = await getNamedRun(models, services.db, access.projectId, id);
  const key = requireResultKey(trait, perTrait.requireRow(model, trait), 'evaluation');
  const stored = new TextDecoder().decode(await readObject(services.storage, key));
  return completeEvaluation(JSON.parse(stored), model.parameters);
}

const EFFECT_COLUMNS = ['id', 'chr', 'pos', 'A1', 'A2', 'freqA2', 'additive', 'dominance'];

/** `GET …/models/{id}/effects`. */
export async function listMarkerEffects(
  { services, access }: ProjectCall,
  { id, query: { trait, sort, search, limit, cursor } }: InputOf<typeof modelsApi.listMarkerEffects>,
): Promise<Page<MarkerEffect>> {
  const key = await resultKey(services, access, { id, trait, kind: 'effects_table' });
  const hasInclusion = await hasColumn(services.tables, key, 'pip');
  const page = await readTablePage<MarkerEffect>(services.tables, key, {
    columns: hasInclusion ? [...EFFECT_COLUMNS, 'pip'] : EFFECT_COLUMNS,
    order: sort === 'position' ? 'place' : 'by_effect',
    search: { column: 'id', text: search },
    limit,
    cursor,
  });
  return hasInclusion ? page : { ...page, data: page.data.map((row) => ({ ...row, pip: null })) };
}

const GEBV_COLUMNS = ['rank', 'individual', 'gebv', 'reliability', 'observed'];
const GENOTYPIC_COLUMNS = ['genotypic', 'genotypic_reliability'];

/** `GET …/models/{id}/gebv`. */
export async function listGebvs(
  { services, access }: ProjectCall,
  { id, query: { trait, sort, search, limit, cursor } }: InputOf<typeof modelsApi.listGebvs>,
): Promise<Page<GebvRow>> {
  const key = await resultKey(services, access, { id, trait, kind: 'gebv_table' });
  const hasGenotypic = await hasColumn(services.tables, key, 'genotypic');
  const hasSe = await hasColumn(services.tables, key, 'se');
  const page = await readTablePage<GebvRow>(services.tables, key, {
    columns: [...GEBV_COLUMNS, ...(hasGenotypic ? GENOTYPIC_COLUMNS : []), ...(hasSe ? ['se'] : [])],
    order: sort === 'individual' ? 'by_name' : 'rank',
    isDescending: sort === 'gebv',
    search: { column: 'individual', text: search },
    limit,
    cursor,
  });
  // Models of before have no such columns.
  const absent = { genotypic: null, genotypic_reliability: null, se: null };
  return { ...page, data: page.data.map((row) => ({ ...absent, ...row })) };
}

async function resultKey(
  { db }: Services,
  { projectId }: ProjectAccess,
  { id, trait, kind }: { id: string; trait: string; kind: ModelResultKind },
): Promise<string> {
  const model = await getNamedRun(models, db, projectId, id);
  return requireResultKey(trait, perTrait.requireRow(model, trait), kind);
}
