import { INVITATION_DAYS } from '@heterosis/contracts/people/invitations';
import type { Services } from '../../../platform/http/app.ts';
import { type JobRegistration, registerJob } from '../../../platform/job-queue/job.ts';
import { hashSecret, makeSecret } from '../auth/index.ts';
import { lockUnsentInvitation, updateInvitationCode, updateInvitationMailed } from './invitations.queries.ts';
import { sendInvitationMailJob } from './jobs.ts';

/**
 * Sends the mail of an invitation, unless it was withdrawn or accepted meanwhile. The code of its link is made here,
 * so that it is neither in the queue nor, but for its hash, in the database; a repeated job makes another one, and
 * the last mail counts.
 */
export const sendInvitationMailRegistration = ({ db, mailer, config, logger }: Services): JobRegistration =>
  registerJob(
    sendInvitationMailJob,
    async ({ payload: { invitation_id: id } }) => {
      const code = makeSecret();
      const codeHash = hashSecret(code).toString('hex');
      // Before the mail goes out: its link may be opened the moment it arrives.
      const invitation = await db.transaction().execute(async (trx) => {
        const due = await lockUnsentInvitation(trx, id);
        if (due !== undefined) await updateInvitationCode(trx, id, codeHash);
        return due;
      });
      if (invitation === undefined) return;
      const link = new URL(`${config.publicUrl}/invitation`);
      link.searchParams.set('code', code);
      const where = `${invitation.is_project ? 'the project' : 'the organization'} "${oneLine(invitation.place)}"`;
      await mailer.send({
        to: invitation.recipient,
        subject: `Invitation to ${oneLine(invitation.place)} in Heterosis`,
        text: [
          `${oneLine(invitation.sender)} invites you to ${where} in Heterosis, as ${invitation.role.toLowerCase()}.`,
          '',
          'Open this link to accept or decline:',
          '',
          link.href,
          '',
          `The invitation is valid for ${INVITATION_DAYS} days. The link signs you in once; later, sign in with this e-mail`,
          `address at ${config.publicUrl} and open your invitations.`,
          '',
        ].join('\n'),
        link: link.href,
        job: { name: sendInvitationMailJob.name, payload: { invitation_id: id } },
      });
      await updateInvitationMailed(db, id, codeHash);
    },
    async ({ invitation_id }, failure) => {
      logger.error({ invitation_id, ...failure }, 'an invitation could not be mailed');
    },
  );

/** Names may hold anything but control characters; a mail header must not break. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
