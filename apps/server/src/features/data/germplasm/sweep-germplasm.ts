import type { Services } from '../../../platform/http/app.ts';
import { deleteOldUploads } from './uploads.queries.ts';

/** Removes uploads that nobody accepted. */
export async function sweepGermplasm({ db, storage }: Pick<Services, 'db' | 'storage'>): Promise<void> {
  const keys = await deleteOldUploads(db);
  if (keys.length > 0) await storage.delete(...keys);
}
