import { allowConnectionBody, connectionAnswer, connectionRequest } from '@heterosis/contracts/people/connections';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { type AccessControl, requirePrincipal } from '../../../../platform/http/access.ts';
import type { App, Services } from '../../../../platform/http/app.ts';
import { allowConnection, answerRequest, findConnectionRequest } from './connections.service.ts';
import type { FindProvider } from './openid-provider.ts';

export interface ConnectionOptions {
  findProvider: FindProvider;
  findProjectAccess: AccessControl['findProjectAccess'];
}

/** What a person answers an app that asks for access. */
export const connectionRoutes =
  ({ findProvider, findProjectAccess }: ConnectionOptions): ((app: App, services: Services) => void) =>
  (app, { db }) => {
    const config = { guard: 'signed-in', accessTokens: 'none', hasSecretAnswer: true } as const;
    const params = z.object({ uid: z.string().max(100) });
    const browserOf = (request: FastifyRequest, reply: FastifyReply) => ({ request: request.raw, reply: reply.raw });

    app.get(
      '/auth/connections/:uid',
      { config, schema: { summary: 'An app that asks for access', params, response: { 200: connectionRequest } } },
      async (request, reply) =>
        findConnectionRequest(await findProvider(), browserOf(request, reply), request.params.uid),
    );
    app.post(
      '/auth/connections/:uid',
      {
        config: { ...config, needsProof: true },
        schema: {
          summary: 'Give an app access',
          description: 'The app gets an access token that ends after 90 days. It is listed with your access tokens.',
          params,
          body: allowConnectionBody,
          response: { 200: connectionAnswer },
        },
      },
      async (request, reply) => {
        const browser = browserOf(request, reply);
        const context = { db, provider: await findProvider(), findProjectAccess };
        const { uid } = request.params;
        return allowConnection(context, browser, { uid, principal: requirePrincipal(request), wanted: request.body });
      },
    );
    app.delete(
      '/auth/connections/:uid',
      {
        config,
        schema: { summary: 'Refuse an app access', params, response: { 200: connectionAnswer } },
      },
      async (request, reply) =>
        answerRequest(await findProvider(), browserOf(request, reply), request.params.uid, {
          error: 'access_denied',
          error_description: 'The person refused.',
        }),
    );
  };
