import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Product, startProduct } from '../../testing/product.ts';
import { type BrapiData, fill } from './testing.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- answers are read as each client reads them
type Json = any;

let product: Product;
let data: BrapiData;
let base: string;

beforeAll(async () => {
  product = await startProduct();
  data = await fill(product);
  await product.stopWorker();
  base = `${await product.app.listen({ port: 0, host: '127.0.0.1' })}/brapi/v2`;
});
afterAll(() => product.close());

async function send(
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<{ status: number; json: Json }> {
  const answer = await fetch(path.startsWith('http') ? path : `${base}/${path}`, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${data.owner.token}`, 'content-type': 'application/json', ...headers },
  });
  const text = await answer.text();
  return { status: answer.status, json: text.startsWith('{') ? JSON.parse(text) : text };
}

const list = async (path: string): Promise<Json[]> => (await send(path)).json.result.data;

test('BrAPI-js walks from program to trial, study, germplasm, pedigree, variant set and calls', async () => {
  const silent = [vi.spyOn(console, 'log'), vi.spyOn(console, 'warn')].map((spy) => spy.mockImplementation(() => {}));
  const BrAPI = createRequire(import.meta.url)('@solgenomics/brapijs');
  const server = BrAPI(base, '2.0', data.owner.token);
  const gathered = (node: Json): Promise<Json[]> =>
    new Promise((resolve) => node.all((found: Json[]) => resolve(found)));
  const program = server.programs().filter((one: Json) => one.programName === 'Acme Breeding');
  const trial = program.trials((one: Json) => ({ programDbId: one.programDbId }));
  const study = trial.studies((one: Json) => ({ trialDbId: one.trialDbId, pageSize: 1 }));
  const [, ...rest] = await gathered(study);
  expect(rest).toHaveLength(2);
  const inField = study.filter((one: Json) => one.studyType === 'Phenotyping' && one.seasons[0] === '2022');
  const lines = await gathered(inField.germplasm((one: Json) => ({ studyDbId: one.studyDbId })));
  expect(lines.map(({ germplasmName }) => germplasmName)).toEqual(['L1', 'L3']);
  const germplasmDbId = lines[1].germplasmDbId;
  const [pedigree] = await gathered(server.germplasm_pedigree({ germplasmDbId, pageSize: 1000 }));
  expect(pedigree.parents.map(({ parentType }: Json) => parentType)).toEqual(['FEMALE', 'MALE']);
  const [progeny] = await gathered(server.germplasm_progeny({ germplasmDbId, pageSize: 1000 }));
  expect(progeny.progeny.map(({ germplasmName }: Json) => germplasmName)).toEqual(['L5']);
  const genotyped = study.filter((one: Json) => one.studyType === 'Genotyping');
  const calls = await gathered(
    genotyped
      .variantsets((one: Json) => ({ studyDbId: one.studyDbId }))
      .variantsets_calls((one: Json) => ({ variantSetDbId: one.variantSetDbId, pageSize: 10 })),
  );
  expect(calls).toHaveLength(24);
  const searched = await gathered(server.search('germplasm', { germplasmNames: ['L1', 'L2', 'L6'], pageSize: 2 }));
  expect(searched.map(({ germplasmName }) => germplasmName).sort()).toEqual(['L1', 'L2', 'L6']);
  for (const spy of silent) spy.mockRestore();
});

test('Pedigree Viewer gets all nodes of a tree, with arrays everywhere and both edges of a selfing', async () => {
  const id = data.germplasm.get('L5');
  const nodes = await list(`pedigree/?germplasmDbId=${id}&pedigreeDepth=10&progenyDepth=10`);
  expect(nodes.map(({ germplasmName }) => germplasmName).sort()).toEqual(['L1', 'L2', 'L3', 'L5']);
  const known = new Set(nodes.map(({ germplasmDbId }) => germplasmDbId));
  for (const { parents, progeny, siblings } of nodes) {
    expect([parents, progeny, siblings].every(Array.isArray)).toBe(true);
    for (const { germplasmDbId } of parents) expect(known.has(germplasmDbId)).toBe(true);
  }
  const selfed = nodes.find(({ germplasmName }) => germplasmName === 'L5');
  expect(selfed.parents.map(({ germplasmName, parentType }: Json) => [germplasmName, parentType])).toEqual([
    ['L3', 'FEMALE'],
    ['L3', 'MALE'],
  ]);
  const one = await list(`pedigree?germplasmDbId=${id}&pedigreeDepth=1`);
  expect(one.map(({ germplasmName }) => germplasmName).sort()).toEqual(['L3', 'L5']);
  const sisters = await list(`pedigree?germplasmDbId=${data.germplasm.get('L3')}&includeSiblings=true`);
  expect(sisters[0].siblings.map(({ germplasmName }: Json) => germplasmName)).toEqual(['L4']);
});

describe('QBMS', () => {
  /** POST, then GET without page parameters until the answer has no id; every further page is posted again. */
  async function searchAll(name: string, body: object): Promise<Json[]> {
    const rows: Json[] = [];
    for (let page = 0; ; page++) {
      let { status, json } = await send(`search/${name}`, { page, pageToken: page, pageSize: 2, ...body });
      while (status === 202 || json.result.searchResultsDbId !== undefined)
        ({ status, json } = await send(`search/${name}/${json.result.searchResultsDbId}`));
      rows.push(...json.result.data);
      if (page + 1 >= json.metadata.pagination.totalPages) return rows;
    }
  }

  test('goes from crop to the table of a study, its lines and its pedigree', async () => {
    expect(await list('commoncropnames?page=0&pageSize=1000')).toEqual(['Maize', 'Rice']);
    const [program] = await list('programs?page=0&pageSize=1000');
    const [trial] = await list(`trials?programDbId=${program.programDbId}`);
    const studies = await list(`studies?trialDbId=${trial.trialDbId}`);
    for (const study of studies)
      for (const column of ['studyName', 'locationName', 'studyDbId']) expect(study).toHaveProperty(column);
    const { studyDbId } = studies.find(({ locationName }) => locationName === 'Hai Duong');
    const {
      headerRow,
      observationVariables,
      data: rows,
    } = (await send(`observations/table?studyDbId=${studyDbId}`)).json.result;
    const header = [...headerRow, ...observationVariables.map(({ observationVariableName: name }: Json) => name)];
    expect(rows.map((row: string[]) => [row[header.indexOf('germplasmName')], row[header.indexOf('Yield')]])).toEqual([
      ['L1', '5.1'],
      ['L2', '6.2'],
    ]);
    const ids = observationVariables.map(({ observationVariableDbId: id }: Json) => id);
    expect(await searchAll('variables', { observationVariableDbIds: ids })).toHaveLength(2);
    expect(await list(`germplasm?studyDbId=${studyDbId}`)).toHaveLength(2);
    const pedigree = await list(`pedigree?trialDbId=${trial.trialDbId}&includeFullTree=true&includeParents=true`);
    // Nodes without exactly two parents are dropped by it.
    const kept = pedigree.filter(({ parents }) => parents.length === 2);
    expect(kept.map(({ germplasmName }) => germplasmName)).toEqual(['L3', 'L4', 'L5']);
  });

  test('reads the Flapjack file, the map and, as from Gigwa, a matrix', async () => {
    const [set] = await list(`variantsets?studyDbId=${data.files.genotype}`);
    const format = set.availableFormats.find(({ dataFormat }: Json) => dataFormat === 'Flapjack');
    const { json: text } = await send(format.fileURL.replace('http://localhost/brapi/v2/', ''));
    const table = (text as string).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(table.map((line) => line.split('\t').length)).toEqual(Array.from({ length: 7 }, () => 5));
    const [map] = await list(`maps?studyDbId=${set.studyDbId}`);
    expect(await list(`markerpositions?mapDbId=${map.mapDbId}`)).toHaveLength(3);

    const samples = await searchAll('samples', { studyDbIds: [set.studyDbId] });
    const variants = await searchAll('variants', { variantSetDbIds: [set.variantSetDbId] });
    const { json } = await send('search/allelematrix', { variantSetDbIds: [set.variantSetDbId] });
    const { result } = (await send(`search/allelematrix/${json.result.searchResultsDbId}`)).json;
    expect([result.pagination[0].totalCount, result.pagination[1].totalCount]).toEqual([4, 6]);
    expect(result.callSetDbIds).toEqual(samples.map(({ sampleDbId }) => sampleDbId));
    expect(result.variantDbIds).toEqual(variants.map(({ variantDbId }) => variantDbId));
    expect(new Set(result.dataMatrices[0].dataMatrix.flat())).toEqual(new Set(['0', '1', '0/1', '.']));
  });
});

describe('a client that knows the address of the server alone signs in at its root', () => {
  const signIn = (body: object | string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(new URL('/token', base), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  test('with a token as password, as QBMS does with Germinate, or by a form', async () => {
    const made = await data.owner.call('POST', '/access_tokens', { name: 'R', scopes: ['read'], expires_in_days: 1 });
    const { token } = made.body;
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const answer of [
      await signIn({ username: 'me', password: token }),
      await signIn(`username=me&password=${token}`, form),
    ]) {
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
      const body = (await answer.json()) as Json;
      expect([body.token, body.access_token]).toEqual([token, token]);
      expect((await send('programs', undefined, { authorization: `Bearer ${body.token}` })).status).toBe(200);
    }
  });

  test('and is refused in plain text, which pages of other sites may read', async () => {
    const answer = await signIn({ username: 'me', password: 'secret' }, { origin: 'https://client.example.org' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([401, 'text/plain; charset=utf-8']);
    expect([answer.headers.get('www-authenticate'), answer.headers.get('access-control-allow-origin')]).toEqual([
      'Bearer',
      '*',
    ]);
    expect(await answer.text()).toMatch(/^The access token is not one that this service has issued/);
    const asked = await fetch(new URL('/token', base), { method: 'OPTIONS' });
    expect([asked.status, asked.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'authorization, content-type, accept',
    ]);
  });
});

test('brapiR2 signs in with a token as password and reads one page of a matrix with both alleles', async () => {
  const made = await data.owner.call('POST', '/access_tokens', { name: 'R', scopes: ['read'], expires_in_days: 1 });
  const login = await send(
    'token',
    { username: 'me', password: made.body.token, grant_type: 'password' },
    { authorization: '' },
  );
  const authorization = `Bearer ${login.json.access_token}`;
  const path = `allelematrix?variantSetDbId=${data.files.genotype}&pageSize=100&callSetPage=0`;
  const { json } = await send(path, undefined, { authorization });
  const cells: string[] = json.result.dataMatrices[0].dataMatrix.flat();
  expect(cells).toHaveLength(24);
  // It splits at "/" and takes what has one allele only for missing.
  expect(cells.filter((cell) => cell.split('/').length !== 2)).toEqual(['.']);
  const [map] = await list('maps');
  expect([map.type, map.unit]).toEqual(['Genetic', 'cM']);
});

test('Flapjack finds studies, maps and its own format, and survives its wrong call for call sets', async () => {
  const { calls } = (await send('serverinfo?page=0&pageSize=2147483647')).json.result;
  const offers = (service: string, method: string): boolean =>
    calls.some(
      (call: Json) =>
        call.service === service && call.methods.includes(method) && call.contentTypes.includes('application/json'),
    );
  expect([offers('studies', 'GET'), offers('token', 'POST'), offers('maps', 'GET')]).toEqual([true, true, true]);
  const studies = await list('studies?page=0&pageSize=1000');
  expect(studies.every(({ studyType }) => typeof studyType === 'string')).toBe(true);
  const genotyped = studies.filter(({ studyType }) => studyType.toLowerCase().includes('gen'));
  expect(genotyped).toHaveLength(2);
  const [set] = await list(`variantsets?studyDbId=${data.files.genotype}`);
  expect(set.availableFormats.some(({ dataFormat }: Json) => /^flapjack$/i.test(dataFormat))).toBe(true);
  for (const position of await list(`markerpositions?mapDbId=${set.variantSetDbId}`))
    expect(Number.isInteger(position.position) && typeof position.variantName).toBe('string');
  expect(await send(`callsets?sampleDbId=${genotyped[0].studyDbId}`)).toMatchObject({
    status: 200,
    json: { result: { data: [] } },
  });
  // flapjack-bytes walks by token and reads the older shape of a genotype.
  let token: string | null = '0';
  let read = 0;
  while (token !== null) {
    const { json } = await send(`variantsets/${set.variantSetDbId}/calls?pageSize=10&pageToken=${token}`);
    for (const { genotype } of json.result.data) read += genotype.values[0] === '' ? 0 : 1;
    token = json.metadata.pagination.nextPageToken;
  }
  expect(read).toBe(24);
});

test('Field Book finds a field, its plots, its traits and what was observed', async () => {
  const { json } = await send('serverinfo');
  const services = json.result.calls.map(({ service }: Json) => service);
  for (const service of [
    'commoncropnames',
    'programs',
    'seasons',
    'studies',
    'studies/{studyDbId}',
    'trials',
    'germplasm',
  ])
    expect(services).toContain(service);
  const [, , study] = await list('studies?active=true&page=0&pageSize=50');
  for (const field of ['studyDbId', 'studyName', 'commonCropName', 'trialName'])
    expect(study[field]).toEqual(expect.any(String));
  const levels = await list('observationlevels?pageSize=1000');
  expect(levels.every(({ levelOrder }) => Number.isInteger(levelOrder))).toBe(true);
  const field = (await list('studies?active=true')).find(({ locationName }) => locationName === 'Hai Duong');
  const units = await list(
    `observationunits?studyDbId=${field.studyDbId}&observationUnitLevelName=plot&page=0&pageSize=50`,
  );
  expect(new Set(units.map(({ observationUnitName }) => observationUnitName)).size).toBe(units.length);
  for (const { observationUnitDbId, observationUnitPosition: position, germplasmName } of units) {
    const levels: Json[] = position.observationLevelRelationships;
    expect(levels.map(({ levelName, observationUnitDbId: id }) => [levelName, id])).toEqual([
      ['rep', null],
      ['block', null],
      ['plot', observationUnitDbId],
    ]);
    expect([position.positionCoordinateXType, position.positionCoordinateYType]).toEqual(['GRID_COL', 'GRID_ROW']);
    expect(germplasmName).toEqual(expect.any(String));
  }
  const variables = await list(`variables?studyDbId=${field.studyDbId}&pageSize=1000`);
  expect(variables.map(({ scale }) => scale.dataType)).toEqual(['Numerical', 'Nominal']);
  for (const { trait, scale } of variables)
    expect([trait === null, Array.isArray(scale.validValues.categories)]).toEqual([false, true]);
  expect(await list(`observations?studyDbId=${field.studyDbId}&page=0&pageSize=50`)).toHaveLength(4);
  // The pipeline of T3 reads units and observations in one call.
  const observed = await list(`observationunits?studyDbId=${field.studyDbId}&includeObservations=true`);
  expect(observed.map(({ observations }) => observations.length)).toEqual([2, 2]);
  // It sends every id of germplasm twice.
  const id = data.germplasm.get('L1');
  const { json: saved } = await send('search/germplasm', { germplasmDbIds: [id, id] });
  expect(await list(`search/germplasm/${saved.result.searchResultsDbId}`)).toHaveLength(1);
});

test('variables have the scale, limits and categories that the project lists, and no limits otherwise', async () => {
  const [{ address }] = data.projects;
  const field = (await list('studies?active=true')).find(({ locationName }) => locationName === 'Hai Duong');
  const read = async () => await list(`variables?studyDbId=${field.studyDbId}&pageSize=1000`);
  const [number, word] = await read();
  expect(number.scale.validValues).toMatchObject({ minimumValue: null, maximumValue: null, min: null, max: null });
  const trait = { direction: 'higher', unit: null, weight: 1 };
  const put = (traits: object[]) => data.owner.call('PUT', `${address}/traits`, { traits });
  const categories = [
    { value: '1', label: 'weak' },
    { value: '9', label: null },
  ];
  await put([
    {
      ...{ ...trait, name: number.observationVariableName, scale: { kind: 'integer', min: 20, max: 300 } },
      ...{ details: 'To the tip', ontology_id: 'CO_900:0000018' },
    },
    { ...trait, name: word.observationVariableName, scale: { kind: 'categories', categories } },
  ]);
  const [limited, scored] = await read();
  expect(limited).toMatchObject({
    observationVariableDbId: number.observationVariableDbId,
    observationVariablePUI: 'CO_900:0000018',
    method: { description: 'To the tip' },
    scale: {
      ...{ dataType: 'Numerical', decimalPlaces: 0 },
      validValues: { min: 20, max: 300, minimumValue: '20', maximumValue: '300' },
    },
  });
  expect(scored.scale).toMatchObject({
    dataType: 'Ordinal',
    validValues: {
      categories: [
        { value: '1', label: 'weak' },
        { value: '9', label: '9' },
      ],
    },
  });
  expect(limited.scale.scaleDbId).not.toBe(number.scale.scaleDbId);
  await put([limited, scored].map(({ observationVariableName: name }) => ({ ...trait, name, scale: null })));
});

test('Intercross finds the crosses that are planned, with wishes as text', async () => {
  const [program] = await list('programs');
  const projects = await list(`crossingprojects?programDbId=${program.programDbId}&includePotentialParents=true`);
  const [project] = projects;
  expect(project.potentialParents.map(({ germplasmName, parentType }: Json) => [germplasmName, parentType])).toEqual([
    ['L1', 'FEMALE'],
    ['L2', 'FEMALE'],
    ['L2', 'MALE'],
    ['L3', 'MALE'],
  ]);
  const planned = await list(`plannedcrosses?crossingProjectDbId=${project.crossingProjectDbId}`);
  expect(
    planned.map(({ parent1, parent2, additionalInfo }) => [
      parent1.observationUnitName,
      parent1.observationUnitDbId,
      parent1.parentType,
      parent2.observationUnitName,
      parent2.parentType,
      additionalInfo.wishMin,
      additionalInfo.wishMax,
      typeof additionalInfo.wishType,
    ]),
  ).toEqual([
    ['L1', data.germplasm.get('L1'), 'FEMALE', 'L2', 'MALE', '20', '20', 'string'],
    ['L2', data.germplasm.get('L2'), 'FEMALE', 'L3', 'MALE', '30', '30', 'string'],
  ]);
  const made = await list(`crosses?programDbId=${program.programDbId}`);
  expect(made.map(({ crossName, crossAttributes }) => [crossName, crossAttributes[0].crossAttributeValue])).toEqual([
    ['L1 × L2', '2'],
  ]);
});
