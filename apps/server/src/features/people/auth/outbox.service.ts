import { createHash, timingSafeEqual } from 'node:crypto';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { authApi } from '@heterosis/contracts/endpoints/people/auth';
import type { OutboxMail } from '@heterosis/contracts/people/auth';
import type { Call } from '../../../platform/http/bind.ts';
import { notFound } from '../../../platform/http/problem.ts';
import { listOutbox } from './auth.queries.ts';

/**
 * Mails contain sign-in links: shown only in outbox mode and to whoever has the key that was printed at start. That a
 * request comes from this machine shows nothing: so do those of its other users, and all of a plain reverse proxy.
 */
export async function listMails(
  { services: { db, config } }: Call,
  { query: { key } }: InputOf<typeof authApi.listMails>,
): Promise<{ data: OutboxMail[] }> {
  const { mail } = config;
  if (mail.kind !== 'outbox' || !timingSafeEqual(digest(key), digest(mail.key))) throw notFound();
  return { data: await listOutbox(db) };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
