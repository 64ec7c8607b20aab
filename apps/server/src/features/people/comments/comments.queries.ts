import type { Comment, CommentedKind } from '@heterosis/contracts/people/comments';
import type { MailedKind } from '@heterosis/contracts/people/notifications';
import { type RawBuilder, sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../../platform/database/database.ts';
import { ITEM_TABLES } from '../home/index.ts';

/** What comments are asked for. */
export interface Asked {
  projectId: string;
  kind: CommentedKind;
  id: string;
  /** Undefined: the whole with all its parts. */
  part: string | undefined;
}

/** The lines whose comments a line has: itself, and those merged into it. */
const entityIds = ({ kind, id }: Asked): RawBuilder<unknown> =>
  kind === 'germplasm'
    ? sql`in (select id from germplasm where id = ${id} or merged_into = ${id})`
    : sql`= ${id}::uuid`;

const isAsked = (asked: Asked): RawBuilder<unknown> => sql`
  comments.project_id = ${asked.projectId} and comments.entity_kind = ${asked.kind}
  and comments.entity_id ${entityIds(asked)}
  ${asked.part === undefined ? sql`` : sql`and comments.part = ${asked.part}`}`;

const COLUMNS = sql`
  comments.id, comments.entity_kind, comments.entity_id, comments.part, comments.text, comments.created_at,
  case when users.id is not null
    then jsonb_build_object('id', users.id, 'name', coalesce(users.name, users.email)) end as author,
  (
    select coalesce(jsonb_agg(jsonb_build_object('user_id', mentioned.user_id, 'name', mentioned.name)
      order by mentioned.name), '[]')
    from comment_mentions as mentioned where mentioned.comment_id = comments.id
  ) as mentions`;

/** The newest first; one more than `limit`. */
export async function listComments(
  db: Queryable,
  asked: Asked,
  { limit, before }: { limit: number; before: string | undefined },
): Promise<Comment[]> {
  const { rows } = await sql<Comment>`
    select ${COLUMNS} from comments left join users on users.id = comments.created_by
    where ${isAsked(asked)} ${before === undefined ? sql`` : sql`and comments.id < ${before}::uuid`}
    order by comments.id desc limit ${limit + 1}
  `.execute(db);
  return rows;
}

export async function readComment(db: Queryable, projectId: string, id: string): Promise<Comment | undefined> {
  const { rows } = await sql<Comment>`
    select ${COLUMNS} from comments left join users on users.id = comments.created_by
    where comments.project_id = ${projectId} and comments.id = ${id}
  `.execute(db);
  return rows[0];
}

export interface Person {
  id: string;
  name: string;
  mails: MailedKind[];
}

const PERSON = sql`users.id, coalesce(users.name, users.email) as name, users.mailed_notifications as mails`;

/** Those of the people given who are members of the project. */
export async function listMembers(db: Queryable, projectId: string, userIds: readonly string[]): Promise<Person[]> {
  const { rows } = await sql<Person>`
    select ${PERSON} from users join project_members as member on member.user_id = users.id
    where member.project_id = ${projectId} and users.disabled_at is null and users.id = any(${userIds}::uuid[])
  `.execute(db);
  return rows;
}

/** More have spoken of few things; those who spoke last are told. */
const MOST_TOLD = 50;

/** Who made the thing, and who has commented on it before. */
export async function listConcerned(db: Queryable, asked: Asked, createdBy: string | null): Promise<Person[]> {
  const { rows } = await sql<Person>`
    select ${PERSON} from users join (
      select created_by as id, max(comments.id::text) as last from comments
      where ${isAsked(asked)} and created_by is not null group by created_by
      order by last desc limit ${MOST_TOLD}
    ) as speaker on speaker.id = users.id
    where users.disabled_at is null
    union
    select ${PERSON} from users where users.id = ${createdBy}::uuid and users.disabled_at is null
  `.execute(db);
  return rows;
}

export interface NewComment extends Asked {
  text: string;
  createdBy: string;
}

export async function insertComment(
  db: Queryable,
  { projectId, kind, id: entityId, part, text, createdBy }: NewComment,
  mentioned: readonly Person[],
): Promise<string> {
  const id = uuidv7();
  await db
    .insertInto('comments')
    .values({
      ...{ id, project_id: projectId, entity_kind: kind, entity_id: entityId },
      ...{ part: part ?? null, text, created_by: createdBy },
    })
    .execute();
  if (mentioned.length > 0)
    await db
      .insertInto('comment_mentions')
      .values(mentioned.map((person) => ({ comment_id: id, user_id: person.id, name: person.name })))
      .execute();
  return id;
}

export async function insertMail(
  db: Queryable,
  mail: { commentId: string; userId: string; isMentioned: boolean },
): Promise<string> {
  const id = uuidv7();
  await db
    .insertInto('comment_mails')
    .values({ id, comment_id: mail.commentId, user_id: mail.userId, is_mentioned: mail.isMentioned })
    .execute();
  return id;
}

export interface UnsentMail {
  comment_id: string;
  project_id: string;
  project: string;
  entity_kind: CommentedKind;
  entity_id: string;
  part: string | null;
  text: string;
  by: string | null;
  is_mentioned: boolean;
  user_id: string;
  email: string;
}

/** An unsent mail with its comment; locked until the transaction ends. */
export async function lockUnsentMail(db: Queryable, id: string): Promise<UnsentMail | undefined> {
  const { rows } = await sql<UnsentMail>`
    select mail.comment_id, mail.is_mentioned, mail.user_id, users.email, comments.project_id, projects.name as project,
      comments.entity_kind, comments.entity_id, comments.part, comments.text, coalesce(author.name, author.email) as by
    from comment_mails as mail
    join users on users.id = mail.user_id
    join comments on comments.id = mail.comment_id
    join projects on projects.id = comments.project_id
    left join users as author on author.id = comments.created_by
    where mail.id = ${id} and mail.sent_at is null and users.disabled_at is null
    for update of mail
  `.execute(db);
  return rows[0];
}

export async function updateMailSent(db: Queryable, id: string): Promise<void> {
  await db.updateTable('comment_mails').set({ sent_at: sql<string>`now()` }).where('id', '=', id).execute();
}

export type CommentRow = Asked & { createdBy: string | null };

export async function lockComment(db: Queryable, projectId: string, id: string): Promise<CommentRow | undefined> {
  const { rows } = await sql<Omit<CommentRow, 'part'> & { part: string | null }>`
    select project_id as "projectId", entity_kind as kind, entity_id as id, part, created_by as "createdBy"
    from comments where project_id = ${projectId} and id = ${id} for update
  `.execute(db);
  const [row] = rows;
  return row && { ...row, part: row.part ?? undefined };
}

/** With its mentions and unsent mails, and what people were told of it; returns whom. */
export async function deleteComment(db: Queryable, id: string): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    delete from notifications where kind in ('mention', 'comment') and source_id = ${id} returning user_id
  `.execute(db);
  await db.deleteFrom('comments').where('id', '=', id).execute();
  return rows.map(({ user_id }) => user_id);
}

/** Deletes the comments on what is deleted for good. */
export async function sweepComments(db: Queryable): Promise<void> {
  const tables = [...ITEM_TABLES, { kind: 'germplasm', table: 'germplasm' }];
  for (const { kind, table } of tables)
    await sql`
      delete from comments
      where entity_kind = ${kind} and not exists (select from ${sql.table(table)} as one where one.id = entity_id)
    `.execute(db);
}
