import { gunzipSync } from 'node:zlib';
import type { FileDetail, FileType } from '@heterosis/contracts/data/files';
import { foldName } from '@heterosis/file-formats/names/normalize-name';
import { beforeAll, expect, test } from 'vitest';
import { sendTable, settledFile, until } from '../../../../testing/product.ts';
import { startProject } from '../../../../testing/start-project.ts';

const { product, owner, project } = await startProject();

beforeAll(async () => {
  const { db } = product.services;
  const { crop_id } = await db
    .selectFrom('projects')
    .select('crop_id')
    .where('id', '=', project.projectId)
    .executeTakeFirstOrThrow();
  const address = `/organizations/${project.organizationId}/germplasms`;
  const lines = ['name,synonyms', 'B73,', 'Mo17,missouri-17', 'W22,W-old', 'Tx-303,', 'CML52,'];
  const answer = await sendTable(product, owner, address, lines, { crop_id: crop_id ?? '' });
  expect(answer.status).toBe(201);
  // Two lines may have synonyms that differ in their spelling only.
  const { id } = await db
    .selectFrom('germplasm')
    .select('id')
    .where('organization_id', '=', project.organizationId)
    .where('name', '=', 'CML52')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('germplasm_synonyms')
    .values({ germplasm_id: id, crop_id: crop_id ?? '', name: 'w.22', folded_name: foldName('w.22') })
    .execute();
});

const address = (id: string) => `${project.address}/files/${id}/synonyms`;
const upload = (name: string, fileType: FileType, bytes: string): Promise<FileDetail> =>
  product.uploadChecked(owner, project, { name, fileType, bytes });

async function bytesOf({ meta }: FileDetail): Promise<Buffer> {
  const { pathname, search } = new URL(meta.file_url ?? '');
  return (await product.app.inject(`${pathname}${search}`)).rawPayload;
}

/** Converts a file and waits for the check of the new one. */
async function converted(id: string, body = {}): Promise<FileDetail> {
  const answer = await owner.call('POST', address(id), body);
  expect([answer.status, answer.text]).toMatchObject([202, expect.any(String)]);
  const derivation = await until(
    async () => {
      const { derivations }: FileDetail = (await owner.call('GET', `${project.address}/files/${id}`)).body;
      return derivations.find(({ step }) => step === 'convert');
    },
    (one) => one?.status !== 'PROCESSING',
  );
  expect(derivation).toMatchObject({ status: 'SUCCESS', error_extra: null });
  return await settledFile(owner, project, derivation?.file?.id ?? '');
}

const VCF_LEAD = '#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT';
const vcf = (...names: string[]): string =>
  `##fileformat=VCFv4.2\n${VCF_LEAD}\t${names.join('\t')}\n${[1, 2, 3]
    .map((k) => `1\t${k}00\tm${k}\tA\tC\t.\t.\tDP=7\tGT:AD\t${names.map((_, i) => `${(i + k) % 2}|1:3,4`).join('\t')}`)
    .join('\n')}\n`;

test('a phased VCF gets canonical names and keeps the rest; the original stays', async () => {
  const names = ['missouri-17', 'b-73', 'Ki3', 'W22'];
  const original = await upload('plants.vcf', 'GENOTYPE', vcf(...names));
  const preview = await owner.call('GET', address(original.id));
  expect(preview.body).toEqual({
    renames: [
      { from: 'missouri-17', to: 'Mo17', how: 'synonym' },
      { from: 'b-73', to: 'B73', how: 'folded' },
    ],
    canonical: 1,
    ambiguous: [],
    unknown: ['Ki3'],
    clashes: [],
  });
  const made = await converted(original.id);
  expect(made).toMatchObject({ name: 'plants_renamed.vcf.gz', file_type: 'GENOTYPE', row_count: 4, column_count: 3 });
  expect(made.description).toBe(
    'Converted from plants.vcf: 2 names replaced by those of the germplasm list. 1 name that the list does not settle is as it was.',
  );
  const { derivations }: FileDetail = (await owner.call('GET', `${project.address}/files/${original.id}`)).body;
  expect(derivations.map(({ renames }) => renames)).toEqual([
    [
      { from: 'missouri-17', to: 'Mo17' },
      { from: 'b-73', to: 'B73' },
    ],
  ]);
  expect(gunzipSync(await bytesOf(made)).toString()).toBe(vcf('Mo17', 'B73', 'Ki3', 'W22'));
  expect((await bytesOf(original)).toString()).toBe(vcf(...names));
  // Again: the next free name. Its own conversion has nothing to do.
  expect((await converted(original.id)).name).toBe('plants_renamed (2).vcf.gz');
  expect((await owner.call('POST', address(made.id), {})).body.code).toBe('files/nothing-to-rename');
});

