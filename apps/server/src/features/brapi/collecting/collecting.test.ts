import { expect, test } from 'vitest';
import { type BrapiData, type Entry, startFilled } from '../testing.ts';
import { fileCollected } from './file-collected.handler.ts';

const { product, data, call, list, problemsOf } = await startFilled();

/** The two plots of Hai Duong with what Field Book reads before it goes to the field. */
async function field(): Promise<{ studyDbId: string; units: Entry[]; variable(name: string): Entry }> {
  const study = (await list('/studies')).find((one) => one['locationName'] === 'Hai Duong');
  const studyDbId = study?.['studyDbId'];
  const variables = [...(await list(`/variables?studyDbId=${studyDbId}`)), ...(await list('/variables'))];
  return {
    studyDbId,
    units: await list(`/observationunits?studyDbId=${studyDbId}&observationUnitLevelName=plot`),
    variable: (name) => variables.find((one) => one['observationVariableName'] === name) ?? {},
  };
}

const observation = (unit: Entry | undefined, variable: Entry, value: string, k: number, more: object = {}) => ({
  observationUnitDbId: unit?.['observationUnitDbId'],
  observationVariableDbId: variable['observationVariableDbId'],
  observationVariableName: variable['observationVariableName'],
  studyDbId: unit?.['studyDbId'],
  value,
  collector: 'Hanh',
  observationTimeStamp: `2026-05-01T10:0${k}:00+0700`,
  externalReferences: [{ referenceId: `fb-${k}`, referenceID: `fb-${k}`, referenceSource: 'Field Book Upload' }],
  ...more,
});

const fileOf = (data: BrapiData) => ({ project_id: data.projects[0].projectId, file_id: data.files.trials });

