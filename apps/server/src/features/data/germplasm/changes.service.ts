import type { Page } from '@heterosis/contracts/common';
import type { Germplasm, GermplasmChange } from '@heterosis/contracts/data/germplasm';
import type { AnswerOf, InputOf } from '@heterosis/contracts/endpoint';
import type { germplasmOfOrganizationApi } from '@heterosis/contracts/endpoints/data/germplasm';
import { normalizeName } from '@heterosis/file-formats/names/normalize-name';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import { recordAuditEvent } from '../../../platform/audit/audit-events.ts';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import type { OrganizationCall } from '../../../platform/http/bind.ts';
import { decodeIdCursor, toPage } from '../../../platform/http/pagination.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import {
  type BeforeChange,
  deleteSynonymsOf,
  insertChange,
  leaveProjects,
  listChanges,
  listChildren,
  lockChange,
  markBack,
  markGone,
  markUndone,
  replaceParent,
  shareProjects,
} from './changes.queries.ts';
import {
  addSynonyms,
  findGermplasm,
  findGone,
  findOwnersOfName,
  type GermplasmFields,
  isSameOrAncestor,
  lockCrop,
  replaceSynonyms,
  updateGermplasm,
} from './germplasm.queries.ts';
import { type GermplasmAccess, ofOrganization } from './germplasm-access.ts';

/** Who changes the germplasm of which organization. */
type ChangeCall = Pick<OrganizationCall, 'services' | 'access' | 'principal' | 'requestId'>;
type Changed = AnswerOf<typeof germplasmOfOrganizationApi.deleteGermplasm>;
type Row = NonNullable<Awaited<ReturnType<typeof findGermplasm>>>;

/** Runs a change of one germplasm while no other change of the crop's names is under way. */
async function changing<Result>(
  { services: { db }, access }: ChangeCall,
  id: string,
  change: (trx: DatabaseTransaction, row: Row) => Promise<Result>,
): Promise<Result> {
  const { scope } = ofOrganization(access);
  return await db.transaction().execute(async (trx) => {
    const before = isUuid(id) ? await findGermplasm(trx, scope, id) : undefined;
    if (before === undefined) throw notFound('This germplasm');
    await lockCrop(trx, scope.organizationId, before.crop.id);
    // Another change may have come first.
    const row = await findGermplasm(trx, scope, id);
    if (row === undefined) throw notFound('This germplasm');
    const result = await change(trx, row);
    await publishChanged(trx, scope.organizationId);
    return result;
  });
}

export const publishChanged = (trx: DatabaseTransaction, organizationId: string): Promise<void> =>
  publishEvent(trx, { type: 'germplasm', id: organizationId, project_id: null, organization_id: organizationId });

/** `PUT …/germplasms/{id}`. */
export async function changeGermplasm(
  call: ChangeCall,
  { id, body: { synonyms, ...fields } }: InputOf<typeof germplasmOfOrganizationApi.changeGermplasm>,
): Promise<Germplasm> {
  const access = ofOrganization(call.access);
  const { userId } = call.principal;
  return await changing(call, id, async (trx, row) => {
    const cropId = row.crop.id;
    const name = fields.name === undefined ? row.name : normalizeName(fields.name);
    if (name !== row.name) await requireFreeName(trx, cropId, { id, name, isDistinct: fields.is_distinct === true });
    for (const role of ['maternal_id', 'paternal_id'] as const) {
      const parent = fields[role];
      if (parent != null && parent !== row[role]) await requireParent(trx, access, { row, role, parent });
    }
    if (synonyms !== undefined) {
      const wanted = [...new Set(synonyms.map(normalizeName))].filter((synonym) => synonym !== name);
      for (const synonym of wanted) await requireFreeSynonym(trx, cropId, { id, name: synonym });
      await replaceSynonyms(trx, { cropId, id, userId }, wanted);
    }
    const given = Object.fromEntries(
      Object.entries({ ...fields, ...(fields.name === undefined ? {} : { name }) }).filter(
        ([, value]) => value !== undefined,
      ),
    ) as Partial<GermplasmFields>;
    await updateGermplasm(trx, access.scope.organizationId, id, given);
    const changed = await findGermplasm(trx, access.scope, id);
    if (changed === undefined) throw notFound('This germplasm');
    return changed;
  });
}

export async function requireFreeName(
  trx: DatabaseTransaction,
  cropId: string,
  { id, name, isDistinct }: { id: string; name: string; isDistinct: boolean },
): Promise<void> {
  for (const owner of await findOwnersOfName(trx, cropId, name)) {
    if (owner.id === id || (owner.how === 'folded' && isDistinct)) continue;
    const text = {
      name: `There is a germplasm "${owner.name}" already. Choose another name, or merge the two.`,
      synonym: `"${name}" is a synonym of "${owner.name}". Remove the synonym first, or merge the two.`,
      folded: `"${owner.name}" differs only in case, blanks or punctuation. Confirm that they are really different lines.`,
    }[owner.how];
    throw new Problem(owner.how === 'folded' ? 'germplasm/name-alike' : 'germplasm/name-taken', text, {
      invalidParams: [{ name: 'body.name', reason: text }],
      details: { germplasm: { id: owner.id, name: owner.name } },
    });
  }
}

