import * as z from 'zod';
import { defineJob } from '../../../platform/job-queue/job.ts';

const run = z.object({ project_id: z.string(), trial_analysis_id: z.string(), run_id: z.string() });
/** Jobs of the flow of one attempt. If another attempt has taken over, they do nothing. */
const attempt = run.extend({ attempt: z.number().int() });

/** Checks the plots of all files and divides the trials. */
export const runTrialAnalysisJob = defineJob({ name: 'run-trial-analysis', lane: 'long', payload: run });

/**
 * Trials `first` to `first + count` of all; `plots` of `total`, for the progress; `largest` has the most plots of them,
 * and is absent in jobs of older versions.
 */
const part = attempt.extend({
  first: z.number().int(),
  count: z.number().int(),
  plots: z.number().int(),
  total: z.number().int(),
  largest: z.number().int().optional(),
});
export type FitTrialsPayload = z.infer<typeof part>;

/** Fits some of the trials, on any worker. */
export const fitTrialsJob = defineJob({ name: 'fit-trials', lane: 'long', payload: part });

const trialName = z.object({ environment: z.string(), trait: z.string() });
/**
 * `series` is the size of the largest trait with several trials; absent without one. Jobs of older versions lack it and
 * `unmeasured`.
 */
const all = attempt.extend({
  trials: z.array(trialName),
  unmeasured: z.array(trialName).optional(),
  series: z.object({ lines: z.number().int(), squares: z.number().int() }).optional(),
});
export type FinishTrialAnalysisPayload = z.infer<typeof all>;

/** Puts the trials of each trait together, and analyses their series. */
export const finishTrialAnalysisJob = defineJob({ name: 'finish-trial-analysis', lane: 'long', payload: all });
