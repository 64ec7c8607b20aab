import * as z from 'zod';
import { defineJob } from '../../../platform/job-queue/job.ts';

/** Makes a file, the next version, of what clients wrote to the studies of a phenotype file. */
export const fileCollectedJob = defineJob({
  name: 'file-collected-records',
  lane: 'short',
  payload: z.object({ project_id: z.uuid(), file_id: z.uuid() }),
});
export type FileCollectedPayload = z.output<typeof fileCollectedJob.payload>;

/** A client sends what it has in pieces; the version is made when it has been silent for so long. */
export const SILENCE_SECONDS = 15;
