import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Product, type Project, startProduct } from '../../testing/product.ts';

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
