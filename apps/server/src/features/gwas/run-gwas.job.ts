import * as z from 'zod';
import { defineJob } from '../../platform/job-queue/job.ts';

/** Tests every marker for every trait that has no result yet. Traits on the same individuals share the decomposition. */
export const runGwasJob = defineJob({
  name: 'run-gwas',
  payload: z.object({ project_id: z.string(), gwas_id: z.string(), run_id: z.string() }),
});
