import * as z from 'zod';
import { defineJob } from '../../../platform/job-queue/job.ts';

/** Tells an operator that somebody asks for an account. A mail server that is away for some hours is waited for. */
export const tellOperatorJob = defineJob({
  name: 'tell-operator',
  lane: 'mail',
  payload: z.object({ registration_id: z.uuid(), user_id: z.uuid() }),
  retryLimit: 50,
  retryDelaySeconds: 30,
});
