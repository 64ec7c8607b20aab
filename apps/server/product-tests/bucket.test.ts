import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UPLOAD_PART_BYTES } from '@heterosis/contracts/data/file-uploads';
import type { GwasDetail } from '@heterosis/contracts/work/gwas';
import type { ModelDetail } from '@heterosis/contracts/work/models';
import type { PredictionDetail } from '@heterosis/contracts/work/predictions';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweepBin } from '../src/features/work/runs/sweep/index.ts';
import { sweepRuns } from '../src/features/work/runs/sweep/sweep-runs.ts';
import {
  download,
  type MaizeFiles,
  type Person,
  type Product,
  type Project,
  put,
  settledModel,
  startProduct,
  until,
  uploadMaize,
} from '../src/testing/product.ts';
import { type S3Server, startS3Server } from '../tools/s3-stand-in/s3-server.ts';

// The other suites run on the local disk; this one goes through the main path with only a bucket and PostgreSQL.

let directory: string;
let bucket: S3Server;
let product: Product;
let owner: Person;
let project: Project;
let maize: MaizeFiles;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'heterosis-bucket-'));
  bucket = await startS3Server({ directory });
  product = await startProduct({
    changes: {
      storage: bucket.config,
      // 3,093 markers in blocks of 1,024: the parts of the GWAS meet in the bucket.
      compute: { threads: 1, memoryMb: 1024, chunkGflop: 0.01, tileMarkers: 8192 },
    },
  });
  owner = await product.person('olga');
  project = await product.project(owner);
  maize = await uploadMaize(product, project);
});
afterAll(async () => {
  await product?.close();
  await bucket?.close();
  await rm(directory, { recursive: true, force: true });
});

async function keys(): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of product.services.storage.list('')) found.push(key);
  return found;
}

async function create<Detail extends { id: string }>(path: string, body: object): Promise<Detail> {
  const made = await owner.call('POST', `${project.address}/${path}`, body);
  expect(made.status, made.text).toBe(201);
  return made.body;
}

async function text(url: string | null | undefined): Promise<string> {
  const got = await download(product.app, url ?? '');
  expect(got.status).toBe(200);
  return got.text;
}

test('an upload in parts becomes one object, is offered under its own name and leaves no part behind', async () => {
  const body = Buffer.alloc(UPLOAD_PART_BYTES + 1234, 'ACGT');
  const link = { content_type: 'text/plain', size_bytes: body.length };
  const { file_id } = await create<{ id: string; file_id: string }>('files/upload_link', link);
  const parts = await owner.call('POST', `${project.address}/uploads/${file_id}/parts`, { numbers: [2, 1] });
  for (const { number, put_url } of parts.body.data) {
    const first = (number - 1) * UPLOAD_PART_BYTES;
    expect(await put(product.app, put_url, body.subarray(first, first + UPLOAD_PART_BYTES))).toBe(200);
  }
  const name = `Züchter's "raw" reads.txt`;
  const made = await create<{ id: string; file_url: string }>('files', { name, file_id, file_type: null });
  const file = (await owner.call('GET', `${project.address}/files/${made.id}`)).body;
  const got = await fetch(file.meta?.file_url ?? file.file_url, { headers: { range: 'bytes=8388600-8388619' } });
  expect([got.status, await got.text()]).toEqual([206, 'ACGTACGTACGTACGTACGT']);
  expect(got.headers.get('content-disposition')).toContain("filename*=UTF-8''Z%C3%BCchter%27s%20%22raw%22%20reads.txt");
  expect((await keys()).filter((key) => key.startsWith('upload'))).toEqual([]);
  expect((await owner.call('DELETE', `${project.address}/files/${made.id}`)).status).toBe(204);
});

test('training, prediction and a GWAS in chunks read from the bucket and write to it; what is deleted leaves it empty', {
  tags: 'whole',
  timeout: 240_000,
}, async () => {
  const inputs = { genotype_id: maize.genotype.id, phenotype_id: maize.phenotype.id, traits: ['dpoll'] };
  const model = await settledModel(
    owner,
    project,
    (await create<ModelDetail>('models', { name: 'Model', ...inputs, n_repetition: 1 })).id,
  );
  expect(model.status).toEqual({ dpoll: 'EVALUATED' });
  expect(await text(model.spec_urls['dpoll'])).toContain('marker');

  const prediction = await create<PredictionDetail>('predictions', { name: 'Whole panel', model_id: model.id });
  const gwas = await create<GwasDetail>('gwas', { name: 'Flowering', ...inputs });
  const read = async (path: string) => (await owner.call('GET', `${project.address}/${path}`)).body;
  const predicted: PredictionDetail = await until(
    () => read(`predictions/${prediction.id}`),
    ({ status }) => status !== 'PROCESSING',
  );
  expect(await text(predicted.csv_url)).toMatch(/^id,gebv_dpoll/);
  const found: GwasDetail = await until(
    () => read(`gwas/${gwas.id}`),
    ({ status }) => status['dpoll'] !== 'PROCESSING',
  );
  expect(found.status).toEqual({ dpoll: 'SUCCESS' });
  const csv = await text(found.result_urls['dpoll']);
  expect(csv).toMatch(/^chr,pos,id,A1,A2/);
  const page = await owner.call('GET', `${project.address}/gwas/${gwas.id}/results?trait=dpoll&sort=p&limit=1`);
  expect(csv).toContain(`,${page.body.data[0].id},`);
  const bundle = await owner.call('GET', `${project.address}/gwas/${gwas.id}/bundle`);
  expect([bundle.status, bundle.headers['content-type']]).toEqual([200, 'application/zip']);

  const { db } = product.services;

  for (const path of [`gwas/${gwas.id}`, `predictions/${prediction.id}`, `models/${model.id}`])
    expect((await owner.call('DELETE', `${project.address}/${path}`)).status).toBe(204);
  for (const { id } of [maize.genotype, maize.phenotype])
    expect((await owner.call('DELETE', `${project.address}/files/${id}`)).status).toBe(204);
  await sweepRuns(product.services);
  for (const table of ['gwas', 'predictions', 'models', 'files'] as const)
    await db.updateTable(table).set({ deleted_at: sql`now() - interval '31 days'` }).execute();
  await sweepBin(product.services);
  expect(await keys()).toEqual([]);
});
