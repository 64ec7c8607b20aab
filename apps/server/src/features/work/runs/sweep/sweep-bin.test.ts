import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Person,
  type Product,
  type Project,
  SMALL_VCF,
  sendTable,
  startProduct,
} from '../../../../testing/product.ts';
import { endRunsOfDeletedProjects, sweepBin } from './sweep-bin.ts';

const LINES = ['L1', 'L2', 'L3', 'L4', 'L5', 'L6'];
const PHENOTYPE = `line,Yield\n${LINES.map((line, index) => `${line},${5 + index / 3}`).join('\n')}\n`;

let product: Product;
let owner: Person;
let filled: Filled[];
beforeAll(async () => {
  product = await startProduct();
  owner = await product.person('olga');
  filled = await Promise.all([filledProject(), filledProject(), filledProject()]);
  await product.stopWorker();
});
afterAll(() => product.close());

interface Filled {
  project: Project;
  files: { genotype_id: string; phenotype_id: string };
}

async function filledProject(): Promise<Filled> {
  const project = await product.project(owner);
  const upload = (name: string, fileType: 'GENOTYPE' | 'PHENOTYPE', bytes: string) =>
    product.uploadChecked(owner, project, { name, fileType, bytes });
  const genotype = await upload('g.vcf', 'GENOTYPE', SMALL_VCF);
  const phenotype = await upload('p.csv', 'PHENOTYPE', PHENOTYPE);
  return { project, files: { genotype_id: genotype.id, phenotype_id: phenotype.id } };
}

/** A GWAS that waits for a worker; returns the id of its run. */
async function waitingRun({ project, files }: Filled): Promise<string> {
  const made = await owner.call('POST', `${project.address}/gwas`, { name: 'G', traits: ['Yield'], ...files });
  expect(made.status, made.text).toBe(201);
  const { db } = product.services;
  const run = await db.selectFrom('runs').select('id').where('entity_id', '=', made.body.id).executeTakeFirstOrThrow();
  return run.id;
}

const stateOf = async (runId: string): Promise<string | undefined> =>
  (await product.services.db.selectFrom('runs').select('state').where('id', '=', runId).executeTakeFirst())?.state;

async function jobStates(runId: string): Promise<string[]> {
  const { rows } = await sql<{ state: string }>`
    select state from pgboss.job where id in (select (one ->> 'id')::uuid from runs, jsonb_array_elements(jobs) as one
      where runs.id = ${runId})`.execute(product.services.db);
  return rows.map(({ state }) => state);
}

async function isEmpty({ projectId }: Project): Promise<boolean> {
  for await (const _ of product.services.storage.list(`projects/${projectId}/`)) return false;
  return true;
}

const isThere = async (table: 'projects' | 'organizations', id: string): Promise<boolean> =>
  (await product.services.db.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst()) !== undefined;

const age = (table: 'projects' | 'organizations', id: string, days: number) =>
  sql`update ${sql.table(table)} set deleted_at = now() - make_interval(days => ${days}) where id = ${id}`.execute(
    product.services.db,
  );

test('a deleted project ends its runs, lies in the bin for 30 days, and goes with all its bytes', async () => {
  const [{ project }, other] = [filled[0] as Filled, filled[1] as Filled];
  const [runId, otherRunId] = [await waitingRun(filled[0] as Filled), await waitingRun(other)];
  expect((await owner.call('DELETE', project.address)).status).toBe(204);
  await endRunsOfDeletedProjects(product.services);
  expect(await stateOf(runId)).toBe('CANCELLED');
  expect(await jobStates(runId)).toEqual(['cancelled']);
  expect(await stateOf(otherRunId)).toBe('QUEUED');
  expect(await jobStates(otherRunId)).toEqual(['created']);

  await age('projects', project.projectId, 29);
  await sweepBin(product.services);
  expect(await isThere('projects', project.projectId)).toBe(true);
  expect(await isEmpty(project)).toBe(false);
  await age('projects', project.projectId, 31);
  await sweepBin(product.services);
  expect(await isThere('projects', project.projectId)).toBe(false);
  expect(await isEmpty(project)).toBe(true);
  expect(await isThere('organizations', project.organizationId)).toBe(true);
  expect(await isEmpty(other.project)).toBe(false);
});

test('a deleted organization takes its projects with it', async () => {
  const { project } = filled[2] as Filled;
  const runId = await waitingRun(filled[2] as Filled);
  const address = `/organizations/${project.organizationId}`;
  const { body: upload } = await sendTable(product, owner, `/projects/${project.projectId}/germplasms/uploads`, [
    'name',
    'A',
  ]);
  const { db } = product.services;
  const settling = await db
    .selectFrom('runs')
    .select('id')
    .where('entity_id', '=', upload.id)
    .executeTakeFirstOrThrow();
  expect((await owner.call('DELETE', `${address}`)).status).toBe(204);
  await endRunsOfDeletedProjects(product.services);
  expect(await stateOf(runId)).toBe('CANCELLED');
  expect([await stateOf(settling.id), await jobStates(settling.id)]).toEqual(['CANCELLED', ['cancelled']]);
  await age('organizations', project.organizationId, 31);
  await sweepBin(product.services);
  expect(await isThere('projects', project.projectId)).toBe(false);
  expect(await isThere('organizations', project.organizationId)).toBe(false);
  expect(await isEmpty(project)).toBe(true);
  expect(await stateOf(settling.id)).toBeUndefined();
  const audit = await db
    .selectFrom('audit_events')
    .select('action')
    .where('target_id', '=', project.organizationId)
    .execute();
  expect(audit).toEqual([{ action: 'organization.deleted' }]);
});
