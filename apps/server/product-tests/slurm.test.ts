import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { GwasDetail } from '@heterosis/contracts/work/gwas';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ComputePool } from '../src/platform/compute/compute.ts';
import { slurm } from '../src/platform/compute/slurm.ts';
import { createSlurmPool } from '../src/platform/compute/slurm-pool.ts';
import type { SampleInput } from '../src/platform/compute/testing/sample.compute.ts';
import {
  download,
  type MaizeFiles,
  type Person,
  type Product,
  type Project,
  startProduct,
  startWorkerProcess,
  until,
  uploadMaize,
} from '../src/testing/product.ts';
import { hasSlurm, type SlurmCluster, startSlurmCluster } from '../tools/slurm-stand-in/slurm-cluster.ts';

// Against Debian's Slurm (slurm-wlm), a controller and two nodes started here; skipped where it is not installed.

const PATIENCE_MS = 180_000;
const SAMPLE = new URL('../src/platform/compute/testing/sample.compute.ts', import.meta.url);

describe.skipIf(!hasSlurm)('jobs in a Slurm cluster', { timeout: PATIENCE_MS }, () => {
  let cluster: SlurmCluster;
  beforeAll(async () => {
    cluster = await startSlurmCluster();
    Object.assign(process.env, cluster.environment);
  });
  afterAll(async () => {
    delete process.env['SLURM_CONF'];
    await cluster.stop();
  });

  describe('pieces of work', () => {
    let directory: string;
    let pool: ComputePool;
    beforeAll(() => {
      directory = mkdtempSync(join(tmpdir(), 'heterosis-exchange-'));
      const logger = pino({ level: 'silent' });
      pool = createSlurmPool({ size: 4, threads: 1, memoryMb: 128, directory, options: ['--time=10'], slurm, logger });
    });
    afterAll(async () => {
      await pool.close();
      rmSync(directory, { recursive: true });
    });
    const run = (input: SampleInput, options = {}) => pool.run<SampleInput, unknown>(SAMPLE, input, options);

    test('answers, coded errors and deaths are those of a process of the worker', async () => {
      const [result, coded, plain, full, dead] = await Promise.allSettled([
        run({ do: 'double', values: Float64Array.of(1, Number.NaN, 3) }),
        run({ do: 'fail', code: 'no-shared-individuals', line: 7 }),
        run({ do: 'fail' }),
        run({ do: 'heap' }, { memoryMb: 64 }),
        run({ do: 'crash' }),
      ]);
      expect(result).toMatchObject({ value: { values: Float64Array.of(2, Number.NaN, 6), threads: 1 } });
      expect(coded).toMatchObject({
        reason: { code: 'no-shared-individuals', isExpected: true, details: { line: 7, nested: { n: 3 } } },
      });
      expect(plain).toMatchObject({ reason: { code: 'compute/failed', isExpected: false } });
      expect(full).toMatchObject({ reason: { code: 'compute/out-of-memory', isExpected: true } });
      expect(dead).toMatchObject({ reason: { code: 'compute/crashed', details: { signal: 'SIGSEGV' } } });
      expect(readdirSync(directory)).toEqual([]);
    });

    test('no secret of the worker reaches a job', async () => {
      process.env['SECRET_KEY'] = 'not for the cluster';
      try {
        expect(await run({ do: 'environment', names: ['SECRET_KEY', 'DATABASE_URL', 'PATH'] })).toEqual(['PATH']);
      } finally {
        delete process.env['SECRET_KEY'];
      }
    });

    test('an abort cancels the job, and a job cancelled by others is a crash that says so', async () => {
      const controller = new AbortController();
      const began = Promise.withResolvers<void>();
      const slept = run({ do: 'sleep' }, { signal: controller.signal, onProgress: () => began.resolve() });
      const end = slept.catch((error: unknown) => error);
      await began.promise;
      controller.abort();
      expect(await end).toMatchObject({ code: 'compute/aborted' });
      await until(
        async () => cluster.jobs().at(-1)?.state,
        (state) => state === 'CANCELLED',
      );
      const other = run({ do: 'sleep' }).catch((error: unknown) => error);
      const job = await until(
        async () => cluster.jobs().at(-1),
        (one) => one?.state === 'RUNNING',
      );
      await slurm.cancel(job?.id ?? '');
      expect(await other).toMatchObject({ code: 'compute/crashed', details: { slurm_state: 'CANCELLED' } });
    });
  });

  describe('a GWAS', () => {
    let product: Product;
    let owner: Person;
    let project: Project;
    let maize: MaizeFiles;
    let local: GwasDetail;
    beforeAll(async () => {
      product = await startProduct({
        changes: { compute: { threads: 1, memoryMb: 1024, chunkGflop: 0.05, tileMarkers: 8192 } },
      });
      owner = await product.person('olga');
      project = await product.project(owner);
      maize = await uploadMaize(product, project);
      local = await settled((await create('Local')).id);
      await product.stopWorker();
    }, PATIENCE_MS);
    afterAll(() => product.close());

    async function create(name: string): Promise<GwasDetail> {
      const { genotype, phenotype } = maize;
      const made = await owner.call('POST', `${project.address}/gwas`, {
        name,
        genotype_id: genotype.id,
        phenotype_id: phenotype.id,
        traits: ['dpoll', 'EarHT'],
        fixed: 2,
      });
      expect(made.status, made.text).toBe(201);
      return made.body;
    }
    const read = async (id: string): Promise<GwasDetail> =>
      (await owner.call('GET', `${project.address}/gwas/${id}`)).body;
    const settled = (id: string): Promise<GwasDetail> =>
      until(
        () => read(id),
        ({ status }) => Object.values(status).every((one) => one !== 'PROCESSING'),
        PATIENCE_MS,
      );
    const csvOf = async (gwas: GwasDetail, trait: string): Promise<string> =>
      (await download(product.app, gwas.result_urls[trait] ?? '')).text;
    async function expectLocalResults(gwas: GwasDetail): Promise<void> {
      expect(gwas.status).toEqual({ dpoll: 'SUCCESS', EarHT: 'SUCCESS' });
      expect(gwas.summary).toEqual(local.summary);
      for (const trait of local.traits) expect(await csvOf(gwas, trait)).toBe(await csvOf(local, trait));
    }
    const chunkJobs = (since: number) =>
      cluster.jobs().filter(({ id, name }) => Number(id) > since && name === 'heterosis-test-gwas-markers');
    /**
     * A chunk that is stopped in the middle of its work on the first node. Slurm calls a job running before it has
     * started the program.
     */
    function frozenChunk(since: number) {
      const frozen = cluster.freeze('n1');
      const job = chunkJobs(since).find(
        ({ id, log }) =>
          frozen.includes(id) && existsSync(join(dirname(log), 'input')) && !existsSync(join(dirname(log), 'answer')),
      );
      if (job === undefined) cluster.thaw('n1');
      return job;
    }
    const lastJob = (): number => Math.max(0, ...cluster.jobs().map(({ id }) => Number(id)));
    const startWorker = () =>
      startWorkerProcess(product, {
        ...cluster.environment,
        COMPUTE: 'slurm',
        SLURM_OPTIONS: `--partition=main ${cluster.keepErrors}`,
        WORKER_CONCURRENCY: '4',
        COMPUTE_THREADS: '1',
        COMPUTE_MEMORY_MB: '1024',
        CHUNK_GFLOP: '0.05',
      });

    /** A failure says what became of the jobs, and what they said themselves. */
    const explained = (act: () => Promise<void>) => async (): Promise<void> => {
      await act().catch((error: unknown) => {
        throw new Error(`${String(error)}\nThe jobs:\n${cluster.report()}`, { cause: error });
      });
    };

    test(
      'its eight chunks are eight jobs; a killed node’s are started on another; the bytes are those of a local worker',
      explained(async () => {
        const before = lastJob();
        const worker = startWorker();
        try {
          const { id } = await create('Cluster');
          const lost = await until(
            async () => frozenChunk(before),
            (job) => job !== undefined,
            PATIENCE_MS,
          );
          await cluster.killNode('n1');
          await until(
            async () => cluster.jobs().find((job) => job.id === lost?.id),
            (job) => job?.restarts === 1 && job.state === 'PENDING',
            PATIENCE_MS,
          );
          const restarted = () => chunkJobs(before).filter(({ restarts }) => restarts > 0);
          for (const { id: job } of restarted()) cluster.startNow(job);
          await expectLocalResults(await settled(id));
          // One that had answered, but had not ended, when the node was lost may wait to be begun again, for nothing.
          const isDone = (job: { id: string; state: string; restarts: number }) =>
            job.state === 'COMPLETED' || (job.restarts > 0 && job.state === 'PENDING' && job.id !== lost?.id);
          const jobs = await until(
            async () => chunkJobs(before),
            (all) => all.every(isDone),
          );
          expect(jobs).toHaveLength(8);
          expect(jobs.find((job) => job.id === lost?.id)?.node).toBe('n2');
        } finally {
          worker.kill('SIGTERM');
          await once(worker, 'exit');
        }
      }),
    );

    test(
      'a cancel reaches the jobs',
      explained(async () => {
        const before = lastJob();
        const worker = startWorker();
        try {
          const { id } = await create('Cancelled');
          await until(
            async () => chunkJobs(before),
            (jobs) => jobs.some(({ state }) => state === 'RUNNING'),
            PATIENCE_MS,
          );
          expect((await owner.call('POST', `${project.address}/gwas/${id}/cancel`)).status).toBeLessThan(300);
          await until(
            async () => cluster.jobs().filter((job) => Number(job.id) > before),
            (jobs) => jobs.every(({ state }) => state === 'COMPLETED' || state === 'CANCELLED'),
            PATIENCE_MS,
          );
          expect(chunkJobs(before).some(({ state }) => state === 'CANCELLED')).toBe(true);
        } finally {
          worker.kill('SIGTERM');
          await once(worker, 'exit');
        }
      }),
    );
  });
});
