import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Product, type Project, SMALL_VCF, startProduct } from '../../../testing/product.ts';

let product: Product;
let project: Project;

beforeAll(async () => {
  product = await startProduct({ withWorker: false });
  project = await product.project(await product.person('owner'));
});
afterAll(() => product.close());

const unsaid = { scale: null, details: null, ontology_id: null };
const height = { name: 'EarHT', direction: 'lower', unit: 'cm', weight: 2, ...unsaid };
const put = (traits: object[]) => project.owner.call('PUT', `${project.address}/traits`, { traits });

test('direction, unit and weight of a trait are kept with the project, and set again', async () => {
  expect((await project.owner.call('GET', `${project.address}/traits`)).body).toEqual({ data: [] });
  const yields = { name: 'yield', direction: 'higher', unit: null, weight: 1, ...unsaid };
  expect((await put([yields, height])).body).toEqual({ data: [height, yields] });
  expect((await put([{ ...yields, weight: 0 }])).body).toEqual({ data: [height, { ...yields, weight: 0 }] });
  // Named twice in one request: the last one counts.
  expect((await put([height, { ...height, unit: null }])).body.data[0]).toEqual({ ...height, unit: null });
});

test('a scale, details and the id of an ontology stay as they are while they are not named', async () => {
  const scale = { kind: 'numeric', min: 0, max: 400 };
  const lodging = { name: 'lodging', direction: 'lower', unit: null, weight: 0 };
  const full = { ...lodging, scale, details: 'Of the plot, at maturity', ontology_id: 'CO_321:0000086' };
  const stored = async () =>
    (await project.owner.call('GET', `${project.address}/traits`)).body.data.find(
      ({ name }: { name: string }) => name === 'lodging',
    );
  await put([full, height]);
  expect(await stored()).toEqual(full);
  await put([
    { ...lodging, unit: '%' },
    { ...height, weight: 3 },
  ]);
  expect(await stored()).toEqual({ ...full, unit: '%' });
  await put([{ ...lodging, scale: null }]);
  expect(await stored()).toEqual({ ...full, scale: null });
  expect((await put([{ ...full, scale: { ...scale, min: 500 } }])).status).toBe(400);
});

test('what is no direction, unit or weight is refused and changes nothing', async () => {
  await put([height]);
  const wrong = [
    { direction: 'up' },
    { unit: '' },
    { unit: 'x'.repeat(51) },
    { weight: -1 },
    { weight: 1001 },
    { name: '' },
  ];
  for (const change of wrong) expect((await put([{ ...height, ...change }])).status).toBe(400);
  expect((await put([])).status).toBe(400);
  expect((await project.owner.call('GET', `${project.address}/traits`)).body.data).toContainEqual(height);
});

test('traits stand as the columns of the oldest phenotype file, in lists and in runs', async () => {
  const other = await product.project(await product.person('other'));
  const { owner, address } = other;
  await product.startWorker();
  const upload = (name: string, fileType: 'GENOTYPE' | 'PHENOTYPE', bytes: string) =>
    product.uploadChecked(owner, other, { name, fileType, bytes });
  const genotype = await upload('panel.vcf', 'GENOTYPE', SMALL_VCF);
  await upload('first.csv', 'PHENOTYPE', 'line,yield,Height,Awns\nL1,5.1,80,2\nL2,6.2,91,3\nL3,7.3,85,5\n');
  const second = await upload('second.csv', 'PHENOTYPE', 'line,Awns,Moisture,yield\nL1,2,9,5\nL2,3,8,6\nL3,5,7,7\n');
  await product.stopWorker();
  await owner.call('PUT', `${address}/traits`, { traits: [{ ...height, name: 'Aroma' }] });

  const inOrder = ['yield', 'Height', 'Awns', 'Moisture'];
  const listed = (await owner.call('GET', `${address}/traits`)).body.data;
  expect(listed.map(({ name }: { name: string }) => name)).toEqual([...inOrder, 'Aroma']);
  expect((await owner.call('GET', `${address}/overview`)).body.traits).toEqual(inOrder);
  const run = { name: 'Run', genotype_id: genotype.id, phenotype_id: second.id, traits: ['Moisture', 'Awns', 'yield'] };
  for (const path of ['models', 'gwas'])
    expect((await owner.call('POST', `${address}/${path}`, run)).body.traits).toEqual(['yield', 'Awns', 'Moisture']);
});

test('a file of traits is read without storing it, and written for Field Book', async () => {
  const read = (bytes: string) =>
    product.app.inject({
      method: 'POST',
      url: `${project.address}/traits/read`,
      headers: { authorization: `Bearer ${project.owner.token}`, 'content-type': 'application/octet-stream' },
      payload: Buffer.from(bytes),
    });
  const file = `trait,format,minimum,maximum,details,categories\nspikes,counter,,,,\nphoto,photo,,,,\n${'x'.repeat(300)},text,,,,\n`;
  const answer = await read(file);
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual({
    format: 'Field Book',
    traits: [
      { name: 'spikes', unit: null, scale: { kind: 'integer', min: 0, max: null }, details: null, ontology_id: null },
    ],
    left_out: [
      { name: 'photo', reason: expect.stringContaining('photo') },
      { name: 'x'.repeat(255), reason: expect.stringContaining('name') },
    ],
  });
  const names = (await project.owner.call('GET', `${project.address}/traits`)).body.data.map(
    ({ name }: { name: string }) => name,
  );
  expect(names).not.toContain('spikes');
  for (const bytes of ['', 'line,yield\nL1,5\n', '{']) expect((await read(bytes)).statusCode, bytes).toBe(400);

  await put([
    { ...height, name: 'spikes', direction: 'higher', unit: 'per m²', scale: { kind: 'integer', min: 0, max: null } },
  ]);
  const written = await product.app.inject({
    url: `${project.address}/traits.trt`,
    headers: { authorization: `Bearer ${project.owner.token}` },
  });
  expect(written.headers['content-disposition']).toContain('traits.trt');
  expect(written.body).toContain('spikes,numeric,,0,,[per m²],,true,');
});
