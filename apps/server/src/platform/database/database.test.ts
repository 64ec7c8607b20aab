import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from './database.ts';
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

test.each([
  ['while it is open is reported', false],
  ['after it was closed is no news', true],
])('that the database ends a connection of a pool %s', async (_, isClosed) => {
  // What the pool sends can be held back, so that the end of the connection comes from the database.
  const forward: Socket[] = [];
  const { hostname, port } = new URL(database.url);
  const door = createServer({ allowHalfOpen: true }, (socket) => {
    const through = connect(Number(port), hostname);
    for (const one of [socket, through]) one.on('error', () => {});
    socket.pipe(through).pipe(socket);
    forward.push(socket);
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
  const url = new URL(database.url);
  url.port = String((door.address() as AddressInfo).port);
  const lost: Error[] = [];
  const db = openDatabase({ url: url.href, max: 1, onConnectionLost: (error) => lost.push(error) });
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const [socket] = forward;
  const closed = once(socket as Socket, 'close');
  if (isClosed) {
    socket?.unpipe().resume();
    await db.destroy();
  }
  await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(database.db);
  await closed;
  if (!isClosed) await expect.poll(() => lost.length).toBe(1);
  expect(lost.map(({ message }) => message)).toEqual(
    isClosed ? [] : ['terminating connection due to administrator command'],
  );
  await db.destroy();
  for (const one of forward) one.destroy();
  door.close();
});
