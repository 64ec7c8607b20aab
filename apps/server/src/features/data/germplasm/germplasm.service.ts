import type {
  Germplasm,
  GermplasmDetail,
  GermplasmList,
  GermplasmValues,
  germplasmValuesQuery,
  listGermplasmsQuery,
} from '@heterosis/contracts/data/germplasm';
import type * as z from 'zod';
import type { Services } from '../../../platform/http/app.ts';
import { decodeNameCursor, decodeTimeCursor, toPage } from '../../../platform/http/pagination.ts';
import { notFound } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import type { RunKindDefinition } from '../../work/runs/kind/index.ts';
import { listMergedInto } from './changes.queries.ts';
import { countGermplasm, findGermplasm, findMergedInto, listGermplasm } from './germplasm.queries.ts';
import type { GermplasmAccess } from './germplasm-access.ts';
import { listGermplasmValues, listOccurrences, type Seer } from './occurrences.service.ts';
import { withUnknownParents } from './unknown-parents.ts';

type ListQuery = Omit<z.output<typeof listGermplasmsQuery>, 'crop_id'>;

/** `GET …/germplasms`. */
export async function listGermplasms(
  { db }: Pick<Services, 'db'>,
  { scope }: GermplasmAccess,
  { search, collection, parent_id: parentId, sort, limit, cursor, generate_unknown_parent }: ListQuery,
): Promise<GermplasmList> {
  const filter = { search, collection, parentId };
  const after = sort.endsWith('_at') ? decodeTimeCursor(cursor) : decodeNameCursor(cursor);
  const rows = await listGermplasm(db, scope, { ...filter, sort, limit, after });
  const { data, next_cursor } = toPage(rows, limit, ({ sort_key, id }) => [sort_key, id]);
  const listed = data.map(({ sort_key: _key, ...germplasm }): Germplasm => germplasm);
  return {
    data: generate_unknown_parent === true ? listed.map(withUnknownParents) : listed,
    next_cursor,
    total: after === undefined ? await countGermplasm(db, scope, filter) : null,
  };
}

/** The row of a germplasm that the caller may see. */
async function getGermplasm(
  { db }: Pick<Services, 'db'>,
  { scope }: GermplasmAccess,
  id: string,
): Promise<Germplasm & { created_by: string | null }> {
  const row = isUuid(id) ? await findGermplasm(db, scope, id) : undefined;
  if (row === undefined) throw notFound('This germplasm');
  return row;
}

/** The germplasm with this id, or the one that it was merged into. */
async function getOrMerged(
  services: Pick<Services, 'db'>,
  access: GermplasmAccess,
  id: string,
): ReturnType<typeof getGermplasm> {
  const into = isUuid(id) ? await findMergedInto(services.db, access.scope.organizationId, id) : undefined;
  return await getGermplasm(services, access, into ?? id);
}

const MOST_PROGENY = 100;

/** `GET …/germplasms/{id}`. The id of a merged germplasm gives the one that it was merged into. */
export async function getGermplasmDetail(
  services: Pick<Services, 'db'>,
  access: GermplasmAccess,
  seer: Seer,
  id: string,
  kinds: readonly RunKindDefinition[],
): Promise<GermplasmDetail> {
  const { db } = services;
  const germplasm = await getOrMerged(services, access, id);
  const { maternal, paternal, ...row } = germplasm;
  const { scope } = access;
  const parent = async (reference: { id: string } | null): Promise<Germplasm | null> => {
    // What a guest may see of a germplasm includes its parents.
    const found = reference && (await findGermplasm(db, { ...scope, usedIn: undefined }, reference.id));
    if (!found) return null;
    const { created_by: _creator, ...germplasm } = found;
    return germplasm;
  };
  const ofParent = { parentId: row.id };
  const progeny = await listGermplasm(db, scope, { ...ofParent, sort: 'name', limit: MOST_PROGENY, after: undefined });
  return {
    ...row,
    maternal: await parent(maternal),
    paternal: await parent(paternal),
    progeny: progeny.slice(0, MOST_PROGENY).map(({ sort_key: _key, ...germplasm }): Germplasm => germplasm),
    progeny_count: await countGermplasm(db, scope, ofParent),
    occurrences: await listOccurrences(services, access, seer, germplasm, kinds),
    merged: await listMergedInto(db, scope.organizationId, row.id),
  };
}

/** `GET …/germplasms/{id}/values`. */
export async function getGermplasmValues(
  services: Services,
  access: GermplasmAccess,
  seer: Seer,
  id: string,
  kinds: readonly RunKindDefinition[],
  query: z.output<typeof germplasmValuesQuery>,
): Promise<GermplasmValues> {
  const germplasm = await getOrMerged(services, access, id);
  return await listGermplasmValues(services, access, seer, germplasm, kinds, query);
}
