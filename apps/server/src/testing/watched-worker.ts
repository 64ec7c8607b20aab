import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type Product, startWorkerProcess } from './product.ts';

export interface WatchedWorker {
  child: ChildProcess;
  /** Ids of the jobs of one name that the worker began and ended, in order. */
  begun: string[];
  ended: string[];
}

/** A worker in a process of its own, for one job at a time, and what its log says of the jobs of a name. */
export function startWatchedWorker(
  product: Product,
  watched: string,
  environment: Record<string, string>,
): WatchedWorker {
  const child = startWorkerProcess(product, {
    WORKER_CONCURRENCY: '1',
    COMPUTE_THREADS: '1',
    LOG_LEVEL: 'info',
    ...environment,
  });
  const worker: WatchedWorker = { child, begun: [], ended: [] };
  if (child.stdout === null) throw new Error('the log of the worker is not read');
  createInterface(child.stdout).on('line', (line) => {
    const { msg, job, job_id } = line.startsWith('{') ? JSON.parse(line) : {};
    if (job !== watched) return;
    if (msg === 'job started') worker.begun.push(job_id);
    if (msg === 'job done') worker.ended.push(job_id);
  });
  return worker;
}
