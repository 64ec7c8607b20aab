import { runKinds } from '@heterosis/contracts/work/run-kinds';
import { sql } from 'kysely';
import type { Config } from '../../../platform/config/config.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { Problem } from '../../../platform/http/problem.ts';

/** What an organization uses of the installation, and how much it may; null: no limit. */
export interface Usage {
  storage_used_bytes: number;
  storage_quota_bytes: number | null;
  runs_unfinished: number;
  run_quota: number | null;
}

type Quotas = Config['quotas'];

/**
 * Files as they were uploaded or made, with the covariances that they bring along, and photos, also those in the bin,
 * announced bytes of uploads under way, germplasm files under review, and the logo.
 */
const storedBytes = sql`(
  select coalesce(sum(size_bytes + coalesce((files.meta -> 'covariance' ->> 'size_bytes')::bigint, 0)), 0) from files
    join projects on projects.id = files.project_id where projects.organization_id = organizations.id
) + (
  select coalesce(sum(size_bytes), 0) from photos
    join projects on projects.id = photos.project_id where projects.organization_id = organizations.id
) + (
  select coalesce(sum(size_bytes), 0) from uploads
    join projects on projects.id = uploads.project_id
    where projects.organization_id = organizations.id and uploads.expires_at > now()
) + (
  select coalesce(sum(size_bytes), 0) from germplasm_uploads
    where organization_id = organizations.id and storage_key is not null
) + (
  select coalesce(sum(length(bytes)), 0) from organization_logos where organization_id = organizations.id
)`;

/** Runs of the kinds that wait or are under way; the check of a file is none. */
const unfinishedRuns = sql`(
  select count(distinct entity_id) from runs
    join projects on projects.id = runs.project_id
    where projects.organization_id = organizations.id and finished_at is null and entity_kind = any(${runKinds}::text[])
)`;

/** The columns of {@link Usage}, for a query of `organizations`. */
export const usageColumns = ({ storageBytes, runs }: Quotas) => sql`
  (${storedBytes})::bigint as storage_used_bytes,
  coalesce(organizations.storage_quota_bytes, ${storageBytes}::bigint) as storage_quota_bytes,
  ${unfinishedRuns}::int as runs_unfinished,
  coalesce(organizations.run_quota, ${runs}::int) as run_quota
`;

export async function readUsage(db: Queryable, quotas: Quotas, organizationId: string): Promise<Usage> {
  const { rows } = await sql<Usage>`
    select ${usageColumns(quotas)} from organizations where id = ${organizationId}
  `.execute(db);
  const [usage] = rows;
  if (usage === undefined) throw new Error(`There is no organization ${organizationId}`);
  return usage;
}

/** Of two requests for the last bytes or the last place, the second sees what the first took. */
async function lockedUsage(trx: Queryable, quotas: Quotas, organizationId: string): Promise<Usage> {
  await sql`select from organizations where id = ${organizationId} for no key update`.execute(trx);
  return await readUsage(trx, quotas, organizationId);
}

/** Ensures that an organization may store so many more bytes. The lock lasts until the transaction ends. */
export async function requireStorage(
  trx: Queryable,
  quotas: Quotas,
  organizationId: string,
  bytes: number,
): Promise<void> {
  const { storage_used_bytes: used, storage_quota_bytes: quota } = await lockedUsage(trx, quotas, organizationId);
  if (quota === null || used + bytes <= quota) return;
  throw new Problem(
    'organizations/storage-exhausted',
    `This file has ${inWords(bytes)}, and the organization has ${inWords(Math.max(0, quota - used))} of ${inWords(quota)} left. Files in the bin and uploads under way count. Ask the operator for more storage.`,
    { details: { storage_used_bytes: used, storage_quota_bytes: quota, needed_bytes: bytes } },
  );
}

/** Ensures that an organization may start one more run. The lock lasts until the transaction ends. */
export async function requireRunPlace(trx: Queryable, quotas: Quotas, organizationId: string): Promise<void> {
  const { runs_unfinished: unfinished, run_quota: quota } = await lockedUsage(trx, quotas, organizationId);
  if (quota === null || unfinished < quota) return;
  throw new Problem(
    'organizations/runs-exhausted',
    `The organization may have ${quota} ${quota === 1 ? 'run' : 'runs'} at a time, and ${unfinished} wait or are under way. Start this one when one of them has ended, or ask the operator for more.`,
    { details: { runs_unfinished: unfinished, run_quota: quota } },
  );
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** `1.5 GB`, in steps of 1,000. */
function inWords(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${step === 0 ? value : Number(value.toPrecision(3))} ${UNITS[step]}`;
}