async function settled(id: string): Promise<Entry> {
  for (;;) {
    const { body } = await data.owner.call('GET', `${data.projects[0].address}/files/${id}`);
    if (!['UPLOADED', 'CHECKING'].includes(body.status)) return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('Field Book sends observations, gets them back by its references, and they become a version of the file', async () => {
  const { studyDbId, units, variable } = await field();
  const yielded = variable('Yield');
  const entries = [
    observation(units[0], yielded, '5.75', 1),
    observation(units[1], yielded, '6.5', 2),
    observation(units[1], variable('colour'), 'green', 3),
    observation(units[0], variable('colour'), 'NA', 4),
  ];
  const answer = await call('POST', '/observations', entries);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  expect(problemsOf('post', '/observations', 200, answer.body)).toEqual([]);
  const made: Entry[] = answer.body.result.data;
  expect(made.map(({ value, collector, externalReferences: [reference] }) => [value, collector, reference])).toEqual(
    entries.map(({ value, externalReferences: [reference] }) => [value === 'NA' ? null : value, 'Hanh', reference]),
  );
  expect(made[0]?.['observationTimeStamp']).toBe('2026-05-01T03:01:00.000Z');

  // The same request once more, as after a broken connection, changes nothing.
  const again = await call('POST', '/observations', entries);
  expect(again.body.result.data).toEqual(made);
  const read = await list(`/observations?studyDbId=${studyDbId}`);
  expect(read.filter(({ collector }) => collector === 'Hanh')).toHaveLength(4);
  expect(read).toHaveLength(8);
  const [one] = made;
  expect((await call('GET', `/observations/${one?.['observationDbId']}`)).body.result).toEqual(one);

  await fileCollected(product.services, fileOf(data), 1);
  await fileCollected(product.services, fileOf(data), 1);
  const detail = (await data.owner.call('GET', `${data.projects[0].address}/files/${data.files.trials}`)).body;
  expect(detail.versions.map(({ version, file }: Entry) => [version, file.name])).toEqual([
    [1, 'trials (records, version 1).csv'],
    [0, 'trials.csv'],
  ]);
  const version = await settled(detail.versions[0].file.id);
  expect(version).toMatchObject({ status: expect.stringMatching(/^READY/), row_count: 3 });
  expect(version['created_by_id']).toBe(data.owner.userId);
  const rows = (await data.owner.call('GET', `${data.projects[0].address}/files/${version['id']}/rows`)).body;
  expect(rows.traits).toEqual(['Yield']);
  // The version is no study of its own: its records are in those of the file.
  expect((await list('/studies')).some((study) => study['studyDbId'].startsWith(version['id']))).toBe(false);
  const text = (await product.app.inject({ method: 'GET', url: version['meta'].file_url })).body;
  expect(text.split('\n').slice(0, 3)).toEqual([
    'individual,location,year,treatment,rep,block,row,col,plot,trait,value,timestamp',
    'L1,Hai Duong,2021,wet,1,1,1,1,101,Yield (t/ha)|CO_322:0000994,5.75,2026-05-01T03:01:00.000Z',
    'L1,Hai Duong,2021,wet,1,1,1,1,101,colour_#CAT,red,',
  ]);
});

test('what is wrong in one observation saves none of a request', async () => {
  const { units, variable } = await field();
  const count = async () => (await list('/observations')).length;
  const before = await count();
  const good = observation(units[0], variable('Yield'), '7', 7);
  for (const [bad, reason] of [
    [observation(units[0], variable('Yield'), 'tall', 8), /body\.1: "Yield" takes numbers/],
    [{ ...good, observationUnitDbId: `${data.files.trials}-99` }, /no observation unit/],
    [{ ...good, observationUnitDbId: 'nothing' }, /no observation unit/],
    [{ ...good, observationVariableDbId: 'nothing' }, /no phenotype file of the organization has the variable/],
    [{ ...good, studyDbId: data.files.trials }, /is in another study/],
    [{ ...good, observationTimeStamp: 'yesterday' }, /is no time/],
    [{ ...good, value: 'x'.repeat(1_001) }, /body\.1\.value/],
    [{ ...good, observationTimeStamp: '2026-05-01T10:01:00+0700' }, /PUT \/observations/],
  ] as const) {
    const answer = await call('POST', '/observations', [good, bad]);
    expect([answer.status, answer.headers['content-type']]).toEqual([
      String(reason).includes('PUT') ? 409 : 400,
      'text/plain; charset=utf-8',
    ]);
    expect(answer.text).toMatch(reason);
  }
  expect((await call('POST', '/observations', [])).status).toBe(400);
  expect(await count()).toBe(before);
});

test('PUT changes observations of clients and of the file, which keeps its own', async () => {
  const { studyDbId, units, variable } = await field();
  const all = await list(`/observations?studyDbId=${studyDbId}`);
  const own = all.find(({ collector, value }) => collector === null && value === '6.2') ?? {};
  const written = all.find(({ value }) => value === '5.75') ?? {};
  const answer = await call('PUT', '/observations', {
    [own['observationDbId']]: { value: '6.25' },
    [written['observationDbId']]: { value: 5.8 },
  });
  expect(problemsOf('put', '/observations', 200, answer.body)).toEqual([]);
  expect(answer.body.result.data.map(({ value }: Entry) => value)).toEqual(['6.25', '5.8']);
  const one = await call('PUT', `/observations/${own['observationDbId']}`, { value: '6.3' });
  expect(one.body.result).toMatchObject({
    observationDbId: own['observationDbId'],
    value: '6.3',
    season: own['season'],
  });
  expect(await list(`/observations?studyDbId=${studyDbId}`)).toHaveLength(all.length);
  const missing = await call('PUT', '/observations', { [`${data.files.trials}-999`]: { value: '1' } });
  expect(missing.status).toBe(404);
  const uploaded = (await data.owner.call('GET', `${data.projects[0].address}/files/${data.files.trials}`)).body;
  expect((await product.app.inject({ method: 'GET', url: uploaded.meta.file_url })).body).toContain('wet,6.2,blue');
  // A second observation of a unit without a time collides with that of the file.
  const { observationTimeStamp: _time, ...untimed } = observation(units[0], variable('Yield'), '5.1', 9);
  const same = await call('POST', '/observations', [untimed]);
  expect([same.status, same.body?.result.data[0].observationDbId]).toEqual([200, `${data.files.trials}-0`]);
  expect((await call('POST', '/observations', [{ ...untimed, value: '5.2' }])).status).toBe(409);

  await fileCollected(product.services, fileOf(data), 1);
  const { versions } = (await data.owner.call('GET', `${data.projects[0].address}/files/${data.files.trials}`)).body;
  expect(versions.map(({ version }: Entry) => version)).toEqual([2, 1, 0]);
  expect((await settled(versions[0].file.id))['status']).toMatch(/^READY/);
});

test('new plots take observations, and their names are kept apart', async () => {
  const { studyDbId, units, variable } = await field();
  const unit = {
    ...{ observationUnitName: '103', studyDbId, germplasmDbId: data.germplasm.get('L6') },
    observationUnitPosition: {
      observationLevel: { levelName: 'plot', levelCode: '103' },
      observationLevelRelationships: [{ levelName: 'rep', levelCode: '2' }],
      ...{ positionCoordinateX: '3', positionCoordinateXType: 'GRID_COL' },
    },
    externalReferences: [{ referenceId: 'ix-1', referenceSource: 'Intercross' }],
  };
  const answer = await call('POST', '/observationunits', [unit]);
  expect(problemsOf('post', '/observationunits', 200, answer.body)).toEqual([]);
  const [made] = answer.body.result.data;
  expect(made).toMatchObject({ observationUnitName: '103', germplasmName: 'L6', locationName: 'Hai Duong' });
  expect((await call('POST', '/observationunits', [unit])).body.result.data).toEqual([made]);
  expect(await list(`/observationunits?studyDbId=${studyDbId}`)).toHaveLength(units.length + 1);
  const other = await call('POST', '/observationunits', [{ ...unit, germplasmDbId: data.germplasm.get('L1') }]);
  expect([other.status, other.text]).toEqual([409, expect.stringContaining('PUT /observationunits')]);
  const observed = await call('POST', '/observations', [observation(made, variable('Yield'), '4.4', 1)]);
  expect(observed.body.result.data[0]).toMatchObject({ germplasmName: 'L6', observationUnitName: '103', value: '4.4' });
  const changed = await call('PUT', `/observationunits/${made.observationUnitDbId}`, {
    germplasmName: 'L5',
    germplasmDbId: '',
  });
  expect(changed.body.result).toMatchObject({ germplasmName: 'L5', observationUnitName: '103' });
  // A plot of the file gets another line in it, as when a label was wrong; the file itself stays.
  const [first] = units;
  const relabelled = await call('PUT', '/observationunits', {
    [first?.['observationUnitDbId']]: { germplasmDbId: data.germplasm.get('L4') },
  });
  expect(relabelled.body.result.data[0]).toMatchObject({ germplasmName: 'L4', observationUnitName: '101' });
  expect(relabelled.body.result.data[0].observationUnitPosition).toEqual(first?.['observationUnitPosition']);
});

test('members write, readers do not, and others do not find the study', async () => {
  const { units, variable } = await field();
  const entries = [observation(units[1], variable('Yield'), '9', 5)];
  const outsider = await product.person('outsider');
  expect((await call('POST', '/observations', entries, outsider)).status).toBe(400);
  expect((await call('PUT', '/observations', { [`${data.files.trials}-0`]: { value: '1' } }, outsider)).status).toBe(
    404,
  );
  const member = await product.person('member');
  await product.join(data.projects[0], member, 'MEMBER');
  const readOnly = (members_read_only: boolean) =>
    product.services.db
      .updateTable('projects')
      .set({ members_read_only })
      .where('id', '=', data.projects[0].projectId)
      .execute();
  await readOnly(true);
  const refused = await call('POST', '/observations', entries, member);
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('manager')]);
  await readOnly(false);
  expect((await call('POST', '/observations', entries, member)).status).toBe(200);
});

test('two clients at once keep all that they write', async () => {
  const { units, variable } = await field();
  const sent = Array.from({ length: 8 }, (_, k) =>
    observation(units[0], variable('Yield'), String(10 + k), k, { collector: 'race' }),
  );
  const answers = await Promise.all(
    [...sent, ...sent].map((entry, k) =>
      call('POST', '/observations', [{ ...entry, observationTimeStamp: `2027-05-01T10:0${k % 8}:00Z` }]),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await list('/observations')).filter(({ collector }) => collector === 'race')).toHaveLength(8);
});
