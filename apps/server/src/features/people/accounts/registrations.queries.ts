import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../../../platform/database/database.ts';

export type RegistrationStatus = 'PENDING' | 'APPROVED' | 'REJECTED';

/** A request for an account. */
export interface Registration {
  id: string;
  email: string;
  status: RegistrationStatus;
  created_at: string;
  decided_at: string | null;
  decided_by: string | null;
  /** The page that the person wanted. */
  return_to: string | null;
}

const COLUMNS = ['id', 'email', 'status', 'created_at', 'decided_at', 'decided_by', 'return_to'] as const;

/** Newest first. */
export function listRegistrations(db: Queryable, status?: RegistrationStatus): Promise<Registration[]> {
  return db
    .selectFrom('registrations')
    .select(COLUMNS)
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'PENDING'))
    .orderBy('id', 'desc')
    .execute();
}

export function findLatestRegistration(db: Queryable, email: string): Promise<Registration | undefined> {
  return db
    .selectFrom('registrations')
    .select(COLUMNS)
    .where('email', '=', email.toLowerCase())
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** One pending request per address; repeating it changes nothing. Returns the id of a new one. */
export async function insertPendingRegistration(
  db: Queryable,
  email: string,
  returnTo: string | null = null,
): Promise<string | undefined> {
  const row = await db
    .insertInto('registrations')
    .values({ id: uuidv7(), email: email.toLowerCase(), return_to: returnTo })
    .onConflict((conflict) => conflict.column('email').where('status', '=', 'PENDING').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** With two operators at once, the second sees the decision of the first. */
export async function lockRegistrations(trx: Queryable): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('heterosis registrations'))`.execute(trx);
}

export function findPendingRegistration(db: Queryable, id: string): Promise<Registration | undefined> {
  return db
    .selectFrom('registrations')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('status', '=', 'PENDING')
    .executeTakeFirst();
}

/** Decides the pending request of an address; undefined when there is none. */
export function updatePendingRegistration(
  db: Queryable,
  email: string,
  decision: { status: 'APPROVED' | 'REJECTED'; decidedBy: string },
): Promise<Registration | undefined> {
  return db
    .updateTable('registrations')
    .set({ status: decision.status, decided_by: decision.decidedBy, decided_at: sql`now()` })
    .where('email', '=', email.toLowerCase())
    .where('status', '=', 'PENDING')
    .returning(COLUMNS)
    .executeTakeFirst();
}

/** Records a request that was decided at once. */
export async function insertDecidedRegistration(
  db: Queryable,
  email: string,
  decision: { status: 'APPROVED' | 'REJECTED'; decidedBy: string },
): Promise<void> {
  const updated = await updatePendingRegistration(db, email, decision);
  if (updated !== undefined) return;
  await db
    .insertInto('registrations')
    .values({
      id: uuidv7(),
      email: email.toLowerCase(),
      status: decision.status,
      decided_by: decision.decidedBy,
      decided_at: sql`now()`,
    })
    .execute();
}
