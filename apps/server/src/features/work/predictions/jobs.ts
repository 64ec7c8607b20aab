import * as z from 'zod';
import { defineJob } from '../../../platform/job-queue/job.ts';

/** Predicts all individuals of a genotype with the trained traits of a model. */
export const runPredictionJob = defineJob({
  name: 'run-prediction',
  lane: 'short',
  payload: z.object({ project_id: z.uuid(), prediction_id: z.uuid(), run_id: z.uuid() }),
});
