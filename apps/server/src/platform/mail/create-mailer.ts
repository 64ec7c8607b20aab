import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { createTransport } from 'nodemailer';
import { uuidv7 } from 'uuidv7';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import type { Mailer } from './mailer.ts';

export interface MailerOptions {
  config: Pick<Config, 'mail'>;
  db: Database;
  /** Where the outbox prints the links of mails: the terminal of `npm start`. */
  print: (line: string) => void;
  /** How long a mail server may take for a mail, from the first byte to the last. */
  withinMs?: number;
}

export function createMailer({ config, db, print, withinMs = WITHIN_MS }: MailerOptions): Mailer {
  return config.mail.kind === 'smtp' ? smtpMailer(config.mail, db, withinMs) : outboxMailer(db, print);
}

/** Sends nothing: stores mails in the table mail_outbox and prints their links. */
function outboxMailer(db: Database, print: (line: string) => void): Mailer {
  return {
    kind: 'outbox',
    async send({ id = uuidv7(), to, subject, text, link }) {
      await db
        .insertInto('mail_outbox')
        .values({ id, to, subject, text, link: link ?? null })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
      print(`Mail to ${to}: ${subject}${link === undefined ? '' : `\n  ${link}`}`);
    },
    close: async () => {},
  };
}

/** Of silence. */
const TIMEOUT_MS = 15_000;
/** Mails are sent one by one: a server that sends a byte now and then would hold up all that wait. */
const WITHIN_MS = 60_000;

/** Of a reply, all its lines together. */
const REPLY_BYTES = 64 * 1024;

/** Sends mails, and notes what became of each, without its text: the link in it may sign somebody in. */
function smtpMailer({ url, from }: { url: string; from: string }, db: Database, withinMs: number): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    maxResponseSize: REPLY_BYTES,
  });
  return {
    kind: 'smtp',
    async send({ id, to, subject, text, job }) {
      const entry = id ?? uuidv7();
      await noteAttempt(db, { id: entry, to, subject, job: job === undefined ? null : JSON.stringify(job) });
      // Mail clients show messages with the same Message-ID once.
      const messageId = id === undefined ? {} : { messageId: `<${id}@${domainOf(from)}>` };
      try {
        await within(withinMs, transport.sendMail({ from, to, subject, text, ...messageId }));
      } catch (error) {
        await noteOutcome(db, entry, {
          state: 'FAILED',
          error: String((error as Error).message).slice(0, LONGEST_ERROR),
        });
        throw error;
      }
      await noteOutcome(db, entry, { state: 'SENT', error: null });
    },
    async close() {
      transport.close();
    },
  };
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const limit = sleep(ms, undefined, { signal: over.signal }).then(() => {
    throw new Error(`The mail server did not take the mail within ${ms / 1000} s.`);
  });
  await Promise.race([work, limit]).finally(() => {
    over.abort();
    limit.catch(() => {});
  });
}

const LONGEST_ERROR = 1000;

async function noteAttempt(
  db: Database,
  mail: { id: string; to: string; subject: string; job: string | null },
): Promise<void> {
  await db
    .insertInto('mail_outbox')
    .values({ ...mail, text: '', state: 'SENDING' })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        state: 'SENDING',
        attempts: sql<number>`mail_outbox.attempts + 1`,
        updated_at: sql<string>`now()`,
      }),
    )
    .execute();
}

async function noteOutcome(
  db: Database,
  id: string,
  outcome: { state: 'SENT' | 'FAILED'; error: string | null },
): Promise<void> {
  await db
    .updateTable('mail_outbox')
    .set({ ...outcome, updated_at: sql<string>`now()` })
    .where('id', '=', id)
    .execute();
}

/** Days for which it is known what became of a mail. */
const KEPT_DAYS = 30;

/** Forgets mails that were sent, or not, long ago; those of the outbox stay. Safe to interrupt and repeat. */
export async function sweepMails(db: Database): Promise<void> {
  await db
    .deleteFrom('mail_outbox')
    .where('state', '<>', 'STORED')
    .where('updated_at', '<', sql<string>`now() - make_interval(days => ${KEPT_DAYS})`)
    .execute();
}

/** Domain of `Name <someone@domain>` or of the bare address. */
const domainOf = (from: string): string => /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost';