export async function requireFreeSynonym(
  trx: DatabaseTransaction,
  cropId: string,
  { id, name }: { id: string; name: string },
): Promise<void> {
  const owner = (await findOwnersOfName(trx, cropId, name)).find((one) => one.id !== id && one.how !== 'folded');
  if (owner === undefined) return;
  const text = `"${name}" is ${owner.how === 'name' ? 'the name' : 'a synonym'} of "${owner.name}".`;
  throw new Problem('germplasm/name-taken', text, {
    invalidParams: [{ name: 'body.synonyms', reason: text }],
    details: { germplasm: { id: owner.id, name: owner.name } },
  });
}

/** `where` names the entry of a request that has several. */
export async function requireParent(
  trx: DatabaseTransaction,
  { scope }: GermplasmAccess,
  { row, role, parent, where }: { row: Row; role: 'maternal_id' | 'paternal_id'; parent: string; where?: string },
): Promise<void> {
  const found = await findGermplasm(trx, { ...scope, cropId: row.crop.id }, parent);
  const fault =
    found === undefined
      ? 'There is no such germplasm in this crop.'
      : (await isSameOrAncestor(trx, row.id, parent))
        ? `"${found.name}" descends from "${row.name}" or is the same; the pedigree would run in a circle.`
        : undefined;
  if (fault === undefined) return;
  throw new Problem('request/invalid', where === undefined ? fault : `${where}: ${fault}`, {
    invalidParams: [{ name: `${where ?? 'body'}.${role}`, reason: fault }],
  });
}

/** Fields that the germplasm that stays takes over where it has none. */
const FILLED_BY_MERGE = ['collection', 'maternal_id', 'paternal_id', 'cross_type', 'selfing_generations'] as const;

/** `POST …/germplasms/{id}/merge`: the one that stays takes over the names, the children and what it lacks. */
export async function mergeGermplasm(
  call: ChangeCall,
  { id, body: { into_id: intoId } }: InputOf<typeof germplasmOfOrganizationApi.mergeGermplasm>,
): Promise<Changed> {
  const { scope } = ofOrganization(call.access);
  return await changing(call, id, async (trx, row) => {
    const into = await findGermplasm(trx, { ...scope, cropId: row.crop.id }, intoId);
    if (into === undefined || into.id === id)
      throw new Problem('request/invalid', 'Choose another germplasm of the same crop to merge into.', {
        invalidParams: [{ name: 'body.into_id', reason: 'Not another germplasm of the crop' }],
      });
    if ((await isSameOrAncestor(trx, id, into.id)) || (await isSameOrAncestor(trx, into.id, id)))
      throw new Problem(
        'germplasm/related',
        `"${row.name}" and "${into.name}" are ancestor and descendant, so they are two lines. Correct their parents first.`,
      );
    const cropId = row.crop.id;
    const lacking = FILLED_BY_MERGE.filter((field) => into[field] === null && row[field] !== null);
    const before: BeforeChange = {
      synonyms: await deleteSynonymsOf(trx, id),
      maternal_of: await listChildren(trx, id, 'maternal_id'),
      paternal_of: await listChildren(trx, id, 'paternal_id'),
      projects: await shareProjects(trx, id, into.id),
      into: {
        id: into.id,
        fields: {
          ...Object.fromEntries(lacking.map((field) => [field, null])),
          ...(Object.keys(row.attributes).some((key) => !(key in into.attributes))
            ? { attributes: into.attributes }
            : {}),
        },
        synonyms: into.synonyms.map(({ name }) => name),
      },
    };
    await markGone(trx, id, into.id);
    const names = [row.name, ...before.synonyms].filter((name) => name !== into.name);
    await addSynonyms(
      trx,
      { cropId, userId: call.principal.userId },
      names.map((name) => ({ germplasmId: into.id, name })),
    );
    await replaceParent(trx, before.maternal_of, 'maternal_id', { from: id, to: into.id });
    await replaceParent(trx, before.paternal_of, 'paternal_id', { from: id, to: into.id });
    await updateGermplasm(trx, scope.organizationId, into.id, {
      ...Object.fromEntries(lacking.map((field) => [field, row[field]])),
      attributes: { ...row.attributes, ...into.attributes },
    });
    return await recordChange(trx, call, { kind: 'MERGE', row, before, into: into.name });
  });
}

