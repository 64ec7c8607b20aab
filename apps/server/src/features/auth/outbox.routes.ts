import { outboxMail } from '@heterosis/contracts/auth';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { App, Services } from '../../platform/http/app.ts';
import { notFound } from '../../platform/http/problem.ts';
import { listOutbox } from './auth.queries.ts';

/** Mails contain sign-in links: shown only in outbox mode and only to callers at this machine. */
export function registerOutbox(app: App, { db, config, mailer }: Services): void {
  app.get(
    '/dev/outbox',
    {
      config: { guard: 'public' },
      schema: { summary: 'Mails of this installation', response: { 200: z.object({ data: z.array(outboxMail) }) } },
    },
    async (request) => {
      if (mailer.kind !== 'outbox' || !isAtThisMachine(request, config.publicUrl)) throw notFound();
      return { data: await listOutbox(db) };
    },
  );
}

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;
const LOOPBACK_HOST = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
/** Headers of reverse proxies: behind a local one, every caller seems to be local. */
const PROXY_HEADERS = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'x-real-ip', 'via'];

/**
 * Whether the caller is at this machine and used one of its own names. A foreign page whose name resolves here (DNS
 * rebinding) sends its own name.
 */
function isAtThisMachine(request: FastifyRequest, publicUrl: string): boolean {
  const host = request.headers.host ?? '';
  return (
    LOOPBACK.test(request.ip) &&
    PROXY_HEADERS.every((name) => request.headers[name] === undefined) &&
    (LOOPBACK_HOST.test(host) || host === new URL(publicUrl).host)
  );
}
