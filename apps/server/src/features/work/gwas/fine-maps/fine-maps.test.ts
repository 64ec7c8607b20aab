import type { FineMap } from '@heterosis/contracts/work/fine-maps';
import type { GwasDetail } from '@heterosis/contracts/work/gwas';
import { beforeAll, expect, test } from 'vitest';
import { type MaizeFiles, until, uploadMaize } from '../../../../testing/product.ts';
import { startProject } from '../../../../testing/start-project.ts';

const { product, owner, project } = await startProject();
let maize: MaizeFiles;
let gwas: GwasDetail;

beforeAll(async () => {
  maize = await uploadMaize(product, project);
  const made = await owner.call('POST', `${project.address}/gwas`, {
    ...{ name: 'Flowering', genotype_id: maize.genotype.id, phenotype_id: maize.phenotype.id },
    ...{ traits: ['dpoll'], test: 'SCORE', covariates: ['EarHT'] },
  });
  expect(made.status, made.text).toBe(201);
  gwas = await until(
    async (): Promise<GwasDetail> => (await owner.call('GET', `${project.address}/gwas/${made.body.id}`)).body,
    ({ status }) => status['dpoll'] !== 'PROCESSING',
  );
  expect(gwas.status).toEqual({ dpoll: 'SUCCESS' });
});

const address = (rest = ''): string => `${project.address}/gwas/${gwas.id}/fine_maps${rest}`;
const REGION = { trait: 'dpoll', chr: '8', start: 100_000_000, end: 140_000_000 };

test('a region is fine-mapped as further work of the GWAS, whose own results and times stay', async () => {
  const asked = await owner.call('POST', address(), REGION);
  expect(asked.status, asked.text).toBe(202);
  expect(asked.body).toMatchObject({ ...REGION, status: 'PROCESSING', effects: 10, coverage: 0.95, result: null });
  const done = await until(
    async (): Promise<FineMap> => (await owner.call('GET', address(`/${asked.body.id}`))).body,
    ({ status }) => status !== 'PROCESSING',
  );
  expect([done.status, done.error_extra]).toEqual(['SUCCESS', null]);
  const { result } = done;
  if (result === null) throw new TypeError('no result');
  expect(result).toMatchObject({ kinship: 'other chromosomes', converged: true });
  // Individuals without ear height are left out, as in the GWAS.
  expect(result.n).toBe(gwas.summary['dpoll']?.n);
  expect(result.markers.length).toBeGreaterThan(20);
  const positions = result.markers.map(({ pos }) => pos);
  expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  for (const { pip, set, id } of result.markers) {
    expect(pip).toBeGreaterThanOrEqual(0);
    expect(pip).toBeLessThanOrEqual(1);
    if (set !== null) expect(result.sets[set - 1]?.markers).toContain(id);
  }
  expect(result.methods).toContain('from 100,000,000 to 140,000,000 bp was fine-mapped for dpoll');
  expect(result.methods).toContain('Fixed effects: EarHT.');
  expect(result.command).toMatch(
    /^heterosis finemap --genotype \S+ --phenotype \S+ --trait dpoll --region 8:100000000-140000000 --covariates EarHT --maf 0.05 --call-rate 0.9 --effects 10 --coverage 0.95 --out sets.csv$/,
  );
  const list = await owner.call('GET', address('?trait=dpoll'));
  expect(list.body.data).toMatchObject([{ id: asked.body.id, status: 'SUCCESS' }]);
  expect(list.body.data[0]).not.toHaveProperty('result');
  const after = (await owner.call('GET', `${project.address}/gwas/${gwas.id}`)).body;
  expect(after).toMatchObject({ status: gwas.status, progress: gwas.progress, summary: gwas.summary });
  expect(after.provenance).toEqual(gwas.provenance);
});

test('regions without markers, of another trait, or of nobody are refused', async () => {
  const empty = await owner.call('POST', address(), { ...REGION, start: 1, end: 2 });
  expect([empty.status, empty.body.code]).toEqual([400, 'fine-mapping/region']);
  expect((await owner.call('POST', address(), { ...REGION, trait: 'EarHT' })).status).toBe(400);
  expect((await owner.call('GET', address('/0190a0a0-0000-7000-8000-000000000000'))).status).toBe(404);
  const stranger = await product.person('stranger');
  expect((await stranger.call('POST', address(), REGION)).status).toBe(404);
});

test('of more fine mappings than are kept the oldest go', async () => {
  await product.stopWorker();
  const { db } = product.services;
  for (let k = 0; k < 21; k++) await owner.call('POST', address(), { ...REGION, end: REGION.end + k });
  const kept = (await owner.call('GET', address())).body.data as FineMap[];
  expect(kept.map(({ end }) => end)).toEqual(Array.from({ length: 20 }, (_, k) => REGION.end + 20 - k));
  const { count } = await db
    .selectFrom('gwas_fine_maps')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBe(20);
  // A cancel of fine mappings alone is no end of the GWAS, of which webhooks would hear.
  const hooks = `/organizations/${project.organizationId}/webhooks`;
  const hook = { name: 'Ends', url: 'https://hooks.example.org/ends', events: ['run.ended'] };
  expect((await owner.call('POST', hooks, hook)).status).toBe(201);
  const cancelled = await owner.call('POST', `${project.address}/gwas/${gwas.id}/cancel`);
  expect([cancelled.status, cancelled.body.status]).toEqual([200, { dpoll: 'SUCCESS' }]);
  expect((await owner.call('GET', address())).body.data.map(({ status }: FineMap) => status)).not.toContain(
    'PROCESSING',
  );
  expect(await db.selectFrom('webhook_deliveries').select('event').execute()).toEqual([]);
});
