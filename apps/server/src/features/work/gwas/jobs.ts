import * as z from 'zod';
import { defineJob } from '../../../platform/job-queue/job.ts';

const run = z.object({ project_id: z.string(), gwas_id: z.string(), run_id: z.string() });
/** Jobs of the flow of one attempt. If another attempt has taken over, they do nothing. */
const attempt = run.extend({ attempt: z.number().int() });

/**
 * Prepares the tests of every trait without a result; traits on the same individuals share the decomposition. A GWAS
 * of a few seconds is finished in this job; a longer one continues as a flow of the two jobs below.
 */
export const runGwasJob = defineJob({ name: 'run-gwas', lane: 'long', payload: run });

const chunk = attempt.extend({
  group: z.number().int(),
  first: z.number().int(),
  count: z.number().int(),
  /** Markers of all chunks together, for the progress. */
  total: z.number().int(),
});
export type TestGwasMarkersPayload = z.infer<typeof chunk>;

/** Tests some of the markers for one group of traits, on any worker. */
export const testGwasMarkersJob = defineJob({ name: 'test-gwas-markers', lane: 'long', payload: chunk });

/** Markers of the panel, and markers per chunk for each group. */
const all = attempt.extend({ markers: z.number().int(), chunk_markers: z.array(z.number().int()) });
export type FinishGwasPayload = z.infer<typeof all>;

/** Fine-maps a region with the settings of a GWAS that has ended. */
export const fineMapJob = defineJob({ name: 'fine-map', lane: 'long', payload: run });

/** Combines the parts and stores the results. */
export const finishGwasJob = defineJob({ name: 'finish-gwas', lane: 'long', payload: all });
