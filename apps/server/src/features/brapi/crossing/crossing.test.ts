import { expect, test } from 'vitest';
import { readObject } from '../../../platform/object-storage/stored-panel.ts';
import { type Entry, startFilled } from '../testing.ts';
import { filePlannedCrosses } from './crosses-planned.handler.ts';

const { product, data, call, list, problemsOf } = await startFilled();

/** Writes, and holds the answer to the specification. */
async function write(method: 'POST' | 'PUT', path: string, body: object): Promise<Entry[]> {
  const { status, body: answer, text } = await call(method, path, body);
  expect(status, text).toBe(200);
  expect(problemsOf(method === 'POST' ? 'post' : 'put', path, 200, answer)).toEqual([]);
  return answer.result.data;
}

const newProject = (crossingProjectName: string): object => ({
  ...{ crossingProjectName, commonCropName: 'Maize', programDbId: data.projects[0].organizationId },
  externalReferences: [{ referenceId: 'ic-1', referenceID: 'ic-1', referenceSource: 'Intercross' }],
});

test('Intercross plans crosses in a project of its own, and a crossing table is made of them', async () => {
  const [project] = await write('POST', '/crossingprojects', [newProject('Season 2026')]);
  const crossingProjectDbId = project?.['crossingProjectDbId'];
  expect(project).toMatchObject({
    ...{ crossingProjectName: 'Season 2026', commonCropName: 'Maize' },
    additionalInfo: { trialDbId: data.projects[0].projectId },
    externalReferences: [{ referenceId: 'ic-1' }],
  });
  const unit = (await list('/observationunits')).find(({ germplasmName }) => germplasmName === 'L3');
  const planned = await write('POST', '/plannedcrosses', [
    {
      ...{ crossingProjectDbId, plannedCrossName: 'P1', crossType: 'BIPARENTAL' },
      // By plants, male first.
      parent1: { parentType: 'MALE', observationUnitDbId: unit?.['observationUnitDbId'] },
      parent2: { parentType: 'FEMALE', germplasmDbId: data.germplasm.get('L1') },
      additionalInfo: { wishMin: '5', wishMax: '12', wishType: 'fruit' },
    },
    { crossingProjectDbId, crossType: 'SELF', parent1: { germplasmName: 'L2', parentType: 'SELF' } },
    { crossingProjectDbId, status: 'SKIPPED', parent1: { germplasmName: 'L1' }, parent2: { germplasmName: 'L2' } },
  ]);
  const shown = ({ plannedCrossName, parent1, parent2, status }: Entry) => [
    plannedCrossName,
    parent1.germplasmName,
    parent2.germplasmName,
    status,
  ];
  expect(planned.map(shown)).toEqual([
    ['P1', 'L1', 'L3', 'TODO'],
    ['L2_X_L2', 'L2', 'L2', 'TODO'],
    ['L1_X_L2', 'L1', 'L2', 'SKIPPED'],
  ]);
  expect(planned[0]?.['additionalInfo']).toMatchObject({ wishMin: '5', wishMax: '12', wishType: 'fruit' });
  expect(planned[1]?.['additionalInfo']).toMatchObject({ wishMin: '1', wishMax: '1' });
  expect(await list(`/plannedcrosses?crossingProjectDbId=${crossingProjectDbId}`)).toEqual(planned);

  const id = planned[0]?.['plannedCrossDbId'];
  const [done] = await write('PUT', '/plannedcrosses', { [id]: { status: 'DONE' } });
  expect(done).toEqual({ ...planned[0], status: 'DONE' });

  const [{ projectId, address }] = data.projects;
  const payload = { project_id: projectId, crossing_project_id: crossingProjectDbId };
  await filePlannedCrosses(product.services, payload, 0);
  // Nothing was planned since.
  await filePlannedCrosses(product.services, payload, 0);
  const rows = await product.services.db.selectFrom('crossing_project_files').selectAll().execute();
  expect(rows).toHaveLength(1);
  let file: Entry = {};
  do {
    await new Promise((resolve) => setTimeout(resolve, 50));
    file = (await data.owner.call('GET', `${address}/files/${rows[0]?.file_id}`)).body;
  } while (['UPLOADED', 'CHECKING'].includes(file['status']));
  expect([file['name'], file['file_type']]).toEqual(['Season 2026 (planned crosses).csv', 'CROSSING_TABLE']);
  expect(file['status'], JSON.stringify(file)).toMatch(/^READY/);
  const { storage_key } = await product.services.db
    .selectFrom('files')
    .select('storage_key')
    .where('id', '=', file['id'])
    .executeTakeFirstOrThrow();
  const stored = await readObject(product.services.storage, storage_key);
  expect(new TextDecoder().decode(stored)).toBe(
    'cross,female,male,type,n\nP1,L1,L3,biparental,12\nL2_X_L2,L2,L2,self,\n',
  );
  // The table is that crossing project, not another one.
  expect(
    (await list('/crossingprojects')).filter(({ crossingProjectName }) => /2026/.test(crossingProjectName)),
  ).toEqual([project]);
});

