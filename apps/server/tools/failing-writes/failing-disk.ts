import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { computeEnvironment } from '@heterosis/linalg/threads';
import { pino } from 'pino';
import { createComputePool } from '../../src/platform/compute/compute-pool.ts';
import { letGo } from '../../src/platform/job-queue/testing/hurry.ts';
import { type Person, type Product, type Project, startProduct } from '../../src/testing/product.ts';
import { type Fault, faultCame, installFailingWrites, setFault } from './failing-writes.ts';

/** A product on a disk that can be made to fail, for this process and for its compute processes. */
export interface FailingDisk {
  product: Product;
  owner: Person;
  project: Project;
  /** The next fault, or none. */
  set(fault: Omit<Fault, 'id'> | undefined): void;
  /** Whether the fault has come. */
  came(): boolean;
  /** Jobs that wait for space or for their next attempt begin now. */
  letGo(): Promise<void>;
  close(): Promise<void>;
}

export async function startOnFailingDisk(): Promise<FailingDisk> {
  const home = mkdtempSync(join(tmpdir(), 'heterosis-full-'));
  const control = join(home, 'fault');
  // The children get the place of the data from the environment, which is known once there is a product.
  const place = { directory: '' };
  const compute = createComputePool({
    ...{ size: 2, threads: 1, memoryMb: 1024, logger: pino({ level: 'silent' }) },
    environment: () => ({
      ...computeEnvironment(),
      NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'preload.ts')).href}`,
      FAILING_WRITES: `${place.directory}:${control}`,
    }),
  });
  const product = await startProduct({ compute, ...(process.env['SHOW_LOG'] ? { log: process.stderr } : {}) });
  const { config, db } = product.services;
  place.directory = config.dataDir;
  installFailingWrites(place.directory, control, 'server');
  const owner = await product.person('owner');
  return {
    product,
    owner,
    project: await product.project(owner),
    set: (fault) => setFault(control, fault),
    came: () => faultCame(control),
    letGo: () => letGo(db),
    async close() {
      setFault(control, undefined);
      await product.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
