import type { Page } from '@heterosis/contracts/common';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { operationApi } from '@heterosis/contracts/endpoints/operation/operation';
import type {
  FailedRun,
  OperatedMail,
  OperatedOrganization,
  QueueDepth,
  Registration,
} from '@heterosis/contracts/operation';
import { recordAuditEvent } from '../../../platform/audit/audit-events.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { publishOrganization } from '../../../platform/events/events.ts';
import type { Services } from '../../../platform/http/app.ts';
import type { SignedInCall } from '../../../platform/http/bind.ts';
import { decodeIdCursor, toPage } from '../../../platform/http/pagination.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import type { JobDefinition } from '../../../platform/job-queue/job.ts';
import { type EnlistedWorker, listWorkers } from '../../../platform/job-queue/workers.ts';
import { repeatCheck } from '../../data/files/index.ts';
import { repeatSettling } from '../../data/germplasm/index.ts';
import {
  approveRegistrations,
  type Decision,
  type Operator,
  rejectRegistrations,
  sendApprovalMail,
  sendRejectionMail,
  UndecidableRegistrationsError,
} from '../../people/auth/index.ts';
import { type RunKindDefinition, repeatRun } from '../../work/runs/kind/index.ts';
import {
  findRegistration,
  listFailedRuns,
  listMails,
  listOrganizationPage,
  listQueueDepths,
  listRegistrationPage,
  takeFailedMail,
  updateQuotas,
} from './operation.queries.ts';

/** What operators may repeat. */
export interface Repeatable {
  kinds: readonly RunKindDefinition[];
  mailJobs: readonly JobDefinition<unknown>[];
}

interface RepeatCall {
  services: Services;
  principal: Operator;
  repeatable: Repeatable;
}

interface Listing {
  limit: number;
  cursor?: string | undefined;
}

const pagingOf = ({ limit, cursor }: Listing) => ({ limit, before: decodeIdCursor(cursor) });

export async function listRegistrationsToDecide(
  { services: { db } }: SignedInCall,
  { query: { status, ...listing } }: InputOf<typeof operationApi.listRegistrationsToDecide>,
): Promise<Page<Registration>> {
  const rows = await listRegistrationPage(db, { status, ...pagingOf(listing) });
  return toPage(rows, listing.limit, ({ id }) => [id]);
}

/** `POST /operator/registrations/{id}/approve`. */
export async function approveRegistration(
  { services, principal }: SignedInCall,
  { id }: InputOf<typeof operationApi.approveRegistration>,
): Promise<RegistrationDecision> {
  return await decideRegistration(services, principal, id, { approve: true });
}

/** `POST /operator/registrations/{id}/reject`. */
export async function rejectRegistration(
  { services, principal }: SignedInCall,
  { id, body: { reason } }: InputOf<typeof operationApi.rejectRegistration>,
): Promise<RegistrationDecision> {
  return await decideRegistration(services, principal, id, { approve: false, reason });
}

/** `GET /operator/queue`. */
export async function getQueueDepths({ services: { db } }: SignedInCall): Promise<{ data: QueueDepth[] }> {
  return { data: await listQueueDepths(db) };
}

/** `GET /operator/workers`. */
export async function getWorkers({ services: { db } }: SignedInCall): Promise<{ data: EnlistedWorker[] }> {
  return { data: await listWorkers(db) };
}

interface RegistrationDecision {
  registration: Registration;
  mailed: boolean;
}

/** Approves or rejects a request and mails the decision, which stands even if the mail is not taken. */
async function decideRegistration(
  services: Pick<Services, 'db' | 'config' | 'mailer' | 'logger'>,
  operator: Operator,
  id: string,
  decision: { approve: true } | { approve: false; reason: string | undefined },
): Promise<RegistrationDecision> {
  const { db, logger } = services;
  const asked = isUuid(id) ? await findRegistration(db, id) : undefined;
  if (asked === undefined) throw notFound('This request for an account');
  const [made] = await orUndecidable(() =>
    decision.approve
      ? approveRegistrations(db, [asked.email], operator)
      : rejectRegistrations(db, [asked.email], operator, decision.reason),
  );
  if (made === undefined) throw new Error('One decision was expected');
  if (made.outcome === 'already-registered' || made.outcome === 'already-rejected') throw decidedBefore(asked.email);
  let mailed = true;
  try {
    if (made.outcome === 'approved') await sendApprovalMail(services, made.user, made.returnTo);
    else await sendRejectionMail(services, made.email, decision.approve ? undefined : decision.reason);
  } catch (error) {
    mailed = false;
    logger.error({ err: error }, 'the mail about a decision was not taken');
  }
  return { registration: (await findRegistration(db, id)) ?? asked, mailed };
}

async function orUndecidable(decide: () => Promise<Decision[]>): Promise<Decision[]> {
  try {
    return await decide();
  } catch (error) {
    if (error instanceof UndecidableRegistrationsError) throw decidedBefore(error.reasons[0]?.email ?? '');
    throw error;
  }
}

