import type { Services } from '../../../../platform/http/app.ts';
import { type JobRegistration, registerJob } from '../../../../platform/job-queue/job.ts';
import { findOrganizationAccess } from '../../../people/organizations/index.ts';
import { findProjectAccess } from '../../../people/projects/index.ts';
import { sendRunMailJob } from './jobs.ts';
import { lockUnsentMail, updateMailSent } from './run-mails.queries.ts';

/**
 * Sends the mail written by `mailEndOfRun`, unless the user has lost access to the project, or to the
 * organization of a run without one, since. The row is locked
 * while the mail is sent, so a second delivery of the job sends nothing. If a worker dies between the mail server's
 * reply and the commit, the mail is sent again with the same Message-ID (derived from the run's id), and mail programs
 * show it once.
 */
export const sendRunMailRegistration = ({ db, mailer, logger }: Services): JobRegistration =>
  registerJob(
    sendRunMailJob,
    async ({ payload: { run_id: runId } }) => {
      await db.transaction().execute(async (trx) => {
        const mail = await lockUnsentMail(trx, runId);
        if (mail === undefined) return;
        const { email: to, subject, text, link, user_id: userId, project_id, organization_id } = mail;
        const access =
          project_id === null
            ? await findOrganizationAccess(trx, { userId }, organization_id ?? '')
            : await findProjectAccess(trx, { userId }, project_id);
        if (access === undefined) return;
        const job = { name: sendRunMailJob.name, payload: { run_id: runId } };
        await mailer.send({ id: runId, to, subject, text, link, job });
        await updateMailSent(trx, runId);
      });
    },
    async ({ run_id }, failure) => {
      logger.error({ run_id, ...failure }, 'the mail on the end of a run could not be sent');
    },
  );
