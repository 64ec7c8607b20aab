import * as z from 'zod';
import { defineJob } from '../../../platform/job-queue/job.ts';

/** Tells somebody of a comment by mail. Retries continue for hours, in case a mail server is down. */
export const sendCommentMailJob = defineJob({
  name: 'send-comment-mail',
  lane: 'mail',
  payload: z.object({ mail_id: z.uuid() }),
  retryLimit: 50,
  retryDelaySeconds: 30,
});
