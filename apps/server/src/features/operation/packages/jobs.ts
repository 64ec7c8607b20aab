import * as z from 'zod';
import { defineJob } from '../../../platform/job-queue/job.ts';

/** Brings a data package into an empty project. */
export const importPackageJob = defineJob({
  name: 'import-data-package',
  lane: 'long',
  payload: z.object({ project_id: z.uuid(), package_import_id: z.uuid(), run_id: z.uuid() }),
});
