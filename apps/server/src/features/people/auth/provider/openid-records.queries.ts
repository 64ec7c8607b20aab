import { sql } from 'kysely';
import type { Queryable } from '../../../../platform/database/database.ts';

/** Of one kind of record. */
export interface RecordKey {
  model: string;
  id: string;
}

export interface NewRecord extends RecordKey {
  payload: object;
  grantId: string | undefined;
  lifetimeSeconds: number;
}

/** Stores a record, in place of an earlier one of this id. */
export async function upsertRecord(db: Queryable, record: NewRecord): Promise<void> {
  const { model, id, grantId, lifetimeSeconds } = record;
  const changing = {
    payload: JSON.stringify(record.payload),
    grant_id: grantId ?? null,
    expires_at: sql<string>`now() + make_interval(secs => ${lifetimeSeconds})`,
  };
  await db
    .insertInto('openid_records')
    .values({ model, id, ...changing })
    .onConflict((conflict) => conflict.columns(['model', 'id']).doUpdateSet(changing))
    .execute();
}

/** Undefined when there is none, or it has expired. */
export async function findRecord(db: Queryable, { model, id }: RecordKey): Promise<object | undefined> {
  const row = await db
    .selectFrom('openid_records')
    .select('payload')
    .where('model', '=', model)
    .where('id', '=', id)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst();
  return row?.payload as object | undefined;
}

/** Marks a record as used. False when it was used before: of concurrent requests only one succeeds. */
export async function consumeRecord(db: Queryable, { model, id }: RecordKey): Promise<boolean> {
  const row = await db
    .updateTable('openid_records')
    .set({ payload: sql`payload || jsonb_build_object('consumed', floor(extract(epoch from now())))` })
    .where('model', '=', model)
    .where('id', '=', id)
    .where(sql<boolean>`not payload ? 'consumed'`)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteRecord(db: Queryable, { model, id }: RecordKey): Promise<void> {
  await db.deleteFrom('openid_records').where('model', '=', model).where('id', '=', id).execute();
}

/** Deletes all records of a grant; returns their payloads. */
export async function deleteRecordsOfGrant(db: Queryable, model: string, grantId: string): Promise<object[]> {
  const rows = await db
    .deleteFrom('openid_records')
    .where('model', '=', model)
    .where('grant_id', '=', grantId)
    .returning('payload')
    .execute();
  return rows.map(({ payload }) => payload as object);
}

export async function deleteExpiredRecords(db: Queryable): Promise<void> {
  await db.deleteFrom('openid_records').where('expires_at', '<', sql<string>`now()`).execute();
}