test('a matrix of numbers stays one with its dosages; HapMap becomes a VCF, where it can', async () => {
  const original = await upload('d.csv', 'GENOTYPE', 'id,m1,m2\nW-old,0.25,2\nTX303,1,0\nKi3,2,1.5\n');
  const made = await converted(original.id, { name: 'Dosages.csv' });
  expect(made).toMatchObject({
    name: 'Dosages.csv',
    format: 'numeric-matrix',
    fractional_dosages: original.fractional_dosages,
  });
  expect(original.fractional_dosages?.calls).toBe(2);
  const csv = await owner.call('GET', `${project.address}/files/${made.id}/export?format=numeric`);
  expect(csv.text.split('\n').slice(1, 4)).toEqual([
    expect.stringMatching(/^W22,0\.25,2\r?$/),
    expect.stringMatching(/^Tx-303,1,0\r?$/),
    expect.stringMatching(/^Ki3,2,1\.5\r?$/),
  ]);
  const letters = await upload('l.csv', 'GENOTYPE', 'id,m1,m2\nW-old,AA,CT\nTX303,AC,TT\nKi3,CC,CC\n');
  expect((await owner.call('POST', address(letters.id), {})).body.code).toBe('files/format-cannot-hold');
  const hapmap = await upload(
    'h.hmp.txt',
    'GENOTYPE',
    `rs#\talleles\tchrom\tpos\tstrand\tassembly#\tcenter\tprotLSID\tassayLSID\tpanelLSID\tQCcode\tW-old\tTX303\nm1\tA/C\t1\t5\t+\t${'NA\t'.repeat(6)}AA\tAC\n`,
  );
  expect(await converted(hapmap.id)).toMatchObject({
    name: 'h_renamed.vcf.gz',
    format: 'vcf',
    status: expect.stringMatching(/^READY/),
    row_count: 2,
  });
});

test('a name that may mean two stays and is told; spellings of one parent become one, of one individual clash', async () => {
  const unclear = await upload('u.csv', 'PHENOTYPE', 'line,Yield\nW-22,1\nTX303,2\n');
  expect((await owner.call('GET', address(unclear.id))).body).toMatchObject({
    ambiguous: [{ name: 'W-22', candidates: ['CML52', 'W22'] }],
    renames: [{ from: 'TX303', to: 'Tx-303', how: 'folded' }],
  });
  expect((await bytesOf(await converted(unclear.id))).toString()).toBe('line,Yield\nW-22,1\nTx-303,2\n');
  const phenotype = await upload('trial.csv', 'PHENOTYPE', 'line,Yield\nmissouri-17,-5\nMO17,6\nCML52,1\nB73,2\n');
  const refused = await owner.call('POST', address(phenotype.id), {});
  expect(refused.body).toMatchObject({
    code: 'files/names-clash',
    details: { clashes: [{ to: 'Mo17', from: ['missouri-17', 'MO17'] }] },
  });
  expect(refused.body.detail).toContain('"missouri-17" and "MO17" would both be named "Mo17"');
  const crosses = await upload('c.csv', 'CROSSING_TABLE', 'female;male\nmissouri-17;b73\nMO17;Ki3\n');
  const made = await converted(crosses.id);
  expect(made).toMatchObject({ name: 'c_renamed.csv', row_count: 2, column_count: 3 });
  expect((await bytesOf(made)).toString()).toBe('female,male\nMo17,B73\nMo17,Ki3\n');
  const names = (await owner.call('GET', `${project.address}/files`)).body.data.map(({ name }: FileDetail) => name);
  expect(names).not.toContain('trial_renamed.csv');
});

test('a guest of the project, who does not see the whole list, is refused; a map cannot be converted', async () => {
  const guest = await product.person('guest');
  await product.join(project, guest, 'MEMBER');
  const phenotype = await upload('p.csv', 'PHENOTYPE', 'line,Yield\nmissouri-17,-5\nKi3,6\n');
  expect((await guest.call('GET', address(phenotype.id))).status).toBe(403);
  expect((await guest.call('POST', address(phenotype.id), {})).status).toBe(403);
  const made = await converted(phenotype.id);
  expect((await bytesOf(made)).toString()).toBe('line,Yield\nMo17,-5\nKi3,6\n');
  const map = await upload('m.csv', 'LINKAGE_MAP', 'marker,chromosome,position\nm1,1,0\nm2,1,5\n');
  expect((await owner.call('POST', address(map.id), {})).body.code).toBe('files/wrong-type');
});

test('a table whose columns were described keeps that: roles, mark of decimals, codes, what was left out', async () => {
  const words = 'Trial 7;;;\nNr;Bez.;Ertrag\n1;b-73;1.020,5\n2;W-old;n.v.\n3;Mittel;618\n4;CML52;-0,5\n';
  const original = await upload('own-words.csv', 'PHENOTYPE', words);
  const columns = [
    { name: 'Nr', role: 'ignore' },
    { name: 'Bez.', role: 'individual' },
    { name: 'Ertrag', role: 'measurement' },
  ];
  const mapping = { header_line: 2, decimal_mark: ',', columns };
  const answer = await owner.call('POST', `${project.address}/files/${original.id}/check`, {
    ...{ mapping, missing_codes: ['n.v.'], left_out: { lines: [5], cells: [] }, remember_mapping: false },
  });
  expect(answer.status).toBe(200);
  expect(await settledFile(owner, project, original.id)).toMatchObject({ row_count: 3, mapping });
  const made = await converted(original.id);
  expect((await bytesOf(made)).toString()).toBe('Bez.,Ertrag\nB73,1020.5\nW22,n.v.\nCML52,-0.5\n');
  expect(made).toMatchObject({
    ...{ status: expect.stringMatching(/^READY/), row_count: 3 },
    ...{ missing_codes: ['n.v.'], left_out: null, mapping: { columns: columns.slice(1) } },
  });
});
