import * as z from 'zod';
import { defineJob } from '../../platform/job-queue/job.ts';

const payload = z.object({ project_id: z.uuid(), model_id: z.uuid(), run_id: z.uuid() });
export type ModelJobPayload = z.output<typeof payload>;

/** Fits all TRAINING traits of a model; they share the kinship and its decomposition. */
export const trainModelJob = defineJob({ name: 'train-model', lane: 'long', payload });

/** Cross-validates all TRAINED traits. */
export const evaluateModelJob = defineJob({ name: 'evaluate-model', lane: 'long', payload });
