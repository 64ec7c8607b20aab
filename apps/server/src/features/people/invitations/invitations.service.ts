import type { Page } from '@heterosis/contracts/common';
import type { AnswerOf, InputOf } from '@heterosis/contracts/endpoint';
import type { invitationsApi, invitationsOfOrganizationApi } from '@heterosis/contracts/endpoints/people/invitations';
import type { AuditAction } from '@heterosis/contracts/people/audit';
import type { TokenResult } from '@heterosis/contracts/people/auth';
import type { Invitation, SentInvitation } from '@heterosis/contracts/people/invitations';
import { recordAuditEvent } from '../../../platform/audit/audit-events.ts';
import { type Queryable, violates } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import { isAtLeast, type Principal } from '../../../platform/http/access.ts';
import type { Call, Caller, OrganizationCall, ProjectCall, SignedInCall } from '../../../platform/http/bind.ts';
import { decodeIdCursor, toPage } from '../../../platform/http/pagination.ts';
import { notFound, Problem } from '../../../platform/http/problem.ts';
import { isUuid } from '../../../platform/http/uuid.ts';
import { findUserByEmail } from '../accounts/index.ts';
import { hashSecret, type KeyRing, requireEmailLinks, signInWithProvenEmail } from '../auth/index.ts';
import { notify } from '../notifications/index.ts';
import { requireSeat } from '../organizations/index.ts';
import {
  areProjectsOf,
  deleteInvitation,
  deleteSentInvitation,
  findInvitationToTell,
  findPendingInvitation,
  findSentInvitation,
  type Inviter,
  insertInvitation,
  insertMembership,
  isMember,
  listReceivedInvitations,
  listSentInvitations,
  lockReceivedInvitation,
  type ReceivedInvitation,
  renewInvitation,
  useInvitationCode,
} from './invitations.queries.ts';
import { sendInvitationMailJob } from './jobs.ts';

type Sent = typeof invitationsOfOrganizationApi;

/** From an organization or from a project. */
type InviterCall = OrganizationCall | ProjectCall;

/** Who invites, where, and on whose seats. */
interface InviteRequest {
  inviter: Inviter;
  organizationId: string;
  /** Whether the caller may invite managers. */
  mayInviteManagers: boolean;
  principal: Principal;
  requestId: string | undefined;
}

function requestOf({ access, principal, requestId }: InviterCall): InviteRequest {
  const { organizationId } = access;
  const from = { organizationId, principal, requestId };
  if (!('projectId' in access))
    return { inviter: { organization_id: organizationId }, mayInviteManagers: access.mayInviteManagers, ...from };
  const { projectId, organizationRole } = access;
  const mayInviteManagers = organizationRole !== null && isAtLeast(organizationRole, 'MANAGER');
  return { inviter: { project_id: projectId }, mayInviteManagers, ...from };
}

export async function listReceived(
  { services: { db }, principal: { userId } }: SignedInCall,
  { query: { limit, cursor } }: InputOf<typeof invitationsApi.listReceived>,
): Promise<Page<Invitation>> {
  const rows = await listReceivedInvitations(db, userId, { limit, after: decodeIdCursor(cursor) });
  return toPage(rows, limit, ({ id }) => [id]);
}

export async function listSent(
  call: InviterCall,
  { query: { limit, cursor } }: InputOf<Sent['listSent']>,
): Promise<Page<SentInvitation>> {
  const { inviter } = requestOf(call);
  const rows = await listSentInvitations(call.services.db, inviter, { limit, after: decodeIdCursor(cursor) });
  return toPage(rows, limit, ({ id }) => [id]);
}

