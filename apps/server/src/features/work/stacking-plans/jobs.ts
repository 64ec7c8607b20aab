import * as z from 'zod';
import { defineJob } from '../../../platform/job-queue/job.ts';

/** Finds the schedule of a stack. */
export const runStackingPlanJob = defineJob({
  name: 'run-stacking-plan',
  lane: 'short',
  payload: z.object({ project_id: z.uuid(), stacking_plan_id: z.uuid(), run_id: z.uuid() }),
});
