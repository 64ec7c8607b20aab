import type { Germplasm, GermplasmDetail, GermplasmList, GermplasmValues } from '@heterosis/contracts/data/germplasm';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { germplasmOfOrganizationApi, germplasmOfProjectApi } from '@heterosis/contracts/endpoints/data/germplasm';
import type { Queryable } from '../../../platform/database/database.ts';
import { isAtLeast } from '../../../platform/http/access.ts';
import type { Download, ProjectCall } from '../../../platform/http/bind.ts';
import { decodeNameCursor, decodeTimeCursor, toPage } from '../../../platform/http/pagination.ts';
import { notFound } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import type { RunKindDefinition } from '../../work/runs/kind/index.ts';
import { listMergedInto } from './changes.queries.ts';
import { exportGermplasm } from './export-germplasm.ts';
import { countGermplasm, findGermplasm, findMergedInto, findNamed, listGermplasm } from './germplasm.queries.ts';
import { type GermplasmAccess, type GermplasmCall, germplasmOf } from './germplasm-access.ts';
import type { GermplasmScope } from './germplasm-scope.ts';
import {
  type Look,
  listGermplasmValues,
  listOccurrences,
  listValuesIn,
  type OccurrencesOfLine,
  readOccurrences,
  type Seer,
} from './occurrences.service.ts';
import { withUnknownParents } from './unknown-parents.ts';

/** Below an organization, where a crop may be chosen, or below a project. */
type Input<Name extends keyof typeof germplasmOfProjectApi & keyof typeof germplasmOfOrganizationApi> =
  | InputOf<(typeof germplasmOfOrganizationApi)[Name]>
  | InputOf<(typeof germplasmOfProjectApi)[Name]>;

/** What the wiring supplies. */
interface WithKinds {
  kinds: readonly RunKindDefinition[];
}

/** `GET …/germplasms`. */
export async function listGermplasms(call: GermplasmCall, { query }: Input<'listGermplasms'>): Promise<GermplasmList> {
  const { scope } = await germplasmOf(call, query);
  return await listInScope(call.services.db, scope, query);
}

type ListQuery = Input<'listGermplasms'>['query'];

export async function listInScope(
  db: Queryable,
  scope: GermplasmScope,
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

const EXPORTS = {
  csv: { contentType: 'text/csv; charset=utf-8', fileName: 'germplasm.csv' },
  mcpd: { contentType: 'text/tab-separated-values; charset=utf-8', fileName: 'germplasm_mcpd.tsv' },
} as const;

/** `GET …/germplasms/export`. */
export async function exportGermplasms(call: GermplasmCall, { query }: Input<'exportGermplasms'>): Promise<Download> {
  const { format, ...place } = query;
  const { scope } = await germplasmOf(call, place);
  return { bytes: exportGermplasm(call.services.db, scope, format), ...EXPORTS[format] };
}

type Found = NonNullable<Awaited<ReturnType<typeof findGermplasm>>>;

/** The germplasm with this id or name that the caller may see, or the one that it was merged into. */
async function getOrMerged(db: Queryable, { scope }: GermplasmAccess, line: string): Promise<Found> {
  const id = isUuid(line) ? line : await findNamed(db, scope, line);
  if (id === undefined) throw notFound('This germplasm');
  const into = await findMergedInto(db, scope.organizationId, id);
  const row = await findGermplasm(db, scope, into ?? id);
  if (row === undefined) throw notFound('This germplasm');
  return row;
}

/** Managers of an organization see all its projects, others those that they are in. In a project only it is seen. */
const seerOf = ({ access, principal: { userId } }: GermplasmCall): Seer => ({
  userId,
  seesAllProjects: 'projectId' in access || isAtLeast(access.role, 'MANAGER'),
});

const lookOf = async (call: GermplasmCall & WithKinds): Promise<Look> => ({
  services: call.services,
  access: await germplasmOf(call),
  seer: seerOf(call),
  kinds: call.kinds,
});

const MOST_PROGENY = 100;

/** `GET …/germplasms/{id}`. The id of a merged germplasm gives the one that it was merged into. */
export async function getGermplasm(
  call: GermplasmCall & WithKinds,
  { id }: Input<'getGermplasm'>,
): Promise<GermplasmDetail> {
  const { db } = call.services;
  const look = await lookOf(call);
  const { scope } = look.access;
  const germplasm = await getOrMerged(db, look.access, id);
  const { maternal, paternal, ...row } = germplasm;
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
    occurrences: await listOccurrences(look, germplasm),
    merged: await listMergedInto(db, scope.organizationId, row.id),
  };
}

/** `GET …/germplasms/{id}/values`. */
export async function getGermplasmValues(
  call: GermplasmCall & WithKinds,
  { id, query }: Input<'getGermplasmValues'>,
): Promise<GermplasmValues> {
  const look = await lookOf(call);
  return await listGermplasmValues(look, await getOrMerged(call.services.db, look.access, id), query);
}

/** A line with what a project knows of it, for the features that are built on the list. */
export interface LineInProject {
  germplasm: Germplasm;
  progenyCount: number;
  occurrences: OccurrencesOfLine;
  /** Its values in the newest files and runs. */
  values(sources: number): Promise<GermplasmValues>;
}

/** The line with this id or name, or the one that it was merged into. */
export async function getLine(call: ProjectCall & WithKinds, line: string): Promise<LineInProject> {
  const { db } = call.services;
  const look = await lookOf(call);
  const { scope } = look.access;
  const { created_by: _creator, ...germplasm } = await getOrMerged(db, look.access, line);
  const occurrences = await readOccurrences(look, germplasm);
  return {
    germplasm,
    progenyCount: await countGermplasm(db, scope, { parentId: germplasm.id }),
    occurrences,
    values: (limit) => listValuesIn(look, occurrences, { limit }),
  };
}
