import { beforeAll, expect, test } from 'vitest';
import { JPEG_2X1 } from '../../../platform/images/read-image.test-data.ts';
import type { Answer } from '../../../testing/product.ts';
import { type Entry, startFilled } from '../testing.ts';

// What Field Book does, in its order: it finds the trial, its plots and traits, and sends what was observed.

const { product, data, call, list, problemsOf } = await startFilled();
let address: string;

beforeAll(async () => {
  const { owner, projects } = data;
  const [project] = projects;
  const traits = [
    { name: 'Vigour', direction: 'higher', unit: null, weight: 1, scale: { kind: 'integer', min: 1, max: 9 } },
    { name: 'Moisture', direction: 'higher', unit: '%', weight: 1, scale: { kind: 'numeric', min: 0, max: 100 } },
  ];
  expect((await owner.call('PUT', `${project.address}/traits`, { traits })).status).toBe(200);
  const layout = {
    ...{ number: [101, 102, 103, 104], row: [1, 1, 2, 2], column: [1, 2, 2, 1], replicate: [1, 1, 2, null] },
    ...{ block: [1, 1, 2, null], entry: [0, 1, 0, null], kind: ['ENTRY', 'CHECK', 'ENTRY', 'FILLER'] },
  };
  const made = await owner.call('POST', `${project.address}/trials`, {
    ...{ name: 'Spring trial', season: '2026', entries: ['L1', 'L2'], traits: ['Vigour', 'Moisture'] },
    ...{ design: { request: { design: 'rcbd' }, seed: 1, engine_version: '1' }, plot_name: 'N-{plot}' },
    places: [{ location_name: 'North', layout }],
  });
  expect(made.status, made.text).toBe(201);
  address = `${project.address}/trials/${made.body.data[0].id}`;
  await owner.call('PUT', address, { state: 'SOWN', sown_on: '2026-03-20' });
});

/** What Field Book reads before it goes to the field. */
async function field(): Promise<{ study: Entry; units: Entry[]; variable(name: string): Entry }> {
  const study = (await list('/studies')).find(({ studyName }) => studyName === 'Spring trial') ?? {};
  const of = `studyDbId=${study['studyDbId']}`;
  const variables = await list(`/variables?${of}`);
  return {
    study,
    units: await list(`/observationunits?${of}&observationUnitLevelName=plot`),
    variable: (name) => variables.find((one) => one['observationVariableName'] === name) ?? {},
  };
}

const observation = (unit: Entry | undefined, variable: Entry, value: string, more: object = {}) => ({
  observationUnitDbId: unit?.['observationUnitDbId'],
  observationVariableDbId: variable['observationVariableDbId'],
  studyDbId: unit?.['studyDbId'],
  ...{ value, collector: 'Hanh', observationTimeStamp: '2026-05-01T10:00:00+0700' },
  ...more,
});

test('the trial, its plots in order and its traits with limits are there before the first value', async () => {
  const { study, units, variable } = await field();
  expect(study).toMatchObject({
    ...{ studyType: 'Phenotyping', locationName: 'North', active: true, startDate: '2026-03-20T00:00:00.000Z' },
    experimentalDesign: { description: 'rcbd' },
  });
  const one = await call('GET', `/studies/${study['studyDbId']}`);
  expect(problemsOf('get', '/studies/{studyDbId}', 200, one.body)).toEqual([]);
  expect(
    units.map(({ observationUnitName, germplasmName, observationUnitPosition: at }) => [
      ...[observationUnitName, germplasmName, at.entryType, at.positionCoordinateY, at.positionCoordinateX],
      at.observationLevelRelationships.map(({ levelName, levelCode }: Entry) => `${levelName} ${levelCode}`).join(),
    ]),
  ).toEqual([
    ['N-101', 'L1', 'TEST', '1', '1', 'rep 1,block 1,plot N-101'],
    ['N-102', 'L2', 'CHECK', '1', '2', 'rep 1,block 1,plot N-102'],
    ['N-103', 'L1', 'TEST', '2', '2', 'rep 2,block 2,plot N-103'],
  ]);
  expect(variable('Vigour')['scale'].validValues).toMatchObject({ minimumValue: '1', maximumValue: '9' });
  expect(variable('Moisture')['scale'].units).toBe('%');
  const germplasmDbId = data.germplasm.get('L2');
  expect((await list(`/studies?germplasmDbId=${germplasmDbId}`)).map(({ studyName }) => studyName)).toContain(
    'Spring trial',
  );
});

test('the codes of labels and the field book name plots by the ids that clients have', async () => {
  const { study, units } = await field();
  const trials = (await data.owner.call('GET', `${data.projects[0].address}/trials`)).body.data;
  const trial = trials.find(({ name }: { name: string }) => name === 'Spring trial');
  expect(study['studyDbId']).toBe(trial.id);
  const { body } = await product.app.inject({
    url: `${data.projects[0].address}/trials/${trial.id}/field-book?format=csv`,
    headers: { authorization: `Bearer ${data.owner.token}` },
  });
  const [, ...rows] = body.trimEnd().split('\n');
  expect(rows.map((row) => row.split(',').slice(0, 3).join())).toEqual(
    units.map(({ observationUnitDbId: id, observationUnitName: name }) => `${id},${name.split('-')[1]},${name}`),
  );
});

