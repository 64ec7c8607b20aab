import * as z from 'zod';
import { defineJob } from '../../../platform/job-queue/job.ts';

const run = z.object({ project_id: z.string(), programme_id: z.string(), run_id: z.string() });
/** Jobs of the flow of one attempt. If another attempt has taken over, they do nothing. */
const attempt = run.extend({ attempt: z.number().int() });

/** Reads the founders, simulates the first replicate, and divides the others. */
export const runProgrammeJob = defineJob({ name: 'run-programme', lane: 'long', payload: run });

/** Of a search whose numbers are found: those of the best allocation, which is simulated beside its own scheme. */
const best = { best: z.array(z.number()).optional() };

/** Replicates `first` to `first + count`; `total` of all parts, for the progress. */
const part = attempt.extend({
  first: z.number().int(),
  count: z.number().int(),
  total: z.number().int(),
  /** Of a search of numbers: these allocations in place of replicates; `first` is the place of the first one. */
  trials: z
    .array(z.object({ place: z.number().int(), allocation: z.array(z.number()), block: z.number().int() }))
    .optional(),
  ...best,
});
export type SimulateReplicatesPayload = z.infer<typeof part>;

/** Simulates some of the replicates, on any worker. */
export const simulateReplicatesJob = defineJob({ name: 'simulate-replicates', lane: 'long', payload: part });

/** `seconds` of a replicate, for the parts of a search that follow. */
const last = attempt.extend({ seconds: z.number().optional(), ...best });
export type FinishProgrammePayload = z.infer<typeof last>;

/** Puts the replicates together, or begins the next round of a search. */
export const finishProgrammeJob = defineJob({ name: 'finish-programme', lane: 'long', payload: last });
