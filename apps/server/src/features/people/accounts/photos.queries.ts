import { randomUUID } from 'node:crypto';
import type { PhotoType } from '@heterosis/contracts/people/auth';
import { sql } from 'kysely';
import type { DatabaseTransaction, Queryable } from '../../../platform/database/database.ts';

interface StoredPhoto {
  content_type: PhotoType;
  bytes: Buffer;
}

/** Replaces the photo of a user; null removes it. */
export async function replacePhoto(
  trx: DatabaseTransaction,
  userId: string,
  photo: { type: PhotoType; bytes: Buffer } | null,
): Promise<void> {
  await trx.deleteFrom('user_photos').where('user_id', '=', userId).execute();
  const id = randomUUID();
  if (photo !== null)
    await trx
      .insertInto('user_photos')
      .values({ id, user_id: userId, content_type: photo.type, bytes: photo.bytes })
      .execute();
  await trx
    .updateTable('users')
    .set({ photo_url: photo === null ? null : `/api/photos/${id}`, updated_at: sql`now()` })
    .where('id', '=', userId)
    .execute();
}

export function findPhoto(db: Queryable, by: { id: string } | { user_id: string }): Promise<StoredPhoto | undefined> {
  return db
    .selectFrom('user_photos')
    .select(['content_type', 'bytes'])
    .$if('id' in by, (query) => query.where('id', '=', 'id' in by ? by.id : ''))
    .$if('user_id' in by, (query) => query.where('user_id', '=', 'user_id' in by ? by.user_id : ''))
    .executeTakeFirst();
}