test('values come back by their ids, twice sent once stored, and what was corrected keeps its former value', async () => {
  const { units, variable } = await field();
  const entries = [
    observation(units[0], variable('Vigour'), '7', {
      externalReferences: [{ referenceId: 'a', referenceSource: 'FB' }],
    }),
    observation(units[1], variable('Moisture'), '14.50'),
    // Some clients send no time.
    observation(units[2], variable('Vigour'), '5', { observationTimeStamp: null }),
  ];
  const made = await call('POST', '/observations', entries);
  expect([made.status, made.text]).toEqual([200, expect.any(String)]);
  expect(problemsOf('post', '/observations', 200, made.body)).toEqual([]);
  const sent: Entry[] = made.body.result.data;
  expect(sent.map(({ value, collector }) => [value, collector])).toEqual([
    ['7', 'Hanh'],
    ['14.5', 'Hanh'],
    ['5', 'Hanh'],
  ]);
  expect(sent[0]?.['externalReferences']).toEqual([{ referenceId: 'a', referenceSource: 'FB' }]);
  const again = await call('POST', '/observations', entries);
  const ids = (answer: Answer) => answer.body.result.data.map((one: Entry) => one['observationDbId']);
  expect(ids(again)).toEqual(ids(made));
  expect((await data.owner.call('GET', address)).body.collected).toBe(3);

  const id = sent[0]?.['observationDbId'];
  const changed = await call('PUT', '/observations', { [id]: { value: '8' } });
  expect([changed.status, changed.text]).toEqual([200, expect.any(String)]);
  expect(changed.body.result.data.map((one: Entry) => one['value'])).toEqual(['8']);
  const history = (await data.owner.call('GET', `${address}/plots/101/observations`)).body.data;
  expect(history.map((one: Entry) => [one['value'], one['is_current'], one['origin']]).sort()).toEqual([
    ['7', false, 'BRAPI'],
    ['8', true, 'BRAPI'],
  ]);
});

test('a value beyond its limits is refused with plot and trait, and saves nothing of its request', async () => {
  const { units, variable } = await field();
  const answer = await call('POST', '/observations', [
    observation(units[1], variable('Vigour'), '6'),
    observation(units[2], variable('Vigour'), '12'),
  ]);
  expect(answer.status).toBe(422);
  expect(answer.text).toContain('"Vigour" on plot 103: 12 is above the upper limit 9.');
  expect((await data.owner.call('GET', `${address}/plots/102/observations`)).body.data).toHaveLength(1);
});

test('another tablet with another value of the same plot is a question in the application', async () => {
  const { units, variable } = await field();
  const other = observation(units[1], variable('Moisture'), '19', { collector: 'Minh' });
  expect((await call('POST', '/observations', [other])).status).toBe(200);
  const { total, data: open } = (await data.owner.call('GET', `${address}/conflicts`)).body;
  expect([total, open[0].plot, open[0].observations.map(({ value }: Entry) => value).sort()]).toEqual([
    ...[1, 102],
    ['14.5', '19'],
  ]);
  const settled = await data.owner.call('POST', `${address}/conflicts/settle`, { keep: [open[0].observations[0].id] });
  expect(settled.body).toEqual({ changed: 1 });
  // Analyses rest on what is left, and BrAPI does not serve the frozen file beside the trial.
  expect((await data.owner.call('POST', `${address}/freeze`)).status).toBe(201);
  expect((await list('/studies')).filter(({ studyName }) => studyName.startsWith('Spring trial'))).toHaveLength(1);
});

// From here no step is made in the application: the trial is designed, sown and scored by BrAPI alone.

const unit = (study: string, name: string, line: string, [row, column]: [number, number], more: Entry = {}) => ({
  ...{ observationUnitName: name, studyDbId: study, germplasmName: line },
  observationUnitPosition: {
    observationLevel: { levelName: 'plot', levelCode: name.slice(-3) },
    observationLevelRelationships: [
      { levelName: 'rep', levelCode: String(row) },
      { levelName: 'block', levelCode: String(row) },
    ],
    ...{ positionCoordinateX: String(column), positionCoordinateXType: 'GRID_COL' },
    ...{ positionCoordinateY: String(row), positionCoordinateYType: 'GRID_ROW' },
    ...more,
  },
});

const NEW_STUDY = {
  ...{ studyName: 'By Field Book', studyType: 'Phenotyping', locationName: 'West', seasons: ['2027'] },
  ...{ startDate: '2027-03-20T00:00:00Z', studyDescription: 'Two lines twice', weather: 'fair' },
  experimentalDesign: { PUI: 'CO_715:0000145', description: 'Randomized complete blocks' },
  additionalInfo: { plan: 'A7' },
  externalReferences: [{ referenceId: 's1', referenceSource: 'Planner' }],
};

/** Makes a study in the first project, and answers its id. */
async function newStudy(more: object = {}): Promise<Answer> {
  return await call('POST', '/studies', [{ ...NEW_STUDY, trialDbId: data.projects[0].projectId, ...more }]);
}

const idOfStudy = async (name: string): Promise<string> =>
  (await list('/studies')).find(({ studyName }) => studyName === name)?.['studyDbId'];

test('a study that a client makes is a draft of a trial with what it said, and no plots', async () => {
  const variables = await list('/variables');
  const ids = ['Moisture', 'Vigour'].map(
    (name) => variables.find((one) => one['observationVariableName'] === name)?.['observationVariableDbId'],
  );
  const made = await newStudy({ observationVariableDbIds: ids });
  expect([made.status, made.text]).toEqual([200, expect.any(String)]);
  expect(problemsOf('post', '/studies', 200, made.body)).toEqual([]);
  expect(made.body.metadata.status.map(({ message }: Entry) => message)).toEqual([
    '"weather" is not known here and was ignored.',
  ]);
  const [study] = made.body.result.data;
  expect(study).toMatchObject({
    ...{ studyName: 'By Field Book', locationName: 'West', seasons: ['2027'], studyDescription: 'Two lines twice' },
    ...{ startDate: '2027-03-20T00:00:00.000Z', endDate: null, active: true, observationVariableDbIds: ids },
    experimentalDesign: NEW_STUDY.experimentalDesign,
    externalReferences: NEW_STUDY.externalReferences,
    additionalInfo: { plan: 'A7' },
  });
  const trial = (await data.owner.call('GET', `${data.projects[0].address}/trials/${study.studyDbId}`)).body;
  expect(trial).toMatchObject({ state: 'DRAFT', plots: 0, sown_on: '2027-03-20', traits: ['Moisture', 'Vigour'] });
  const sown = await data.owner.call('PUT', `${data.projects[0].address}/trials/${study.studyDbId}`, { state: 'SOWN' });
  expect([sown.status, sown.body.code]).toEqual([422, 'trials/no-plots']);
  expect(await list(`/observationunits?studyDbId=${study.studyDbId}`)).toEqual([]);
});

