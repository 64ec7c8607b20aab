import * as z from 'zod';
import { defineJob } from '../../../platform/job-queue/job.ts';

/** Checks an uploaded germplasm file and, when that was asked for, stores its rows. */
export const settleUploadJob = defineJob({
  name: 'settle-germplasm-upload',
  lane: 'short',
  payload: z.object({ upload_id: z.uuid() }),
});
export type SettleUploadPayload = z.output<typeof settleUploadJob.payload>;
