import { defineJob } from '../../../platform/job-queue/job.ts';
import { derivationPayload } from '../../data/files/index.ts';

/** Makes the genotypes of F1 hybrids from those of their parents; the result is a new file. */
export const makeHybridsJob = defineJob({ name: 'make-hybrids', lane: 'short', payload: derivationPayload });