test('what a trial cannot hold is refused with a sentence, and makes no study of its request', async () => {
  const before = (await list('/studies')).length;
  const { projectId: trialDbId } = data.projects[0];
  for (const [wrong, reason] of [
    [{ locationName: '' }, 'body.1: a trial needs a place'],
    [{ locationDbId: 'nowhere' }, 'body.1.locationDbId: there is no place "nowhere"'],
    [{ seasons: ['2026', '2027'] }, 'body.1.seasons: a trial has one season, and 2 are given'],
    [{ seasons: [], startDate: null }, 'body.1: a trial needs a season'],
    [{ startDate: '2027-02-31' }, '"2027-02-31" is no date'],
    [{ studyType: 'Genotyping' }, 'body.1.studyType: a trial is of the type "Phenotyping"'],
    [{ license: 'CC-BY' }, 'body.1.license: a trial has no place for it'],
    [
      { additionalInfo: Object.fromEntries(Array.from({ length: 101 }, (_, k) => [`field${k}`, 'x'])) },
      'body.1.additionalInfo: has more than 100 properties',
    ],
    [{ active: false }, 'body.1: a trial begins as a draft'],
    [{ observationVariableDbIds: ['none'] }, 'lack the variable "none"'],
    [{ studyName: 'by field book' }, 'has a trial "by field book" already'],
    [{ trialDbId: data.owner.userId }, 'body.1: there is no such program and crop'],
    [{ studyName: '' }, 'body.1.studyName'],
  ] as const) {
    const bad = { ...NEW_STUDY, trialDbId, studyName: 'Bad', ...wrong };
    const answer = await call('POST', '/studies', [{ ...NEW_STUDY, trialDbId, studyName: 'Good' }, bad]);
    expect(answer.status, reason).toBeGreaterThanOrEqual(400);
    expect(answer.status, answer.text).toBeLessThan(500);
    expect(answer.text).toContain(reason);
    expect((await list('/studies')).length, reason).toBe(before);
  }
});

test('plots are laid out by their positions, in several requests that may come twice', async () => {
  const study = await idOfStudy('By Field Book');
  const first = [
    { ...unit(study, 'W-201', 'L1', [1, 1]), additionalInfo: { seed: 'bag 4' } },
    unit(study, 'W-202', 'L2', [1, 2], { entryType: 'CHECK' }),
  ];
  const made = await call('POST', '/observationunits', first);
  expect([made.status, made.text]).toEqual([200, expect.any(String)]);
  expect(problemsOf('post', '/observationunits', 200, made.body)).toEqual([]);
  const second = [
    { ...unit(study, 'W-204', 'Line Two', [2, 1]), treatments: [{ factor: 'nitrogen', modality: '40 kg/ha' }] },
    {
      ...unit(study, 'W-203', '', [2, 2]),
      germplasmDbId: data.germplasm.get('L1'),
      externalReferences: [{ referenceId: 'p', referenceSource: 'FB' }],
    },
  ];
  const more = await call('POST', '/observationunits', second);
  expect([more.status, more.text]).toEqual([200, expect.any(String)]);
  expect((await call('POST', '/observationunits', first)).body.result.data).toEqual(made.body.result.data);
  const units = await list(`/observationunits?studyDbId=${study}`);
  expect(
    units.map(({ observationUnitName, germplasmName, observationUnitPosition: at, treatments: [treatment] }) => [
      ...[observationUnitName, germplasmName, at.entryType, at.positionCoordinateY, at.positionCoordinateX],
      ...[at.observationLevelRelationships.length, treatment?.factor, treatment?.modality],
    ]),
  ).toEqual([
    ['W-201', 'L1', 'TEST', '1', '1', 3, undefined, undefined],
    ['W-202', 'L2', 'CHECK', '1', '2', 3, undefined, undefined],
    ['W-203', 'L1', 'TEST', '2', '2', 3, undefined, undefined],
    ['W-204', 'L2', 'TEST', '2', '1', 3, 'nitrogen', '40 kg/ha'],
  ]);
  expect(units[0]?.['additionalInfo'].seed).toBe('bag 4');
  expect(units[2]?.['externalReferences']).toEqual([{ referenceId: 'p', referenceSource: 'FB' }]);
  // A swap moves a line with its treatment and what that is a level of; what is said of the plot stays with it.
  const swaps = `${data.projects[0].address}/trials/${study}/swaps`;
  const swap = await data.owner.call('POST', swaps, { plots: [201, 204] });
  expect(swap.status, swap.text).toBe(201);
  const swapped = await list(`/observationunits?studyDbId=${study}`);
  expect(swapped.map(({ treatments: [treatment] }) => treatment)).toEqual([
    { factor: 'nitrogen', modality: '40 kg/ha' },
    ...[undefined, undefined, undefined],
  ]);
  expect(swapped[0]).toMatchObject({ germplasmName: 'L2', additionalInfo: { seed: 'bag 4' } });
  expect((await data.owner.call('POST', swaps, { undoes: swap.body.id })).status).toBe(201);
  expect(await list(`/observationunits?studyDbId=${study}`)).toEqual(units);
  // The answer names plots in the order of the request.
  expect(more.body.result.data.map((one: Entry) => one['observationUnitName'])).toEqual(['W-204', 'W-203']);
  const trial = (await data.owner.call('GET', `${data.projects[0].address}/trials/${study}`)).body;
  expect(trial).toMatchObject({ plots: 4, entries: 2, expected: 8, thumbnail: { rows: 2, columns: 2, kinds: 'ecee' } });
  const { number } = (await data.owner.call('GET', `${data.projects[0].address}/trials/${study}/plots`)).body;
  expect(number).toEqual([201, 202, 203, 204]);
});

