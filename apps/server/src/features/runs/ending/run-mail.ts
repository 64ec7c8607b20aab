import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import type { Services } from '../../../platform/http/app.ts';
import type { ErrorExtra } from './error-extra.ts';
import { findMailWish, insertRunMail, type MailWish } from './run-mails.queries.ts';
import { sendRunMailJob } from './send-run-mail.job.ts';

/** How a run ended, in words. */
export interface Outcome {
  /** A sentence for each that has a result, with its key figure. */
  results: string[];
  /** A sentence for each that failed, and what to do. */
  failures: string[];
}

/** What was run, as the mail names it. */
export interface EndedRun extends Outcome {
  /** Begins the sentence: `Model`. */
  kind: string;
  name: string;
  /** Its page. */
  path: string;
}

/**
 * Writes the mail about the end of a run, in the transaction that ends it. So every run that took long enough gets
 * exactly one mail, and the mail says what was stored. `describe` is called only when the person wants mails; it
 * returns undefined while another step is still to come.
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
  const { kind, results, failures } = run;
  // A name may contain a line break, which would end the header line.
  const name = `"${run.name.replaceAll(/\p{Cc}/gu, ' ')}"`;
  const total = results.length + failures.length;
  const end =
    failures.length === 0
      ? 'has finished'
      : results.length === 0
        ? 'has failed'
        : `has finished, but ${failures.length} of ${total} traits failed`;
  const text = [
    `${kind} ${name} of the project "${wish.project_name}" ${end} after ${duration(wish.seconds)}.`,
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

/** What happened to each trait; undefined while a trait is not finished. */
export function outcomeOfTraits<Row extends { trait: string; error_extra: ErrorExtra | null }>(
  rows: readonly Row[],
  isRunning: (row: Row) => boolean,
  figure: (row: Row) => string,
): Outcome | undefined {
  if (rows.some(isRunning)) return undefined;
  return {
    results: rows.filter(({ error_extra }) => error_extra === null).map((row) => `${row.trait}: ${figure(row)}`),
    failures: rows.flatMap(({ trait, error_extra }) =>
      error_extra === null ? [] : [`${trait}: failed. ${reasonInWords(error_extra)}`],
    ),
  };
}

export const reasonInWords = ({ message, action }: ErrorExtra): string => `${message} ${action}`.trim();
