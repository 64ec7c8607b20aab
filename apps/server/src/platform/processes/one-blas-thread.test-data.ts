import { spawn } from 'node:child_process';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { createMatrix } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { threadCount } from '@heterosis/linalg/threads';
import { useOneBlasThread } from './one-blas-thread.ts';

// A process whose thread multiplies matrices until as many children have been started as are asked for.

const SIZE = 250;
const CHILDREN = 40;

if (isMainThread) {
  useOneBlasThread();
  const worker = new Worker(new URL(import.meta.url), { env: {} });
  const flag = new Int32Array(new SharedArrayBuffer(4));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  worker.postMessage(flag);
  worker.once('message', async () => {
    for (let k = 0; k < CHILDREN; k++) await new Promise((resolve) => spawn('true').once('exit', resolve));
    Atomics.store(flag, 0, 1);
    worker.once('message', (told: { products: number; threads: number }) => {
      process.stdout.write(JSON.stringify(told));
    });
  });
} else {
  parentPort?.once('message', (flag: Int32Array) => {
    const a = createMatrix(SIZE, SIZE);
    a.data.fill(1);
    multiply(a, a);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    parentPort?.postMessage('begun');
    let products = 0;
    for (; Atomics.load(flag, 0) === 0; products++) multiply(a, a);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    parentPort?.postMessage({ products, threads: threadCount() });
  });
}
