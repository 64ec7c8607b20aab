import { crossType } from '@heterosis/contracts/data/germplasm';
import * as z from 'zod';
import { requirePrincipal } from '../../../platform/http/access.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { changeParents, type ParentsChange } from '../../data/germplasm/index.ts';
import { Asked } from '../asked.ts';
import { read, readChanges, readEntries } from '../collecting/collected.ts';
import { findGermplasmRow, type GermplasmRow } from '../entities/germplasm.ts';
import { pedigree } from '../entities/pedigree.ts';
import { type Envelope, envelope, type Json, paginationOf } from '../envelope.ts';
import { type BrapiContext, scopeOf } from '../list.routes.ts';
import { listEntries } from '../list-entity.ts';
import type { BrapiScope } from '../scope.ts';
import { requireManager } from './manager-access.ts';

const WRITING = { guard: 'signed-in', anyQuery: true } as const;

/** What we keep of a node: its parents and how it was bred. */
const node = z.object({
  germplasmDbId: z.string().min(1).max(100),
  breedingMethodDbId: crossType.nullish(),
  parents: z
    .array(z.object({ germplasmDbId: z.string().min(1).max(100), parentType: z.string().max(50) }))
    .max(2, 'a line has at most two parents')
    .nullish(),
});
type Node = z.output<typeof node>;

/** `POST` and `PUT /pedigree`: give lines of the list their parents, all or none, as managers do in the application. */
export function registerPedigreeWrites(context: BrapiContext): void {
  const { app, calls } = context;
  calls.add('POST', '/pedigree');
  app.post('/pedigree', { config: WRITING }, async (request) => {
    const nodes = readEntries(node, request.body);
    return write(
      context,
      await scopeOf(context, request),
      nodes.map((one, k) => [`body.${k}`, one]),
    );
  });
  calls.add('PUT', '/pedigree');
  app.put('/pedigree', { config: WRITING }, async (request) => {
    requirePrincipal(request);
    const nodes = readChanges(request.body).map(([germplasmDbId, change]): [string, Node] => {
      const where = `body.${germplasmDbId}`;
      return [where, read(node, { ...change, germplasmDbId }, where)];
    });
    return write(context, await scopeOf(context, request), nodes);
  });
}

async function write(
  { services }: BrapiContext,
  scope: BrapiScope,
  nodes: readonly [where: string, node: Node][],
): Promise<Envelope> {
  const rows: GermplasmRow[] = [];
  const changes: ParentsChange[] = [];
  for (const [where, one] of nodes) {
    const row = await findGermplasmRow(scope, one.germplasmDbId);
    rows.push(row);
    changes.push({ id: row.id, where, ...(await parentsOf(scope, one, where)), ...crossTypeOf(one) });
  }
  const [organizationId, ...others] = new Set(rows.map(({ organization_id }) => organization_id));
  if (organizationId === undefined || others.length > 0)
    throw new Problem('request/invalid', 'All lines of a request must be of one program.');
  await requireManager(services, scope.principal, organizationId);
  await changeParents(services, organizationId, changes);
  const data = await entriesOf(
    scope,
    rows.map(({ id }) => id),
  );
  return envelope({ data }, [], paginationOf({ page: 0, size: data.length }, data.length));
}

const crossTypeOf = ({ breedingMethodDbId }: Node): Pick<ParentsChange, 'crossType'> =>
  breedingMethodDbId === undefined ? {} : { crossType: breedingMethodDbId };

/** Both parents are replaced: who is not named is unknown. Of `SELF` the one line is both. */
async function parentsOf(
  scope: BrapiScope,
  { parents }: Node,
  where: string,
): Promise<Pick<ParentsChange, 'maternalId' | 'paternalId'>> {
  if (parents == null) return {};
  const found: { maternalId: string | null; paternalId: string | null } = { maternalId: null, paternalId: null };
  for (const { germplasmDbId, parentType } of parents) {
    const { id } = await findGermplasmRow(scope, germplasmDbId);
    const roles = ROLES[parentType];
    if (roles === undefined)
      throw new Problem('request/invalid', `${where}: parentType is FEMALE, MALE or SELF, not "${parentType}".`);
    for (const role of roles) {
      if (found[role] !== null) throw new Problem('request/invalid', `${where}: two parents are ${parentType}.`);
      found[role] = id;
    }
  }
  return found;
}

const ROLES: Record<string, readonly ('maternalId' | 'paternalId')[]> = {
  FEMALE: ['maternalId'],
  MALE: ['paternalId'],
  SELF: ['maternalId', 'paternalId'],
};

/** The nodes of lines, in this order. */
async function entriesOf(scope: BrapiScope, ids: readonly string[]): Promise<Json[]> {
  const asked = new Asked();
  asked.add('germplasmDbId', ids);
  const { data } = await listEntries(pedigree, scope, asked, { page: 0, size: ids.length });
  const byId = new Map(data.map((entry): [unknown, Json] => [entry['germplasmDbId'], entry]));
  return ids.flatMap((id): Json[] => {
    const entry = byId.get(id);
    return entry === undefined ? [] : [entry];
  });
}
