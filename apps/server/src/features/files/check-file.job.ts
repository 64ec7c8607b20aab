import * as z from 'zod';
import { defineJob } from '../../platform/job-queue/job.ts';

/** Reads an uploaded file, lists its problems and stores what the analyses need. */
export const checkFileJob = defineJob({
  name: 'check-file',
  payload: z.object({ project_id: z.string(), file_id: z.string(), run_id: z.string() }),
});
