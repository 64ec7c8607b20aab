import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { SHARED_PAGE } from '@heterosis/contracts/people/share-links';
import { RUN_KINDS } from '@heterosis/contracts/work/run-kinds';
import type { FastifyInstance } from 'fastify';
import { sendPlainProblem, sendProblem } from './error-handler.ts';
import { notFound, Problem } from './problem.ts';

/** Vite puts a content hash into the file names below assets/, so those files never change. */
const HASHED = /\/assets\//;

/** Where a script that names a kind of run that is none sends its request. */
const START_OF_RUN = /^\/api\/projects\/[^/]+\/[\w-]+\/?$/;

function nothingAt(method: string, path: string): Problem {
  if (method !== 'POST' || !START_OF_RUN.test(path)) return notFound();
  const kinds = Object.values(RUN_KINDS).map((kind) => kind.path);
  return new Problem(
    'request/not-found',
    `This address does not exist. If it was to start a run: the kinds are ${kinds.join(', ')}; the API's page (/api/docs) says what each takes.`,
  );
}

/**
 * Serves the built web application; every other address that a browser opens gets its index.html, which has the
 * routes.
 */
export async function registerWeb(app: FastifyInstance, directory: string | undefined): Promise<void> {
  const index = directory === undefined ? undefined : join(directory, 'index.html');
  if (directory !== undefined && existsSync(directory))
    await app.register(fastifyStatic, {
      root: directory,
      // What the build says of itself.
      dotfiles: 'ignore',
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        reply.header('cache-control', HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });

  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    const wantsPage =
      ['GET', 'HEAD'].includes(request.method) &&
      !/^\/(api|locales|assets)(\/|$)/.test(path) &&
      (request.headers.accept ?? '*/*').match(/text\/html|\*\/\*/) !== null;
    // The files of the web application answer GET of every address, also of those that BrAPI does not have.
    if (/^\/brapi(\/|$)/.test(path)) return sendPlainProblem(notFound(), undefined, request, reply);
    if (!wantsPage) return sendProblem(nothingAt(request.method, path), undefined, request, reply);
    if (index !== undefined && existsSync(index)) {
      if (path.replace(/\/+$/, '') === SHARED_PAGE)
        void reply.header('x-robots-tag', 'noindex, nofollow').header('referrer-policy', 'no-referrer');
      return reply.header('cache-control', 'no-cache').sendFile('index.html');
    }
    return reply
      .status(503)
      .type('text/plain; charset=utf-8')
      .send('The web application has not been built yet. The API is at /api/docs.\n');
  });
}