test('a plot that cannot be is refused with a sentence, and lays out none of its request', async () => {
  const study = await idOfStudy('By Field Book');
  const before = await list(`/observationunits?studyDbId=${study}`);
  const good = unit(study, 'W-205', 'L1', [3, 1]);
  for (const [wrong, reason] of [
    [unit(study, 'W-206', 'nobody', [3, 2]), 'lacks 1 of the entries: "nobody"'],
    [{ ...unit(study, 'W-206', '', [3, 2]), germplasmDbId: study }, `body.1: there is no germplasm "${study}"`],
    [unit(study, 'W-206', 'L1', [3, 1]), 'Plots 205 and 206 both lie in row 3, column 1.'],
    [unit(study, 'W-206', 'L1', [1, 2]), 'Plots 202 and 206 both lie in row 1, column 2.'],
    [unit(study, 'W-206', 'L1', [0, 2]), 'body.1: the row "0" of "W-206" is no whole number from 1 to 10000.'],
    [unit(study, 'W-206', 'L1', [10_001, 2]), 'the row "10001" of "W-206" is no whole number'],
    [unit(study, 'X-205', 'L1', [3, 2]), 'Two plots have the number 205.'],
    [unit(study, 'W-203', 'L2', [3, 2]), 'has a plot "W-203" already, with "L1" in it'],
    [unit(study, 'W-101', 'L1', [3, 2]), 'plot 101 would come before plot 204'],
    [unit(study, 'W-206', 'L1', [3, 2], { entryType: 'FILLER' }), '"W-206" is a filler'],
    [unit(study, 'W-206', 'L1', [3, 2], { positionCoordinateY: '' }), 'Plot 206 has a row or a column, but not both.'],
    [unit(study, 'W-206', 'L1', [3, 2], { positionCoordinateXType: 'LONGITUDE' }), 'is no row and column'],
    [
      unit(study, 'W-206', 'L1', [3, 2], { observationLevelRelationships: [{ levelName: 'block', levelCode: 'A' }] }),
      'the block "A" of "W-206" is no whole number',
    ],
    [{ ...good, observationUnitName: 'W-206', studyDbId: 'none' }, 'there is no study "none"'],
    [
      { ...unit(study, 'W-206', 'L1', [3, 2]), treatments: [{ modality: 'a' }, { modality: 'b' }] },
      'has 2 treatments, and a plot of a trial has one',
    ],
    [{ ...unit(study, 'W-206', 'L1', [3, 2]), seedLotDbId: 's' }, 'has no place for seedLotDbId'],
  ] as const) {
    const answer = await call('POST', '/observationunits', [good, wrong]);
    expect(answer.status, reason).toBeGreaterThanOrEqual(400);
    expect(answer.status, answer.text).toBeLessThan(500);
    expect(answer.text).toContain(reason);
    expect(answer.text).toContain('Nothing was saved');
    expect(await list(`/observationunits?studyDbId=${study}`), reason).toEqual(before);
  }
});

test('two clients that lay out one trial at once both keep their plots, and of one place only one gets it', async () => {
  const study = (await newStudy({ studyName: 'Twice at once' })).body.result.data[0].studyDbId;
  const halves = [1, 2].map((row) =>
    Array.from({ length: 20 }, (_, k) =>
      unit(study, `H${row}-${1000 + k}`, 'L1', [row, k + 1], { observationLevel: null }),
    ),
  );
  const answers = await Promise.all(halves.map((half) => call('POST', '/observationunits', half)));
  expect(answers.map(({ status, text }) => [status, text])).toEqual([
    [200, expect.any(String)],
    [200, expect.any(String)],
  ]);
  const units = await list(`/observationunits?studyDbId=${study}`);
  expect(new Set(units.map((one) => one['observationUnitDbId'])).size).toBe(40);
  for (const { body } of answers)
    for (const told of body.result.data as Entry[])
      expect(units.find((one) => one['observationUnitDbId'] === told['observationUnitDbId'])).toEqual(told);
  const rivals = ['A-3000', 'B-3001'].map((name) =>
    call('POST', '/observationunits', [unit(study, name, 'L1', [9, 9], { observationLevel: null })]),
  );
  expect((await Promise.all(rivals)).map(({ status }) => status).sort()).toEqual([200, 422]);
});

test('plots of a draft change all at once, and after sowing only what clients say besides', async () => {
  const study = await idOfStudy('By Field Book');
  const [one, two] = await list(`/observationunits?studyDbId=${study}`);
  const exchanged = await call('PUT', '/observationunits', {
    [one?.['observationUnitDbId']]: { observationUnitPosition: two?.['observationUnitPosition'] },
    [two?.['observationUnitDbId']]: { observationUnitPosition: one?.['observationUnitPosition'], germplasmName: 'L1' },
  });
  expect([exchanged.status, exchanged.text]).toEqual([200, expect.any(String)]);
  expect(problemsOf('put', '/observationunits', 200, exchanged.body)).toEqual([]);
  const [changed, other] = await list(`/observationunits?studyDbId=${study}`);
  expect([changed, other].map((now) => [now?.['germplasmName'], now?.['observationUnitPosition'].entryType])).toEqual([
    ['L1', 'CHECK'],
    ['L1', 'TEST'],
  ]);
  expect(changed?.['additionalInfo'].seed).toBe('bag 4');

  // What we say of a plot is not kept as said by the client that sends it back.
  const read = `/observationunits/${other?.['observationUnitDbId']}`;
  expect((await call('PUT', read, other)).body.result).toEqual(other);
  const at = { ...other?.['observationUnitPosition'], observationLevelRelationships: [] };
  const unblocked = await call('PUT', read, { observationUnitPosition: at });
  expect([unblocked.status, unblocked.body?.result.additionalInfo.block]).toEqual([200, undefined]);

  const trial = `${data.projects[0].address}/trials/${study}`;
  expect((await data.owner.call('PUT', trial, { state: 'SOWN' })).status).toBe(200);
  const id = changed?.['observationUnitDbId'];
  const late = await call('PUT', `/observationunits/${id}`, { germplasmName: 'L2' });
  expect([late.status, late.text]).toEqual([409, expect.stringContaining('"By Field Book" is SOWN, so its layout is')]);
  const added = await call('POST', '/observationunits', [unit(study, 'W-209', 'L1', [4, 1])]);
  expect(added.status).toBe(409);
  const said = await call('PUT', `/observationunits/${id}`, { additionalInfo: { note: 'lodged' } });
  expect([said.status, said.body?.result.additionalInfo.note]).toEqual([200, 'lodged']);
  // What was read may be sent back as it is.
  const back = await call('PUT', `/observationunits/${id}`, said.body.result);
  expect(back.body.result).toEqual(said.body.result);
});

