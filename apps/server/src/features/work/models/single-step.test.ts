import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type MaizeFiles,
  type Person,
  type Product,
  type Project,
  settledModel,
  startProduct,
  uploadMaize,
} from '../../../testing/product.ts';

let product: Product;
let owner: Person;
let project: Project;
let maize: MaizeFiles;
let pedigreeId: string;
beforeAll(async () => {
  product = await startProduct();
  owner = await product.person('sara');
  project = await product.project(owner);
  maize = await uploadMaize(product, project);
  const pedigree = await product.uploadChecked(owner, project, {
    name: 'pedigree.csv',
    fileType: 'PEDIGREE',
    bytes: Buffer.from('name,female,male,cross_type\nB73,,,DH\nMO17,,,DH\nF1,B73,MO17,\nH1,F1,,DH\n'),
  });
  pedigreeId = pedigree.id;
  expect(pedigree).toMatchObject({ status: 'READY', format: 'pedigree', row_count: 4, column_count: 2 });
});
afterAll(() => product.close());

const create = (name: string, more: object) =>
  owner.call('POST', `${project.address}/models`, {
    ...{ name, genotype_id: maize.genotype.id, phenotype_id: maize.phenotype.id, traits: ['EarHT'] },
    ...{ pedigree_id: pedigreeId, n_repetition: 1, ...more },
  });

test('a model with a pedigree gives a line without genotype its GEBV and its reliability', async () => {
  const made = await create('Single step', {});
  expect(made.status).toBe(201);
  const model = await settledModel(owner, project, made.body.id);
  expect(model).toMatchObject({
    status: { EarHT: 'EVALUATED' },
    pedigree: { id: pedigreeId, name: 'pedigree.csv' },
    fit: { EarHT: { single_step: { left_out: 0, pedigree_weight: 0.05 } } },
    provenance: { parameters: { single_step: true } },
  });
  const row = async (name: string) => {
    const { body } = await owner.call(
      'GET',
      `${project.address}/models/${model.id}/gebv?trait=EarHT&search=${name}&limit=50`,
    );
    return body.data.find((one: { individual: string }) => one.individual === name);
  };
  const [line, b73, mo17] = [await row('H1'), await row('B73'), await row('MO17')];
  expect(line.gebv).toBeCloseTo((b73.gebv + mo17.gebv) / 2, 6);
  expect(line.reliability).toBeGreaterThan(0.05);
});

test.each([
  [{ dominance_effect: true }, 400, 'models/not-single-step'],
  [{ fixed: 2 }, 400, 'models/not-single-step'],
])('%o is refused beside a pedigree', async (more, status, code) => {
  const answer = await create(`Refused ${JSON.stringify(more)}`, more);
  expect([answer.status, answer.body.code]).toEqual([status, code]);
});
