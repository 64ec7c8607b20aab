import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  missHeartbeats,
  type Person,
  type Product,
  type Project,
  settledModel,
  startProduct,
  startWorkerProcess,
  until,
  uploadMaize,
} from '../src/testing/product.ts';

let product: Product;
let owner: Person;
let project: Project;
let worker: ChildProcess | undefined;

beforeAll(async () => {
  product = await startProduct();
  owner = await product.person('olga');
  project = await product.project(owner);
});
afterAll(async () => {
  worker?.kill('SIGKILL');
  await product.close();
});

test('a training whose worker is killed with SIGKILL is finished by another, nothing is stuck, and its end is mailed once', async () => {
  const maize = await uploadMaize(product, project);
  await product.stopWorker();
  worker = startWorkerProcess(product);

  const made = await owner.call('POST', `${project.address}/models`, {
    name: 'Interrupted',
    genotype_id: maize.genotype.id,
    phenotype_id: maize.phenotype.id,
    traits: ['EarHT', 'dpoll'],
  });
  expect(made.status).toBe(201);
  const { db } = product.services;
  // As if started an hour ago by somebody who wants an e-mail at the end.
  await owner.call('PUT', '/users/me/mails', { run_mail_minutes: 5 });
  await sql`update runs set requested_at = now() - interval '1 hour' where entity_id = ${made.body.id}`.execute(db);
  const runsOfModel = () =>
    db.selectFrom('runs').select(['step', 'state', 'attempt']).where('entity_id', '=', made.body.id).execute();
  await until(runsOfModel, (runs) => runs.some(({ step, state }) => step === 'train' && state === 'RUNNING'));
  worker.kill('SIGKILL');
  await once(worker, 'exit');
  const interrupted = await runsOfModel();
  expect(interrupted).toEqual(
    expect.arrayContaining([expect.objectContaining({ step: 'train', state: 'RUNNING', attempt: 1 })]),
  );

  await missHeartbeats(product);
  await product.startWorker();
  const model = await settledModel(owner, project, made.body.id);
  expect(model.status).toEqual({ EarHT: 'EVALUATED', dpoll: 'EVALUATED' });
  const runs = await runsOfModel();
  expect(runs.every(({ state }) => state === 'SUCCEEDED')).toBe(true);
  expect(runs.find(({ step }) => step === 'train')?.attempt).toBe(2);
  const mails = () => db.selectFrom('mail_outbox').select('subject').execute();
  expect(await until(mails, (sent) => sent.length > 0)).toEqual([{ subject: 'Model "Interrupted" has finished' }]);
});
