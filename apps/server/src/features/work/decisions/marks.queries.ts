import { type DecisionMark, MARKS_AT_ONCE, type NewMark } from '@heterosis/contracts/work/decisions';
import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';

const marks = (db: Queryable, decisionId: string) =>
  db
    .selectFrom('decision_marks as one')
    .leftJoin('users', 'users.id', 'one.person_id')
    .select([
      'one.place',
      'one.id',
      'one.line',
      'one.mark',
      'one.reason',
      'one.settles',
      'one.person_id',
      'one.marked_at',
    ])
    .select(sql<string | null>`coalesce(users.name, users.email)`.as('person'))
    .where('one.decision_id', '=', decisionId)
    .orderBy('one.place');

/** In the order of arrival. */
export async function listMarks(db: Queryable, decisionId: string, after = 0): Promise<DecisionMark[]> {
  return await marks(db, decisionId).where('one.place', '>', after).limit(MARKS_AT_ONCE).execute();
}

export async function listAllMarks(db: Queryable, decisionId: string): Promise<DecisionMark[]> {
  return await marks(db, decisionId).execute();
}

export async function listMarksOfLines(
  db: Queryable,
  decisionId: string,
  lines: readonly number[],
): Promise<DecisionMark[]> {
  return await marks(db, decisionId).where(sql<boolean>`one.line = any(${lines}::int[])`).execute();
}

/** Those of some ids that are stored. */
export async function findMarks(
  db: Queryable,
  decisionId: string,
  ids: readonly string[],
): Promise<{ id: string; line: number; mark: string }[]> {
  return await db
    .selectFrom('decision_marks')
    .select(['id', 'line', 'mark'])
    .where('decision_id', '=', decisionId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
}

export async function insertMarks(
  db: Queryable,
  { decisionId, version, personId, settles, after }: InsertedMarks,
  rows: readonly NewMark[],
): Promise<void> {
  await db
    .insertInto('decision_marks')
    .values(
      rows.map((row, k) => ({
        ...row,
        ...{ decision_id: decisionId, version, place: after + k + 1, settles, person_id: personId },
      })),
    )
    .execute();
}

interface InsertedMarks {
  decisionId: string;
  version: number;
  personId: string;
  settles: boolean;
  /** Place of the last mark so far. */
  after: number;
}

/** People who have marked. */
export async function countPeople(db: Queryable, decisionId: string): Promise<number> {
  const { count } = await db
    .selectFrom('decision_marks')
    .select((row) => row.fn.count<number>('person_id').distinct().as('count'))
    .where('decision_id', '=', decisionId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
