import type { Page } from '@heterosis/contracts/common';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { commentsApi } from '@heterosis/contracts/endpoints/people/comments';
import type { Comment } from '@heterosis/contracts/people/comments';
import { recordAuditEvent } from '../../../platform/audit/audit-events.ts';
import type { DatabaseTransaction, Queryable } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { decodeIdCursor, toPage } from '../../../platform/http/pagination.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import { notify, publishNotifications } from '../notifications/index.ts';
import { requireOwn } from '../projects/index.ts';
import { type CommentedEntity, findEntity, getEntity } from './commented-entity.ts';
import * as queries from './comments.queries.ts';
import { sendCommentMailJob } from './jobs.ts';

const askedOf = (projectId: string, { kind, id, part }: CommentedEntity): queries.Asked => ({
  projectId,
  kind,
  id,
  part: part ?? undefined,
});

export async function listComments(
  { services: { db }, access }: ProjectCall,
  { query: { limit, cursor, ...about } }: InputOf<typeof commentsApi.listComments>,
): Promise<Page<Comment>> {
  const before = decodeIdCursor(cursor);
  const entity = await getEntity(db, access, about);
  const rows = await queries.listComments(db, askedOf(access.projectId, entity), { limit, before });
  return toPage(rows, limit, ({ id }) => [id]);
}

/** Stores a comment, and tells whom it mentions and whom else it concerns. */
export async function addComment(
  call: ProjectCall,
  { body: { text, mentions, ...about } }: InputOf<typeof commentsApi.addComment>,
): Promise<Comment> {
  const { services, access, principal, requestId } = call;
  const { projectId, organizationId } = access;
  return await services.db.transaction().execute(async (trx) => {
    const entity = await getEntity(trx, access, about);
    const asked = askedOf(projectId, entity);
    const mentioned = await findMentioned(trx, projectId, text, mentions);
    const concerned = await queries.listConcerned(trx, asked, entity.createdBy);
    const id = await queries.insertComment(trx, { ...asked, text, createdBy: principal.userId }, mentioned);
    const comment = await queries.readComment(trx, projectId, id);
    if (comment === undefined) throw new Error(`the comment ${id} was just stored`);
    const isMentioned = new Set(mentioned.map((person) => person.id));
    const told = { call, entity, comment };
    for (const person of mentioned) await tell(trx, told, person, true);
    for (const person of concerned) if (!isMentioned.has(person.id)) await tell(trx, told, person, false);
    await recordAuditEvent(trx, {
      ...{ action: 'comment.added', actor: principal, organizationId, projectId, requestId },
      ...{ targetType: 'comment', targetId: id, details: { name: entity.noun } },
    });
    await publish(trx, access, asked);
    return comment;
  });
}

/** The members of the project who are mentioned. */
async function findMentioned(
  db: Queryable,
  projectId: string,
  text: string,
  mentions: readonly string[],
): Promise<queries.Person[]> {
  const ids = [...new Set(mentions)];
  const people = await queries.listMembers(db, projectId, ids);
  if (people.length < ids.length)
    throw invalidMentions('Only members of the project can be mentioned.', 'somebody is no member of the project');
  const unnamed = people.find(({ name }) => !text.includes(`@${name}`));
  if (unnamed !== undefined)
    throw invalidMentions(`The text does not mention @${unnamed.name}.`, 'the text does not name everybody');
  return people;
}

const invalidMentions = (detail: string, reason: string): Problem =>
  new Problem('request/invalid', detail, { invalidParams: [{ name: 'body.mentions', reason }] });

const MOST_SHOWN = 200;

/** Tells a person in the product and by mail, as he or she wishes; nobody of what he or she wrote. */
async function tell(
  trx: DatabaseTransaction,
  { call: { services, access, principal }, entity, comment }: ToldOf,
  person: queries.Person,
  isMentioned: boolean,
): Promise<void> {
  if (person.id === principal.userId) return;
  const kind = isMentioned ? 'mention' : 'comment';
  const { kind: entityKind, id } = entity;
  await notify(trx, {
    ...{ userId: person.id, kind, sourceId: comment.id, projectId: access.projectId, organizationId: null },
    item: entityKind === 'germplasm' ? null : { kind: entityKind, id },
    path: `${entity.path}#comments`,
    details: { name: entity.name, by: comment.author?.name ?? '', text: shortened(comment.text) },
  });
  if (!person.mails.includes(kind)) return;
  const mail_id = await queries.insertMail(trx, { commentId: comment.id, userId: person.id, isMentioned });
  await services.jobs.enqueue(trx, sendCommentMailJob, { mail_id });
}

interface ToldOf {
  call: ProjectCall;
  entity: CommentedEntity;
  comment: Comment;
}

const shortened = (text: string): string =>
  text.length <= MOST_SHOWN ? text : `${[...text].slice(0, MOST_SHOWN).join('')}…`;

export async function deleteComment(
  { services: { db }, access, principal, requestId }: ProjectCall,
  { id }: InputOf<typeof commentsApi.deleteComment>,
): Promise<void> {
  const { projectId, organizationId } = access;
  await db.transaction().execute(async (trx) => {
    const comment = isUuid(id) ? await queries.lockComment(trx, projectId, id) : undefined;
    if (comment === undefined) throw notFound('This comment');
    requireOwn(access, principal, comment.createdBy);
    const { kind, id: entityId, part } = comment;
    const entity = await findEntity(trx, access, { entity_kind: kind, entity_id: entityId, part });
    const told = await queries.deleteComment(trx, id);
    for (const userId of new Set(told)) await publishNotifications(trx, userId);
    await recordAuditEvent(trx, {
      ...{ action: 'comment.deleted', actor: principal, organizationId, projectId, requestId },
      ...{ targetType: 'comment', targetId: id, details: { name: entity?.noun ?? comment.kind } },
    });
    await publish(trx, access, comment);
  });
}

const publish = (
  trx: Queryable,
  { projectId, organizationId }: ProjectCall['access'],
  { id }: queries.Asked,
): Promise<void> => publishEvent(trx, { type: 'comment', id, project_id: projectId, organization_id: organizationId });
