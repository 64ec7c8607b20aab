import * as z from 'zod';
import { defineJob } from '../../../platform/job-queue/job.ts';

/** Payload of every job that makes a new file from another. */
export const derivationPayload = z.object({ project_id: z.uuid(), file_id: z.uuid(), run_id: z.uuid() });
export type DerivationPayload = z.output<typeof derivationPayload>;

/** Reads an uploaded file, reports its problems and writes what later work needs. */
export const checkFileJob = defineJob({
  name: 'check-file',
  lane: 'short',
  payload: z.object({ project_id: z.uuid(), file_id: z.uuid(), run_id: z.uuid() }),
});

/** Phases a genotype file and fills its missing calls; the result is a new file. */
export const phaseFileJob = defineJob({ name: 'phase-file', lane: 'long', payload: derivationPayload });
