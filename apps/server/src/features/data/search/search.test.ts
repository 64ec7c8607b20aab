import { randomUUID } from 'node:crypto';
import { foldName } from '@heterosis/file-formats/names/normalize-name';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Product, type Project, SMALL_PHENOTYPE, startProduct } from '../../../testing/product.ts';

let product: Product;
let project: Project;

beforeAll(async () => {
  product = await startProduct({ withWorker: false });
  project = await product.project(await product.person('owner'));
  for (const name of ['Maize trials', 'Trials of maize 2026'])
    await project.owner.call('POST', `${project.address}/folders`, { name, folder_id: null });
  await product.upload(project.owner, project, {
    name: 'maize_trials.csv',
    fileType: 'PHENOTYPE',
    bytes: Buffer.from(SMALL_PHENOTYPE),
  });
  await addGermplasm(project, [['TRIAL 1'], ['B73', 'Trial-73'], ['Mo17']]);
});
afterAll(() => product.close());

/** Rows of the list of the project's crop: a name, then synonyms. */
async function addGermplasm({ projectId }: Project, lines: readonly (readonly string[])[]): Promise<void> {
  const { db } = product.services;
  const place = await db
    .selectFrom('projects')
    .select(['organization_id', 'crop_id'])
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow();
  const crop_id = place.crop_id ?? '';
  for (const [name = '', ...synonyms] of lines) {
    const id = randomUUID();
    const row = { id, name, folded_name: foldName(name), crop_id, organization_id: place.organization_id };
    await db.insertInto('germplasm').values(row).execute();
    for (const synonym of synonyms)
      await db
        .insertInto('germplasm_synonyms')
        .values({ name: synonym, folded_name: foldName(synonym), crop_id, germplasm_id: id })
        .execute();
  }
}

const search = async (text: string, where = project) => {
  const { body } = await where.owner.call('GET', `${where.address}/search?search=${encodeURIComponent(text)}`);
  return body.data.map(({ kind, name, note }: Record<string, string | null>) => [kind, name, note]);
};

test('what has all words in its name is found, equal names and beginnings first', async () => {
  expect(await search('maize trials')).toEqual([
    ['folder', 'Maize trials', null],
    ['file', 'maize_trials.csv', 'PHENOTYPE'],
    ['folder', 'Trials of maize 2026', null],
  ]);
  expect((await search('trials')).at(0)).toEqual(['folder', 'Trials of maize 2026', null]);
  expect(await search('100%')).toEqual([]);
});

test('germplasm is found by its name however it is written, and by a synonym, which is named', async () => {
  expect(await search('trial_1')).toEqual([['germplasm', 'TRIAL 1', null]]);
  expect(await search('trial 73')).toEqual([['germplasm', 'B73', 'Trial-73']]);
});

test('a trial is found by its name, with its place and season', async () => {
  const layout = { number: [1], row: [1], column: [1], replicate: [1], block: [null], entry: [null], kind: ['FILLER'] };
  const { status, text } = await project.owner.call('POST', `${project.address}/trials`, {
    ...{ name: 'Oats at Kiel', season: '2026', entries: [], places: [{ location_name: 'Kiel', layout }] },
  });
  expect(status, text).toBe(201);
  expect(await search('oats')).toEqual([['trial', 'Oats at Kiel', 'Kiel, 2026']]);
});

test('nothing of another project or organization is found, nor what was deleted', async () => {
  const other = await product.project(await product.person('other'));
  expect(await search('maize', other)).toEqual([]);
  expect(await search('B73', other)).toEqual([]);
  const { status } = await other.owner.call('GET', `${project.address}/search?search=maize`);
  expect(status).toBe(404);
  const { body } = await project.owner.call('GET', `${project.address}/search?search=2026`);
  await project.owner.call('DELETE', `${project.address}/folders/${body.data[0].id}`);
  expect(await search('2026')).toEqual([]);
});

test.each(['', '%20', 'x'.repeat(101)])('a search for "%s" is refused', async (text) => {
  const { status } = await project.owner.call('GET', `${project.address}/search?search=${text}`);
  expect(status).toBe(400);
});
