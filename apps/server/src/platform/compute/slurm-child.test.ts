import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { openExchange } from './slurm-exchange.ts';
import type { SampleInput } from './testing/sample.compute.ts';

const CHILD = join(import.meta.dirname, 'slurm-child.ts');
const moduleUrl = new URL('./testing/sample.compute.ts', import.meta.url).href;
const GONE = 'The worker no longer waits for this job.\n';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'slurm-child-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
});

const work = (input: SampleInput) => openExchange(directory).putInput({ moduleUrl, input, threads: 1, memoryMb: 128 });
/** Rejects unless the program ends with 0. */
const runChild = () => promisify(execFile)(process.execPath, [CHILD, directory]);

test('does its work and answers', async () => {
  await work({ do: 'double', values: Float64Array.of(1, 2) });
  expect((await runChild()).stderr).toBe('');
  expect(await openExchange(directory).answer()).toMatchObject({ output: { values: Float64Array.of(2, 4) } });
});

test('started again after the worker has its answer and has cleared up, it is no failed job', async () => {
  await rm(directory, { recursive: true });
  expect((await runChild()).stderr).toBe(GONE);
});

test('started again before the worker has taken its answer, it leaves the answer as it is', async () => {
  await work({ do: 'fail' });
  await openExchange(directory).putAnswer({ output: 'of the first start' });
  expect((await runChild()).stderr).toBe(GONE);
  expect(await openExchange(directory).answer()).toEqual({ output: 'of the first start' });
});

test('ends when the worker clears up in the middle of its work', { tags: 'whole' }, async () => {
  await work({ do: 'sleep' });
  const child = runChild();
  while (!(await readdir(directory)).includes('progress')) await new Promise(setImmediate);
  await rm(directory, { recursive: true });
  expect((await child).stderr).toBe(GONE);
});
