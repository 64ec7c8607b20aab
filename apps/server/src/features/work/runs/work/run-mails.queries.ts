import { sql } from 'kysely';
import type { Queryable } from '../../../../platform/database/database.ts';

/** A user who wants a mail about a run, and the mail's data besides the results. */
export interface MailWish {
  user_id: string;
  /** Null for the run of an organization. */
  project_id: string | null;
  /** `project "Trials"`, or `organization "Acme"`. */
  place: string;
  run_mail_minutes: number;
  /** From the request to the end, including the time in the queue. */
  seconds: number;
}

/** Who requested a run that has ended, and how long it took; undefined when nobody did, or when somebody stopped it. */
export function findRequester(db: Queryable, runId: string): Promise<{ user_id: string; seconds: number } | undefined> {
  return db
    .selectFrom('runs')
    .select(sql<string>`runs.requested_by`.as('user_id'))
    .select(secondsOfRun.as('seconds'))
    .where('runs.id', '=', runId)
    .where('runs.requested_by', 'is not', null)
    .where('runs.state', 'in', ['SUCCEEDED', 'FAILED'])
    .executeTakeFirst();
}

const secondsOfRun = sql<number>`extract(epoch from coalesce(runs.finished_at, now()) - runs.requested_at)::float8`;

/** Undefined when no user requested the run, when that user wants no mail, or when the run was too short for one. */
export function findMailWish(db: Queryable, runId: string): Promise<MailWish | undefined> {
  return db
    .selectFrom('runs')
    .innerJoin('users', 'users.id', 'runs.requested_by')
    .leftJoin('projects', 'projects.id', 'runs.project_id')
    .leftJoin('organizations', 'organizations.id', 'runs.organization_id')
    .select(['users.id as user_id', 'runs.project_id'])
    .select(
      sql<string>`coalesce('project "' || projects.name || '"', 'organization "' || organizations.name || '"')`.as(
        'place',
      ),
    )
    .select(sql<number>`users.run_mail_minutes`.as('run_mail_minutes'))
    .select(secondsOfRun.as('seconds'))
    .where('runs.id', '=', runId)
    .where('runs.state', 'in', ['SUCCEEDED', 'FAILED'])
    .where(sql<boolean>`${secondsOfRun} >= users.run_mail_minutes * 60`)
    .executeTakeFirst();
}

export interface RunMail {
  run_id: string;
  project_id: string | null;
  user_id: string;
  subject: string;
  text: string;
  link: string;
}

/** False if the mail about this run already exists. */
export async function insertRunMail(db: Queryable, mail: RunMail): Promise<boolean> {
  const row = await db
    .insertInto('run_mails')
    .values(mail)
    .onConflict((conflict) => conflict.column('run_id').doNothing())
    .returning('run_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** An unsent mail with its address, and the organization of one without project; locked until the transaction ends. */
export function lockUnsentMail(
  db: Queryable,
  runId: string,
): Promise<(RunMail & { email: string; organization_id: string | null }) | undefined> {
  return db
    .selectFrom('run_mails')
    .innerJoin('users', 'users.id', 'run_mails.user_id')
    .innerJoin('runs', 'runs.id', 'run_mails.run_id')
    .selectAll('run_mails')
    .select(['users.email', 'runs.organization_id'])
    .where('run_mails.run_id', '=', runId)
    .where('run_mails.sent_at', 'is', null)
    .where('users.disabled_at', 'is', null)
    .forUpdate('run_mails')
    .executeTakeFirst();
}

export async function updateMailSent(db: Queryable, runId: string): Promise<void> {
  await db.updateTable('run_mails').set({ sent_at: sql<string>`now()` }).where('run_id', '=', runId).execute();
}
