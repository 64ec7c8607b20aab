import { gunzipSync } from 'node:zlib';
import type { Derivation, FileDetail } from '@heterosis/contracts/data/files';
import { beforeAll, expect, test } from 'vitest';
import { sendTable, settledFile, until } from '../../../testing/product.ts';
import { startProject } from '../../../testing/start-project.ts';

const vcf = (names: readonly string[], rows: readonly string[]): string =>
  [
    '##fileformat=VCFv4.2',
    ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...names].join('\t'),
    ...rows.map((row, j) => ['1', 100 * (j + 1), `m${j}`, 'A', 'C', '.', '.', '.', 'GT', ...row.split(' ')].join('\t')),
    '',
  ].join('\n');

const { product, owner, member, project } = await startProject();
let lines: FileDetail;
beforeAll(async () => {
  await sendTable(product, owner, `/projects/${project.projectId}/germplasms`, [
    'name,synonyms',
    'B73,b73-old',
    'Mo17,',
  ]);
  lines = await product.uploadChecked(owner, project, {
    name: 'lines.vcf',
    fileType: 'GENOTYPE',
    bytes: vcf(['B73', 'Mo17', 'W22', 'Wild'], ['0/0 1/1 0/0 0/1', '1/1 0/0 ./. 0/1', '0/0 0/0 1/1 0/1']),
  });
});

const address = (): string => `${project.address}/files/${lines.id}/hybrids`;

async function made(): Promise<Derivation> {
  const { body } = await until(
    () => owner.call('GET', `${project.address}/files/${lines.id}`),
    (answer) => answer.body.derivations[0].status !== 'PROCESSING',
  );
  return body.derivations[0];
}

async function callsOf({ meta }: FileDetail): Promise<string[]> {
  const { pathname, search } = new URL(meta.file_url ?? '');
  const text = gunzipSync((await product.app.inject(`${pathname}${search}`)).rawPayload).toString();
  return text
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('##'))
    .map((line) => line.split('\t').slice(9).join(' '));
}

test('the crosses of a table become a genotype file; parents are found by their synonyms', async () => {
  const table = await product.uploadChecked(owner, project, {
    name: 'crosses.csv',
    fileType: 'CROSSING_TABLE',
    bytes: 'name,female,male\nH1,b73-old,MO17\nH2,Mo17,W22\nH3,B73,Nobody\n',
  });
  const asked = await member.call('POST', address(), { crossing_table_id: table.id, name: 'F1.vcf.gz' });
  expect([asked.status, asked.body.derivations]).toMatchObject([202, [{ step: 'hybrids', status: 'PROCESSING' }]]);
  const { file, status } = await made();
  expect(status).toBe('SUCCESS');
  const hybrids = await settledFile(owner, project, file?.id ?? '');
  expect(hybrids).toMatchObject({
    name: 'F1.vcf.gz',
    file_type: 'GENOTYPE',
    created_by: member.email,
    description:
      '2 F1 hybrids with 3 markers. 1 call is missing. 1 cross with a parent that is not genotyped left out. Parents from lines.vcf, crosses from crosses.csv.',
  });
  expect(await callsOf(hybrids)).toEqual(['H1 H2', '0|1 1|0', '1|0 .|.', '0|0 0|1']);
});

test('two pools are crossed each with each; the same request gives the same bytes under another name', async () => {
  const shas: (string | null)[] = [];
  for (const name of ['lines_F1.vcf.gz', 'lines_F1 (2).vcf.gz']) {
    const asked = await owner.call('POST', address(), { females: ['B73', 'W22'], males: ['Mo17', ' B73'] });
    expect(asked.status, asked.text).toBe(202);
    const { file } = await made();
    expect(file?.name).toBe(name);
    const hybrids = await settledFile(owner, project, file?.id ?? '');
    expect((await callsOf(hybrids))[0]).toBe('B73_X_Mo17 W22_X_Mo17 W22_X_B73');
    shas.push(hybrids.sha256);
  }
  expect(shas[1]).toBe(shas[0]);
});

test.each([
  ['a name that is not genotyped', { females: ['B73'], males: ['Nobody'] }, 400, 'request/invalid'],
  ['a line with itself only', { females: ['B73'], males: ['B73'] }, 409, 'match/nothing-in-common'],
  ['no crosses at all', {}, 400, 'request/invalid'],
  ['one pool only', { females: ['B73'] }, 400, 'request/invalid'],
  ['a table that is none', { crossing_table_id: '00000000-0000-7000-8000-000000000000' }, 404, 'request/not-found'],
])('%s is refused before anything is written', async (_, body, status, code) => {
  const answer = await owner.call('POST', address(), body);
  expect([answer.status, answer.body.code]).toEqual([status, code]);
});

test('parents that are not inbred end in an error that names them', async () => {
  await owner.call('POST', address(), { females: ['B73'], males: ['Wild'] });
  expect(await made()).toMatchObject({
    status: 'ERROR',
    file: null,
    error_extra: { code: 'crossing/heterozygous-parents', message: /Wild/ },
  });
});

test('what waits is cancelled by who asked or a manager; meanwhile a second is refused', async () => {
  await product.stopWorker();
  await owner.call('POST', address(), { females: ['B73'], males: ['Mo17'] });
  const second = await member.call('POST', address(), { females: ['W22'], males: ['Mo17'] });
  expect(second.body.code).toBe('files/derivation-under-way');
  expect((await member.call('DELETE', address())).status).toBe(403);
  expect((await owner.call('DELETE', address())).body.derivations).toEqual([]);
  await product.startWorker();
});
