import type { Paper } from '@heterosis/contracts/common';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../../platform/database/database.ts';
import { EVENT_CHANNEL, publishAccount } from '../../../platform/events/events.ts';

export interface User {
  id: string;
  /** Lower case. */
  email: string;
  email_verified: boolean;
  /** Display name; null until the person enters one. */
  name: string | null;
  /** Address of the photo at this server. */
  photo_url: string | null;
  disabled_at: string | null;
  /** Operates this installation. */
  is_operator: boolean;
  /** Mail the person about runs longer than this; null for never. */
  run_mail_minutes: number | null;
  muted_notifications: string[];
  /** Kinds of notification that are mailed too. */
  mailed_notifications: string[];
  paper: string | null;
  created_at: string;
  updated_at: string;
}

const COLUMNS = [
  'id',
  'email',
  'email_verified',
  'name',
  'photo_url',
  'disabled_at',
  'is_operator',
  'run_mail_minutes',
  'muted_notifications',
  'mailed_notifications',
  'paper',
  'created_at',
  'updated_at',
] as const;

export function findUser(db: Queryable, id: string): Promise<User | undefined> {
  return db.selectFrom('users').select(COLUMNS).where('id', '=', id).executeTakeFirst();
}

export function findUserByEmail(db: Queryable, email: string): Promise<User | undefined> {
  return db.selectFrom('users').select(COLUMNS).where('email', '=', email.toLowerCase()).executeTakeFirst();
}

/** Finds or creates the user of this address; concurrent requests get the same row. */
export async function ensureUser(db: Queryable, email: string): Promise<User> {
  await db
    .insertInto('users')
    .values({ id: uuidv7(), email: email.toLowerCase() })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .execute();
  return db.selectFrom('users').select(COLUMNS).where('email', '=', email.toLowerCase()).executeTakeFirstOrThrow();
}

/** Name or photo of a person has changed: on the person's own pages, and where the person is a member. */
export async function publishPerson(trx: Queryable, userId: string): Promise<void> {
  await publishAccount(trx, userId);
  await sql`
    select pg_notify(${EVENT_CHANNEL}, jsonb_build_object('type', type, 'id', id, 'project_id',
      case type when 'project' then id end, 'organization_id', organization_id)::text)
    from (
      select 'organization' as type, organization_id as id, organization_id
      from organization_members where user_id = ${userId}
      union all
      select 'project', project_id, projects.organization_id
      from project_members join projects on projects.id = project_id where user_id = ${userId}
    ) as place
  `.execute(trx);
}

export function updateUserName(db: Queryable, id: string, name: string): Promise<User> {
  return db
    .updateTable('users')
    .set({ name, updated_at: sql`now()` })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

export async function updateRunMailMinutes(db: Queryable, id: string, minutes: number | null): Promise<void> {
  await db
    .updateTable('users')
    .set({ run_mail_minutes: minutes, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
}

export async function updatePaper(db: Queryable, id: string, paper: Paper): Promise<void> {
  await db.updateTable('users').set({ paper, updated_at: sql`now()` }).where('id', '=', id).execute();
}

export async function updateMutedNotifications(db: Queryable, id: string, muted: readonly string[]): Promise<void> {
  await db
    .updateTable('users')
    .set({ muted_notifications: [...muted], updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
}

export async function updateMailedNotifications(db: Queryable, id: string, mailed: readonly string[]): Promise<void> {
  await db
    .updateTable('users')
    .set({ mailed_notifications: [...new Set(mailed)], updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
}

/** Records that the person reads mail at this address. */
export function updateEmailVerified(db: Queryable, id: string): Promise<User> {
  return db
    .updateTable('users')
    .set({ email_verified: true })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** A new address that was not confirmed yet. */
export async function findPendingEmail(db: Queryable, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('email_changes')
    .select('email')
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst();
  return row?.email;
}

/** The highest role in any organization; undefined without any. */
export async function findHighestRole(
  db: Queryable,
  userId: string,
): Promise<'OWNER' | 'MANAGER' | 'MEMBER' | undefined> {
  const row = await db
    .selectFrom('organization_members')
    .innerJoin('organizations', 'organizations.id', 'organization_members.organization_id')
    .select('role')
    .where('user_id', '=', userId)
    .where('organizations.deleted_at', 'is', null)
    .orderBy(sql`array_position(array['OWNER', 'MANAGER', 'MEMBER'], role)`)
    .limit(1)
    .executeTakeFirst();
  return row?.role;
}

export function listOperators(db: Queryable): Promise<User[]> {
  return db.selectFrom('users').select(COLUMNS).where('is_operator', '=', true).orderBy('email').execute();
}

/** Read on every request of an operator, so that losing the flag takes effect at once. */
export async function isOperator(db: Queryable, id: string): Promise<boolean> {
  const user = await findUser(db, id);
  return user?.is_operator === true && user.disabled_at === null;
}

/** Undefined when the address has no account. */
export function updateOperator(db: Queryable, email: string, isNow: boolean): Promise<User | undefined> {
  return db
    .updateTable('users')
    .set({ is_operator: isNow, updated_at: sql`now()` })
    .where('email', '=', email.toLowerCase())
    .returning(COLUMNS)
    .executeTakeFirst();
}
