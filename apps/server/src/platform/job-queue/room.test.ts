import { expect, test } from 'vitest';
import { createRoom, TooSmallError } from './room.ts';

const offer = { cores: 2, memoryMb: 100, diskMb: async () => 50 };
const never = new AbortController().signal;
const needs = (memoryMb: number, diskMb = 0) => ({ memoryMb, diskMb });

/** Whether a promise has been settled once everything that is due has run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  promise.then(
    () => {
      settled = true;
    },
    () => {
      settled = true;
    },
  );
  await new Promise(setImmediate);
  return settled;
}

test('what fits begins, what does not waits until enough is given back', async () => {
  const room = createRoom(offer);
  const giveBack = await room.take(needs(60), never);
  const second = room.take(needs(60), never);
  expect(await isSettled(second)).toBe(false);
  giveBack();
  expect(await isSettled(second)).toBe(true);
});

test('a small job that comes later does not overtake a large one', async () => {
  const room = createRoom(offer);
  const giveBack = await room.take(needs(60), never);
  const large = room.take(needs(100), never);
  const small = room.take(needs(10), never);
  expect(await isSettled(small)).toBe(false);
  giveBack();
  expect(await isSettled(large)).toBe(true);
  expect(await isSettled(small)).toBe(false);
  (await large)();
  expect(await isSettled(small)).toBe(true);
});

test('a large job that is cancelled while it waits lets the others go on', async () => {
  const room = createRoom(offer);
  await room.take(needs(60), never);
  const cancelling = new AbortController();
  const large = room.take(needs(100), cancelling.signal);
  const small = room.take(needs(10), never);
  cancelling.abort(new Error('cancelled'));
  await expect(large).rejects.toThrow('cancelled');
  expect(await isSettled(small)).toBe(true);
});

test('what never fits is refused at once', async () => {
  const room = createRoom(offer);
  await expect(room.take(needs(101), never)).rejects.toBeInstanceOf(TooSmallError);
  await expect(room.take(needs(1, 51), never)).rejects.toBeInstanceOf(TooSmallError);
});