test('crosses that were made come back with what was noted, of written projects and of tables', async () => {
  const [project] = await write('POST', '/crossingprojects', [newProject('Made')]);
  const table = (await list('/plannedcrosses')).find(({ plannedCrossName }) => plannedCrossName === 'C1');
  const noted = {
    crossName: 'X-001',
    pollinationEvents: [{ pollinationTimeStamp: '2026-05-01T10:00:00Z', pollinationSuccessful: true }],
    crossAttributes: [{ crossAttributeName: 'flowers', crossAttributeValue: '3' }],
  };
  const made = await write('POST', '/crosses', [
    {
      ...{
        ...noted,
        crossingProjectDbId: table?.['crossingProjectDbId'],
        plannedCrossDbId: table?.['plannedCrossDbId'],
      },
      ...{ parent1: table?.['parent1'], parent2: table?.['parent2'] },
    },
    {
      crossingProjectDbId: project?.['crossingProjectDbId'],
      ...{ crossType: 'OPEN_POLLINATED', parent1: { germplasmName: 'L2', parentType: 'FEMALE' } },
    },
  ]);
  expect(made[0]).toMatchObject({
    ...{ ...noted, plannedCrossDbId: table?.['plannedCrossDbId'], crossingProjectName: 'crosses' },
    parent1: { germplasmDbId: data.germplasm.get('L1') },
  });
  expect(made[1]).toMatchObject({ crossType: 'OPEN_POLLINATED', parent2: null, crossingProjectName: 'Made' });
  expect(await list(`/crosses?crossingProjectDbId=${project?.['crossingProjectDbId']}`)).toEqual([made[1]]);
  const id = made[0]?.['crossDbId'];
  const [changed] = await write('PUT', '/crosses', { [id]: { crossName: 'X-002' } });
  expect(changed).toEqual({ ...made[0], crossName: 'X-002' });
});

test('what is wrong in one entry saves none of a request', async () => {
  const before = [await list('/crossingprojects'), await list('/plannedcrosses'), await list('/crosses')];
  const [project] = await list('/crossingprojects?crossingProjectName=Made');
  const crossingProjectDbId = project?.['crossingProjectDbId'];
  const parent1 = { germplasmName: 'L1' };
  const good = { crossingProjectDbId, parent1, parent2: { germplasmName: 'L2' } };
  const [table] = before[0] ?? [];
  for (const [path, body, status, text] of [
    ['/crossingprojects', [{ crossingProjectName: '' }], 400, 'body.0.crossingProjectName'],
    [
      '/crossingprojects',
      [newProject('Good'), { crossingProjectName: 'No crop', commonCropName: 'Oats' }],
      400,
      'no such',
    ],
    ['/crossingprojects', [{ crossingProjectName: 'Both' }], 400, 'several trials fit'],
    ['/plannedcrosses', [good, { ...good, crossingProjectDbId: 'nothing' }], 409, 'body.1'],
    ['/plannedcrosses', [{ ...good, crossingProjectDbId: table?.['crossingProjectDbId'] }], 409, 'cannot be changed'],
    ['/plannedcrosses', [good, { crossingProjectDbId }], 400, 'body.1: parent1 and parent2 are missing'],
    ['/plannedcrosses', [good, { ...good, parent1: { germplasmDbId: data.germplasm.get('X7') } }], 400, 'another crop'],
    ['/plannedcrosses', [good, { ...good, crossType: 'MAGIC' }], 400, 'body.1.crossType'],
    ['/crosses', [good, { ...good, crossingProjectDbId: 'nothing' }], 400, 'no crossing project "nothing"'],
    ['/crosses', [], 400, 'no entries'],
  ] as const) {
    const answer = await call('POST', path, body);
    expect([answer.status, answer.text], JSON.stringify(body)).toEqual([status, expect.stringContaining(text)]);
  }
  expect((await call('PUT', '/crosses', { nothing: { crossName: 'x' } })).status).toBe(404);
  expect([await list('/crossingprojects'), await list('/plannedcrosses'), await list('/crosses')]).toEqual(before);
});

test('members write, those who only read do not, and others find nothing', async () => {
  const [project] = await list('/crossingprojects?crossingProjectName=Made');
  const crossingProjectDbId = project?.['crossingProjectDbId'];
  const plan = [{ crossingProjectDbId, parent1: { germplasmName: 'L1' }, parent2: { germplasmName: 'L2' } }];
  const stranger = await product.person('crossing-stranger');
  expect((await call('GET', `/crossingprojects/${crossingProjectDbId}`, undefined, stranger)).status).toBe(404);
  expect(
    (await call('PUT', `/crossingprojects/${crossingProjectDbId}`, { crossingProjectName: 'Mine' }, stranger)).status,
  ).toBe(404);
  expect((await call('POST', '/plannedcrosses', plan, stranger)).status).toBe(409);
  const token = await data.owner.call('POST', '/access_tokens', { name: 'R', scopes: ['read'], expires_in_days: 1 });
  expect((await call('POST', '/plannedcrosses', plan, { token: token.body.token })).status).toBe(403);
  const member = await product.person('crossing-member');
  await product.join(data.projects[0], member, 'MEMBER');
  expect((await call('POST', '/plannedcrosses', plan, member)).status).toBe(200);
  const renamed = await call(
    'PUT',
    `/crossingprojects/${crossingProjectDbId}`,
    { crossingProjectName: 'Renamed' },
    member,
  );
  expect(renamed.body.result).toEqual({ ...project, crossingProjectName: 'Renamed' });
  expect(problemsOf('put', '/crossingprojects/{crossingProjectDbId}', 200, renamed.body)).toEqual([]);
});
