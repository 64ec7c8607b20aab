import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { isProcessAlive, processIdentity, withProcessLock } from './process-lock.ts';

const directory = mkdtempSync(join(tmpdir(), 'heterosis-lock-'));
afterAll(() => rmSync(directory, { recursive: true }));

test('work under one lock never overlaps', async () => {
  let inside = 0;
  let most = 0;
  const work = () =>
    withProcessLock(join(directory, 'a'), 10_000, async () => {
      most = Math.max(most, ++inside);
      await sleep(5);
      inside--;
    });
  await Promise.all(Array.from({ length: 10 }, work));
  expect(most).toBe(1);
  expect(existsSync(join(directory, 'a'))).toBe(false);
});

test('the lock is given back when the work fails', async () => {
  const path = join(directory, 'b');
  await expect(withProcessLock(path, 1_000, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(existsSync(path)).toBe(false);
});

test('the lock of a process that is gone is taken over', async () => {
  const child = spawn('/bin/sh', ['-c', 'exit 0']);
  const identity = processIdentity(child.pid);
  await once(child, 'close');
  expect(isProcessAlive(identity)).toBe(false);
  const path = join(directory, 'c');
  writeFileSync(path, identity);
  expect(await withProcessLock(path, 5_000, async () => 'mine')).toBe('mine');
});

test('a process id that now belongs to another process does not keep the lock', async () => {
  const path = join(directory, 'd');
  writeFileSync(path, `${process.pid} 1`);
  expect(await withProcessLock(path, 5_000, async () => 'mine')).toBe('mine');
});

test('the lock of a living process is waited for, and the wait has an end', async () => {
  const path = join(directory, 'e');
  writeFileSync(path, processIdentity());
  await expect(withProcessLock(path, 200, async () => 'mine')).rejects.toThrow(/is held by another process/);
});
