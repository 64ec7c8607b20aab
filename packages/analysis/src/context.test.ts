import { expect, test } from 'vitest';
import { reportProgress, timedContext } from './context.ts';

test('seconds per stage add up over returns to a stage', () => {
  let time = 0;
  const timed = timedContext({ threads: 1 }, () => time);
  reportProgress(timed.context, 'read', 0, 2);
  time = 1000;
  reportProgress(timed.context, 'read', 1, 2);
  reportProgress(timed.context, 'fit', 0, 1);
  time = 1500;
  reportProgress(timed.context, 'read', 2, 2);
  time = 4000;
  expect(timed.finish()).toEqual({ read: 3.5, fit: 0.5 });
});

test('an aborted analysis stops at the next report with the reason of the abort', () => {
  const controller = new AbortController();
  controller.abort(new Error('cancelled by Ada'));
  expect(() => reportProgress({ threads: 1, signal: controller.signal }, 'fit', 0, 1)).toThrow('cancelled by Ada');
});
