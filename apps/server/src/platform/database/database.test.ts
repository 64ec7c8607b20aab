import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { preparedRead } from './prepared-query.ts';
import { createTestDatabase, type TestDatabase } from './testing.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test.each([
  ['2026-11-21 06:00:00+00', '2026-11-21T06:00:00.000Z'],
  ['2026-11-21 06:00:00.1+00', '2026-11-21T06:00:00.100Z'],
  ['2026-11-21 06:00:00.123+00', '2026-11-21T06:00:00.123Z'],
  ['2026-11-21 06:00:00.123+05:30', '2026-11-21T00:30:00.123Z'],
])('the time %s comes back as %s, whatever the time zone of the session', async (written, read) => {
  for (const zone of ['UTC', 'Asia/Kolkata']) {
    const time = await database.db.transaction().execute(async (transaction) => {
      await sql`select set_config('timezone', ${zone}, true)`.execute(transaction);
      const { rows } = await sql<{ time: string }>`select ${written}::timestamptz(3) as time`.execute(transaction);
      return rows[0]?.time;
    });
    expect(time).toBe(read);
  }
});

test('a prepared read gives the row of its parameters, undefined without one, and refuses a query that has others', async () => {
  const insert = (email: string) =>
    database.db
      .insertInto('users')
      .values({ id: uuidv7(), email, name: 'Someone' })
      .returning('id')
      .executeTakeFirstOrThrow();
  await insert('one@example.org');
  const two = await insert('two@example.org');
  const find = preparedRead((db, email) => db.selectFrom('users').select('id').where('email', '=', email), ['email']);
  expect(await find(database.db, 'two@example.org')).toEqual(two);
  expect(await find(database.db, 'three@example.org')).toBeUndefined();
  expect(await database.db.transaction().execute((transaction) => find(transaction, 'two@example.org'))).toEqual(two);
  const wrong = preparedRead(
    (db, email) => db.selectFrom('users').select('id').where('email', '=', email).where('name', '=', 'Someone'),
    ['email'],
  );
  await expect(wrong(database.db, 'two@example.org')).rejects.toThrow('A prepared read takes email');
});
