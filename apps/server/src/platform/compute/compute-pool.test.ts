import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import type { ComputeProgress } from './compute.ts';
import { createComputePool } from './compute-pool.ts';
import type { SampleInput } from './testing/sample.compute.ts';

const SAMPLE = new URL('./testing/sample.compute.ts', import.meta.url);
const pool = createComputePool({
  size: 2,
  threads: 3,
  memoryMb: 512,
  logger: pino({ level: 'silent' }),
  environment: () => ({ HETEROSIS_TEST: '1' }),
});
afterAll(() => pool.close());

const run = (input: SampleInput, options = {}) => pool.run<SampleInput, unknown>(SAMPLE, input, options);

test('input and result keep their typed arrays, and the process knows its threads', async () => {
  expect(await run({ do: 'double', values: Float64Array.of(1, Number.NaN, 3) })).toEqual({
    values: Float64Array.of(2, Number.NaN, 6),
    threads: 3,
  });
});

test('an error with a code is an expected one and keeps its figures', async () => {
  await expect(run({ do: 'fail', code: 'no-shared-individuals', line: 7 })).rejects.toMatchObject({
    name: 'ComputeError',
    code: 'no-shared-individuals',
    isExpected: true,
    message: 'no two individuals in common',
    details: { line: 7, nested: { n: 3 } },
  });
});

test('what a reader of files finds is an expected error with its suggestion', async () => {
  await expect(run({ do: 'fail-on-file' })).rejects.toMatchObject({
    code: 'E-GT-TRIO',
    isExpected: true,
    message: 'The .bed file ends early.',
    details: { suggestion: 'Upload it again.' },
  });
});

test('an error without a code, or one of the system, is not the fault of the input', async () => {
  await expect(run({ do: 'fail' })).rejects.toMatchObject({ code: 'compute/failed', isExpected: false });
  await expect(run({ do: 'system-error' })).rejects.toMatchObject({ code: 'compute/failed', isExpected: false });
});

test('a process that ends or crashes fails its own work and no other', async () => {
  const other = run({ do: 'double', values: Float64Array.of(1) });
  await expect(run({ do: 'exit' })).rejects.toMatchObject({ code: 'compute/crashed', details: { exit_code: 3 } });
  await expect(run({ do: 'crash' })).rejects.toMatchObject({ code: 'compute/crashed', details: { signal: 'SIGSEGV' } });
  await expect(other).resolves.toMatchObject({ threads: 3 });
});

test('a full heap ends the process and is named', async () => {
  await expect(run({ do: 'heap' }, { memoryMb: 64 })).rejects.toMatchObject({
    code: 'compute/out-of-memory',
    isExpected: true,
  });
});

test('an abort kills the process, and also ends the wait for a turn', async () => {
  const controller = new AbortController();
  const started = new Promise<void>((resolve) => {
    run({ do: 'sleep' }, { signal: controller.signal, onProgress: () => resolve() }).catch(() => {});
  });
  const works = [
    run({ do: 'sleep' }, { signal: controller.signal }),
    run({ do: 'sleep' }, { signal: controller.signal }),
  ];
  const ends = Promise.allSettled(works);
  await started;
  controller.abort();
  for (const end of await ends) expect(end).toMatchObject({ status: 'rejected', reason: { code: 'compute/aborted' } });
  await expect(run({ do: 'sleep' }, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'compute/aborted',
  });
  expect(await run({ do: 'double', values: Float64Array.of(4) })).toMatchObject({ values: Float64Array.of(8) });
});

test('progress tells every stage and its end, without a report for every step', async () => {
  const reports: ComputeProgress[] = [];
  await run({ do: 'progress' }, { onProgress: (report: ComputeProgress) => reports.push(report) });
  expect(reports[0]).toMatchObject({ stage: 'read' });
  expect(reports).toContainEqual({ stage: 'read', done: 1000, total: 1000 });
  expect(reports.at(-1)).toEqual({ stage: 'fit', done: 0, total: 1 });
  expect(reports.length).toBeLessThan(10);
});

test('the process sees what it was given and no secret of the worker', async () => {
  process.env['SECRET_KEY'] = 'not for children';
  try {
    const names = ['HETEROSIS_TEST', 'OPENBLAS_NUM_THREADS', 'SECRET_KEY', 'DATABASE_URL', 'PATH'];
    expect(await run({ do: 'environment', names })).toEqual(['HETEROSIS_TEST', 'OPENBLAS_NUM_THREADS', 'PATH']);
  } finally {
    delete process.env['SECRET_KEY'];
  }
});

test('a process is kept for the next work, but not after a fault or with much memory', async () => {
  const kept = createComputePool({ size: 1, threads: 1, memoryMb: 512, logger: pino({ level: 'silent' }) });
  const work = (input: SampleInput, options = {}) => kept.run<SampleInput, unknown>(SAMPLE, input, options);
  const processId = (options = {}) => work({ do: 'process-id' }, options) as Promise<number>;
  const first = await processId();
  await expect(work({ do: 'fail', code: 'no-shared-individuals' })).rejects.toMatchObject({ isExpected: true });
  expect(await processId()).toBe(first);

  await expect(work({ do: 'fail' })).rejects.toMatchObject({ isExpected: false });
  const second = await processId();
  expect(second).not.toBe(first);
  await work({ do: 'fill', megabytes: 400 });
  const third = await processId();
  expect(third).not.toBe(second);
  // Another heap takes another process, and there are no more than the pool may have.
  const fourth = await processId({ memoryMb: 300 });
  expect(fourth).not.toBe(third);
  await expect.poll(() => isAlive(third)).toBe(false);
  expect(isAlive(fourth)).toBe(true);
  await kept.close();
  await expect.poll(() => isAlive(fourth)).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
