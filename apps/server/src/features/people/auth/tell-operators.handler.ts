import type { Services } from '../../../platform/http/app.ts';
import { type JobRegistration, registerJob } from '../../../platform/job-queue/job.ts';
import { findPendingRegistration, findUser } from '../accounts/index.ts';
import { tellOperatorJob } from './jobs.ts';

/** Sends the mail, unless somebody has decided meanwhile or the person is no operator any more. */
export const tellOperatorRegistration = ({ db, mailer, config, logger }: Services): JobRegistration =>
  registerJob(
    tellOperatorJob,
    async ({ id, payload }) => {
      const registration = await findPendingRegistration(db, payload.registration_id);
      const operator = await findUser(db, payload.user_id);
      if (registration === undefined || operator === undefined || !operator.is_operator) return;
      const link = `${config.publicUrl}/operator/registrations`;
      await mailer.send({
        id,
        to: operator.email,
        subject: `${registration.email} asks for a Heterosis account`,
        text: [
          `${registration.email} asks for an account. Approve or reject the request at`,
          '',
          link,
          '',
          'The person was told that a reply comes within 2-3 days.',
          '',
        ].join('\n'),
        link,
        job: { name: tellOperatorJob.name, payload },
      });
    },
    async ({ registration_id }, failure) => {
      logger.error({ registration_id, ...failure }, 'an operator could not be told of a request for an account');
    },
  );
