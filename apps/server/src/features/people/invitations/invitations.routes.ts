import { page, pageQuery, pathId } from '@heterosis/contracts/common';
import {
  acceptedInvitation,
  invitation,
  invitationSignIn,
  invitationSignInBody,
  inviteBody,
  sentInvitation,
} from '@heterosis/contracts/people/invitations';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import {
  isAtLeast,
  type RouteGuard,
  requireOrganizationAccess,
  requirePrincipal,
  requireProjectAccess,
} from '../../../platform/http/access.ts';
import type { App, FeatureRoutes, Services } from '../../../platform/http/app.ts';
import { decodeIdCursor, toPage } from '../../../platform/http/pagination.ts';
import type { KeyRing } from '../auth/index.ts';
import { listReceivedInvitations, listSentInvitations } from './invitations.queries.ts';
import {
  acceptInvitation,
  declineInvitation,
  type InviteRequest,
  invite,
  resendInvitation,
  signInByInvitation,
  withdrawInvitation,
} from './invitations.service.ts';

/** Invitations received, and those that organizations and projects send. */
export const invitationRoutes =
  (keys: KeyRing): FeatureRoutes =>
  (app, services) => {
    registerReceived(app, services, keys);
    registerSent(app, services, '/organizations/:organization_id', { organization: 'MANAGER' }, (request) => {
      const { organizationId, mayInviteManagers } = requireOrganizationAccess(request);
      return { inviter: { organization_id: organizationId }, organizationId, mayInviteManagers, ...caller(request) };
    });
    registerSent(app, services, '/projects/:project_id', { project: 'MANAGER' }, (request) => {
      const { projectId, organizationId, organizationRole } = requireProjectAccess(request);
      const mayInviteManagers = organizationRole !== null && isAtLeast(organizationRole, 'MANAGER');
      return { inviter: { project_id: projectId }, organizationId, mayInviteManagers, ...caller(request) };
    });
  };

const caller = (request: FastifyRequest) => ({ principal: requirePrincipal(request), requestId: request.id });

function registerReceived(app: App, services: Services, keys: KeyRing): void {
  const params = z.object({ id: pathId });
  app.get(
    '/invitations',
    {
      config: { guard: 'signed-in' },
      schema: {
        summary: 'Invitations that I have received',
        querystring: pageQuery,
        response: { 200: page(invitation) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const rows = await listReceivedInvitations(services.db, requirePrincipal(request).userId, {
        limit,
        after: decodeIdCursor(cursor),
      });
      return toPage(rows, limit, (row) => [row.id]);
    },
  );
  app.get(
    '/invitations/:id/accept',
    {
      // A GET that changes something: a token that may only read may not call it, and a HEAD does not exist.
      config: { guard: 'signed-in', readOnly: false },
      exposeHeadRoute: false,
      schema: { summary: 'Accept an invitation', params, response: { 200: acceptedInvitation } },
    },
    async (request) => acceptInvitation(services, caller(request), request.params.id),
  );
  app.delete(
    '/invitations/:id',
    {
      config: { guard: 'signed-in' },
      schema: { summary: 'Decline an invitation', params, response: { 204: z.null() } },
    },
    async (request, reply) => {
      await declineInvitation(services, caller(request), request.params.id);
      return reply.status(204).send(null);
    },
  );
  app.post(
    '/invitations/sign_in',
    {
      config: { guard: 'public' },
      schema: {
        summary: 'Sign in by the link of an invitation',
        body: invitationSignInBody,
        response: { 200: invitationSignIn },
      },
    },
    async (request) => signInByInvitation({ ...services, keys }, request.body.code, request.headers['user-agent']),
  );
}

/** The same four calls below an organization and below a project. */
function registerSent(
  app: App,
  services: Services,
  at: '/organizations/:organization_id' | '/projects/:project_id',
  guard: RouteGuard,
  requestOf: (request: FastifyRequest) => InviteRequest,
): void {
  const isProject = at.startsWith('/projects');
  const what = isProject ? 'a project' : 'an organization';
  const params = isProject ? z.object({ project_id: pathId }) : z.object({ organization_id: pathId });
  const one = params.extend({ id: pathId });
  const idOf = (request: FastifyRequest) => (request.params as { id: string }).id;
  app.get(
    `${at}/invitations`,
    {
      config: { guard },
      schema: {
        summary: `Invitations of ${what}`,
        params,
        querystring: pageQuery,
        response: { 200: page(sentInvitation) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const after = decodeIdCursor(cursor);
      const rows = await listSentInvitations(services.db, requestOf(request).inviter, { limit, after });
      return toPage(rows, limit, (row) => [row.id]);
    },
  );
  app.post(
    `${at}/invitations`,
    {
      config: { guard },
      schema: { summary: `Invite to ${what}`, params, body: inviteBody, response: { 201: sentInvitation } },
    },
    async (request, reply) => reply.status(201).send(await invite(services, requestOf(request), request.body)),
  );
  app.post(
    `${at}/invitations/:id/resend`,
    {
      config: { guard },
      schema: { summary: `Mail an invitation to ${what} again`, params: one, response: { 200: sentInvitation } },
    },
    async (request) => resendInvitation(services, requestOf(request), idOf(request)),
  );
  app.delete(
    `${at}/invitations/:id`,
    {
      config: { guard },
      schema: { summary: `Withdraw an invitation to ${what}`, params: one, response: { 204: z.null() } },
    },
    async (request, reply) => {
      await withdrawInvitation(services, requestOf(request), idOf(request));
      return reply.status(204).send(null);
    },
  );
}
