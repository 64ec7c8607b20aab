import { defineJob } from '../../../platform/job-queue/job.ts';
import { derivationPayload } from './derivation.job.ts';

/** Phases a genotype file and fills its missing calls; the result is a new file. */
export const phaseFileJob = defineJob({ name: 'phase-file', lane: 'long', payload: derivationPayload });
