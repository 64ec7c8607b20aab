import * as z from 'zod';
import { defineJob } from '../../platform/job-queue/job.ts';

/** Makes a crossing table of the crosses that clients planned in a crossing project. */
export const crossesPlannedJob = defineJob({
  name: 'file-planned-crosses',
  lane: 'short',
  payload: z.object({ project_id: z.uuid(), crossing_project_id: z.uuid() }),
});
export type CrossesPlannedPayload = z.output<typeof crossesPlannedJob.payload>;

/** Takes from another server what a person has chosen. */
export const importJob = defineJob({
  name: 'import-from-brapi',
  lane: 'long',
  payload: z.object({ project_id: z.uuid(), brapi_import_id: z.uuid(), run_id: z.uuid() }),
});

/** Makes a file, the next version, of what clients wrote to the studies of a phenotype file. */
export const fileCollectedJob = defineJob({
  name: 'file-collected-records',
  lane: 'short',
  payload: z.object({ project_id: z.uuid(), file_id: z.uuid() }),
});
export type FileCollectedPayload = z.output<typeof fileCollectedJob.payload>;

/** A client sends what it has in pieces; the version is made when it has been silent for so long. */
export const SILENCE_SECONDS = 15;
