import * as z from 'zod';
import { defineJob } from '../../../platform/job-queue/job.ts';

/** Sends the mail about the end of a run. Retries last long enough for a mail server that is down for some hours. */
export const sendRunMailJob = defineJob({
  name: 'send-run-mail',
  lane: 'mail',
  payload: z.object({ run_id: z.uuid() }),
  retryLimit: 50,
  retryDelaySeconds: 30,
});
