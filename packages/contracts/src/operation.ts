import * as z from 'zod';
import { id, pageQuery, timestamp } from './common.ts';
import { runKinds } from './work/run-kinds.ts';

/** What the operators of an installation see and do. */

export const registrationStatus = z.enum(['PENDING', 'APPROVED', 'REJECTED']);
export type RegistrationStatus = z.infer<typeof registrationStatus>;

/** A request for an account. */
export const registration = z
  .object({
    id,
    email: z.string(),
    status: registrationStatus,
    created_at: timestamp,
    decided_at: timestamp.nullable(),
    decided_by: z.string().nullable(),
  })
  .meta({ id: 'Registration' });
export type Registration = z.infer<typeof registration>;

export const registrationsQuery = pageQuery.extend({ status: registrationStatus.optional() });

export const rejectRegistrationBody = z.object({
  reason: z.string().trim().min(1).max(1000).optional().describe('Goes into the mail and into the audit trail.'),
});

/** The decision stands even if its mail was not taken. */
export const registrationDecision = z
  .object({ registration, mailed: z.boolean() })
  .meta({ id: 'RegistrationDecision' });

/** An organization with what it uses; without anything that its people wrote but its name. */
export const operatedOrganization = z
  .object({
    id,
    name: z.string(),
    owners: z.array(z.string()).describe('E-mail addresses.'),
    seat_total: z.number().int(),
    seat_usage: z.number().int(),
    projects: z.number().int(),
    storage_used_bytes: z.number().int(),
    storage_quota_bytes: z.number().int().nullable().describe('Null: no limit.'),
    own_storage_quota_bytes: z.number().int().nullable().describe('Null: the default of the installation.'),
    runs_unfinished: z.number().int(),
    runs_last_30_days: z.number().int(),
    run_quota: z.number().int().nullable().describe('Null: no limit.'),
    own_run_quota: z.number().int().nullable().describe('Null: the default of the installation.'),
    last_active_at: timestamp.nullable(),
    created_at: timestamp,
    deleted_at: timestamp.nullable(),
  })
  .meta({ id: 'OperatedOrganization' });
export type OperatedOrganization = z.infer<typeof operatedOrganization>;

export const MAX_RUN_QUOTA = 1_000_000;

/** Null: the default of the installation. */
export const quotasBody = z.object({
  storage_bytes: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).nullable(),
  runs: z.number().int().min(0).max(MAX_RUN_QUOTA).nullable(),
});

/** Jobs of one lane that have not ended. */
export const queueDepth = z
  .object({
    lane: z.string(),
    waiting: z.number().int(),
    running: z.number().int(),
    oldest_waiting_seconds: z.number().nullable().describe('Null when none waits.'),
  })
  .meta({ id: 'QueueDepth' });
export type QueueDepth = z.infer<typeof queueDepth>;

/** A worker that is alive, and what it offers its jobs. */
export const operatedWorker = z
  .object({
    id,
    host: z.string(),
    cores: z.number().int(),
    memory_mb: z.number().int(),
    disk_mb: z.number().int().describe('Free where jobs write their files.'),
    started_at: timestamp,
    seen_at: timestamp,
  })
  .meta({ id: 'OperatedWorker' });
export type OperatedWorker = z.infer<typeof operatedWorker>;

export const operatedWorkers = z.object({ data: z.array(operatedWorker) });

export const queueDepths = z.object({ data: z.array(queueDepth) });

/** A run that failed for reasons of the installation, not of its files or settings, and was not repeated since. */
export const failedRun = z
  .object({
    id,
    organization: z.string().describe('Its name.'),
    project_id: id.nullable().describe('Null for an upload of germplasm, which is of the organization.'),
    kind: z.enum(['file', 'germplasm_upload', ...runKinds]),
    step: z.string().describe('For example `import`, `train` or `gwas`.'),
    code: z.string(),
    attempts: z.number().int(),
    finished_at: timestamp,
    is_retryable: z.boolean(),
  })
  .meta({ id: 'FailedRun' });
export type FailedRun = z.infer<typeof failedRun>;

/** A mail, without its text, which may have a secret link. */
export const operatedMail = z
  .object({
    id,
    to: z.string(),
    subject: z.string(),
    state: z.enum(['STORED', 'SENDING', 'SENT', 'FAILED']).describe('STORED: kept in the outbox, not sent.'),
    attempts: z.number().int(),
    error: z.string().nullable(),
    is_retryable: z.boolean(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'OperatedMail' });
export type OperatedMail = z.infer<typeof operatedMail>;

export const mailsQuery = pageQuery.extend({ state: operatedMail.shape.state.optional() });
