import { afterAll, beforeAll, expect, test } from 'vitest';
import { callBrapi, specification } from '../../../testing/brapi.ts';
import { type Answer, type Person, type Product, startProduct } from '../../../testing/product.ts';
import { type BrapiData, fill } from '../testing.ts';

// What Field Book does, in its order: it finds the trial, its plots and traits, and sends what was observed.

// oxlint-disable-next-line typescript/no-explicit-any -- entries of every list
type Entry = Record<string, any>;

let product: Product;
let data: BrapiData;
let address: string;
const { problemsOf } = specification();

beforeAll(async () => {
  product = await startProduct();
  data = await fill(product);
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
afterAll(() => product.close());

const call = (
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object,
  person: Pick<Person, 'token'> = data.owner,
): Promise<Answer> => callBrapi(product, person, method, path, body);
const list = async (path: string): Promise<Entry[]> => (await call('GET', path)).body.result.data;

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
