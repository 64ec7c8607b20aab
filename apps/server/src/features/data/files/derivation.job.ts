import * as z from 'zod';

/** Payload of every job that makes a new file from another. */
export const derivationPayload = z.object({ project_id: z.uuid(), file_id: z.uuid(), run_id: z.uuid() });
export type DerivationPayload = z.output<typeof derivationPayload>;
