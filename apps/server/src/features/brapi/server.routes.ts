import type { FastifyRequest } from 'fastify';
import type { Principal } from '../../platform/http/access.ts';
import type { App } from '../../platform/http/app.ts';
import { COSTLY } from '../../platform/http/costly.ts';
import { Problem } from '../../platform/http/problem.ts';
import { askedInQuery, pageOf } from './asked.ts';
import type { CallList } from './conventions.ts';
import { ATTRIBUTE_CATEGORY } from './entities/attributes.ts';
import { STUDY_TYPES } from './entities/core.ts';
import { LEVELS } from './entities/levels.ts';
import { envelope, ignored, type Json, paginationOf } from './envelope.ts';
import { type BrapiContext, queryOf, READING, scopeOf } from './list.routes.ts';
import { type BrapiScope, studiesAsked } from './scope.ts';
import { SPECIFICATION } from './specification.gen.ts';

/** Whose token a request carries, as every route of the product finds out. */
export type Authenticate = (
  request: Pick<FastifyRequest, 'headers'>,
) => Promise<(Principal & { expiresAt: string }) | undefined>;

/** What the server is, and its short lists. */
export function registerServer(context: BrapiContext): void {
  const { app, calls, services } = context;
  calls.add('GET', '/serverinfo');
  // Before a client signs in it looks at what the server can do.
  app.get('/serverinfo', { config: { guard: 'public', anyQuery: true } }, async () =>
    envelope({
      serverName: 'Heterosis',
      serverDescription: `Heterosis ${services.config.version}: genomics in plant breeding`,
      organizationName: null,
      organizationURL: services.config.publicUrl,
      documentationURL: `${services.config.publicUrl}/api/docs`,
      contactEmail: null,
      location: null,
      calls: calls.entries(),
    }),
  );
  registerTexts(context, 'commoncropnames', async ({ listPrograms }) =>
    [...new Set((await listPrograms()).flatMap(({ crops }) => crops))].sort(),
  );
  registerTexts(context, 'studytypes', async () => Object.values(STUDY_TYPES));
  registerTexts(context, 'attributes/categories', async () => [ATTRIBUTE_CATEGORY]);
  calls.add('GET', '/observationlevels');
  app.get('/observationlevels', { config: READING }, async (request) => {
    const asked = askedInQuery(queryOf(request), SPECIFICATION.observationlevels.parameters);
    const warnings = ignored(asked.unknown);
    const scope = await scopeOf(context, request);
    const page = pageOf(queryOf(request), MOST_TEXTS, warnings);
    const isKnown =
      !asked.has('programDbId', 'trialDbId', 'studyDbId') || (await studiesAsked(scope, asked)).length > 0;
    const data = isKnown ? Object.values(LEVELS) : [];
    return envelope({ data }, warnings, paginationOf(page, data.length));
  });
}

const MOST_TEXTS = 10_000;

function registerTexts(context: BrapiContext, name: string, textsOf: (scope: BrapiScope) => Promise<string[]>): void {
  const { app, calls } = context;
  calls.add('GET', `/${name}`);
  app.get(`/${name}`, { config: READING }, async (request) => {
    const asked = askedInQuery(queryOf(request), []);
    const warnings = ignored(asked.unknown);
    const page = pageOf(queryOf(request), MOST_TEXTS, warnings);
    const all = await textsOf(await scopeOf(context, request));
    const data = all.slice(page.page * page.size, (page.page + 1) * page.size);
    return envelope({ data }, warnings, paginationOf(page, all.length));
  });
}

/**
 * Sign-in of clients that know user name and password only: the password is a personal access token, which is
 * answered as it is. The user name does not matter.
 */
export function registerToken(app: App, authenticate: Authenticate, calls: CallList): void {
  calls.add('POST', '/token');
  app.post(
    '/token',
    { config: { guard: 'public', anyQuery: true, hasSecretAnswer: true, ...COSTLY } },
    async (request) => {
      const { password, client_secret: secret } = (request.body ?? {}) as Json;
      const token = password ?? secret;
      if (typeof token !== 'string' || !/^\S+$/.test(token))
        throw new Problem(
          'auth/missing-token',
          'Give a personal access token as the password. Make one under My account.',
        );
      const person = await authenticate({ headers: { authorization: `Bearer ${token}` } });
      if (person === undefined) throw new Problem('auth/invalid-token', 'The password is not a personal access token.');
      const expiresIn = Math.max(0, Math.floor((Date.parse(person.expiresAt) - Date.now()) / 1000));
      return {
        ...envelope(null),
        access_token: token,
        token,
        token_type: 'Bearer',
        expires_in: expiresIn,
        userDisplayName: person.email,
        client_id: null,
      };
    },
  );
}