/** Invites an address: takes a seat, writes the invitation and its mail in one transaction. */
export async function invite(
  call: InviterCall,
  { body: { recipient: address, role, project_ids = [] } }: InputOf<Sent['invite']>,
): Promise<SentInvitation> {
  const { db, jobs } = call.services;
  const request = requestOf(call);
  const { inviter, organizationId, principal } = request;
  const recipient = address.toLowerCase();
  if (role === 'MANAGER' && !request.mayInviteManagers)
    throw new Problem(
      'request/not-allowed',
      'You may invite members only. Ask an owner of the organization to invite a manager.',
    );
  if (recipient === principal.email)
    throw new Problem('invitations/self', 'This is your own address. Enter the address of somebody else.');
  if (project_ids.length > 0 && 'project_id' in inviter)
    throw notProjects('An invitation to a project names no others.');
  try {
    return await db.transaction().execute(async (trx) => {
      // First: it locks the organization, so that what follows holds until the commit.
      await requireSeat(trx, organizationId, recipient);
      if (await isMember(trx, inviter, recipient))
        throw new Problem(
          'invitations/already-member',
          `${recipient} is a member already. Change the role in the list of members.`,
        );
      if ((await findPendingInvitation(trx, inviter, recipient)) !== undefined)
        throw new Problem(
          'invitations/already-invited',
          `${recipient} has a pending invitation. Send it again, or withdraw it first.`,
        );
      if (!(await areProjectsOf(trx, organizationId, project_ids)))
        throw notProjects('Name projects of this organization, which are not deleted.');
      const id = await insertInvitation(trx, inviter, { sender_id: principal.userId, recipient, role, project_ids });
      await jobs.enqueue(trx, sendInvitationMailJob, { invitation_id: id });
      await record(trx, request, { action: 'invitation.sent', id, details: { recipient, role } });
      await tell(trx, request, recipient, id);
      await notifyRecipient(trx, id, { isAgain: false });
      return await sent(trx, inviter, id);
    });
  } catch (error) {
    if (violates(error, 'invitations_organization') || violates(error, 'invitations_project'))
      throw new Problem(
        'invitations/already-invited',
        `${recipient} has a pending invitation. Send it again, or withdraw it first.`,
      );
    throw error;
  }
}

const notProjects = (detail: string): Problem =>
  new Problem('request/invalid', detail, { invalidParams: [{ name: 'body.project_ids', reason: detail }] });

/** Mails an invitation again, with a new link and its full time. An expired one takes a seat again. */
export async function resendInvitation(
  call: InviterCall,
  { id }: InputOf<Sent['resendInvitation']>,
): Promise<SentInvitation> {
  const { db, jobs } = call.services;
  const request = requestOf(call);
  return await db.transaction().execute(async (trx) => {
    const { recipient } = await sent(trx, request.inviter, id);
    await requireSeat(trx, request.organizationId, recipient);
    await renewInvitation(trx, request.inviter, id);
    await jobs.enqueue(trx, sendInvitationMailJob, { invitation_id: id });
    await notifyRecipient(trx, id, { isAgain: true });
    await record(trx, request, { action: 'invitation.resent', id, details: { recipient } });
    await tell(trx, request, recipient, id);
    return await sent(trx, request.inviter, id);
  });
}

export async function withdrawInvitation(
  call: InviterCall,
  { id }: InputOf<Sent['withdrawInvitation']>,
): Promise<void> {
  const request = requestOf(call);
  await call.services.db.transaction().execute(async (trx) => {
    const invitation = isUuid(id) ? await deleteSentInvitation(trx, request.inviter, id) : undefined;
    if (invitation === undefined) throw notFound('This invitation');
    await record(trx, request, { action: 'invitation.withdrawn', id, details: { ...invitation } });
    await tell(trx, request, invitation.recipient, id);
  });
}

/** Accepts an invitation to the caller's proven address. Of two tabs at once one finds it gone. */
export async function acceptInvitation(
  { services: { db }, principal, requestId }: SignedInCall,
  { id }: InputOf<typeof invitationsApi.acceptInvitation>,
): Promise<AnswerOf<typeof invitationsApi.acceptInvitation>> {
  return await db.transaction().execute(async (trx) => {
    const invitation = await lockOwn(trx, principal, id);
    if (invitation.is_expired)
      throw new Problem('invitations/expired', 'The invitation has expired. Ask whoever invited you to send it again.');
    await insertMembership(trx, invitation, principal.userId);
    await deleteInvitation(trx, id);
    await answer(trx, invitation, { principal, requestId }, 'invitation.accepted');
    const { organization_id, project_id, project_ids } = invitation;
    return { organization_id, project_id: project_id ?? project_ids[0] ?? null };
  });
}