test('values of the trial that a client laid out are scored, and it is closed by the client', async () => {
  const study = await idOfStudy('By Field Book');
  const units = await list(`/observationunits?studyDbId=${study}`);
  const variables = await list(`/variables?studyDbId=${study}`);
  expect(variables.map((one) => one['observationVariableName'])).toEqual(['Moisture', 'Vigour']);
  const scored = await call(
    'POST',
    '/observations',
    units.map((one, k) => observation(one, variables[1] ?? {}, String(k + 3))),
  );
  expect([scored.status, scored.text]).toEqual([200, expect.any(String)]);
  const trial = `${data.projects[0].address}/trials/${study}`;
  expect((await data.owner.call('GET', trial)).body.collected).toBe(4);
  const plot = (await data.owner.call('GET', `${trial}/plots/203/observations`)).body.data;
  expect(plot.map(({ value }: Entry) => value)).toEqual(['5']);

  const read = (await call('GET', `/studies/${study}`)).body.result;
  const ended = { ...read, endDate: '2027-08-01T00:00:00Z', seasons: ['2027 spring'], active: false };
  const closed = await call('PUT', `/studies/${study}`, ended);
  expect([closed.status, closed.text]).toEqual([200, expect.any(String)]);
  expect(problemsOf('put', '/studies/{studyDbId}', 200, closed.body)).toEqual([]);
  expect(closed.body.result).toMatchObject({ active: false, endDate: '2027-08-01T00:00:00.000Z' });
  expect((await data.owner.call('GET', trial)).body).toMatchObject({
    ...{ state: 'CLOSED', harvested_on: '2027-08-01', season: '2027 spring' },
  });
  const late = await call('PUT', `/studies/${study}`, { studyName: 'Other' });
  expect([late.status, late.text]).toEqual([409, expect.stringContaining('is closed. Reopen it')]);
  const ofFile = (await list('/studies')).find(({ studyName }) => studyName.startsWith('trials ·'));
  const file = await call('PUT', `/studies/${ofFile?.['studyDbId']}`, { studyName: 'Other' });
  expect([file.status, file.text]).toEqual([400, expect.stringContaining('this study is a phenotype file')]);
});

test('a place has the coordinates of its trials, and a client sets them for all that are open', async () => {
  const inWest = await newStudy({ studyName: 'Also in the west' });
  expect([inWest.status, inWest.text]).toEqual([200, expect.any(String)]);
  const [{ locationDbId: id, studyDbId }] = inWest.body.result.data;
  expect((await call('GET', `/locations/${id}`)).body.result).toMatchObject({
    locationName: 'West',
    coordinates: null,
  });
  const point = (...coordinates: number[]) => ({ type: 'Feature', geometry: { type: 'Point', coordinates } });
  for (const [body, reason] of [
    [{ coordinates: point(16, 200) }, 'in this order: longitude, latitude'],
    [{ coordinates: { type: 'Feature', geometry: { type: 'Polygon', coordinates: [] } } }, 'only a point is kept'],
    [{ coordinates: point(16) }, '[longitude, latitude]'],
    [{ locationName: 'Far west' }, 'a place is called as its trials call it'],
    [{ countryCode: 'VNM' }, 'body.countryCode: a place has its name and its coordinates'],
  ] as const) {
    const answer = await call('PUT', `/locations/${id}`, body);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(reason)]);
  }
  const set = await call('PUT', `/locations/${id}`, { locationName: 'West', coordinates: point(105.85, 21.03, 12) });
  expect([set.status, set.text]).toEqual([200, expect.any(String)]);
  expect(problemsOf('put', '/locations/{locationDbId}', 200, set.body)).toEqual([]);
  expect(set.body.metadata.status.map(({ message }: Entry) => message)).toEqual([
    'A place has no height here, and the third coordinate was left out.',
    '1 of the trials at "West" are closed or not yours to change, and keep what they say.',
  ]);
  expect(set.body.result.coordinates).toEqual(point(105.85, 21.03));
  const trial = await data.owner.call('GET', `${data.projects[0].address}/trials/${studyDbId}`);
  expect(trial.body).toMatchObject({ longitude: 105.85, latitude: 21.03 });
  // Hanoi without its north, and a field in it.
  const within = async (...rings: [number, number][][]) => {
    const area = { type: 'Feature', geometry: { type: 'Polygon', coordinates: rings } };
    const { searchResultsDbId } = (await call('POST', '/search/locations', { coordinates: area })).body.result;
    return (await list(`/search/locations/${searchResultsDbId}`)).map((one) => one['locationName']);
  };
  const square = (west: number, south: number, east: number, north: number): [number, number][] => [
    ...([
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ] as [number, number][]),
  ];
  expect(await within(square(105, 20, 106, 22))).toEqual(['West']);
  expect(await within(square(105, 21.5, 106, 22))).toEqual([]);
  expect(await within(square(106, 20, 107, 22))).toEqual([]);
  expect(await within(square(105, 20, 106, 22), square(105.8, 21, 105.9, 21.1))).toEqual([]);
  // A further trial at the place is where the place is; another name is another place.
  const further = (await newStudy({ studyName: 'Third', locationName: '', locationDbId: id })).body.result.data[0];
  const third = await data.owner.call('GET', `${data.projects[0].address}/trials/${further.studyDbId}`);
  expect(third.body).toMatchObject({ location_name: 'West', longitude: 105.85 });
  // The newest trial may not say where it is.
  const unplaced = { latitude: null, longitude: null };
  await data.owner.call('PUT', `${data.projects[0].address}/trials/${further.studyDbId}`, unplaced);
  expect((await call('GET', `/locations/${id}`)).body.result.coordinates).toEqual(point(105.85, 21.03));
  const moved = await call('PUT', `/studies/${further.studyDbId}`, { locationName: 'East', seasons: ['2028'] });
  expect(moved.body.result).toMatchObject({ locationName: 'East', seasons: ['2028'] });
  const east = (await call('GET', `/locations/${moved.body.result.locationDbId}`)).body.result;
  expect(east.coordinates).toBeNull();
  expect((await list('/seasons')).map(({ seasonName }) => seasonName)).toContain('2028');
  const stranger = await product.person('elsewhere');
  expect((await call('PUT', `/locations/${id}`, { coordinates: null }, stranger)).status).toBe(404);
  const ofFile = (await list('/locations')).find(({ locationName }) => locationName === 'Hue');
  const onlyFiles = await call('PUT', `/locations/${ofFile?.['locationDbId']}`, { coordinates: point(1, 2) });
  expect([onlyFiles.status, onlyFiles.text]).toEqual([
    400,
    expect.stringContaining('no trial is at "Hue", only files'),
  ]);
});

