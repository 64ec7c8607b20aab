import { beforeAll, expect, test } from 'vitest';
import { startProject } from '../../../testing/start-project.ts';

const { product, owner, project } = await startProject();
const idOf = new Map<string, string>();
beforeAll(async () => {
  const crops = await owner.call('GET', `/organizations/${project.organizationId}/crops`);
  await grow(project.organizationId, crops.body.data[0].id, [
    ['B73', null, null, 'DH'],
    ['Mo17', null, null, 'DH'],
    ['F1', 'B73', 'Mo17', null],
    ['H1', 'F1', null, 'DH'],
    ['BC', 'B73', 'F1', null],
    ['Other', null, null, null],
  ]);
});

type Line = [name: string, maternal: string | null, paternal: string | null, crossType: 'DH' | null];

async function grow(organization_id: string, crop_id: string, lines: readonly Line[]): Promise<void> {
  for (const [name, maternal, paternal, cross_type] of lines) {
    const id = crypto.randomUUID();
    idOf.set(name, id);
    const parent = (given: string | null): string | null => (given === null ? null : (idOf.get(given) ?? null));
    await product.services.db
      .insertInto('germplasm')
      .values({
        ...{ id, organization_id, crop_id, name, folded_name: name.toLowerCase(), cross_type },
        ...{ maternal_id: parent(maternal), paternal_id: parent(paternal) },
      })
      .execute();
  }
}

interface Individual {
  name: string;
  maternal: number | null;
  paternal: number | null;
  generation: number;
  inbreeding: number;
}

const byName = (individuals: Individual[]) =>
  Object.fromEntries(
    individuals.map(({ name, maternal, paternal, generation, inbreeding }) => [
      name,
      [
        maternal === null ? null : individuals[maternal]?.name,
        paternal === null ? null : individuals[paternal]?.name,
        generation,
        inbreeding,
      ],
    ]),
  );

test('the pedigree of an organization has positions of parents, generations and inbreeding', async () => {
  const { status, body } = await owner.call('GET', `/organizations/${project.organizationId}/pedigree`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ total: 6, cut: false });
  expect(byName(body.individuals)).toEqual({
    B73: [null, null, 0, 1],
    Mo17: [null, null, 0, 1],
    F1: ['B73', 'Mo17', 1, 0],
    // A doubled haploid of one plant has it as both parents.
    H1: ['F1', 'F1', 2, 1],
    BC: ['B73', 'F1', 2, 0.5],
    Other: [null, null, 0, 0],
  });
});

test('around one germplasm there are its ancestors and descendants, and nobody else', async () => {
  const address = `/organizations/${project.organizationId}/pedigree`;
  const mo17 = await owner.call('GET', `${address}?around=${idOf.get('Mo17')}`);
  expect(Object.keys(byName(mo17.body.individuals)).toSorted()).toEqual(['BC', 'F1', 'H1', 'Mo17']);
  const h1 = await owner.call('GET', `${address}?around=${idOf.get('H1')}`);
  expect(Object.keys(byName(h1.body.individuals)).toSorted()).toEqual(['B73', 'F1', 'H1', 'Mo17']);
  expect((await owner.call('GET', `${address}?around=${crypto.randomUUID()}`)).status).toBe(404);
});

test('a project shows what it uses with all ancestors, or the whole crop when asked', async () => {
  const address = `/projects/${project.projectId}/pedigrees`;
  expect((await owner.call('GET', address)).body).toMatchObject({ total: 0, individuals: [] });
  await product.services.db
    .insertInto('project_germplasm')
    .values({ project_id: project.projectId, germplasm_id: idOf.get('H1') ?? '' })
    .execute();
  const used = await owner.call('GET', address);
  expect(Object.keys(byName(used.body.individuals)).toSorted()).toEqual(['B73', 'F1', 'H1', 'Mo17']);
  expect(used.body.total).toBe(1);
  expect((await owner.call('GET', `${address}?whole_crop=true`)).body.individuals).toHaveLength(6);
});

test('coancestries follow from all ancestors, and unknown germplasm is not found', async () => {
  const ids = ['B73', 'H1', 'BC', 'Other'].map((name) => idOf.get(name));
  const address = `/organizations/${project.organizationId}/pedigree/coancestries`;
  const { status, body } = await owner.call('GET', `${address}?${ids.map((id) => `id=${id}`).join('&')}`);
  expect(status).toBe(200);
  expect(body.ids).toEqual(ids);
  expect(body.values).toEqual([1, 0.5, 0.75, 0, 0.5, 1, 0.5, 0, 0.75, 0.5, 0.75, 0, 0, 0, 0, 0.5]);
  expect((await owner.call('GET', `${address}?id=${crypto.randomUUID()}`)).status).toBe(404);
});

test('a loop that has come into the list is named, not followed for ever', async () => {
  const other = await product.project(owner);
  const crops = await owner.call('GET', `/organizations/${other.organizationId}/crops`);
  await grow(other.organizationId, crops.body.data[0].id, [
    ['A', null, null, null],
    ['B', 'A', null, null],
  ]);
  await product.services.db
    .updateTable('germplasm')
    .set({ maternal_id: idOf.get('B') ?? null })
    .where('id', '=', idOf.get('A') ?? '')
    .execute();
  const { status, body } = await owner.call('GET', `/organizations/${other.organizationId}/pedigree`);
  expect([status, body.code]).toEqual([409, 'pedigree/loop']);
  expect(body.detail).toMatch(/A ← B ← A|B ← A ← B/);
});
