import * as z from 'zod';
import { defineJob } from '../../../platform/job-queue/job.ts';

/** Reads an uploaded file, reports its problems and writes what later work needs. */
export const checkFileJob = defineJob({
  name: 'check-file',
  lane: 'short',
  payload: z.object({ project_id: z.uuid(), file_id: z.uuid(), run_id: z.uuid() }),
});
export type CheckFilePayload = z.output<typeof checkFileJob.payload>;
