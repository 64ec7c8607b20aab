import type { Germplasm, GermplasmDetail, GermplasmList, listGermplasmsQuery } from '@heterosis/contracts/germplasm';
import type * as z from 'zod';
import type { Services } from '../../platform/http/app.ts';
import { decodeNameCursor, decodeTimeCursor, toPage } from '../../platform/http/pagination.ts';
import { notFound } from '../../platform/http/problem.ts';
import { isUuid } from '../../platform/http/uuid.ts';
import { listMergedInto } from './changes.queries.ts';
import { countGermplasm, findGermplasm, findMergedInto, listGermplasm } from './germplasm.queries.ts';
import type { GermplasmAccess } from './germplasm-access.ts';
import { listOccurrences, type RunTables } from './occurrences.queries.ts';
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

const MOST_PROGENY = 100;

/** `GET …/germplasms/{id}`. The id of a merged germplasm gives the one that it was merged into. */
export async function getGermplasmDetail(
  services: Pick<Services, 'db'>,
  access: GermplasmAccess,
  caller: { userId: string; seesAllProjects: boolean },
  id: string,
  runs: RunTables,
): Promise<GermplasmDetail> {
  const { db } = services;
  const into = isUuid(id) ? await findMergedInto(db, access.scope.organizationId, id) : undefined;
  const { maternal, paternal, ...row } = await getGermplasm(services, access, into ?? id);
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
    occurrences: await listOccurrences(db, {
      ...caller,
      organizationId: scope.organizationId,
      cropId: row.crop.id,
      onlyProject: access.projectId ?? undefined,
      names: [row.name, ...row.synonyms.map(({ name }) => name)],
      runs,
    }),
    merged: await listMergedInto(db, scope.organizationId, row.id),
  };
}
