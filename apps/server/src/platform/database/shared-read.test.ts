import { expect, test } from 'vitest';
import type { Queryable } from './database.ts';
import { sharedRead } from './shared-read.ts';

const pool = { isTransaction: false } as Queryable;

/** A read that ends when it is told to. */
function stepped() {
  const reads: { given: string; answer: (value: string) => void; fail: (error: Error) => void }[] = [];
  const read = sharedRead(
    (_db: Queryable, given: string) =>
      new Promise<string>((answer, fail) => {
        reads.push({ given, answer, fail });
      }),
  );
  return { reads, read };
}

test('who comes while a read runs shares the one that begins after it', async () => {
  const { reads, read } = stepped();
  const first = read(pool, 'a');
  const [second, third] = [read(pool, 'a'), read(pool, 'a')];
  expect(reads).toHaveLength(1);
  reads[0]?.answer('before');
  expect(await first).toBe('before');
  await expect.poll(() => reads.length).toBe(2);
  const fourth = read(pool, 'a');
  reads[1]?.answer('after');
  expect([await second, await third]).toEqual(['after', 'after']);
  await expect.poll(() => reads.length).toBe(3);
  reads[2]?.answer('last');
  expect(await fourth).toBe('last');
});

test('a read that nobody shares begins at once, also after another has ended', async () => {
  const { reads, read } = stepped();
  for (const value of ['one', 'two']) {
    const answer = read(pool, 'a');
    reads.at(-1)?.answer(value);
    expect(await answer).toBe(value);
  }
  expect(reads).toHaveLength(2);
});

test('a failure is that of its own read only', async () => {
  const { reads, read } = stepped();
  const [first, second] = [read(pool, 'a'), read(pool, 'a')];
  reads[0]?.fail(new Error('lost'));
  await expect(first).rejects.toThrow('lost');
  await expect.poll(() => reads.length).toBe(2);
  reads[1]?.answer('found');
  expect(await second).toBe('found');
});

test('other parameters, other pools and transactions are read by themselves', () => {
  const { reads, read } = stepped();
  const transaction = { isTransaction: true } as Queryable;
  void read(pool, 'a');
  void read(pool, 'b');
  void read({ isTransaction: false } as Queryable, 'a');
  void read(transaction, 'a');
  void read(transaction, 'a');
  expect(reads.map(({ given }) => given)).toEqual(['a', 'b', 'a', 'a', 'a']);
});
