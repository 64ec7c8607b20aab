import type { Gwas, GwasDetail } from '@heterosis/contracts/work/gwas';
import { beforeAll, expect, test } from 'vitest';
import { download, until } from '../../../testing/product.ts';
import { startProject } from '../../../testing/start-project.ts';

/** Marker ids that a spreadsheet would execute or read as numbers. */
const IDS = ['=1+1', '+SUM(A1)', '@SUM(A1)', '-2+3', '=HYPERLINK("http://x","y")', 'plain'];
const LINES = Array.from({ length: 24 }, (_, i) => `L${i}`);

/** Calls and values without random numbers: every marker splits the lines differently. */
const call = (marker: number, line: number): string =>
  ['0/0', '0/1', '1/1'][((line * (2 * marker + 3) + (line * line) / (marker + 2)) % 3) | 0] ?? '0/0';
const VCF = [
  '##fileformat=VCFv4.2',
  ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...LINES].join('\t'),
  ...IDS.map((id, marker) =>
    ['1', 100 * (marker + 1), id, 'A', 'C', '.', '.', '.', 'GT', ...LINES.map((_, line) => call(marker, line))].join(
      '\t',
    ),
  ),
  '',
].join('\n');
const PHENOTYPE = `line,Yield\n${LINES.map((line, i) => `${line},${(5 + Math.sin(i * i)).toFixed(3)}`).join('\n')}\n`;

const { product, owner, project } = await startProject();
let files: { genotype_id: string; phenotype_id: string };
let address: string;

beforeAll(async () => {
  address = `${project.address}/gwas`;
  const upload = (name: string, fileType: 'GENOTYPE' | 'PHENOTYPE', bytes: string) =>
    product.uploadChecked(owner, project, { name, fileType, bytes });
  const genotype = await upload('lines.vcf', 'GENOTYPE', VCF);
  const phenotype = await upload('lines.csv', 'PHENOTYPE', PHENOTYPE);
  files = { genotype_id: genotype.id, phenotype_id: phenotype.id };
});

const create = async (name: string): Promise<GwasDetail> => {
  const made = await owner.call('POST', address, { name, traits: ['Yield'], thresh_maf: 0, ...files });
  expect(made.status, made.text).toBe(201);
  return made.body;
};
const list = async (query = ''): Promise<{ data: Gwas[]; next_cursor: string | null }> =>
  (await owner.call('GET', `${address}${query}`)).body;
const names = async (query?: string): Promise<string[]> => (await list(query)).data.map(({ name }) => name);

test('ids that a spreadsheet would run as formulas are text in the CSV, and themselves everywhere else', async () => {
  const { id } = await create('=SUM(A1:A9)');
  const gwas: GwasDetail = await until(
    async () => (await owner.call('GET', `${address}/${id}`)).body,
    ({ status }) => status['Yield'] !== 'PROCESSING',
  );
  expect(gwas).toMatchObject({ name: '=SUM(A1:A9)', status: { Yield: 'SUCCESS' } });
  const csv = (await download(product.app, gwas.result_urls['Yield'] ?? '')).text;
  for (const id of IDS.filter((one) => one !== 'plain')) expect(csv).toContain(`'${id.replaceAll('"', '""')}`);
  expect(csv).toContain(',plain,');
  for (const cell of csv.split(/[,\n]/)) expect(cell).not.toMatch(/^"?[=+@]|^"?-(?![\d.])/);
  const { body } = await owner.call('GET', `${address}/${id}/results?trait=Yield&sort=position`);
  expect(body.data.map((row: { id: string }) => row.id)).toEqual(IDS);
});

test('the list comes page by page, newest first, and is searched by name and file', async () => {
  await product.stopWorker();
  for (const name of ['Height 1', 'Height 2', 'Height_3', 'Weight 100%']) await create(name);
  const all = await names();
  expect(all.slice(0, 4)).toEqual(['Weight 100%', 'Height_3', 'Height 2', 'Height 1']);
  const paged: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await list(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
    expect(page.data.length).toBeLessThanOrEqual(2);
    paged.push(...page.data.map(({ name }) => name));
    cursor = page.next_cursor;
  }
  expect(paged).toEqual(all);
  expect(await names('?name=height')).toEqual(['Height_3', 'Height 2', 'Height 1']);
  // No wildcards: the text is matched literally.
  expect(await names('?name=100%25')).toEqual(['Weight 100%']);
  expect(await names('?name=_')).toEqual(['Height_3']);
  expect(await names(`?genotype_id=${files.genotype_id}`)).toEqual(all);
  expect(await names(`?genotype_id=${files.phenotype_id}`)).toEqual([]);
  for (const query of ['?limit=0', '?limit=501', '?cursor=bm8', '?sort=name', '?genotype_id=x'])
    expect((await owner.call('GET', `${address}${query}`)).status, query).toBe(400);
});

test('a GWAS is renamed and described; a name is taken whatever its case, but not by itself', async () => {
  const { id } = await create('Before');
  await create('Taken');
  const put = (body: object) => owner.call('PUT', `${address}/${id}`, body);
  expect((await put({ name: 'After', description: 'Two seasons' })).body).toMatchObject({
    name: 'After',
    description: 'Two seasons',
  });
  expect((await put({ name: 'AFTER' })).body.name).toBe('AFTER');
  expect((await put({ description: null })).body).toMatchObject({ name: 'AFTER', description: null });
  const taken = await put({ name: 'tAKEN' });
  expect([taken.status, taken.body.code]).toEqual([409, 'request/conflict']);
  for (const name of ['', ' ', 'x'.repeat(256)]) expect((await put({ name })).status).toBe(400);
  expect((await owner.call('GET', `${address}/${id}`)).body.name).toBe('AFTER');
});

test('a GWAS that is deleted is gone from every address, its work ends, and its name is free', async () => {
  const { id, name } = await create('To be deleted');
  expect((await owner.call('DELETE', `${address}/${id}`)).status).toBe(204);
  expect(await names()).not.toContain(name);
  for (const [method, path] of [
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['POST', '/cancel'],
    ['POST', '/retry'],
    ['GET', '/bundle'],
    ['GET', '/results?trait=Yield'],
  ] as const) {
    const answer = await owner.call(method, `${address}/${id}${path}`, method === 'PUT' ? { name: 'x' } : undefined);
    expect(answer.status, `${method} ${path}`).toBe(404);
  }
  const { db } = product.services;
  const run = await db.selectFrom('runs').select('state').where('entity_id', '=', id).executeTakeFirstOrThrow();
  expect(run.state).toBe('CANCELLED');
  const audit = await db.selectFrom('audit_events').select('action').where('target_id', '=', id).execute();
  expect(audit).toEqual([{ action: 'gwas.deleted' }]);
  expect((await create(name)).id).not.toBe(id);
});
