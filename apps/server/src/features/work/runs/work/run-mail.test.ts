import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { MAIZE, type MaizeFiles, type Person, settledModel, until, uploadMaize } from '../../../../testing/product.ts';
import { startProject } from '../../../../testing/start-project.ts';
import { sendRunMailJob } from './jobs.ts';

const { product, owner, project } = await startProject();
let maize: MaizeFiles;

beforeAll(async () => {
  maize = await uploadMaize(product, project);
  const wish = await owner.call('PUT', '/users/me/mails', { run_mail_minutes: 10 });
  expect(wish.body.run_mail_minutes).toBe(10);
});
beforeEach(() => product.stopWorker());

const filesOf = ({ genotype, phenotype }: MaizeFiles) => ({ genotype_id: genotype.id, phenotype_id: phenotype.id });

async function start(person: Person, kind: 'models' | 'gwas', name: string, changes: object = {}): Promise<string> {
  const folds = kind === 'models' ? { n_fold: 2, n_repetition: 2 } : {};
  const body = { name, traits: ['EarHT'], ...filesOf(maize), ...folds, ...changes };
  const made = await person.call('POST', `${project.address}/${kind}`, body);
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

/** Backdates the request of everything that waits. */
const age = (minutes: number) =>
  sql`update runs set requested_at = now() - make_interval(mins => ${minutes}) where state = 'QUEUED'`.execute(
    product.services.db,
  );

const mailsTo = (person: Person) =>
  product.services.db
    .selectFrom('mail_outbox')
    .select(['subject', 'text', 'link'])
    .where('to', '=', person.email)
    .orderBy('id')
    .execute();

/** Waits until no job is left that sends or would write a mail. */
async function quiet(): Promise<void> {
  const read = async () => {
    const { rows } = await sql<{ left: number }>`select
      (select count(*) from runs where finished_at is null)::int +
      (select count(*) from pgboss.job where state in ('created', 'retry', 'active'))::int as left
    `.execute(product.services.db);
    return rows[0]?.left;
  };
  await until(read, (left) => left === 0);
}

test('who started a long run is told of its end once: of a model after its evaluation, with its figures and its address', async () => {
  const id = await start(owner, 'models', 'Long');
  await age(95);
  const short = await start(owner, 'gwas', 'Short');
  const colleague = await product.person('carl');
  await product.join(project, colleague, 'MEMBER');
  await start(colleague, 'gwas', 'Of somebody who wants no mail');
  await product.startWorker();
  const model = await settledModel(owner, project, id);
  await quiet();

  const [mail, ...others] = await mailsTo(owner);
  expect(others).toEqual([]);
  const address = `${product.services.config.publicUrl}/projects/${project.projectId}/models/${id}`;
  expect(mail).toMatchObject({ subject: 'Model "Long" has finished', link: address });
  expect(mail?.text).toMatch(/has finished after 1 h \d+ min\./);
  expect(mail?.text).toContain(`EarHT: r ${model.evaluation['EarHT']?.pearson_r.mean?.toFixed(2)} ± `);
  expect(mail?.text).toContain(`\n${address}\n`);
  expect(mail?.text).not.toContain(short);
  expect(await mailsTo(colleague)).toEqual([]);

  // Delivered again, then again by a worker that died before it could record that it had sent the mail.
  const { db, jobs } = product.services;
  const evaluation = await db
    .selectFrom('runs')
    .select('id')
    .where('entity_id', '=', id)
    .where('step', '=', 'evaluate')
    .executeTakeFirstOrThrow();
  await jobs.enqueue(db, sendRunMailJob, { run_id: evaluation.id });
  await quiet();
  await db.updateTable('run_mails').set({ sent_at: null }).where('run_id', '=', evaluation.id).execute();
  await jobs.enqueue(db, sendRunMailJob, { run_id: evaluation.id });
  await quiet();
  expect(await mailsTo(owner)).toHaveLength(1);
});

test('a run that failed is never called finished, and the mail says why and what to do', async () => {
  const person = await product.person('fay');
  await product.join(project, person, 'MEMBER');
  await person.call('PUT', '/users/me/mails', { run_mail_minutes: 5 });
  await start(person, 'gwas', 'No markers', { thresh_maf: 0.5, thresh_callrate: 1 });
  await age(6);
  await product.startWorker();
  await quiet();
  const [mail, ...others] = await mailsTo(person);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('GWAS "No markers" has failed');
  expect(mail?.text).toMatch(/EarHT: failed\. [A-Z].+\. [A-Z].+\./);
  expect(mail?.text).not.toContain('has finished');
});

test('what somebody cancels is not told, and neither is anything to who has lost the project', {
  tags: 'whole',
}, async () => {
  const [stays, leaves] = [await product.person('sven'), await product.person('lena')];
  for (const person of [stays, leaves]) {
    await product.join(project, person, 'MEMBER');
    await person.call('PUT', '/users/me/mails', { run_mail_minutes: 5 });
  }
  const genotype = await copyOfGenotype();
  const cancelled = await start(stays, 'gwas', 'Cancelled');
  for (const person of [stays, leaves]) await start(person, 'gwas', `Of ${person.email}`, { genotype_id: genotype });
  await age(60);
  expect((await stays.call('POST', `${project.address}/gwas/${cancelled}/cancel`)).status).toBe(200);
  // Ends both runs before any worker has seen them.
  expect((await owner.call('DELETE', `${project.address}/files/${genotype}?cascade=true`)).status).toBe(204);
  const { db } = product.services;
  await db.deleteFrom('project_members').where('user_id', '=', leaves.userId).execute();
  await product.startWorker();
  await quiet();

  const mails = await mailsTo(stays);
  expect(mails.map(({ subject }) => subject)).toEqual([`GWAS "Of ${stays.email}" has failed`]);
  expect(mails[0]?.text).toContain('The genotype file was deleted before the run had finished. Upload the file again');
  expect(await mailsTo(leaves)).toEqual([]);
});

async function copyOfGenotype(): Promise<string> {
  await product.startWorker();
  const bytes = await readFile(join(MAIZE, 'genotypes.vcf.gz'));
  const file = await product.uploadChecked(owner, project, { name: 'copy.vcf.gz', fileType: 'GENOTYPE', bytes });
  await product.stopWorker();
  return file.id;
}

test('a check of a file is told like a run', async () => {
  await owner.call('PUT', '/users/me/mails', { run_mail_minutes: 5 });
  const upload = (name: string, bytes: string) =>
    product.upload(owner, project, { name, fileType: 'PHENOTYPE', bytes });
  await upload('trials.csv', 'line,Yield\nA,1\nB,2\nC,3\n');
  await upload('broken.csv', 'line,Yield\nA,1\nA,2\n,3\n');
  await age(30);
  const before = (await mailsTo(owner)).length;
  await product.startWorker();
  await quiet();
  const mails = (await mailsTo(owner)).slice(before);
  expect(mails.map(({ subject }) => subject).sort()).toEqual([
    'The check of the file "broken.csv" has failed',
    'The check of the file "trials.csv" has finished',
  ]);
  expect(mails.find(({ subject }) => subject.includes('broken'))?.text).toMatch(/\d+ errors? found/);
});
