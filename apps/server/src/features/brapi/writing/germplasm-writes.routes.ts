import { crossType } from '@heterosis/contracts/data/germplasm';
import { sql } from 'kysely';
import * as z from 'zod';
import { requirePrincipal } from '../../../platform/http/access.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { changeGermplasm, createGermplasm, type NewGermplasm } from '../../data/germplasm/index.ts';
import { findGermplasmRow as findRow, germplasm } from '../entities/germplasm.ts';
import { envelope, paginationOf } from '../envelope.ts';
import { type BrapiContext, findEntry, idIn, scopeOf } from '../list.routes.ts';
import type { BrapiScope } from '../scope.ts';
import { requireManager } from './manager-access.ts';

/** Lines of one request. */
const MOST_LINES = 500;

const text = z.string().trim().max(2_000);

/** Fields that we keep; all others are ignored, as the standard wants. */
const newLine = z.object({
  germplasmName: z.string().min(1).max(255),
  commonCropName: z.string().max(255),
  collection: z.string().trim().max(255).nullish(),
  synonyms: z
    .array(z.union([z.string().max(255), z.object({ synonym: z.string().max(255) })]))
    .max(1_000)
    .nullish(),
  breedingMethodDbId: crossType.nullish().catch(null),
  additionalInfo: z.record(z.string().max(255), z.unknown()).nullish(),
  accessionNumber: text.nullish(),
  genus: text.nullish(),
  species: text.nullish(),
  subtaxa: text.nullish(),
  instituteCode: text.nullish(),
  instituteName: text.nullish(),
  countryOfOriginCode: text.nullish(),
  seedSource: text.nullish(),
});
type NewLine = z.output<typeof newLine>;

const PASSPORT = [
  'accessionNumber',
  'genus',
  'species',
  'subtaxa',
  'instituteCode',
  'instituteName',
  'countryOfOriginCode',
  'seedSource',
] as const;

/** Names in `additionalInfo` that say where a line goes, and are no attributes of it. */
const PLACES = new Set(['programDbId', 'programName', 'selfingGenerations', 'binomialName']);

/** Writing to the germplasm list: for managers of the organization, as in the application. */
export function registerGermplasmWrites(context: BrapiContext): void {
  registerNew(context);
  registerChange(context);
}

/** `POST /germplasm`: adds lines to the list of a crop, all or none. */
function registerNew(context: BrapiContext): void {
  const { app, calls, services } = context;
  calls.add('POST', '/germplasm');
  app.post('/germplasm', { config: { guard: 'signed-in', anyQuery: true } }, async (request) => {
    const lines = readLines(request.body);
    const principal = requirePrincipal(request);
    const scope = await scopeOf(context, request);
    const [first] = lines;
    const place = await findCrop(scope, first);
    if (lines.some((line) => line.commonCropName !== first.commonCropName))
      throw new Problem('request/invalid', 'All lines of a request must be of one crop.');
    await requireManager(services, principal, place.organizationId);
    const ids = await createGermplasm(services, principal, place, lines.map(toNew));
    const data = await Promise.all(ids.map((id) => findEntry(germplasm, scope, id)));
    return envelope({ data }, [], paginationOf({ page: 0, size: data.length }, data.length));
  });
}

/** `PUT /germplasm/{germplasmDbId}`: what is not given stays as it is. */
function registerChange(context: BrapiContext): void {
  const { app, calls, services } = context;
  calls.add('PUT', '/germplasm/{germplasmDbId}');
  app.put('/germplasm/:germplasmDbId', { config: { guard: 'signed-in', anyQuery: true } }, async (request) => {
    const principal = requirePrincipal(request);
    const scope = await scopeOf(context, request);
    const id = idIn(request, 'germplasmDbId');
    const row = await findRow(scope, id);
    const access = await requireManager(services, principal, row.organization_id);
    const [line] = readLines([{ germplasmName: row.name, commonCropName: row.crop_name, ...(request.body as object) }]);
    if (line.commonCropName !== row.crop_name) throw new Problem('request/invalid', 'A line stays in its crop.');
    const { name, collection, crossType, synonyms, attributes } = toNew(line);
    const body = {
      name,
      ...(line.collection === undefined ? {} : { collection }),
      ...(line.breedingMethodDbId === undefined ? {} : { cross_type: crossType }),
      ...(line.synonyms == null ? {} : { synonyms: [...synonyms] }),
      attributes: { ...row.attributes, ...attributes },
    };
    await changeGermplasm({ services, access, principal }, { id, body });
    return envelope(await findEntry(germplasm, scope, id));
  });
}

function readLines(body: unknown): [NewLine, ...NewLine[]] {
  const read = z.array(newLine).min(1).max(MOST_LINES).safeParse(body);
  if (read.success) return read.data as [NewLine, ...NewLine[]];
  const [issue] = read.error.issues;
  const where = issue === undefined ? 'body' : ['body', ...issue.path].join('.');
  throw new Problem('request/invalid', `${where}: ${issue?.message ?? 'is not valid'}`);
}

/** The crop of a name. Where several programs have one of that name, `additionalInfo.programDbId` decides. */
async function findCrop(
  { db, listPrograms }: BrapiScope,
  { commonCropName, additionalInfo }: NewLine,
): Promise<{ organizationId: string; cropId: string }> {
  const wanted = additionalInfo?.['programDbId'];
  const among = (await listPrograms()).filter((program) => wanted === undefined || program.id === wanted);
  const { rows } = await sql<{ organizationId: string; cropId: string }>`
    select organization_id as "organizationId", id as "cropId" from crops
    where organization_id = any(${among.map(({ id }) => id)}::uuid[]) and name = ${commonCropName}
  `.execute(db);
  const [place] = rows;
  if (place === undefined)
    throw new Problem('request/invalid', `There is no crop "${commonCropName}" in a program that you can see.`);
  if (rows.length > 1)
    throw new Problem(
      'request/invalid',
      `Several programs have a crop "${commonCropName}". Name the program in additionalInfo.programDbId.`,
    );
  return place;
}

function toNew(line: NewLine): NewGermplasm {
  const attributes: Record<string, string> = {};
  for (const name of PASSPORT) if (line[name] != null && line[name] !== '') attributes[name] = line[name];
  for (const [name, value] of Object.entries(line.additionalInfo ?? {}))
    if (!PLACES.has(name) && typeof value === 'string' && value !== '') attributes[name] = value;
  return {
    name: line.germplasmName,
    synonyms: (line.synonyms ?? []).map((one) => (typeof one === 'string' ? one : one.synonym)),
    collection: line.collection == null || line.collection === '' ? null : line.collection,
    crossType: line.breedingMethodDbId ?? null,
    attributes,
  };
}
