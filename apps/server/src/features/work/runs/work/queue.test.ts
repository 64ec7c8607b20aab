import { once } from 'node:events';
import type { ChangeEvent } from '@heterosis/contracts/events';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEventHub, type EventHub } from '../../../../platform/events/event-hub.ts';
import {
  type Person,
  type Product,
  type Project,
  SMALL_PHENOTYPE,
  startProduct,
  startWorkerProcess,
  until,
  uploadMaize,
} from '../../../../testing/product.ts';
import { waitingRuns } from './queue.ts';
import { putBackRun, takeUpRun } from './runs.queries.ts';

let product: Product;
let hub: EventHub;
let events: ChangeEvent[] = [];
let acme: Tenant;
let other: Tenant;

interface Tenant {
  owner: Person;
  project: Project;
  files: { genotype_id: string; phenotype_id: string };
}

async function makeTenant(name: string): Promise<Tenant> {
  const owner = await product.person(name);
  const project = await product.project(owner);
  const { genotype, phenotype } = await uploadMaize(product, project);
  return { owner, project, files: { genotype_id: genotype.id, phenotype_id: phenotype.id } };
}

beforeAll(async () => {
  product = await startProduct();
  [acme, other] = [await makeTenant('olga'), await makeTenant('otto')];
  await product.stopWorker();
  hub = createEventHub(product.databaseUrl, pino({ level: 'silent' }));
  await new Promise<void>((resolve) => {
    const stop = hub.onGap(() => {
      stop();
      resolve();
    });
  });
  hub.subscribe((event) => events.push(event));
});
afterAll(async () => {
  await hub.close();
  await product.close();
});

