import * as z from 'zod';
import { defineJob } from '../../platform/job-queue/job.ts';

/** Phases a genotype file and fills its missing calls; the result is a new file. */
export const phaseFileJob = defineJob({
  name: 'phase-file',
  lane: 'long',
  payload: z.object({ project_id: z.uuid(), file_id: z.uuid(), run_id: z.uuid() }),
});
export type PhaseFilePayload = z.output<typeof phaseFileJob.payload>;
