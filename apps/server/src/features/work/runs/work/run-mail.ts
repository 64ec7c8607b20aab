import type { DatabaseTransaction } from '../../../../platform/database/database.ts';
import type { Services } from '../../../../platform/http/app.ts';
import type { ErrorExtra } from './error-extra.ts';
import { sendRunMailJob } from './jobs.ts';
import { findMailWish, insertRunMail, type MailWish } from './run-mails.queries.ts';

/** How a run ended, in words. */
export interface Outcome {
  /** What the sentences are about: `traits`, unless it says otherwise. */
  unit?: string;
  /** One sentence per successful trait, with its key figure. */
  results: string[];
  /** One sentence per failed trait, and what to do. */
  failures: string[];
}

/** The run, as named in the mail. */
export interface EndedRun extends Outcome {
  /** Start of the sentence: `Model`. */
  kind: string;
  name: string;
  /** Address of its page. */
  path: string;
}

/**
 * Writes the mail about the end of a run, in the transaction that ends it. Every run that took long enough thus gets
 * exactly one mail, which reports what was stored. `describe` is called only if the user wants mails; it returns
 * undefined while another step follows.
 */
export async function mailEndOfRun(
  { config, jobs }: Pick<Services, 'config' | 'jobs'>,
  trx: DatabaseTransaction,
  runId: string,
  describe: () => Promise<EndedRun | undefined>,
): Promise<void> {
  const wish = await findMailWish(trx, runId);
  const run = wish === undefined ? undefined : await describe();
  if (wish === undefined || run === undefined) return;
  const { project_id, user_id } = wish;
  const link = `${config.publicUrl}${run.path}`;
  const mail = { run_id: runId, project_id, user_id, link, ...wordsOf(run, wish, link, config.publicUrl) };
  if (await insertRunMail(trx, mail)) await jobs.enqueue(trx, sendRunMailJob, { run_id: runId });
}

function wordsOf(run: EndedRun, wish: MailWish, link: string, home: string): { subject: string; text: string } {
  const { kind, results, failures, unit = 'traits' } = run;
  // A name may contain a line break, which would end the header line.
  const name = `"${run.name.replaceAll(/\p{Cc}/gu, ' ')}"`;
  const total = results.length + failures.length;
  const end =
    failures.length === 0
      ? 'has finished'
      : results.length === 0
        ? 'has failed'
        : `has finished, but ${failures.length} of ${total} ${unit} failed`;
  const text = [
    `${kind} ${name} of the ${wish.place} ${end} after ${duration(wish.seconds)}.`,
    '',
    ...results,
    ...failures,
    '',
    'Open it:',
    link,
    '',
    `You get this mail because you started the run and want to hear of those that take longer than ${wish.run_mail_minutes} minutes. Change that at`,
    `${home}/account`,
    '',
  ].join('\n');
  return { subject: `${kind} ${name} ${end}`, text };
}

function duration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export const reasonInWords = ({ message, action }: ErrorExtra): string => `${message} ${action}`.trim();
