import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { beforeAll, expect, test } from 'vitest';
import { jobRegistrations } from '../src/entrypoints/wiring.ts';
import { sweepLostRuns } from '../src/features/work/runs/sweep/sweep-lost-runs.ts';
import { takeUpRun } from '../src/features/work/runs/work/runs.queries.ts';
import { SMALL_PHENOTYPE, SMALL_VCF, settledFile, until } from '../src/testing/product.ts';
import { startProject } from '../src/testing/start-project.ts';

const { product, owner, project } = await startProject();
let files: { genotype_id: string; phenotype_id: string };
beforeAll(async () => {
  const upload = (name: string, fileType: 'GENOTYPE' | 'PHENOTYPE', bytes: string) =>
    product.uploadChecked(owner, project, { name, fileType, bytes });
  files = {
    genotype_id: (await upload('g.vcf', 'GENOTYPE', SMALL_VCF)).id,
    phenotype_id: (await upload('p.csv', 'PHENOTYPE', SMALL_PHENOTYPE)).id,
  };
  await product.stopWorker();
});

const sweep = () => sweepLostRuns(product.services, jobRegistrations(product.services));

async function startGwas(name: string): Promise<string> {
  const made = await owner.call('POST', `${project.address}/gwas`, { name, traits: ['Yield'], ...files });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

const runOf = (id: string) =>
  product.services.db
    .selectFrom('runs')
    .select(['id', 'state', 'jobs', 'attempt'])
    .where('entity_id', '=', id)
    .executeTakeFirstOrThrow();

/** State and queue of every job of the run, in the order of enqueueing. */
async function jobsAbout(runId: string): Promise<string[]> {
  const { rows } = await sql<{ job: string }>`
    select name || ' ' || state as job from pgboss.job
    where data -> 'payload' ->> 'run_id' = ${runId} or data ->> 'run_id' = ${runId} order by created_on
  `.execute(product.services.db);
  return rows.map(({ job }) => job);
}

/** As a version without lanes left it: a queue named after the job, the bare payload, and a reference without name. */
async function leaveAsBeforeLanes(runId: string, job: string): Promise<void> {
  const { db } = product.services;
  const id = uuidv7();
  await sql`select pgboss.create_queue(${job}, '{"policy": "standard"}'::jsonb)`.execute(db);
  await sql`
    insert into pgboss.job (id, name, data)
    select ${id}, ${job}, data -> 'payload' from pgboss.job where data -> 'payload' ->> 'run_id' = ${runId}
  `.execute(db);
  await sql`delete from pgboss.job where data -> 'payload' ->> 'run_id' = ${runId}`.execute(db);
  await sql`update runs set jobs = ${JSON.stringify([{ queue: job, id }])} where id = ${runId}`.execute(db);
}

test('what waits in a queue of an older version goes on, and its old job is cancelled', async () => {
  const upload = await product.upload(owner, project, {
    name: 'old.csv',
    fileType: 'PHENOTYPE',
    bytes: SMALL_PHENOTYPE,
  });
  const run = await runOf(upload.id);
  await leaveAsBeforeLanes(run.id, 'check-file');
  await sweep();
  expect(await jobsAbout(run.id)).toEqual(['check-file cancelled', 'lane-short created']);
  const { progress } = (await owner.call('GET', `${project.address}/files/${upload.id}`)).body;
  expect(progress).toMatchObject({ stage: 'queued', runs_before: 0 });
  // No run is lost any more.
  await sweep();
  expect(await jobsAbout(run.id)).toHaveLength(2);

  await product.startWorker();
  expect((await settledFile(owner, project, upload.id)).status).toMatch(/^READY/);
  await product.stopWorker();
});

test('a run that was under way when its job was lost, in a queue that is gone too, waits again and is done', async () => {
  const { db } = product.services;
  const id = await startGwas('Lost');
  const { id: runId } = await runOf(id);
  expect(await takeUpRun(db, runId)).toBe(1);
  await sql`delete from pgboss.job where data -> 'payload' ->> 'run_id' = ${runId}`.execute(db);
  await sql`update runs set jobs = jsonb_set(jobs, '{0,queue}', '"gone"') where id = ${runId}`.execute(db);
  await sweep();
  expect(await runOf(id)).toMatchObject({ state: 'QUEUED', jobs: [{ queue: 'lane-long', job: 'run-gwas' }] });

  await product.startWorker();
  expect(
    await until(
      () => runOf(id),
      ({ state }) => state === 'SUCCEEDED',
    ),
  ).toMatchObject({ attempt: 2 });
  await product.stopWorker();
});

test('a run whose job waits, runs, is tried again or whose failure is still to be told is left alone', async () => {
  const { db } = product.services;
  const id = await startGwas('Well');
  const { id: runId } = await runOf(id);
  for (const state of ['created', 'active', 'retry']) {
    await sql`update pgboss.job set state = ${sql.raw(`'${state}'`)} where data -> 'payload' ->> 'run_id' = ${runId}`.execute(
      db,
    );
    await sweep();
    expect(await jobsAbout(runId)).toEqual([`lane-long ${state}`]);
  }
  await sql`
    insert into pgboss.job (name, data, source_id)
    select 'lane-long.failed', data, id from pgboss.job where data -> 'payload' ->> 'run_id' = ${runId}
  `.execute(db);
  await sql`update pgboss.job set state = 'failed' where name = 'lane-long' and data -> 'payload' ->> 'run_id' = ${runId}`.execute(
    db,
  );
  await sweep();
  expect((await jobsAbout(runId)).toSorted()).toEqual(['lane-long failed', 'lane-long.failed created']);
});

test('a run that has ended gets no job; one whose jobs end again and again without ending it is failed', async () => {
  const { db } = product.services;
  const [ended, hopeless] = [await startGwas('Ended'), await startGwas('Hopeless')];
  expect((await owner.call('POST', `${project.address}/gwas/${ended}/cancel`)).status).toBe(200);
  const { id: hopelessRun } = await runOf(hopeless);
  await sql`update runs set attempt = 30 where id = ${hopelessRun}`.execute(db);
  await sql`delete from pgboss.job where data -> 'payload' ->> 'run_id' = ${hopelessRun}`.execute(db);
  await sweep();
  expect(await jobsAbout((await runOf(ended)).id)).toEqual(['lane-long cancelled']);
  expect(await jobsAbout(hopelessRun)).toEqual([]);
  expect((await owner.call('GET', `${project.address}/gwas/${hopeless}`)).body).toMatchObject({
    status: { Yield: 'ERROR' },
    error_extras: { Yield: { code: 'jobs/worker-lost', message: expect.stringContaining('several times in a row') } },
  });
});
