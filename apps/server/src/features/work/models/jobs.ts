import * as z from 'zod';
import { defineJob } from '../../../platform/job-queue/job.ts';

const payload = z.object({ project_id: z.uuid(), model_id: z.uuid(), run_id: z.uuid() });

/**
 * Fits all TRAINING traits of a model; they share the kinship and its decomposition. Where the products of its markers
 * are large, it continues as a flow of the two jobs below.
 */
export const trainModelJob = defineJob({ name: 'train-model', lane: 'long', payload });

/** Jobs of the flow of one attempt. If another attempt has taken over, they do nothing. */
const attempt = payload.extend({ attempt: z.number().int() });
const tile = attempt.extend({
  /** Which individuals, and which blocks of markers. */
  selection: z.number().int(),
  row: z.number().int(),
  column: z.number().int(),
  /** Tiles of all, for the progress. */
  total: z.number().int(),
  /** Needs, in MB. */
  memory: z.number(),
  disk: z.number(),
});
export type MultiplyMarkersPayload = z.output<typeof tile>;
export type FinishTrainingPayload = z.output<typeof attempt>;

/** Computes one tile of the products of the markers, on any worker. */
export const multiplyMarkersJob = defineJob({ name: 'multiply-markers', lane: 'long', payload: tile });

/** Puts the tiles together and fits the traits. */
export const finishTrainingJob = defineJob({ name: 'finish-training', lane: 'long', payload: attempt });

/** Cross-validates all TRAINED traits. */
export const evaluateModelJob = defineJob({ name: 'evaluate-model', lane: 'long', payload });
