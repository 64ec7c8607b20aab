import * as z from 'zod';
import { id, timestamp } from './common.ts';
import { runKinds } from './work/run-kinds.ts';

/** One message of `GET /api/events` (server-sent events): something the caller may see has changed. */
export const changeEvent = z
  .object({
    type: z.enum([
      'file',
      'folder',
      ...runKinds,
      'germplasm',
      'germplasm_upload',
      'list',
      'trial',
      'comment',
      'decision',
      'photo',
      'brapi_import',
      'package_import',
      'project',
      'organization',
      'invitation',
      'session',
      'favourite',
      'notification',
      'table_view',
      'share_link',
    ]),
    id,
    project_id: id.nullable(),
    organization_id: id.nullable(),
    progress: z
      .record(
        z.string(),
        z.object({
          stage: z.string(),
          done: z.number(),
          total: z.number(),
          started_at: timestamp.nullable().optional(),
        }),
      )
      .optional()
      .describe('Trait → its progress, when only progress has changed.'),
    runs_before: z
      .number()
      .int()
      .optional()
      .describe('The new number of runs before this one, when only the queue has changed.'),
  })
  .meta({ id: 'ChangeEvent' });
export type ChangeEvent = z.infer<typeof changeEvent>;

/** `GET /api/events`. */
export const listenQuery = z.object({
  missed_ms: z.coerce
    .number()
    .int()
    .min(0)
    .max(86_400_000)
    .optional()
    .describe('The changes of so many milliseconds before now are told first, without progress.'),
});
