import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Person,
  type Product,
  type Project,
  put,
  SMALL_VCF,
  sendTable,
  startProduct,
} from '../../../testing/product.ts';

const LINES = ['L1', 'L2', 'L3', 'L4', 'L5', 'L6'];
const PHENOTYPE = `line,Yield\n${LINES.map((line, index) => `${line},${5 + index / 3}`).join('\n')}\n`;

let product: Product;
let owner: Person;
beforeAll(async () => {
  product = await startProduct();
  owner = await product.person('olga');
});
afterAll(() => product.close());

const setQuotas = ({ organizationId }: Project, quotas: { storage_quota_bytes?: number | null; run_quota?: number }) =>
  product.services.db.updateTable('organizations').set(quotas).where('id', '=', organizationId).execute();
const usageOf = async ({ organizationId }: Project) =>
  (await owner.call('GET', `/organizations/${organizationId}`)).body;
const announce = ({ address }: Project, size_bytes: number | undefined) =>
  owner.call('POST', `${address}/files/upload_link`, { file_type: null, content_type: 'text/plain', size_bytes });

test('a file beyond the storage of the organization is refused, with uploads under way and the bin counted', async () => {
  const project = await product.project(owner);
  expect(await usageOf(project)).toMatchObject({ storage_used_bytes: 0, storage_quota_bytes: null });
  const file = await product.upload(owner, project, { name: 'a.txt', fileType: null, bytes: 'x'.repeat(600) });
  await owner.call('DELETE', `${project.address}/files/${file.id}`);
  await setQuotas(project, { storage_quota_bytes: 1000 });
  const { body: upload } = await announce(project, 300);
  expect(await usageOf(project)).toMatchObject({ storage_used_bytes: 900, storage_quota_bytes: 1000 });
  const refused = await announce(project, 101);
  expect([refused.status, refused.body.code]).toEqual([409, 'organizations/storage-exhausted']);
  expect(refused.body.detail).toContain('101 bytes, and the organization has 100 bytes of 1 kB left');
  expect((await announce(project, 100)).status).toBe(201);
  // What was reserved is taken without asking again.
  await put(product.app, upload.put_url, Buffer.from('y'.repeat(300)));
  const made = await owner.call('POST', `${project.address}/files`, {
    name: 'b.txt',
    file_id: upload.file_id,
    file_type: null,
  });
  expect(made.status, made.text).toBe(201);
});

test('an upload without a size is counted when its bytes have arrived', async () => {
  const project = await product.project(owner);
  await setQuotas(project, { storage_quota_bytes: 100 });
  const { body: upload } = await announce(project, undefined);
  await put(product.app, upload.put_url, Buffer.from('z'.repeat(101)));
  const post = () =>
    owner.call('POST', `${project.address}/files`, { name: 'c.txt', file_id: upload.file_id, file_type: null });
  expect((await post()).body.code).toBe('organizations/storage-exhausted');
  await setQuotas(project, { storage_quota_bytes: null });
  expect((await post()).status).toBe(201);
});

test('a germplasm file counts while it is under review, and is refused beyond the storage', async () => {
  const project = await product.project(owner);
  await setQuotas(project, { storage_quota_bytes: 20 });
  const uploads = `/projects/${project.projectId}/germplasms/uploads`;
  const { body: upload } = await sendTable(product, owner, uploads, ['name', 'Line 12']);
  expect(await usageOf(project)).toMatchObject({ storage_used_bytes: 12 });
  const refused = await sendTable(product, owner, uploads, ['name', 'Line 13']);
  expect([refused.status, refused.body.code]).toEqual([409, 'organizations/storage-exhausted']);
  await owner.call('DELETE', `${uploads}/${upload.id}`);
  expect(await usageOf(project)).toMatchObject({ storage_used_bytes: 0 });
  const stored = await sendTable(product, owner, `/projects/${project.projectId}/germplasms`, ['name', 'Line 14']);
  expect(stored.status, stored.text).toBe(201);
  expect(await usageOf(project)).toMatchObject({ storage_used_bytes: 0 });
});

test('of uploads announced at once, only those that fit are let in', async () => {
  const project = await product.project(owner);
  await setQuotas(project, { storage_quota_bytes: 1000 });
  const answers = await Promise.all(Array.from({ length: 8 }, () => announce(project, 300)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
  expect(await usageOf(project)).toMatchObject({ storage_used_bytes: 900 });
});

test('of runs started at once, only as many begin as the organization may have', async () => {
  const project = await product.project(owner);
  const upload = (name: string, fileType: 'GENOTYPE' | 'PHENOTYPE', bytes: string) =>
    product.uploadChecked(owner, project, { name, fileType, bytes });
  const genotype = await upload('g.vcf', 'GENOTYPE', SMALL_VCF);
  const phenotype = await upload('p.csv', 'PHENOTYPE', PHENOTYPE);
  await product.stopWorker();
  await setQuotas(project, { run_quota: 2 });
  const start = (name: string) =>
    owner.call('POST', `${project.address}/gwas`, {
      name,
      traits: ['Yield'],
      genotype_id: genotype.id,
      phenotype_id: phenotype.id,
    });
  const answers = await Promise.all(['A', 'B', 'C', 'D'].map(start));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
  const refused = answers.find(({ status }) => status === 409);
  expect(refused?.body.code).toBe('organizations/runs-exhausted');
  expect(await usageOf(project)).toMatchObject({ runs_unfinished: 2, run_quota: 2 });

  // A run that was stopped makes room, also for repeating it.
  const [first] = answers.filter(({ status }) => status === 201);
  const one = `${project.address}/gwas/${first?.body.id}`;
  await owner.call('POST', `${one}/cancel`);
  expect((await start('E')).status).toBe(201);
  expect((await owner.call('POST', `${one}/retry`)).body.code).toBe('organizations/runs-exhausted');
});