export async function declineInvitation(
  { services: { db }, principal, requestId }: SignedInCall,
  { id }: InputOf<typeof invitationsApi.declineInvitation>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const invitation = await lockOwn(trx, principal, id);
    await deleteInvitation(trx, id);
    await answer(trx, invitation, { principal, requestId }, 'invitation.declined');
  });
}

/**
 * Signs in the addressee of a mailed link, which proves access to the mailbox; an address without an account gets
 * one. The link works once, and the invitation is then accepted or declined by its own call.
 */
export async function signInByInvitation(
  { services: { db, config }, userAgent, keys }: Call & Caller & { keys: KeyRing },
  { body: { code } }: InputOf<typeof invitationsApi.signInByInvitation>,
): Promise<TokenResult> {
  requireEmailLinks(config);
  const recipient = await useInvitationCode(db, hashSecret(code).toString('hex'));
  if (recipient === undefined)
    throw new Problem(
      'invitations/unusable-link',
      'This link was used already, or the invitation was withdrawn or has expired. Sign in with your e-mail address to see your invitations.',
    );
  return signInWithProvenEmail({ db, keys }, recipient, userAgent);
}

async function sent(db: Queryable, inviter: Inviter, id: string): Promise<SentInvitation> {
  const found = isUuid(id) ? await findSentInvitation(db, inviter, id) : undefined;
  if (found === undefined) throw notFound('This invitation');
  return found;
}

async function lockOwn(trx: Queryable, { userId }: Principal, id: string): Promise<ReceivedInvitation> {
  const invitation = isUuid(id) ? await lockReceivedInvitation(trx, userId, id) : undefined;
  if (invitation === undefined) throw notFound('This invitation');
  return invitation;
}

async function record(
  trx: Queryable,
  { inviter, organizationId, principal, requestId }: InviteRequest,
  { action, id, details }: { action: AuditAction; id: string; details: Record<string, unknown> },
): Promise<void> {
  await recordAuditEvent(trx, {
    action,
    actor: principal,
    organizationId,
    ...('project_id' in inviter ? { projectId: inviter.project_id } : {}),
    targetType: 'invitation',
    targetId: id,
    details,
    requestId,
  });
}

/** The lists of those who invite, and the box of an addressee who has an account. */
async function tell(
  trx: Queryable,
  { inviter, organizationId }: InviteRequest,
  recipient: string,
  id: string,
): Promise<void> {
  const scope = { organization_id: organizationId, project_id: 'project_id' in inviter ? inviter.project_id : null };
  await publishEvent(trx, { type: 'invitation', id, ...scope });
  const addressee = await findUserByEmail(trx, recipient);
  if (addressee !== undefined) await publishEvent(trx, { type: 'invitation', id, ...scope, user_ids: [addressee.id] });
}

/** In the product, where the address has an account; it is seen once the person has proved to read that mailbox. */
async function notifyRecipient(trx: Queryable, id: string, { isAgain }: { isAgain: boolean }): Promise<void> {
  const told = await findInvitationToTell(trx, id);
  if (told === undefined) return;
  const { user_id, sender, place } = told;
  await notify(trx, {
    ...{ userId: user_id, kind: 'invitation', sourceId: id, projectId: null, organizationId: null, item: null },
    path: '/projects?modal=invitation-box',
    isAgain,
    details: { name: place, by: sender },
  });
}

async function answer(
  trx: Queryable,
  { id, organization_id, project_id, recipient, role }: ReceivedInvitation,
  { principal, requestId }: Pick<SignedInCall, 'principal' | 'requestId'>,
  action: AuditAction,
): Promise<void> {
  await recordAuditEvent(trx, {
    action,
    actor: principal,
    organizationId: organization_id,
    ...(project_id === null ? {} : { projectId: project_id }),
    targetType: 'invitation',
    targetId: id,
    details: { recipient, role },
    requestId,
  });
  const scope = { organization_id, project_id };
  await publishEvent(trx, { type: 'invitation', id, ...scope });
  await publishEvent(trx, { type: 'invitation', id, ...scope, user_ids: [principal.userId] });
  await publishEvent(trx, { type: 'organization', id: organization_id, organization_id, project_id: null });
  await publishEvent(trx, {
    type: 'organization',
    id: organization_id,
    organization_id,
    project_id: null,
    user_ids: [principal.userId],
  });
}
