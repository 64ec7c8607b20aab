import type { ParentageCheckDetail, ParentageResults } from '@heterosis/contracts/work/parentage-checks';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { beforeAll, expect, test } from 'vitest';
import { download, until } from '../../../testing/product.ts';
import { startProject } from '../../../testing/start-project.ts';

const { product, owner, project } = await startProject();
let genotypeId: string;
let cropId: string;

const LINES = 'ABCDEFGH'.split('').map((letter) => `Line ${letter}`);
const F1S = ['AB', 'CD', 'EF', 'GH'];

/** Inbred lines and F1s of neighbours; those of A × B and C × D are mixed up. */
function vcf(): string {
  const random = createRandomStream(4, 'lines');
  const rows = Array.from({ length: 300 }, (_, j) => {
    const alleles = LINES.map(() => random.nextInt(2));
    const calls = [
      [2, 3],
      [0, 1],
      [4, 5],
      [6, 7],
    ].map((pair) => pair.map((line) => alleles[line]).join('/'));
    return ['1', j + 1, `m${j}`, 'A', 'C', '.', '.', '.', 'GT', ...alleles.map((a) => `${a}/${a}`), ...calls].join(
      '\t',
    );
  });
  const head = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...LINES, ...F1S];
  return `##fileformat=VCFv4.2\n${head.join('\t')}\n${rows.join('\n')}\n`;
}

const PEDIGREE = `name,female,male\n${F1S.map((f1) => `${f1},Line ${f1[0]},Line ${f1[1]}`).join('\n')}\n`;

beforeAll(async () => {
  genotypeId = (await product.uploadChecked(owner, project, { name: 'p.vcf', fileType: 'GENOTYPE', bytes: vcf() })).id;
  cropId = (await owner.call('GET', `/organizations/${project.organizationId}/crops`)).body.data[0].id;
});

const checks = () => `${project.address}/parentage_checks`;
const create = (body: object) => owner.call('POST', checks(), { name: 'Check', genotype_id: genotypeId, ...body });
const settled = (id: string): Promise<ParentageCheckDetail> =>
  until(
    async () => (await owner.call('GET', `${checks()}/${id}`)).body as ParentageCheckDetail,
    ({ status }) => status !== 'PROCESSING',
  );

async function grow(): Promise<void> {
  const ids = new Map(LINES.map((name) => [name, crypto.randomUUID()]));
  const common = { organization_id: project.organizationId, crop_id: cropId };
  const row = (name: string, parents: object) => ({
    ...common,
    ...parents,
    name,
    folded_name: name.toLowerCase().replaceAll(' ', ''),
  });
  for (const [name, id] of ids)
    await product.services.db
      .insertInto('germplasm')
      .values({ id, ...row(name, {}) })
      .execute();
  for (const f1 of F1S) {
    const [maternal_id = null, paternal_id = null] = f1.split('').map((letter) => ids.get(`Line ${letter}`));
    await product.services.db
      .insertInto('germplasm')
      .values({ id: crypto.randomUUID(), ...row(f1, { maternal_id, paternal_id }) })
      .execute();
  }
}

test('without a parent in the germplasm the check ends in an error that says what to do', async () => {
  const { body } = await create({ name: 'Too early' });
  expect((await settled(body.id)).error_extra).toMatchObject({
    code: 'parentage/nothing-in-pedigree',
    action: expect.stringMatching(/pedigree/),
  });
});

test('two F1s that were mixed up are found by the pedigree of the germplasm, with their likely parents', async () => {
  await grow();
  const { status, body } = await create({ name: 'Plate 1' });
  expect(status).toBe(201);
  const check = await settled(body.id);
  expect(check).toMatchObject({
    status: 'SUCCESS',
    compared_with: 'germplasm',
    report: {
      ...{ individuals: 12, in_pedigree: 12, copies: [] },
      verdicts: { CONFLICT: 2, CONFIRMED: 2, DOUBTFUL: 0, PLAUSIBLE: 0, UNTESTABLE: 0 },
      swaps: [{ first: 'AB', second: 'CD', families: 2 }],
    },
  });
  const results = async (query: string): Promise<ParentageResults> =>
    (await owner.call('GET', `${checks()}/${check.id}/results?${query}`)).body;
  const first = await results('limit=2');
  expect(first.total).toBe(12);
  expect(first.data.map(({ individual, verdict, likely_parents }) => [individual, verdict, likely_parents])).toEqual([
    ['AB', 'CONFLICT', ['Line C', 'Line D']],
    ['CD', 'CONFLICT', ['Line A', 'Line B']],
  ]);
  const next = await results(`limit=2&cursor=${first.next_cursor}`);
  expect(next.data.map(({ individual }) => individual)).toEqual(['EF', 'GH']);
  expect((await results('verdict=CONFIRMED&search=g')).data.map(({ individual }) => individual)).toEqual(['GH']);
  expect((await results('sort=-individual&limit=1')).data[0]?.individual).toBe('Line H');
  expect((await owner.call('GET', `${checks()}/${check.id}/results?sort=rank`)).body.code).toBe('request/invalid');
  expect((await download(product.app, check.findings_url ?? '')).text).toContain('swap,AB,CD');
  expect((await download(product.app, check.parents_url ?? '')).text).toMatch(/^AB,1,Line C,Line D,yes,/m);
});

test('a pedigree file is compared in the same way, and the same inputs give the same bytes', async () => {
  const file = await product.uploadChecked(owner, project, { name: 'ped.csv', fileType: 'PEDIGREE', bytes: PEDIGREE });
  const texts: string[] = [];
  for (const name of ['File 1', 'File 2']) {
    const { body } = await create({ name, pedigree: 'file', pedigree_id: file.id, seek: 'all' });
    const check = await settled(body.id);
    expect(check.report?.verdicts).toMatchObject({ CONFLICT: 2, CONFIRMED: 2 });
    expect(check.report?.sought).toBe(12);
    for (const url of [check.families_url, check.parents_url])
      texts.push((await download(product.app, url ?? '')).text);
  }
  expect(texts.slice(2)).toEqual(texts.slice(0, 2));
});

test('what cannot be compared is refused before anything is written', async () => {
  const unknown = '01890000-0000-7000-8000-000000000000';
  for (const [body, status] of [
    [{ genotype_id: unknown }, 404],
    [{ pedigree: 'file' }, 400],
    [{ pedigree: 'file', pedigree_id: genotypeId }, 400],
    [{ pedigree: 'none', pedigree_id: genotypeId }, 400],
    [{ error_rate: 0 }, 400],
    [{ name: 'Plate 1' }, 409],
  ] as const)
    expect((await create({ name: 'Refused', ...body })).status).toBe(status);
});
