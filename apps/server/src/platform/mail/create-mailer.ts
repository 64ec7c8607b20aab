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
}

export function createMailer({ config, db, print }: MailerOptions): Mailer {
  return config.mail.kind === 'smtp' ? smtpMailer(config.mail) : outboxMailer(db, print);
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

const TIMEOUT_MS = 15_000;

function smtpMailer({ url, from }: { url: string; from: string }): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  return {
    kind: 'smtp',
    async send({ id, to, subject, text }) {
      // Mail clients show messages with the same Message-ID once.
      const messageId = id === undefined ? {} : { messageId: `<${id}@${domainOf(from)}>` };
      await transport.sendMail({ from, to, subject, text, ...messageId });
    },
    async close() {
      transport.close();
    },
  };
}

/** Domain of `Name <someone@domain>` or of the bare address. */
const domainOf = (from: string): string => /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost';
