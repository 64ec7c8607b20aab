import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const PROCESS = fileURLToPath(new URL('./one-blas-thread.test-data.ts', import.meta.url));

test('a thread computes to the end while children are started', async () => {
  // As the product is started: nobody has said how many threads the library has.
  const { OPENBLAS_NUM_THREADS: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, [PROCESS], {
    env,
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  const { products, threads } = JSON.parse(stdout) as { products: number; threads: number };
  expect(threads).toBe(1);
  expect(products).toBeGreaterThan(0);
});
