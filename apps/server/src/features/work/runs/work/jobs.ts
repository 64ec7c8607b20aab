import * as z from 'zod';
import { defineJob } from '../../../../platform/job-queue/job.ts';

/** Sends the mail about the end of a run. Retries continue for hours, in case a mail server is down. */
export const sendRunMailJob = defineJob({
  name: 'send-run-mail',
  lane: 'mail',
  payload: z.object({ run_id: z.uuid() }),
  retryLimit: 50,
  retryDelaySeconds: 30,
});
