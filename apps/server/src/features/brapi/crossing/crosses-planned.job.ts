import * as z from 'zod';
import { defineJob } from '../../../platform/job-queue/job.ts';

/** Makes a crossing table of the crosses that clients planned in a crossing project. */
export const crossesPlannedJob = defineJob({
  name: 'file-planned-crosses',
  lane: 'short',
  payload: z.object({ project_id: z.uuid(), crossing_project_id: z.uuid() }),
});
export type CrossesPlannedPayload = z.output<typeof crossesPlannedJob.payload>;