const decidedBefore = (email: string): Problem =>
  new Problem('request/conflict', `The request of ${email} was decided before. Read the list again.`);

export async function listOperatedOrganizations(
  { services: { db, config } }: { services: Pick<Services, 'db' | 'config'> },
  { query: listing }: InputOf<typeof operationApi.listOperatedOrganizations>,
): Promise<Page<OperatedOrganization>> {
  const rows = await listOrganizationPage(db, config.quotas, pagingOf(listing));
  return toPage(rows, listing.limit, ({ id }) => [id]);
}

export async function findOrganizationToOperate(
  { db, config }: Pick<Services, 'config'> & { db: Queryable },
  id: string,
): Promise<OperatedOrganization> {
  const [found] = isUuid(id) ? await listOrganizationPage(db, config.quotas, { limit: 1, before: undefined, id }) : [];
  if (found === undefined) throw notFound('This organization');
  return found;
}

/** Sets what an organization may use; null: the default of the installation. */
export async function changeQuotas(
  { services: { db, config }, principal: operator }: { services: Pick<Services, 'db' | 'config'>; principal: Operator },
  { id, body: { storage_bytes, runs } }: InputOf<typeof operationApi.changeQuotas>,
): Promise<OperatedOrganization> {
  return await db.transaction().execute(async (trx) => {
    const isThere =
      isUuid(id) && (await updateQuotas(trx, id, { storage_quota_bytes: storage_bytes, run_quota: runs }));
    if (!isThere) throw notFound('This organization');
    await recordAuditEvent(trx, {
      action: 'organization.quotas-changed',
      actor: operator,
      organizationId: id,
      targetType: 'organization',
      targetId: id,
      details: { storage_bytes, runs },
    });
    await publishOrganization(trx, id);
    return await findOrganizationToOperate({ db: trx, config }, id);
  });
}

export async function listRunsToRepeat(
  { services: { db } }: { services: Pick<Services, 'db'> },
  { query: listing }: InputOf<typeof operationApi.listRunsToRepeat>,
): Promise<Page<FailedRun>> {
  const rows = await listFailedRuns(db, pagingOf(listing));
  return toPage(
    rows.map(({ entity_id: _, organization_id: __, requested_by: ___, ...run }) => run),
    listing.limit,
    ({ id }) => [id],
  );
}

/** Begins the work of a failed run again, for the person who had asked for it. */
export async function repeatFailedRun(
  { services, principal: operator, repeatable: { kinds } }: RepeatCall,
  { id: runId }: InputOf<typeof operationApi.repeatFailedRun>,
): Promise<void> {
  await services.db.transaction().execute(async (trx) => {
    const [run] = isUuid(runId) ? await listFailedRuns(trx, { limit: 1, before: undefined, id: runId }) : [];
    if (run === undefined) throw notFound('This failed run');
    const { project_id, organization_id, entity_id: id, kind, requested_by } = run;
    if (!run.is_retryable)
      throw new Problem(
        'runs/not-retryable',
        'What makes a file from another is begun again on the page of that file, by a member.',
      );
    const definition = kinds.find((one) => one.kind === kind);
    if (project_id === null) await repeatSettling(services, trx, { organization_id, id });
    else if (definition) await repeatRun(services, trx, definition, { project_id, id, requested_by });
    else await repeatCheck(services, trx, { project_id, id, requested_by });
    await recordAuditEvent(trx, {
      action: 'run.repeated',
      actor: operator,
      ...(project_id === null ? { organizationId: organization_id } : { projectId: project_id }),
      targetType: kind,
      targetId: id,
      details: { step: run.step, code: run.code },
    });
  });
}

export async function listOperatedMails(
  { services: { db } }: { services: Pick<Services, 'db'> },
  { query: { state, ...listing } }: InputOf<typeof operationApi.listOperatedMails>,
): Promise<Page<OperatedMail>> {
  const rows = await listMails(db, { state, ...pagingOf(listing) });
  return toPage(rows, listing.limit, ({ id }) => [id]);
}

/** Enqueues the job of a failed mail again, which makes a new mail with a link that works. */
export async function repeatFailedMail(
  { services: { db, jobs }, principal: operator, repeatable: { mailJobs } }: RepeatCall,
  { id }: InputOf<typeof operationApi.repeatFailedMail>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const mail = isUuid(id) ? await takeFailedMail(trx, id) : undefined;
    const definition = mailJobs.find(({ name }) => name === mail?.job.name);
    if (mail === undefined || definition === undefined) throw notFound('A failed mail that can be sent again');
    await jobs.enqueue(trx, definition, definition.payload.parse(mail.job.payload));
    await recordAuditEvent(trx, {
      action: 'mail.repeated',
      actor: operator,
      targetType: 'mail',
      targetId: id,
      details: { to: mail.to },
    });
  });
}
