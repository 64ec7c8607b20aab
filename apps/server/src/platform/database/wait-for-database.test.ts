import { expect, test } from 'vitest';
import { whenDatabaseAnswers } from './wait-for-database.ts';

const refused = () => Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), { code: 'ECONNREFUSED' });

/** Work that finds no database `times` times. */
function late(times: number, error: () => Error = refused): () => Promise<string> {
  let left = times;
  return async () => {
    if (left-- > 0) throw error();
    return 'connected';
  };
}

test('what needs the database is tried until it answers, and the wait is told once', async () => {
  const told: string[] = [];
  const patience = { seconds: 10, onWait: ({ message }: Error) => void told.push(message) };
  expect(await whenDatabaseAnswers(patience, late(0))).toBe('connected');
  expect(told).toEqual([]);
  const wrapped = () => new Error('The database could not be migrated.', { cause: refused() });
  expect(await whenDatabaseAnswers(patience, late(2, wrapped))).toBe('connected');
  expect(told).toEqual(['The database could not be migrated.']);
});

test('after the time given, or for another reason, the error is told', async () => {
  const patience = { seconds: 0, onWait: () => {} };
  await expect(whenDatabaseAnswers(patience, late(1))).rejects.toThrow('ECONNREFUSED');
  const wrong = () => new Error('password authentication failed');
  await expect(whenDatabaseAnswers({ ...patience, seconds: 10 }, late(1, wrong))).rejects.toThrow('password');
});
