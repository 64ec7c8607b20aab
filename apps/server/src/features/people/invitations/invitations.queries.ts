import type { Invitation, InvitedRole, SentInvitation } from '@heterosis/contracts/people/invitations';
import { INVITATION_DAYS } from '@heterosis/contracts/people/invitations';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../../platform/database/database.ts';

/** Who invites: an organization or one of its projects. */
export type Inviter = { organization_id: string } | { project_id: string };

/**
 * Invitations to the address of a user; one more than `limit`. None until the person has proved to read that mailbox:
 * somebody who signed in another way could have given any address.
 */
export async function listReceivedInvitations(
  db: Queryable,
  userId: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<Invitation[]> {
  const { rows } = await sql<Invitation>`
    select invitations.id, coalesce(sender.name, sender.email, '') as sender, recipient, role, invitations.created_at,
      invitations.expires_at,
      case when projects.id is not null then jsonb_build_object('id', projects.id, 'name', projects.name,
        'created_at', to_char(projects.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'updated_at', to_char(projects.updated_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end as project,
      case when organizations.id is not null then jsonb_build_object('id', organizations.id, 'name', organizations.name,
        'created_at', to_char(organizations.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'updated_at', to_char(organizations.updated_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end as organization
    from invitations
    join users as addressee on addressee.email = recipient and addressee.email_verified and addressee.id = ${userId}
    left join users as sender on sender.id = invitations.sender_id
    left join projects on projects.id = invitations.project_id and projects.deleted_at is null
      and exists (select from organizations as of where of.id = projects.organization_id and of.deleted_at is null)
    left join organizations on organizations.id = invitations.organization_id and organizations.deleted_at is null
    where (projects.id is not null or organizations.id is not null)
      and invitations.expires_at > now()
      and (${after ?? null}::uuid is null or invitations.id > ${after ?? null}::uuid)
    order by invitations.id
    limit ${limit + 1}
  `.execute(db);
  return rows;
}

/** An invitation as its addressee may act on it. */
export interface ReceivedInvitation {
  id: string;
  recipient: string;
  role: InvitedRole;
  /** The organization, also for an invitation to a project. */
  organization_id: string;
  project_id: string | null;
  /** Of an invitation to the organization: the projects that it names and that are still there. */
  project_ids: string[];
  sender_id: string | null;
  is_expired: boolean;
}

/** Locks an invitation to the proven address of a user; undefined when there is none, or its place was deleted. */
export async function lockReceivedInvitation(
  trx: Queryable,
  userId: string,
  id: string,
): Promise<ReceivedInvitation | undefined> {
  const { rows } = await sql<ReceivedInvitation>`
    select invitations.id, recipient, role, invitations.project_id, sender_id, expires_at <= now() as is_expired,
      organizations.id as organization_id,
      array(select named.id from projects as named
        where named.id = any(invitations.project_ids) and named.organization_id = organizations.id
          and named.deleted_at is null
        order by array_position(invitations.project_ids, named.id)) as project_ids
    from invitations
    join users as addressee on addressee.email = recipient and addressee.email_verified and addressee.id = ${userId}
    left join projects on projects.id = invitations.project_id and projects.deleted_at is null
    join organizations on organizations.id = coalesce(projects.organization_id, invitations.organization_id)
      and organizations.deleted_at is null
    where invitations.id = ${id} and (invitations.project_id is null or projects.id is not null)
    for update of invitations
  `.execute(trx);
  return rows[0];
}

const sentBy = (db: Queryable, inviter: Inviter) =>
  db
    .selectFrom('invitations')
    .leftJoin('users as sender', 'sender.id', 'invitations.sender_id')
    .select([
      'invitations.id',
      'invitations.recipient',
      'invitations.role',
      'invitations.created_at',
      'invitations.expires_at',
    ])
    .select((select) => select.fn.coalesce('sender.name', 'sender.email', sql.lit('')).as('sender'))
    .where((where) => where.and(inviter));

/** Invitations of an organization or a project, expired ones included; one more than `limit`. */
export function listSentInvitations(
  db: Queryable,
  inviter: Inviter,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<SentInvitation[]> {
  return sentBy(db, inviter)
    .$if(after !== undefined, (query) => query.where('invitations.id', '>', after ?? ''))
    .orderBy('invitations.id')
    .limit(limit + 1)
    .execute();
}

export function findSentInvitation(db: Queryable, inviter: Inviter, id: string): Promise<SentInvitation | undefined> {
  return sentBy(db, inviter).where('invitations.id', '=', id).executeTakeFirst();
}

/** The pending invitation of an address; one that has expired makes room for another. */
export async function findPendingInvitation(
  db: Queryable,
  inviter: Inviter,
  recipient: string,
): Promise<{ id: string } | undefined> {
  await db
    .deleteFrom('invitations')
    .where((where) => where.and(inviter))
    .where('recipient', '=', recipient)
    .where('expires_at', '<=', sql<string>`now()`)
    .execute();
  return await db
    .selectFrom('invitations')
    .select('id')
    .where((where) => where.and(inviter))
    .where('recipient', '=', recipient)
    .executeTakeFirst();
}

const EXPIRY = sql<string>`now() + ${sql.lit(`${INVITATION_DAYS} days`)}::interval`;

export async function insertInvitation(
  db: Queryable,
  inviter: Inviter,
  invitation: { sender_id: string; recipient: string; role: InvitedRole; project_ids: string[] },
): Promise<string> {
  const id = uuidv7();
  await db
    .insertInto('invitations')
    .values({ id, ...inviter, ...invitation, expires_at: EXPIRY })
    .execute();
  return id;
}

/** Who is invited, by whom and where to; undefined when the address has no account. */
export async function findInvitationToTell(
  db: Queryable,
  id: string,
): Promise<{ user_id: string; sender: string; place: string } | undefined> {
  const { rows } = await sql<{ user_id: string; sender: string; place: string }>`
    select addressee.id as user_id, coalesce(sender.name, sender.email, '') as sender,
      coalesce(projects.name, organizations.name) as place
    from invitations
    join users as addressee on addressee.email = recipient
    left join users as sender on sender.id = invitations.sender_id
    left join projects on projects.id = invitations.project_id
    left join organizations on organizations.id = invitations.organization_id
    where invitations.id = ${id}
  `.execute(db);
  return rows[0];
}

/** Restarts the term of an invitation. Its old link stops working when the new mail is made. */
export async function renewInvitation(db: Queryable, inviter: Inviter, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('invitations')
    .set({ expires_at: EXPIRY, mailed_at: null })
    .where((where) => where.and(inviter))
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes an invitation of an organization or project; undefined when it has none of this id. */
export function deleteSentInvitation(
  db: Queryable,
  inviter: Inviter,
  id: string,
): Promise<{ recipient: string; role: InvitedRole } | undefined> {
  return db
    .deleteFrom('invitations')
    .where((where) => where.and(inviter))
    .where('id', '=', id)
    .returning(['recipient', 'role'])
    .executeTakeFirst();
}

export async function deleteInvitation(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('invitations').where('id', '=', id).execute();
}

/** Uses up the code of a mailed link and returns its address; undefined when the link does not work any more. */
export async function useInvitationCode(db: Queryable, codeHash: string): Promise<string | undefined> {
  const row = await db
    .updateTable('invitations')
    .set({ code_hash: null })
    .where('code_hash', '=', codeHash)
    .where('expires_at', '>', sql<string>`now()`)
    .returning('recipient')
    .executeTakeFirst();
  return row?.recipient;
}

/** The mail that is due; locked until the transaction ends. Undefined when it was sent, withdrawn or accepted. */
export async function lockUnsentInvitation(
  trx: Queryable,
  id: string,
): Promise<{ recipient: string; role: InvitedRole; sender: string; place: string; is_project: boolean } | undefined> {
  const { rows } = await sql<{
    recipient: string;
    role: InvitedRole;
    sender: string;
    place: string;
    is_project: boolean;
  }>`
    select recipient, role, coalesce(sender.name, sender.email, 'Somebody') as sender,
      coalesce(projects.name, organizations.name) as place, projects.id is not null as is_project
    from invitations
    left join users as sender on sender.id = invitations.sender_id
    left join projects on projects.id = invitations.project_id
    left join organizations on organizations.id = invitations.organization_id
    where invitations.id = ${id} and mailed_at is null and expires_at > now()
    for update of invitations
  `.execute(trx);
  return rows[0];
}

/** The code of the next mail; links mailed before do not work any more. */
export async function updateInvitationCode(db: Queryable, id: string, codeHash: string): Promise<void> {
  await db.updateTable('invitations').set({ code_hash: codeHash }).where('id', '=', id).execute();
}

/** Notes that the mail with this code was sent, unless another one with another code is under way. */
export async function updateInvitationMailed(db: Queryable, id: string, codeHash: string): Promise<void> {
  await db
    .updateTable('invitations')
    .set({ mailed_at: sql<string>`now()` })
    .where('id', '=', id)
    // Null: the link has been used already.
    .where((where) => where.or([where('code_hash', '=', codeHash), where('code_hash', 'is', null)]))
    .execute();
}

/** Whether an address belongs to somebody with a role there. */
export async function isMember(db: Queryable, inviter: Inviter, email: string): Promise<boolean> {
  const members =
    'project_id' in inviter
      ? db.selectFrom('project_members').select('user_id').where('project_id', '=', inviter.project_id)
      : db.selectFrom('organization_members').select('user_id').where('organization_id', '=', inviter.organization_id);
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .where('id', 'in', members)
    .executeTakeFirst();
  return row !== undefined;
}

/** Gives a role where there is none yet; an existing one is never lowered by an old invitation. */
export async function insertMembership(
  db: Queryable,
  { organization_id, project_id, project_ids, role }: ReceivedInvitation,
  userId: string,
): Promise<void> {
  const joined =
    project_id === null ? project_ids.map((id) => ({ id, role: 'MEMBER' as const })) : [{ id: project_id, role }];
  if (project_id === null)
    await db
      .insertInto('organization_members')
      .values({ id: uuidv7(), organization_id, user_id: userId, role })
      .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doNothing())
      .execute();
  if (joined.length > 0)
    await db
      .insertInto('project_members')
      .values(joined.map((project) => ({ id: uuidv7(), project_id: project.id, user_id: userId, role: project.role })))
      .onConflict((conflict) => conflict.columns(['project_id', 'user_id']).doNothing())
      .execute();
}

/** Whether all these are projects of the organization. */
export async function areProjectsOf(
  db: Queryable,
  organizationId: string,
  projectIds: readonly string[],
): Promise<boolean> {
  if (projectIds.length === 0) return true;
  const rows = await db
    .selectFrom('projects')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', projectIds)
    .where('deleted_at', 'is', null)
    .execute();
  return rows.length === new Set(projectIds).size;
}
