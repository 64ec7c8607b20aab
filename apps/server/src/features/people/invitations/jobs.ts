import * as z from 'zod';
import { defineJob } from '../../../platform/job-queue/job.ts';

/** Mails an invitation with its link. A mail server that is away for some hours is waited for. */
export const sendInvitationMailJob = defineJob({
  name: 'send-invitation-mail',
  lane: 'mail',
  payload: z.object({ invitation_id: z.uuid() }),
  retryLimit: 50,
  retryDelaySeconds: 30,
});