/** `DELETE …/germplasms/{id}`. A parent of others stays: its children would lose it. */
export async function deleteGermplasm(
  call: ChangeCall,
  { id }: InputOf<typeof germplasmOfOrganizationApi.deleteGermplasm>,
): Promise<Changed> {
  return await changing(call, id, async (trx, row) => {
    const before: BeforeChange = {
      synonyms: [],
      maternal_of: await listChildren(trx, id, 'maternal_id'),
      paternal_of: await listChildren(trx, id, 'paternal_id'),
      projects: [],
    };
    const children = new Set([...before.maternal_of, ...before.paternal_of]).size;
    if (children > 0)
      throw new Problem(
        'germplasm/in-use',
        `"${row.name}" is a parent of ${groupedNumber(children)} germplasm. Merge it into another, or change their parents first.`,
        { details: { progeny_count: children } },
      );
    before.synonyms = await deleteSynonymsOf(trx, id);
    await markGone(trx, id, null);
    return await recordChange(trx, call, { kind: 'DELETE', row, before });
  });
}

async function recordChange(
  trx: DatabaseTransaction,
  { access: { organizationId }, principal, requestId }: ChangeCall,
  { kind, row, before, into }: { kind: 'MERGE' | 'DELETE'; row: Row; before: BeforeChange; into?: string },
): Promise<Changed> {
  const changeId = await insertChange(trx, {
    organizationId,
    crop_id: row.crop.id,
    kind,
    germplasm_id: row.id,
    before,
    userId: principal.userId,
  });
  await recordAuditEvent(trx, {
    action: kind === 'MERGE' ? 'germplasm.merged' : 'germplasm.deleted',
    actor: principal,
    organizationId,
    targetType: 'germplasm',
    targetId: row.id,
    details: { name: row.name, ...(into === undefined ? {} : { to: into }) },
    requestId,
  });
  return { change_id: changeId };
}

/** `POST …/germplasms/changes/{id}/undo`. */
export async function undoChange(
  { services: { db }, access: { organizationId }, principal: { userId } }: ChangeCall,
  { id: changeId }: InputOf<typeof germplasmOfOrganizationApi.undoChange>,
): Promise<AnswerOf<typeof germplasmOfOrganizationApi.undoChange>> {
  return await db.transaction().execute(async (trx) => {
    const change = isUuid(changeId) ? await lockChange(trx, organizationId, changeId) : undefined;
    if (change === undefined) throw notFound('This change');
    const { crop_id: cropId, germplasm_id: id, before } = change;
    await lockCrop(trx, organizationId, cropId);
    const scope = { organizationId, cropId, usedIn: undefined };
    if (before.into !== undefined) {
      const into = await findGermplasm(trx, scope, before.into.id);
      if (into === undefined)
        throw new Problem('request/conflict', 'The germplasm that stayed is gone itself. Undo that change first.');
      const taken = new Set(before.synonyms);
      const kept = into.synonyms.map(({ name }) => name).filter((name) => !taken.has(name));
      const { name: gone } = await findGone(trx, id);
      await replaceSynonyms(
        trx,
        { cropId, id: into.id, userId },
        kept.filter((name) => name !== gone || before.into?.synonyms.includes(name)),
      );
      await replaceParent(trx, before.maternal_of, 'maternal_id', { from: into.id, to: id });
      await replaceParent(trx, before.paternal_of, 'paternal_id', { from: into.id, to: id });
      await leaveProjects(trx, into.id, before.projects);
      await updateGermplasm(trx, organizationId, into.id, before.into.fields);
    }
    await requireNameBack(trx, cropId, id);
    await markBack(trx, id);
    await addSynonyms(
      trx,
      { cropId, userId },
      before.synonyms.map((name) => ({ germplasmId: id, name })),
    );
    await markUndone(trx, change.id);
    await publishChanged(trx, organizationId);
    return { id };
  });
}

/** Somebody may have given the name to another germplasm since. */
async function requireNameBack(trx: DatabaseTransaction, cropId: string, id: string): Promise<void> {
  const { name, is_distinct } = await findGone(trx, id);
  const owner = (await findOwnersOfName(trx, cropId, name)).find(({ how }) => how !== 'folded' || !is_distinct);
  if (owner !== undefined)
    throw new Problem(
      'germplasm/name-taken',
      `The name "${name}" now belongs to "${owner.name}". Rename that one first.`,
    );
}

/** `GET …/germplasms/changes`. */
export async function listGermplasmChanges(
  { services: { db }, access: { organizationId } }: ChangeCall,
  { query: { limit, cursor } }: InputOf<typeof germplasmOfOrganizationApi.listGermplasmChanges>,
): Promise<Page<GermplasmChange>> {
  const rows = await listChanges(db, organizationId, { limit, after: decodeIdCursor(cursor) });
  return toPage(rows, limit, ({ id }) => [id]);
}
