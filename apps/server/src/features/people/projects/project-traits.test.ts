import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Product, type Project, SMALL_VCF, startProduct } from '../../../testing/product.ts';

let product: Product;
let project: Project;

beforeAll(async () => {
  product = await startProduct({ withWorker: false });
  project = await product.project(await product.person('owner'));
});
afterAll(() => product.close());

const height = { name: 'EarHT', direction: 'lower', unit: 'cm', weight: 2 };
const put = (traits: object[]) => project.owner.call('PUT', `${project.address}/traits`, { traits });

test('direction, unit and weight of a trait are kept with the project, and set again', async () => {
  expect((await project.owner.call('GET', `${project.address}/traits`)).body).toEqual({ data: [] });
  const yields = { name: 'yield', direction: 'higher', unit: null, weight: 1 };
  expect((await put([yields, height])).body).toEqual({ data: [height, yields] });
  expect((await put([{ ...yields, weight: 0 }])).body).toEqual({ data: [height, { ...yields, weight: 0 }] });
  // Named twice in one request: the last one counts.
  expect((await put([height, { ...height, unit: null }])).body.data[0]).toEqual({ ...height, unit: null });
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