test('seasons and places are made known before a study is in them, each once, and taken by studies', async () => {
  const { organizationId } = data.projects[0];
  const named = (entries: Entry[]) => entries.map(({ seasonName, year }) => [seasonName, year]);
  const given = [
    { seasonName: 'Spring', year: 2031, seasonDbId: 'theirs' },
    { seasonName: '2032', year: 2032 },
    { year: 2033 },
    { seasonName: 'PlantingTime_3' },
    { seasonName: 'Spring', year: 2031 },
  ];
  const made = await call('POST', '/seasons', given);
  expect([made.status, made.text]).toEqual([200, expect.any(String)]);
  expect(problemsOf('post', '/seasons', 200, made.body)).toEqual([]);
  const seasons = made.body.result.data;
  expect(named(seasons)).toEqual([
    ...[
      ['Spring', 2031],
      ['2032', 2032],
      ['2033', 2033],
      ['PlantingTime_3', null],
    ],
    ['Spring', 2031],
  ]);
  expect(made.body.metadata.status[0].message).toContain('got ids of this server');
  expect(named(await list('/seasons?year=2031'))).toEqual([['Spring', 2031]]);
  expect((await call('GET', `/seasons/${seasons[0].seasonDbId}`)).body.result).toEqual(seasons[0]);
  for (const [season, reason] of [
    [{}, 'body.1: a season needs a seasonName, a year, or both'],
    [{ seasonName: 'Spring 2030', year: 2029 }, 'body.1: the seasonName "Spring 2030" has another year than 2029'],
    [{ seasonName: 'S'.repeat(50), year: 2030 }, 'body.1: a season with its year has at most 50 characters'],
  ] as const) {
    const answer = await call('POST', '/seasons', [{ year: 2030 }, season]);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(reason)]);
  }
  expect(await list('/seasons?year=2030')).toEqual([]);

  const coordinates = { type: 'Feature', geometry: { type: 'Point', coordinates: [10.13, 54.32] } };
  const additionalInfo = { programDbId: organizationId };
  const placed = await call('POST', '/locations', [
    { locationName: 'Kiel', coordinates, additionalInfo },
    { locationName: 'kiel', additionalInfo },
    { locationName: 'Plön', locationType: 'Field', additionalInfo },
  ]);
  expect([placed.status, placed.text]).toEqual([200, expect.any(String)]);
  expect(problemsOf('post', '/locations', 200, placed.body)).toEqual([]);
  const [kiel, again, ploen] = placed.body.result.data;
  expect(kiel).toMatchObject({ locationName: 'Kiel', coordinates });
  expect(again).toEqual(kiel);
  const elsewhere = { ...coordinates, geometry: { type: 'Point', coordinates: [0, 0] } };
  for (const [place, reason] of [
    [{ locationName: '' }, 'a place needs a name'],
    [{ locationName: 'Kiel', coordinates: elsewhere }, 'there is a place "Kiel" already, and it lies elsewhere'],
    [{ locationName: 'Kappeln', countryCode: 'DEU' }, 'body.1.countryCode: a place has its name and its coordinates'],
    [{ locationName: 'Kappeln', additionalInfo: { programDbId: 'none' } }, 'There is no program "none"'],
    [{ locationName: 'Kappeln', additionalInfo: {} }, 'you may write to several programs. Name the one of the place'],
  ] as const) {
    const places = [{ locationName: 'Husum' }, place].map((one) => ({ additionalInfo, ...one }));
    const answer = await call('POST', '/locations', places);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(reason)]);
  }
  expect(await list('/locations?locationName=Husum')).toEqual([]);
  const moved = await call('PUT', `/locations/${ploen.locationDbId}`, { coordinates: elsewhere });
  expect(moved.body.result).toMatchObject({ locationName: 'Plön', coordinates: elsewhere });
  expect((await list(`/locations?programDbId=${organizationId}`)).map((one) => one['locationName'])).toContain('Plön');
  expect(await list(`/locations?locationName=Kiel&programDbId=${data.owner.userId}`)).toEqual([]);

  const study = { locationName: '', locationDbId: kiel.locationDbId, seasons: [seasons[0].seasonDbId] };
  const sown = (await newStudy({ studyName: 'At the fjord', ...study })).body.result.data[0];
  expect(sown).toMatchObject({ locationName: 'Kiel', seasons: [seasons[0].seasonDbId] });
  const trial = await data.owner.call('GET', `${data.projects[0].address}/trials/${sown.studyDbId}`);
  expect(trial.body).toMatchObject({ season: 'Spring 2031', location_name: 'Kiel', latitude: 54.32 });
  expect(await list('/locations?locationName=Kiel')).toHaveLength(1);

  const stranger = await product.person('afar');
  expect((await call('POST', '/seasons', [{ year: 2034 }], stranger)).status).toBe(403);
  expect((await call('POST', '/locations', [{ locationName: 'Kiel' }], stranger)).status).toBe(403);
  expect(await call('GET', `/seasons/${seasons[0].seasonDbId}`, undefined, stranger)).toMatchObject({ status: 404 });
  expect((await call('GET', '/locations', undefined, stranger)).body.result.data).toEqual([]);
});

