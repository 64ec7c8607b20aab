import type { BinEntry } from '@heterosis/contracts/data/bin';
import { expect, test } from 'vitest';
import { SMALL_PHENOTYPE, SMALL_VCF, settledFile, until } from '../../../testing/product.ts';
import { startProject } from '../../../testing/start-project.ts';

const { product, owner, member, outsider, project } = await startProject();

const bin = async (query = '', person = owner) => (await person.call('GET', `${project.address}/bin${query}`)).body;
const restore = (id: string, person = owner) => person.call('POST', `${project.address}/bin/${id}/restore`);
const upload = (name: string, person = owner) =>
  product.uploadChecked(person, project, { name, fileType: 'PHENOTYPE', bytes: SMALL_PHENOTYPE });
const remove = async (kind: string, id: string) => {
  const answer = await owner.call('DELETE', `${project.address}/${kind}/${id}`);
  expect(answer.status, answer.text).toBe(204);
};

test('what was deleted is listed, the latest first and page by page, and comes back as it was', async () => {
  const first = await upload('first.csv');
  const second = await upload('second.csv');
  await remove('files', first.id);
  await remove('files', second.id);
  const { data, next_cursor } = await bin();
  expect(data.map(({ name, kind }: BinEntry) => [kind, name])).toEqual([
    ['file', 'second.csv'],
    ['file', 'first.csv'],
  ]);
  expect(next_cursor).toBeNull();
  const [{ deleted_at, gone_at }] = data;
  expect(Date.parse(gone_at) - Date.parse(deleted_at)).toBe(30 * 86_400_000);
  const page = await bin('?limit=1');
  expect(page.data).toHaveLength(1);
  expect((await bin(`?limit=1&cursor=${page.next_cursor}`)).data).toMatchObject([{ id: first.id }]);
  const cursor = Buffer.from(JSON.stringify(['9999999-99', first.id])).toString('base64url');
  expect((await owner.call('GET', `${project.address}/bin?cursor=${cursor}`)).status).toBe(400);

  const back = await restore(first.id);
  expect([back.status, back.body]).toEqual([200, { kind: 'file', id: first.id, name: 'first.csv' }]);
  const file = (await owner.call('GET', `${project.address}/files/${first.id}`)).body;
  expect(file).toMatchObject({ status: first.status, sha256: first.sha256, row_count: first.row_count });
  expect((await bin()).data).toMatchObject([{ id: second.id }]);
  // A second restore, and unknown ids, return 404.
  for (const id of [first.id, '01890000-0000-7000-8000-000000000000', 'x'])
    expect((await restore(id)).status).toBe(404);
});

test('a name that was taken meanwhile gets an addition, and a file whose folder has gone comes to the root', async () => {
  const { body: folder } = await owner.call('POST', `${project.address}/folders`, { name: 'Trials' });
  const file = await upload('taken.csv');
  await owner.call('PUT', `${project.address}/files/${file.id}`, { folder_id: folder.id });
  await remove('files', file.id);
  await remove('folders', folder.id);
  await upload('taken.csv');
  expect((await restore(file.id)).body.name).toBe('taken (restored).csv');
  const back = (await owner.call('GET', `${project.address}/files/${file.id}`)).body;
  expect(back).toMatchObject({ name: 'taken (restored).csv', folder_id: null });
});

test('things of one name that come back at the same moment get names of their own', { tags: 'whole' }, async () => {
  for (let round = 0; round < 5; round++) {
    const ids: string[] = [];
    for (let copy = 0; copy < 3; copy++) {
      const file = await product.upload(owner, project, {
        name: `twin ${round}.csv`,
        fileType: 'PHENOTYPE',
        bytes: 'line,Yield\nL1,5\n',
      });
      await remove('files', file.id);
      ids.push(file.id);
    }
    const answers = await Promise.all(ids.map((id) => restore(id)));
    expect(answers.map(({ status, text }) => [status, text])).toEqual(answers.map(({ text }) => [200, text]));
    expect(new Set(answers.map(({ body }) => body.name)).size).toBe(3);
  }
});

test('a crop that is deleted while a project of it is made ends one of the two with a reason', async () => {
  const organization_id = project.organizationId;
  for (let round = 0; round < 10; round++) {
    const crop = (await owner.call('POST', `/organizations/${organization_id}/crops`, { name: `Crop ${round}` })).body;
    const [made, deleted] = await Promise.all([
      owner.call('POST', '/projects', { name: `Of crop ${round}`, organization_id, crop_id: crop.id }),
      owner.call('DELETE', `/organizations/${organization_id}/crops/${crop.id}`),
    ]);
    const ends = [made.status, deleted.status].join();
    expect(['201,409', '422,204', '400,204', '409,204'], `${made.text} ${deleted.text}`).toContain(ends);
  }
});

test('a member restores what he created himself, a manager everything, an outsider sees nothing', async () => {
  const own = await upload('of the member.csv', member);
  const other = await upload('of the owner.csv');
  for (const { id } of [own, other]) await remove('files', id);
  expect((await restore(other.id, member)).status).toBe(403);
  expect((await restore(own.id, member)).status).toBe(200);
  expect((await restore(other.id)).status).toBe(200);
  expect((await outsider.call('GET', `${project.address}/bin`)).status).toBe(404);
  expect((await restore(own.id, outsider)).status).toBe(404);
});

test('a check that was stopped is done again, a run that had not ended says that it was deleted and can be repeated', {
  tags: 'whole',
}, async () => {
  const genotype = await product.uploadChecked(owner, project, {
    name: 'panel.vcf',
    fileType: 'GENOTYPE',
    bytes: SMALL_VCF,
  });
  const phenotype = await upload('for a model.csv');
  await product.stopWorker();
  const unchecked = await product.upload(owner, project, {
    name: 'unchecked.csv',
    fileType: 'PHENOTYPE',
    bytes: SMALL_PHENOTYPE,
  });
  const { body: gwas } = await owner.call('POST', `${project.address}/gwas`, {
    name: 'Deleted under way',
    genotype_id: genotype.id,
    phenotype_id: phenotype.id,
    traits: ['Yield'],
  });
  await remove('files', unchecked.id);
  await remove('gwas', gwas.id);
  expect((await restore(unchecked.id)).status).toBe(200);
  expect((await restore(gwas.id)).status).toBe(200);
  const back = (await owner.call('GET', `${project.address}/gwas/${gwas.id}`)).body;
  expect(back.error_extras.Yield).toMatchObject({
    code: 'runs/cancelled',
    message: expect.stringContaining('deleted'),
  });
  expect((await owner.call('POST', `${project.address}/gwas/${gwas.id}/retry`)).status).toBe(200);
  await product.startWorker();
  expect((await settledFile(owner, project, unchecked.id)).status).toMatch(/^READY/);
  await until(
    async () => (await owner.call('GET', `${project.address}/gwas/${gwas.id}`)).body.status.Yield,
    (status) => status !== 'PROCESSING',
  );
});
