import { defineJob } from '../../../platform/job-queue/job.ts';
import { derivationPayload } from '../files/index.ts';

/** Makes a file with the names of the germplasm list; the original is not changed. */
export const convertFileJob = defineJob({ name: 'convert-file', lane: 'short', payload: derivationPayload });
