import { sql } from 'kysely';
import type { DatabaseTransaction, Queryable } from '../../../../platform/database/database.ts';

/** The organizations of a user, those of joined projects included, that demand a second factor. */
const demanding = sql`
  select organizations.id, organizations.name from organizations
  where requires_second_factor and organizations.deleted_at is null and (
    exists (select from organization_members member
      where member.organization_id = organizations.id and member.user_id = users.id)
    or exists (select from project_members member join projects on projects.id = member.project_id
      where projects.organization_id = organizations.id and projects.deleted_at is null and member.user_id = users.id))`;

/** Of a row of `users`: an organization demands a second factor, and there is none. Read on every request. */
export const lacksSecondFactor = sql<boolean>`(exists (${demanding})
  and not exists (select from second_factors where user_id = users.id and confirmed_at is not null))`.as(
  'lacks_second_factor',
);

export async function listDemanding(db: Queryable, userId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select demanding.name from users cross join lateral (${demanding}) demanding
    where users.id = ${userId} order by demanding.name`.execute(db);
  return rows.map(({ name }) => name);
}

export interface SecondFactorRow {
  sealed_secret: string;
  confirmed_at: string | null;
  last_step: number;
  wrong_tries: number;
  was_tried_lately: boolean;
}

/** Since when, and how many recovery codes are left; undefined without a confirmed one. */
export function findSecondFactor(
  db: Queryable,
  userId: string,
): Promise<{ since: string; recovery_codes: number } | undefined> {
  return db
    .selectFrom('second_factors')
    .select(sql<string>`confirmed_at`.as('since'))
    .select((select) =>
      select
        .selectFrom('recovery_codes')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('recovery_codes.user_id', '=', 'second_factors.user_id')
        .where('used_at', 'is', null)
        .$asScalar()
        .$notNull()
        .as('recovery_codes'),
    )
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
}

/** Locks the row, so that codes of one person are judged one after the other. */
export function lockSecondFactor(
  trx: DatabaseTransaction,
  userId: string,
  windowSeconds: number,
): Promise<SecondFactorRow | undefined> {
  return trx
    .selectFrom('second_factors')
    .select(['sealed_secret', 'confirmed_at', 'last_step', 'wrong_tries'])
    .select(sql<boolean>`tried_at > now() - make_interval(secs => ${windowSeconds})`.as('was_tried_lately'))
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
}

/** Starts again with a secret that no code has confirmed. False when there is a confirmed one. */
export async function insertSecondFactor(db: Queryable, userId: string, sealedSecret: string): Promise<boolean> {
  const row = await db
    .insertInto('second_factors')
    .values({ user_id: userId, sealed_secret: sealedSecret })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ sealed_secret: sealedSecret, created_at: sql`now()` })
        .where('second_factors.confirmed_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function updateSecondFactor(
  trx: DatabaseTransaction,
  userId: string,
  change: { wrong_tries: number; last_step?: number; confirmed_at?: Date },
): Promise<void> {
  await trx
    .updateTable('second_factors')
    .set({ ...change, tried_at: sql`now()` })
    .where('user_id', '=', userId)
    .execute();
}

/** Its recovery codes go with it. */
export async function deleteSecondFactor(db: Queryable, userId: string): Promise<boolean> {
  const row = await db
    .deleteFrom('second_factors')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function replaceRecoveryCodes(
  trx: DatabaseTransaction,
  userId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await trx
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, code_hash: hash })))
    .execute();
}

/** Whether it was one of the person, and not used. */
export async function useRecoveryCode(trx: DatabaseTransaction, userId: string, hash: Buffer): Promise<boolean> {
  const row = await trx
    .updateTable('recovery_codes')
    .set({ used_at: sql`now()` })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}