test('events are the sowing and the harvest of trials', async () => {
  const all = await call('GET', '/events');
  expect(problemsOf('get', '/events', 200, all.body)).toEqual([]);
  const study = await idOfStudy('By Field Book');
  const [first] = await list(`/observationunits?studyDbId=${study}`);
  const types = async (query: string) =>
    (await list(`/events?${query}`)).map((one) => `${one['eventType']} ${one['eventDateRange'].discreteDates}`);
  const both = ['planting 2027-03-20T00:00:00.000Z', 'harvest 2027-08-01T00:00:00.000Z'];
  expect(await types(`studyDbId=${study}`)).toEqual(both);
  expect(await types(`observationUnitDbId=${first?.['observationUnitDbId']}`)).toEqual(both);
  expect(await types(`observationUnitDbId=${study}-99`)).toEqual([]);
  expect(await types(`studyDbId=${study}&eventType=harvest`)).toEqual([both[1]]);
  expect(await types(`eventDbId=${study}-planting`)).toEqual([both[0]]);
  expect(await types('dateRangeStart=2027-04-01T00:00:00Z&dateRangeEnd=2027-12-31T00:00:00Z')).toEqual([both[1]]);
  const nobody = await product.person('nobody');
  expect((await call('GET', '/events', undefined, nobody)).body.result.data).toEqual([]);
});

test('who may not write to a project makes no study in it', async () => {
  const stranger = await product.person('stranger');
  const { projectId: trialDbId } = data.projects[0];
  expect((await call('POST', '/studies', [{ ...NEW_STUDY, trialDbId }], stranger)).status).toBe(400);
  expect((await call('PUT', `/studies/${await idOfStudy('By Field Book')}`, {}, stranger)).status).toBe(404);
  const { token } = (
    await data.owner.call('POST', '/access_tokens', { name: 'R', scopes: ['read'], expires_in_days: 1 })
  ).body;
  expect((await call('POST', '/studies', [{ ...NEW_STUDY, trialDbId, studyName: 'Read' }], { token })).status).toBe(
    403,
  );
});

test('where the trial asks for it, values of clients wait, are read back by their ids, and count once accepted', async () => {
  const { study, units, variable } = await field();
  const { owner } = data;
  const rule = async (client_values: string) =>
    expect((await owner.call('PUT', address, { client_values })).body).toMatchObject({ client_values });
  const counted = async () => {
    const { plot, value } = (await owner.call('GET', `${address}/observations?trait=Moisture`)).body;
    return plot.map((number: number, k: number) => [number, value[k]]);
  };
  const before = await counted();
  const send = async (unit: number, value: string, more: object = {}) => {
    const entry = observation(units[unit], variable('Moisture'), value, more);
    const sent = await call('POST', '/observations', [entry]);
    expect([sent.status, sent.text]).toEqual([200, expect.any(String)]);
    expect(problemsOf('post', '/observations', 200, sent.body)).toEqual([]);
    return sent.body.result.data[0];
  };
  const listed = () => list(`/observations?studyDbId=${study['studyDbId']}`);
  const total = (await listed()).length;

  await rule('NEW');
  const first = await send(0, '20');
  expect(first['additionalInfo']).not.toHaveProperty('state');
  const other = await send(0, '21', { collector: 'Ines' });
  expect([other.value, other.additionalInfo.state]).toEqual(['21', 'STAGED']);
  // Sent again it is the same; an equal value changes nothing and needs nobody.
  expect((await send(0, '21', { collector: 'Ines' })).observationDbId).toBe(other.observationDbId);
  expect((await send(0, '20', { collector: 'Ines' })).additionalInfo).not.toHaveProperty('state');
  await rule('NONE');
  const third = await send(2, '30');
  // Its sender changes it while it waits.
  const changed = await call('PUT', `/observations/${third.observationDbId}`, { value: '31' });
  expect([changed.status, changed.body.result.value]).toEqual([200, '31']);

  expect(await counted()).toEqual([...before, [101, '20'], [101, '20']].sort(([a], [b]) => a - b));
  expect(await listed()).toHaveLength(total + 2);
  expect((await owner.call('GET', `${address}/conflicts`)).body.total).toBe(0);
  const { total: waiting, data: staged } = (await owner.call('GET', `${address}/staged`)).body;
  expect(waiting).toBe(2);
  expect(
    staged.map(({ plot, value, present }: Entry) => [plot, value, present.map((one: Entry) => one['value'])]),
  ).toEqual([
    [101, '21', ['20', '20']],
    [103, '31', []],
  ]);

  const waitingOf = async () =>
    (await owner.call('GET', `${address}/completeness`)).body.traits.find(
      (one: { trait: string }) => one.trait === 'Moisture',
    ).waiting;
  expect(await waitingOf()).toBe(2);

  const [differing, fresh] = staged;
  const settle = (body: object) => owner.call('POST', `${address}/staged/settle`, body);
  expect((await settle({ accept: [differing.id], decline: [crypto.randomUUID()] })).status).toBe(404);
  expect((await settle({ accept: [differing.id], decline: [fresh.id], reason: 'Weighed again' })).body).toEqual({
    changed: 2,
  });
  expect((await settle({ accept: [differing.id] })).body).toEqual({ changed: 0 });
  const now = (await counted()).filter(([plot]: [number]) => plot !== 102);
  expect(now).toContainEqual([101, '21']);
  expect(now.some(([plot]: [number]) => plot === 103)).toBe(false);
  const history = (await owner.call('GET', `${address}/plots/101/observations`)).body.data;
  expect(
    history
      .filter((one: Entry) => one['trait'] === 'Moisture')
      .map((one: Entry) => [one['value'], one['state']])
      .sort(),
  ).toEqual([
    ['20', 'SET_ASIDE'],
    ['20', 'SET_ASIDE'],
    ['21', 'KEPT'],
  ]);
  expect((await owner.call('GET', `${address}/staged`)).body.total).toBe(0);
  expect(await waitingOf()).toBe(0);
  expect((await owner.call('GET', `${address}/conflicts`)).body.total).toBe(0);
  await rule('ALL');
});

