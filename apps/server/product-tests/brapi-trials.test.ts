import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { specification } from '../src/testing/brapi.ts';
import { type Person, type Product, type Project, startProduct, until } from '../src/testing/product.ts';

// A field trial that lies on another BrAPI server arrives with its layout, is analysed, and its means are served.

const PATIENCE_MS = 120_000;
const { problemsOf } = specification();

// oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
type Json = any;

let product: Product;
let owner: Person;
let project: Project;
let other: Server;

/** 12 lines in two replicates of a field of 4 × 6 a place; one plot was not harvested. */
function unitsOf(place: string): Json[] {
  const random = createRandomStream(5, place);
  return Array.from({ length: 24 }, (_, i) => {
    const [row, column] = [(i % 4) + 1, Math.floor(i / 4) + 1];
    const line = (i * 5 + (i >= 12 ? 4 : 0)) % 12;
    const value = i === 7 ? null : (60 + line + column + random.normal()).toFixed(2);
    return {
      observationUnitDbId: `${place}-${i}`,
      observationUnitName: `${place}-${101 + i}`,
      germplasmName: line === 0 ? 'Standard' : `L${line}`,
      observationUnitPosition: {
        entryType: line === 0 ? 'CHECK' : 'TEST',
        observationLevel: { levelName: 'plot', levelCode: String(101 + i) },
        observationLevelRelationships: [
          { levelName: 'rep', levelCode: i < 12 ? '1' : '2' },
          { levelName: 'block', levelCode: String(Math.floor(i / 6) + 1) },
        ],
        ...layoutOf(place, String(row), String(column)),
      },
      observations:
        value === null
          ? []
          : [{ observationVariableDbId: 'v1', observationVariableName: 'Grain yield', value, studyDbId: place }],
    };
  });
}

/** One server says of which kind its coordinates are, in either order, another does not. */
const layoutOf = (place: string, row: string, column: string): Json =>
  place === 'Gatersleben'
    ? {
        ...{ positionCoordinateX: row, positionCoordinateXType: 'GRID_ROW' },
        ...{ positionCoordinateY: column, positionCoordinateYType: 'GRID_COL' },
      }
    : { positionCoordinateX: column, positionCoordinateY: row };

const PLACES = ['Gatersleben', 'Quedlinburg'];
const VARIABLE = {
  ...{ observationVariableDbId: 'v1', observationVariableName: 'Grain yield' },
  scale: { dataType: 'Numerical', units: 'dt/ha' },
};

function answerOf(path: string, query: URLSearchParams): Json[] {
  const study = query.get('studyDbId') ?? '';
  if (path.endsWith('/trials')) return [{ trialDbId: 't1', trialName: 'Barley 2025' }];
  if (path.endsWith('/studies'))
    return PLACES.map((place) => ({
      ...{ studyDbId: place, studyName: place, studyType: 'Phenotyping', trialDbId: 't1', locationName: place },
    }));
  if (path.endsWith('/variables')) return [VARIABLE];
  if (path.endsWith('/observationunits')) return unitsOf(study);
  return [];
}

beforeAll(async () => {
  other = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://other');
    const data = answerOf(pathname, searchParams);
    const result = pathname.endsWith('/serverinfo')
      ? { serverName: 'Other', calls: ['trials', 'studies', 'observationunits'].map((service) => ({ service })) }
      : { data };
    const pagination = { currentPage: 0, pageSize: 1000, totalCount: data.length, totalPages: 1 };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ metadata: { pagination, status: [], datafiles: [] }, result }));
  });
  await once(other.listen(0, '127.0.0.1'), 'listening');
  product = await startProduct({ changes: { outgoingNetworks: ['127.0.0.1/32'] } });
  owner = await product.person('owner');
  project = await product.project(owner);
}, PATIENCE_MS);
afterAll(async () => {
  other.close();
  await product.close();
});

