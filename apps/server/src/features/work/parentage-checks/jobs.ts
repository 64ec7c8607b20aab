import * as z from 'zod';
import { defineJob } from '../../../platform/job-queue/job.ts';

/** Compares a genotype with a pedigree. */
export const runParentageCheckJob = defineJob({
  name: 'run-parentage-check',
  lane: 'short',
  payload: z.object({ project_id: z.uuid(), parentage_check_id: z.uuid(), run_id: z.uuid() }),
});
