import * as z from 'zod';
import { defineJob } from '../../../platform/job-queue/job.ts';
import { derivationPayload } from '../files/index.ts';

/** Makes a file with the names of the germplasm list; the original is not changed. */
export const convertFileJob = defineJob({ name: 'convert-file', lane: 'short', payload: derivationPayload });

/** Checks an uploaded germplasm file and, when that was asked for, stores its rows. */
export const settleUploadJob = defineJob({
  name: 'settle-germplasm-upload',
  lane: 'short',
  payload: z.object({ organization_id: z.uuid(), germplasm_upload_id: z.uuid(), run_id: z.uuid() }),
});
