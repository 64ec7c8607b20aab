import * as z from 'zod';
import { defineJob } from '../../../platform/job-queue/job.ts';

/** Evaluates and simulates the crosses of a crossing table with the effects of a model. */
export const runCrossingJob = defineJob({
  name: 'run-crossing',
  lane: 'long',
  payload: z.object({ project_id: z.uuid(), crossing_simulation_id: z.uuid(), run_id: z.uuid() }),
});
/** Waits until the genotype of a simulation is phased, then starts it. Looks again every few seconds. */
export const awaitPhasingJob = defineJob({
  name: 'await-phasing',
  lane: 'short',
  payload: runCrossingJob.payload,
});