async function brapi(path: string, token = owner.token): Promise<Json> {
  const answer = await product.app.inject({
    url: `/brapi/v2/${path}`,
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}
const list = async (path: string): Promise<Json[]> => (await brapi(path)).result.data;

async function importTrial(): Promise<Json> {
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const started = await owner.call('POST', `${project.address}/brapi_imports`, { url, trials: ['t1'] });
  expect(started.status, started.text).toBe(201);
  const done = await until(
    async () => (await owner.call('GET', `${project.address}/brapi_imports/${started.body.id}`)).body,
    ({ finished_at }: Json) => finished_at !== null,
    PATIENCE_MS,
  );
  expect(done.state, JSON.stringify(done.steps)).toBe('DONE');
  return await until(
    async () => (await owner.call('GET', `${project.address}/files/${done.steps[0].file_ids[0]}`)).body,
    ({ status }: Json) => status.startsWith('READY') || status === 'INVALID',
    PATIENCE_MS,
  );
}

async function analyse(fileId: string, changes: object = {}): Promise<Json> {
  const made = await owner.call('POST', `${project.address}/trial_analyses`, {
    ...{ name: 'Barley', phenotype_ids: [fileId], traits: ['Grain yield'], model: 'rowcol', ...changes },
  });
  expect(made.status, made.text).toBe(201);
  const address = `${project.address}/trial_analyses/${made.body.id}`;
  const done = await until(
    async () => (await owner.call('GET', address)).body,
    ({ status }: Json) => status['Grain yield'] !== 'PROCESSING',
    PATIENCE_MS,
  );
  expect(done.error_extras).toEqual({ 'Grain yield': null });
  return { ...done, address };
}

test('a trial of another server has its plots, and its means are observations at the level of the study', {
  timeout: PATIENCE_MS,
}, async () => {
  const file = await importTrial();
  expect(file).toMatchObject({ status: expect.stringMatching(/^READY/), meta: { traits: ['Grain yield'] } });
  const studies = await list('studies');
  const [plots, others] = await Promise.all(
    studies.map(async ({ studyDbId }) => await list(`observationunits?studyDbId=${studyDbId}`)),
  );
  expect(plots).toHaveLength(23);
  const [first] = plots ?? [];
  expect(first.observationUnitPosition).toMatchObject({
    ...{ entryType: 'CHECK', positionCoordinateX: '1', positionCoordinateXType: 'GRID_COL' },
    ...{ positionCoordinateY: '1', positionCoordinateYType: 'GRID_ROW' },
  });
  const layout = (units: Json[] | undefined) =>
    units?.map(({ observationUnitPosition: { positionCoordinateX: x, positionCoordinateY: y } }) => [x, y]);
  expect(layout(others)).toEqual(layout(plots));
  expect(layout(plots)).toContainEqual(['6', '4']);

  // Without an analysis a study has plots only.
  expect(studies.map(({ observationLevels }) => observationLevels.length)).toEqual([1, 1]);
  expect(await list('observationunits?observationUnitLevelName=study')).toEqual([]);
  const run = await analyse(file.id);
  const { data: strips } = (await owner.call('GET', `${run.address}/trials?trait=Grain yield`)).body;
  expect(strips).toMatchObject(PLACES.map((environment) => ({ environment, model: 'rowcol', plots: 23, lines: 12 })));
  const field = (await owner.call('GET', `${run.address}/plots?trait=Grain yield&environment=Quedlinburg`)).body;
  expect(field).toMatchObject({ has_field: true, total: 23 });
  expect(new Set(field.replicate)).toEqual(new Set(['1', '2']));
  expect(new Set(field.block).size).toBe(4);
  expect(field.kind.filter((kind: string) => kind === 'check')).toHaveLength(2);

  const body = await brapi('observationunits?observationUnitLevelName=study&includeObservations=true');
  expect(problemsOf('get', '/observationunits', 200, body)).toEqual([]);
  const units: Json[] = body.result.data;
  expect(units).toHaveLength(24);
  const levels = ({ observationLevels }: Json) => observationLevels.map(({ levelName }: Json) => levelName);
  expect((await list('studies')).map(levels)).toEqual(PLACES.map(() => ['study', 'plot']));
  const { data: means } = (await owner.call('GET', `${run.address}/means?trait=Grain yield&limit=100`)).body;
  for (const unit of units) {
    const mean = means.find(
      ({ environment, line }: Json) => unit.locationName === environment && unit.observationUnitName === line,
    );
    const value = Object.fromEntries(
      unit.observations.map((one: Json) => [one.observationVariableName, Number(one.value)]),
    );
    expect(value).toEqual({
      ...{ 'Grain yield mean': mean.mean, 'Grain yield mean SE': mean.se },
      ...{ 'Grain yield BLUP': mean.blup, 'Grain yield BLUP SE': mean.blup_se },
    });
    expect(unit.observationUnitPosition.observationLevel).toMatchObject({ levelName: 'study', levelOrder: 0 });
    expect(unit.additionalInfo).toMatchObject({ trialAnalysisDbId: run.id, trialAnalysisName: 'Barley' });
  }

  // By each way in which a client asks, and for nobody who asks for plots.
  const [study] = studies;
  const ofStudy = await brapi(`observations?studyDbId=${study.studyDbId}&observationUnitLevelName=study`);
  expect(problemsOf('get', '/observations', 200, ofStudy)).toEqual([]);
  expect(ofStudy.result.data).toHaveLength(12 * 4);
  const [one] = ofStudy.result.data;
  expect(await list(`observations?observationDbId=${one.observationDbId}`)).toEqual([one]);
  expect((await brapi(`observations/${one.observationDbId}`)).result).toEqual(one);
  expect((await brapi(`observationunits/${one.observationUnitDbId}`)).result.observationUnitName).toBe('Standard');
  const everyMean = 'observations?observationUnitLevelName=study';
  const whole = await list(everyMean);
  expect(new Set(whole.map(({ observationDbId }) => observationDbId)).size).toBe(24 * 4);
  const pages = await Promise.all(
    Array.from({ length: 14 }, (_, page) => list(`${everyMean}&pageSize=7&page=${page}`)),
  );
  expect(pages.flat()).toEqual(whole);
  const variables = await list('variables');
  const mean = variables.find(({ observationVariableName: name }) => name === 'Grain yield mean');
  const observed = variables.find(({ observationVariableName: name }) => name === 'Grain yield');
  expect(mean.trait.traitDbId).toBe(observed.trait.traitDbId);
  expect(mean.method.methodName).toBe('Mean (BLUE) of a trial analysis');
  expect(await list(`observations?observationVariableDbId=${mean.observationVariableDbId}`)).toHaveLength(24);
  expect(await list(`observations?observationVariableDbId=${observed.observationVariableDbId}`)).toHaveLength(46);
  expect(await list('observations')).toHaveLength(46);
  expect(await list('observationunits')).toHaveLength(46);
  expect(await list(`variables?studyDbId=${study.studyDbId}`)).toEqual([observed]);
  const table = await brapi(`observations/table?studyDbId=${study.studyDbId}&observationLevel=study`);
  expect(problemsOf('get', '/observations/table', 200, table)).toEqual([]);
  expect([table.result.data.length, table.result.observationVariables.length]).toEqual([12, 4]);
  expect((await brapi(`observations/table?studyDbId=${study.studyDbId}`)).result.data).toHaveLength(23);
  const searched = await product.app.inject({
    ...{ method: 'POST', url: '/brapi/v2/search/observationunits' },
    headers: { authorization: `Bearer ${owner.token}` },
    payload: { observationLevels: [{ levelName: 'study' }], studyDbIds: [study.studyDbId] },
  });
  const search = searched.json().result.searchResultsDbId;
  expect(await list(`search/observationunits/${search}`)).toHaveLength(12);

  // The newest analysis counts, until it is deleted; nobody else sees either.
  const newer = await analyse(file.id, { name: 'Again', environments: ['Quedlinburg'], model: 'blocks' });
  expect(await list('observationunits?observationUnitLevelName=study')).toHaveLength(12);
  const stranger = await product.person('stranger');
  expect((await brapi('observationunits?observationUnitLevelName=study', stranger.token)).result.data).toEqual([]);
  expect((await owner.call('DELETE', newer.address)).status).toBeLessThan(300);
  expect(await list('observationunits?observationUnitLevelName=study')).toHaveLength(24);
});
