import type { Services } from '../../../platform/http/app.ts';
import { type JobRegistration, registerJob } from '../../../platform/job-queue/job.ts';
import { findProjectAccess } from '../projects/index.ts';
import { findEntity } from './commented-entity.ts';
import { lockUnsentMail, type UnsentMail, updateMailSent } from './comments.queries.ts';
import { sendCommentMailJob } from './jobs.ts';

/**
 * Sends the mail about a comment, unless the comment was deleted since, or the reader sees it no more. The row is
 * locked while the mail is sent, so a second delivery of the job sends nothing.
 */
export const sendCommentMailRegistration = ({ db, config, mailer, logger }: Services): JobRegistration =>
  registerJob(
    sendCommentMailJob,
    async ({ payload }) => {
      const id = payload.mail_id;
      await db.transaction().execute(async (trx) => {
        const mail = await lockUnsentMail(trx, id);
        if (mail === undefined) return;
        const access = await findProjectAccess(trx, { userId: mail.user_id }, mail.project_id);
        if (access === undefined) return;
        const entity = await findEntity(trx, access, { ...mail, part: mail.part ?? undefined });
        if (entity === undefined) return;
        const link = `${config.publicUrl}${entity.path}#comments`;
        const job = { name: sendCommentMailJob.name, payload };
        await mailer.send({ id, to: mail.email, ...wordsOf(mail, entity.noun, link, config.publicUrl), link, job });
        await updateMailSent(trx, id);
      });
    },
    async ({ mail_id }, failure) => {
      logger.error({ mail_id, ...failure }, 'the mail on a comment could not be sent');
    },
  );

/** A name may contain a line break, which would end the header line or begin a sentence of ours. */
const oneLine = (text: string): string => text.replaceAll(/\p{Cc}/gu, ' ');

function wordsOf(
  { by, is_mentioned, text, project }: UnsentMail,
  noun: string,
  link: string,
  home: string,
): { subject: string; text: string } {
  const who = oneLine(by ?? 'Somebody');
  const what = oneLine(noun);
  const does = is_mentioned ? 'mentions you in a comment on' : 'comments on';
  return {
    subject: `${who} ${does} the ${what}`,
    text: [
      `${who} ${does} the ${what} of the project "${oneLine(project)}":`,
      '',
      ...text.split('\n').map((line) => `> ${line}`),
      '',
      'Open it:',
      link,
      '',
      is_mentioned
        ? 'You get this mail because you are mentioned. Change that at'
        : 'You get this mail because you made it or have commented on it. Change that at',
      `${home}/account`,
      '',
    ].join('\n'),
  };
}
