import { page, pageQuery, pathId } from '@heterosis/contracts/common';
import {
  changeEmailBody,
  confirmEmailBody,
  confirmedEmail,
  emailChangeSent,
  userSession,
} from '@heterosis/contracts/people/auth';
import * as z from 'zod';
import { requirePrincipal } from '../../../../platform/http/access.ts';
import type { FeatureRoutes } from '../../../../platform/http/app.ts';
import {
  cancelEmailChange,
  confirmEmailChange,
  EMAIL_CHANGE_SECONDS,
  requestEmailChange,
} from '../email-change.service.ts';
import { endOtherSessions, endOwnSession, listOwnSessions } from './sessions.service.ts';

/** Where the caller is signed in, and with which address. A personal access token may not touch either. */
export const ownSessionRoutes: FeatureRoutes = (app, { db, config, mailer }) => {
  const personal = { guard: 'signed-in', accessTokens: 'none', beforeSecondFactor: true } as const;
  const context = { db, config, mailer };
  app.get(
    '/sessions',
    {
      config: personal,
      schema: { summary: 'Where I am signed in', querystring: pageQuery, response: { 200: page(userSession) } },
    },
    async (request) => listOwnSessions(db, requirePrincipal(request), request.query),
  );
  app.delete(
    '/sessions/:id',
    {
      config: personal,
      schema: { summary: 'Sign out one device', params: z.object({ id: pathId }), response: { 204: z.null() } },
    },
    async (request, reply) => {
      await endOwnSession(db, requirePrincipal(request), request.params.id);
      return reply.status(204).send(null);
    },
  );
  app.delete(
    '/sessions',
    { config: personal, schema: { summary: 'Sign out everywhere else', response: { 204: z.null() } } },
    async (request, reply) => {
      await endOtherSessions(db, requirePrincipal(request));
      return reply.status(204).send(null);
    },
  );
  app.post(
    '/users/me/email',
    {
      config: { ...personal, needsProof: true },
      schema: {
        summary: 'Change my e-mail address',
        description: 'Mails a link to the new address. The address changes when the link is opened.',
        body: changeEmailBody,
        response: { 200: emailChangeSent },
      },
    },
    async (request) => {
      const { email, end_other_sessions: endOtherSessions = false } = request.body;
      await requestEmailChange(context, requirePrincipal(request), { email, ip: request.callerIp, endOtherSessions });
      return { status: 'sent' as const, expires_in: EMAIL_CHANGE_SECONDS };
    },
  );
  app.delete(
    '/users/me/email',
    { config: personal, schema: { summary: 'Keep my e-mail address', response: { 204: z.null() } } },
    async (request, reply) => {
      await cancelEmailChange(db, requirePrincipal(request));
      return reply.status(204).send(null);
    },
  );
  app.post(
    '/auth/email',
    {
      config: { guard: 'public' },
      schema: { summary: 'Confirm a new e-mail address', body: confirmEmailBody, response: { 200: confirmedEmail } },
    },
    async (request) => ({ email: await confirmEmailChange(context, request.body.code) }),
  );
};