test('that nothing could be observed is read back too', async () => {
  const { units, variable } = await field();
  const entry = observation(units[2], variable('Moisture'), 'NA');
  const sent = await call('POST', '/observations', [{ ...entry, value: null }]);
  expect([sent.status, sent.text]).toEqual([200, expect.any(String)]);
  expect(sent.body.result.data[0]).toMatchObject({ value: null, collector: 'Hanh' });
});

test('photos are announced, then sent, found again by search, and seen at their plot', async () => {
  const { units } = await field();
  const { owner } = data;
  const announced = {
    ...{ observationUnitDbId: units[1]?.['observationUnitDbId'], imageName: 'Ear', imageFileName: 'ear.jpg' },
    ...{ imageTimeStamp: '2026-08-01T10:00:00+0200', mimeType: 'image/jpeg', imageFileSize: 1, imageWidth: 9 },
    ...{ descriptiveOntologyTerms: ['Ear'], description: 'Rust', copyright: 'Hanh' },
  };
  const made = await call('POST', '/images', [announced]);
  expect([made.status, made.text]).toEqual([200, expect.any(String)]);
  expect(problemsOf('post', '/images', 200, made.body)).toEqual([]);
  const [image] = made.body.result.data;
  expect(image).toMatchObject({ imageName: 'Ear', imageFileName: 'ear.jpg', imageURL: null, imageFileSize: null });
  expect((await call('POST', '/images', [announced])).body.result.data[0].imageDbId).toBe(image.imageDbId);
  const photosAt = async () => (await owner.call('GET', `${address}/photos?plot=102`)).body.data;
  expect(await photosAt()).toEqual([]);

  const content = async (payload: Buffer, type = 'image/jpeg') => {
    const url = `/brapi/v2/images/${image.imageDbId}/imagecontent`;
    const headers = { authorization: `Bearer ${owner.token}`, 'content-type': type };
    const answer = await product.app.inject({ method: 'PUT', url, headers, payload });
    return { status: answer.statusCode, body: answer.body };
  };
  expect((await content(Buffer.from('no image'))).status).toBe(422);
  const sent = await content(JPEG_2X1, 'image/*');
  expect([sent.status, sent.body]).toEqual([200, expect.any(String)]);
  const whole = JSON.parse(sent.body);
  expect(problemsOf('put', '/images/{imageDbId}/imagecontent', 200, whole)).toEqual([]);
  expect(whole.result).toMatchObject({ imageWidth: 2, imageHeight: 1, mimeType: 'image/jpeg', description: 'Rust' });
  const picture = new URL(whole.result.imageURL);
  const shown = await product.app.inject({
    url: picture.pathname,
    headers: { authorization: `Bearer ${owner.token}` },
  });
  expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/jpeg']);
  expect(await photosAt()).toEqual([
    expect.objectContaining({ id: image.imageDbId, note: 'Rust', taken_at: '2026-08-01T08:00:00.000Z' }),
  ]);

  const changed = await call('PUT', `/images/${image.imageDbId}`, { ...whole.result, description: 'Leaf rust' });
  expect([changed.status, changed.body.result?.description]).toEqual([200, 'Leaf rust']);
  expect(problemsOf('put', '/images/{imageDbId}', 200, changed.body)).toEqual([]);
  const elsewhere = { observationUnitDbId: units[0]?.['observationUnitDbId'] };
  expect((await call('PUT', `/images/${image.imageDbId}`, elsewhere)).status).toBe(400);
  for (const query of [
    'imageName=Ear',
    'descriptiveOntologyTerm=Ear',
    `observationUnitDbId=${announced.observationUnitDbId}`,
  ])
    expect(
      (await list(`/images?${query}`)).map((one) => one['imageDbId']),
      query,
    ).toEqual([image.imageDbId]);
  expect(await list('/images?imageName=Leaf')).toEqual([]);
  const search = await call('POST', '/search/images', {
    imageWidthMin: 1,
    imageWidthMax: 2,
    mimeTypes: ['image/jpeg'],
  });
  const found = await list(`/search/images/${search.body.result.searchResultsDbId}`);
  expect(found.map((one) => one['imageDbId'])).toEqual([image.imageDbId]);
  const lost = await call('POST', '/images', [announced, { ...announced, observationUnitDbId: 'x', imageName: 'y' }]);
  expect([lost.status, lost.text]).toEqual([400, expect.stringContaining('body.1')]);
});
