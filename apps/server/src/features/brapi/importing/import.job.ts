import * as z from 'zod';
import { defineJob } from '../../../platform/job-queue/job.ts';

/** Takes from another server what a person has chosen. */
export const importJob = defineJob({
  name: 'import-from-brapi',
  lane: 'long',
  payload: z.object({ project_id: z.uuid(), import_id: z.uuid() }),
});
export type ImportPayload = z.output<typeof importJob.payload>;
