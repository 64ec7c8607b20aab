import { derivationStep } from '@heterosis/contracts/data/files';
import type {
  FailedRun,
  OperatedMail,
  OperatedOrganization,
  QueueDepth,
  Registration,
  RegistrationStatus,
} from '@heterosis/contracts/operation';
import { runKinds } from '@heterosis/contracts/work/run-kinds';
import { sql } from 'kysely';
import type { Config } from '../../../platform/config/config.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { seatUsage, usageColumns } from '../../people/organizations/index.ts';

interface Paging {
  limit: number;
  /** Newest first: ids before this one. */
  before: string | undefined;
}

/** Requests for accounts, newest first; one row more than `limit`. */
export function listRegistrationPage(
  db: Queryable,
  { status, limit, before }: Paging & { status: RegistrationStatus | undefined },
): Promise<Registration[]> {
  return db
    .selectFrom('registrations')
    .select(['id', 'email', 'status', 'created_at', 'decided_at', 'decided_by'])
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'PENDING'))
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
}

export function findRegistration(db: Queryable, id: string): Promise<Registration | undefined> {
  return db
    .selectFrom('registrations')
    .select(['id', 'email', 'status', 'created_at', 'decided_at', 'decided_by'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Organizations with what they use, newest first; one row more than `limit`. With an id, that one. */
export async function listOrganizationPage(
  db: Queryable,
  quotas: Config['quotas'],
  { limit, before, id }: Paging & { id?: string },
): Promise<OperatedOrganization[]> {
  const { rows } = await sql<OperatedOrganization>`
    select organizations.id, organizations.name, seat_total, organizations.created_at, organizations.deleted_at,
      ${usageColumns(quotas)}, ${seatUsage} as seat_usage,
      storage_quota_bytes as own_storage_quota_bytes, run_quota as own_run_quota,
      array(
        select users.email from organization_members as member join users on users.id = member.user_id
        where member.organization_id = organizations.id and member.role = 'OWNER' order by member.id
      ) as owners,
      (select count(*) from projects where organization_id = organizations.id and projects.deleted_at is null)::int
        as projects,
      (select count(*) from runs join projects on projects.id = runs.project_id
        where projects.organization_id = organizations.id and entity_kind = any(${runKinds}::text[])
          and runs.created_at > now() - interval '30 days')::int as runs_last_30_days,
      (select max(last_active_at) from organization_members where organization_id = organizations.id) as last_active_at
    from organizations
    where true
      ${id === undefined ? sql`` : sql`and organizations.id = ${id}`}
      ${before === undefined ? sql`` : sql`and organizations.id < ${before}`}
    order by organizations.id desc
    limit ${limit + 1}
  `.execute(db);
  return rows;
}

/** False when there is no such organization. */
export async function updateQuotas(
  db: Queryable,
  id: string,
  quotas: { storage_quota_bytes: number | null; run_quota: number | null },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('organizations')
    .set({ ...quotas, updated_at: sql<string>`now()` })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Jobs that have not ended, by lane. */
export async function listQueueDepths(db: Queryable): Promise<QueueDepth[]> {
  const { rows } = await sql<QueueDepth>`
    select substring(name from '^lane-(.*)$') as lane,
      count(*) filter (where state <> 'active')::int as waiting,
      count(*) filter (where state = 'active')::int as running,
      extract(epoch from now() - min(greatest(start_after, created_on)) filter (where state <> 'active'))::float8
        as oldest_waiting_seconds
    from pgboss.job
    where state in ('created', 'retry', 'active') and name ~ '^lane-[a-z]+$'
    group by name order by name
  `.execute(db);
  return rows.map((row) => ({
    ...row,
    // A job that waits for its retry starts in the future.
    oldest_waiting_seconds: row.oldest_waiting_seconds === null ? null : Math.max(0, row.oldest_waiting_seconds),
  }));
}

export type FailedRunRow = FailedRun & { entity_id: string; organization_id: string; requested_by: string | null };

/**
 * Codes of failures that no user caused and that a repeated run may escape. Each stands for all codes that begin
 * with it.
 */
const CAUSES_OF_OURS = ['server/', 'jobs/', 'compute/', 'storage/'];

/** Failed runs whose work was not begun again since, newest first; one row more than `limit`. With an id, that one. */
export async function listFailedRuns(
  db: Queryable,
  { limit, before, id }: Paging & { id?: string },
): Promise<FailedRunRow[]> {
  const { rows } = await sql<FailedRunRow>`
    select runs.id, organizations.name as organization, organizations.id as organization_id, runs.project_id,
      runs.entity_kind as kind, runs.entity_id,
      runs.step, runs.error_code as code, runs.attempt as attempts, runs.finished_at, runs.requested_by,
      runs.step <> all(${derivationStep.options}::text[]) as is_retryable
    from runs
    left join projects on projects.id = runs.project_id
    join organizations on organizations.id = coalesce(runs.organization_id, projects.organization_id)
      and organizations.deleted_at is null
    where projects.deleted_at is null and runs.state = 'FAILED' and runs.entity_kind not in ('brapi_import', 'package_import') and (${sql.join(
      CAUSES_OF_OURS.map((cause) => sql`starts_with(runs.error_code, ${cause})`),
      sql` or `,
    )})
      ${id === undefined ? sql`` : sql`and runs.id = ${id}`}
      ${before === undefined ? sql`` : sql`and runs.id < ${before}`}
      and not exists (
        select from runs as later where (later.project_id = runs.project_id or later.organization_id = runs.organization_id)
          and later.entity_kind = runs.entity_kind and later.entity_id = runs.entity_id and later.id > runs.id
      )
    order by runs.id desc
    limit ${limit + 1}
  `.execute(db);
  return rows;
}

const MAIL_COLUMNS = ['id', 'to', 'subject', 'state', 'attempts', 'error', 'created_at', 'updated_at'] as const;

/** Mails, newest first; one row more than `limit`. */
export async function listMails(
  db: Queryable,
  { state, limit, before }: Paging & { state: OperatedMail['state'] | undefined },
): Promise<OperatedMail[]> {
  return await db
    .selectFrom('mail_outbox')
    .select(MAIL_COLUMNS)
    .select(sql<boolean>`state = 'FAILED' and job is not null`.as('is_retryable'))
    .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'FAILED'))
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
}

/** Takes a failed mail out of the list and returns the job that sends it; undefined when there is none to repeat. */
export async function takeFailedMail(
  trx: Queryable,
  id: string,
): Promise<{ to: string; job: { name: string; payload: unknown } } | undefined> {
  const row = await trx
    .deleteFrom('mail_outbox')
    .where('id', '=', id)
    .where('state', '=', 'FAILED')
    .where('job', 'is not', null)
    .returning(['to', 'job'])
    .executeTakeFirst();
  return row && { to: row.to, job: row.job as { name: string; payload: unknown } };
}
