import * as z from 'zod';
import { defineJob } from '../../../platform/job-queue/job.ts';

/** Sends the mail that tells of the end of a run. A mail server that is away for some hours is waited for. */
export const sendRunMailJob = defineJob({
  name: 'send-run-mail',
  lane: 'mail',
  payload: z.object({ run_id: z.uuid() }),
  retryLimit: 50,
  retryDelaySeconds: 30,
});
