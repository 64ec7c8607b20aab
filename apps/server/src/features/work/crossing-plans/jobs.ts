import * as z from 'zod';
import { defineJob } from '../../../platform/job-queue/job.ts';

/** Plans crosses with the effects of a model. */
export const runCrossingPlanJob = defineJob({
  name: 'run-crossing-plan',
  lane: 'long',
  payload: z.object({ project_id: z.uuid(), crossing_plan_id: z.uuid(), run_id: z.uuid() }),
});
