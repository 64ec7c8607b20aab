import { page, pageQuery, pathId } from '@heterosis/contracts/common';
import { accessToken, createAccessTokenBody, createdAccessToken, tokenInfo } from '@heterosis/contracts/people/auth';
import * as z from 'zod';
import { type AccessControl, requirePrincipal } from '../../../platform/http/access.ts';
import type { App, Services } from '../../../platform/http/app.ts';
import { notFound } from '../../../platform/http/problem.ts';
import { findUser, toSignedInUser } from '../accounts/index.ts';
import { createAccessToken, deleteAccessToken, listOwnAccessTokens } from './access-tokens.service.ts';
import { listUserOrganizations } from './auth.queries.ts';
import type { Authenticated } from './sessions/authenticate.ts';

/** What the token of a request may do, that of a session too. */
export function registerTokenInfo(app: App, { db }: Services): void {
  app.get(
    '/auth/token',
    {
      config: { guard: 'signed-in', accessTokens: 'own-projects' },
      schema: {
        summary: 'What the presented token may do',
        description:
          'Its user, the organizations with the role in each, the scopes (`read`, `write`), until when it lasts, and whether it is of a session or a personal access token. A token never allows more than its user may do.',
        response: { 200: tokenInfo },
      },
    },
    async (request) => {
      const principal = requirePrincipal(request) as Authenticated;
      const user = await findUser(db, principal.userId);
      if (!user) throw notFound('This account');
      return {
        user: toSignedInUser(user),
        kind: principal.sessionId === null ? ('access_token' as const) : ('session' as const),
        scopes: [...(principal.scopes ?? ['read', 'write'])],
        organizations: principal.projectIds === null ? await listUserOrganizations(db, principal.userId) : [],
        project_ids: principal.projectIds === null ? null : [...principal.projectIds],
        expires_at: principal.expiresAt,
      };
    },
  );
}

/** Tokens that people make for programs. */
export function registerAccessTokens(
  app: App,
  { db }: Services,
  findProjectAccess: AccessControl['findProjectAccess'],
): void {
  app.get(
    '/access_tokens',
    {
      config: { guard: 'signed-in' },
      schema: { summary: 'My personal access tokens', querystring: pageQuery, response: { 200: page(accessToken) } },
    },
    async (request) => listOwnAccessTokens(db, requirePrincipal(request), request.query),
  );
  app.post(
    '/access_tokens',
    {
      // A leaked token could renew itself forever.
      config: { guard: 'signed-in', accessTokens: 'none', needsProof: true, hasSecretAnswer: true },
      schema: {
        summary: 'Make a personal access token',
        body: createAccessTokenBody,
        response: { 201: createdAccessToken },
      },
    },
    async (request, reply) =>
      reply.status(201).send(await createAccessToken(db, requirePrincipal(request), request.body, findProjectAccess)),
  );
  app.delete(
    '/access_tokens/:id',
    {
      config: { guard: 'signed-in' },
      schema: {
        summary: 'Delete a personal access token',
        params: z.object({ id: pathId }),
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await deleteAccessToken(db, requirePrincipal(request), request.params.id);
      return reply.status(204).send(null);
    },
  );
}