async function start({ owner, project, files }: Tenant, kind: 'models' | 'gwas', name: string): Promise<string> {
  const folds = kind === 'models' ? { n_fold: 2, n_repetition: 1 } : {};
  const made = await owner.call('POST', `${project.address}/${kind}`, { name, traits: ['EarHT'], ...files, ...folds });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

/** Number of runs ahead of this one, as shown on its page and in its list. */
async function placeOf({ owner, project }: Tenant, kind: 'models' | 'gwas', id: string): Promise<number | null> {
  const one = await owner.call('GET', `${project.address}/${kind}/${id}`);
  const list = await owner.call('GET', `${project.address}/${kind}`);
  const place = one.body.progress.EarHT.runs_before;
  expect(list.body.data.find((row: { id: string }) => row.id === id).progress.EarHT.runs_before).toBe(place);
  return place;
}

const runOf = async (id: string): Promise<string> => {
  const { db } = product.services;
  const run = await db.selectFrom('runs').select('id').where('entity_id', '=', id).executeTakeFirstOrThrow();
  return run.id;
};

/** Queue positions published in events after `change`. */
async function toldBy(change: () => Promise<unknown>, count: number): Promise<unknown[]> {
  events = [];
  await change();
  await until(
    async () => events.filter(({ runs_before }) => runs_before !== undefined),
    (told) => told.length >= count,
  );
  return events
    .filter(({ runs_before }) => runs_before !== undefined)
    .map(({ id, project_id, runs_before }) => [id, project_id, runs_before]);
}

test('a run says how many begin before it, over all tenants, and hears of it when that changes', async () => {
  const first = await start(acme, 'models', 'First');
  const second = await start(other, 'models', 'Second');
  const third = await start(acme, 'gwas', 'Third');
  expect([
    await placeOf(acme, 'models', first),
    await placeOf(other, 'models', second),
    await placeOf(acme, 'gwas', third),
  ]).toEqual([0, 1, 2]);
  const overview = await acme.owner.call('GET', `${acme.project.address}/overview`);
  expect(overview.body.recent[0]).toMatchObject({ id: third, state: 'processing', is_waiting: true });

  // After a cancellation, those behind move up, and each project receives its own event.
  const cancel = () => acme.owner.call('POST', `${acme.project.address}/models/${first}/cancel`);
  expect(await toldBy(cancel, 2)).toEqual([
    [second, other.project.projectId, 0],
    [third, acme.project.projectId, 1],
  ]);
  expect(await placeOf(acme, 'gwas', third)).toBe(1);
  // A run stopped on purpose has not failed.
  const { body } = await acme.owner.call('GET', `${acme.project.address}/overview`);
  expect(body.recent.find(({ id }: { id: string }) => id === first)).toMatchObject({ state: 'cancelled' });

  // A run that has begun has no place in the queue; a transient failure returns it to its former place.
  const { db } = product.services;
  const runId = await runOf(second);
  let attempt: number | undefined;
  const takeUp = async () => {
    attempt = await takeUpRun(db, runId);
  };
  expect(await toldBy(takeUp, 1)).toEqual([[third, acme.project.projectId, 0]]);
  expect(await placeOf(other, 'models', second)).toBeNull();
  expect(await toldBy(() => putBackRun(db, runId, attempt ?? 0), 2)).toHaveLength(2);
  expect([await placeOf(other, 'models', second), await placeOf(acme, 'gwas', third)]).toEqual([0, 1]);
  // An attempt that was taken over returns nothing to the queue.
  await takeUp();
  await putBackRun(db, runId, (attempt ?? 0) - 1);
  expect(await placeOf(other, 'models', second)).toBeNull();
  await putBackRun(db, runId, attempt ?? 0);
});

test('an organization with many runs does not make the others wait for all of them, and everybody is told the new place', async () => {
  const many = [await start(acme, 'gwas', 'Many 1'), await start(acme, 'gwas', 'Many 2')];
  const last = many[1] ?? '';
  expect(await placeOf(acme, 'gwas', last)).toBe(3);
  let one = '';
  const told = await toldBy(async () => {
    one = await start(other, 'gwas', 'One');
  }, 5);
  expect(await placeOf(other, 'gwas', one)).toBe(2);
  expect(await placeOf(acme, 'gwas', last)).toBe(4);
  expect(told).toContainEqual([last, acme.project.projectId, 4]);
  for (const id of many) await acme.owner.call('POST', `${acme.project.address}/gwas/${id}/cancel`);
  await other.owner.call('POST', `${other.project.address}/gwas/${one}/cancel`);
});

test('checks of files do not wait behind trainings', async () => {
  const upload = (name: string) =>
    product.upload(acme.owner, acme.project, { name, fileType: 'PHENOTYPE', bytes: SMALL_PHENOTYPE });
  const [file, next] = [await upload('one.csv'), await upload('two.csv')];
  expect([file.progress, next.progress]).toMatchObject([
    { stage: 'queued', runs_before: 0 },
    { stage: 'queued', runs_before: 1 },
  ]);
});

test('a worker begins them in the order that was told, and a model is evaluated before the next run begins', {
  tags: 'whole',
}, async () => {
  const late = await start(other, 'gwas', 'Late');
  expect(await placeOf(other, 'gwas', late)).toBe(2);
  const worker = startWorkerProcess(product, { WORKER_CONCURRENCY: '1', COMPUTE_THREADS: '1' });
  try {
    const { db } = product.services;
    const begun = await until(
      () =>
        db
          .selectFrom('runs')
          .leftJoin('models', 'models.id', 'runs.entity_id')
          .leftJoin('gwas', 'gwas.id', 'runs.entity_id')
          .select(['step', 'models.name as model', 'gwas.name as gwas', 'finished_at'])
          .where('step', 'in', ['train', 'evaluate', 'gwas'])
          .where('state', '<>', 'CANCELLED')
          .orderBy('started_at')
          .execute(),
      (runs) => runs.length === 4 && runs.every(({ finished_at }) => finished_at !== null),
    );
    expect(begun.map(({ step, model, gwas }) => `${step} ${model ?? gwas}`)).toEqual([
      'train Second',
      'evaluate Second',
      'gwas Third',
      'gwas Late',
    ]);
  } finally {
    worker.kill('SIGTERM');
    await once(worker, 'exit');
  }
});

test('places in line are found among what has not ended, however many runs have', async () => {
  const { rows } = await product.services.db.transaction().execute(async (trx) => {
    // PostgreSQL would scan a table this small.
    await sql`set local enable_seqscan = off`.execute(trx);
    return await sql<Record<string, string>>`explain select * from ${waitingRuns} as waiting`.execute(trx);
  });
  expect(rows.flatMap((row) => Object.values(row)).join('\n')).toContain('runs_unfinished');
});
