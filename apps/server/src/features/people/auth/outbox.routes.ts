import { createHash, timingSafeEqual } from 'node:crypto';
import { outboxMail, outboxQuery } from '@heterosis/contracts/people/auth';
import * as z from 'zod';
import type { App, Services } from '../../../platform/http/app.ts';
import { notFound } from '../../../platform/http/problem.ts';
import { listOutbox } from './auth.queries.ts';

/**
 * Mails contain sign-in links: shown only in outbox mode and to whoever has the key that was printed at start. That a
 * request comes from this machine shows nothing: so do those of its other users, and all of a plain reverse proxy.
 */
export function registerOutbox(app: App, { db, config: { mail } }: Pick<Services, 'db' | 'config'>): void {
  app.get(
    '/dev/outbox',
    {
      config: { guard: 'public' },
      schema: {
        summary: 'Mails of this installation',
        querystring: outboxQuery,
        response: { 200: z.object({ data: z.array(outboxMail) }) },
      },
    },
    async ({ query: { key } }) => {
      if (mail.kind !== 'outbox' || !timingSafeEqual(digest(key), digest(mail.key))) throw notFound();
      return { data: await listOutbox(db) };
    },
  );
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
