import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ComputeError } from '../../../../platform/compute/compute.ts';
import { loadConfig } from '../../../../platform/config/config.ts';
import { createObjectStorage } from '../../../../platform/object-storage/create-object-storage.ts';
import { workRoot } from '../../../../platform/processes/work-directory.ts';
import { putResults, withAttempt } from './attempt.ts';
import type { ErrorExtra } from './error-extra.ts';

let dataDir: string;
let services: Parameters<typeof withAttempt>[0];
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'attempt-'));
  const config = loadConfig({ DATA_DIR: dataDir });
  services = { config, storage: createObjectStorage(config).storage, logger: pino({ level: 'silent' }) };
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

let run = 0;
let prefix: string;
let failed: ErrorExtra[];
let requeued: number;
beforeEach(() => {
  prefix = `projects/p/models/m/run-${++run}/`;
  failed = [];
  requeued = 0;
});

const fail = async (error: ErrorExtra) => failed.push(error);
const putBack = async () => ++requeued;

/** An attempt that stores one result and then ends as `end` does. */
const attempt = (end: () => boolean, signal = new AbortController().signal): Promise<boolean> =>
  withAttempt(services, { prefix, signal, fail, putBack }, async (directory) => {
    await writeFile(join(directory, 'effects'), 'x');
    const keys = await putResults(services.storage, prefix, { effects: join(directory, 'effects') });
    expect(keys).toEqual({ effects: `${prefix}effects` });
    return end();
  });

const throwing = (error: Error) => () => {
  throw error;
};
const isKept = async (): Promise<boolean> => (await services.storage.find(`${prefix}effects`)) !== undefined;

test('what was stored stays, and the directory of the attempt goes', async () => {
  expect(await attempt(() => true)).toBe(true);
  expect(await isKept()).toBe(true);
  expect(await readdir(workRoot(services.config))).toEqual([]);
});

test('what another attempt made unnecessary goes', async () => {
  expect(await attempt(() => false)).toBe(false);
  expect(await isKept()).toBe(false);
});

test('what is the fault of the input ends the run with its reason', async () => {
  const error = new ComputeError('constant-trait', 'All individuals have the same value.', {
    details: { suggestion: 'Choose another trait.' },
    isExpected: true,
  });
  expect(await attempt(throwing(error))).toBe(false);
  expect(failed).toEqual([
    { code: 'constant-trait', message: 'All individuals have the same value.', action: 'Choose another trait.' },
  ]);
  expect(await isKept()).toBe(false);
});

test('anything else is left to the queue, which the run waits for again, and nothing half is kept', async () => {
  await expect(attempt(throwing(new Error('the connection broke')))).rejects.toThrow('the connection broke');
  expect([failed, requeued, await isKept()]).toEqual([[], 1, false]);
});

test('an attempt that was cancelled does not end the run with the error that cancelling caused', async () => {
  const stopped = new ComputeError('too-few-individuals', 'Too few.', { isExpected: true });
  await expect(attempt(throwing(stopped), AbortSignal.abort())).rejects.toBe(stopped);
  expect(failed).toEqual([]);
});
