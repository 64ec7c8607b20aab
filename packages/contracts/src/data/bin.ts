import * as z from 'zod';
import { id, timestamp } from '../common.ts';
import { runKinds } from '../work/run-kinds.ts';

/** After these days what was deleted is gone. */
export const BIN_DAYS = 30;

export const binKind = z.enum(['file', 'trial', 'photo', 'decision', ...runKinds]);
export type BinKind = z.infer<typeof binKind>;

/** A deleted item that can still be restored. */
export const binEntry = z
  .object({
    kind: binKind,
    id,
    name: z.string(),
    created_by: z.string().nullable(),
    created_by_id: id.nullable().describe('Id of the user; null once the account is deleted.'),
    deleted_at: timestamp,
    gone_at: timestamp.describe('Deleted for good at this time.'),
  })
  .meta({ id: 'BinEntry' });
export type BinEntry = z.infer<typeof binEntry>;

/** `POST …/bin/{id}/restore`: under another name if its own is now taken. */
export const restored = z.object({ kind: binKind, id, name: z.string() }).meta({ id: 'Restored' });
export type Restored = z.infer<typeof restored>;

/** A deleted project or organization that can still be restored. */
export const deletedPlace = z
  .object({
    id,
    name: z.string(),
    deleted_by: z.string().nullable(),
    deleted_at: timestamp,
    gone_at: timestamp.describe('Deleted for good at this time.'),
  })
  .meta({ id: 'DeletedPlace' });
export type DeletedPlace = z.infer<typeof deletedPlace>;

/** A project comes back under another name if its own is now taken. */
export const restoredPlace = z.object({ id, name: z.string() }).meta({ id: 'RestoredPlace' });
export type RestoredPlace = z.infer<typeof restoredPlace>;
