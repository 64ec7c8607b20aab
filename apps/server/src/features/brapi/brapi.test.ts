import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { specification } from '../../testing/brapi.ts';
import { type Answer, type Product, startProduct } from '../../testing/product.ts';
import { type BrapiData, fill } from './testing.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- entries of every list
type Entry = Record<string, any>;

let product: Product;
let data: BrapiData;
const { paths, problemsOf } = specification();

beforeAll(async () => {
  product = await startProduct();
  data = await fill(product);
  await product.stopWorker();
});
afterAll(() => product.close());

async function call(
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await product.app.inject({
    method,
    url: `/brapi/v2${path}`,
    headers: { authorization: `Bearer ${data.owner.token}`, ...headers },
    ...(body === undefined ? {} : { payload: body }),
  });
  const isJson = String(answer.headers['content-type']).includes('json');
  return {
    status: answer.statusCode,
    body: isJson ? answer.json() : undefined,
    text: answer.body,
    headers: answer.headers,
  };
}

const get = (path: string): Promise<Answer> => call('GET', path);

async function entries(path: string): Promise<Entry[]> {
  const { status, body, text } = await get(path);
  expect(status, `${path} ${text.slice(0, 300)}`).toBe(200);
  return body.result.data;
}

/** POST of a search and GET of its result. */
async function found(list: string, body: object): Promise<Answer> {
  const saved = await call('POST', `/search/${list}`, body);
  expect(saved.status, saved.text).toBe(202);
  expect(problemsOf('post', `/search/${list}`, 202, saved.body)).toEqual([]);
  return await get(`/search/${list}/${saved.body.result.searchResultsDbId}`);
}

/** Every list with what names one of its entries. */
const LISTS: Record<string, string | null> = {
  programs: 'programDbId',
  trials: 'trialDbId',
  studies: 'studyDbId',
  locations: 'locationDbId',
  seasons: 'seasonDbId',
  lists: 'listDbId',
  germplasm: 'germplasmDbId',
  pedigree: null,
  samples: 'sampleDbId',
  callsets: 'callSetDbId',
  referencesets: 'referenceSetDbId',
  references: 'referenceDbId',
  variantsets: 'variantSetDbId',
  variants: 'variantDbId',
  calls: null,
  maps: 'mapDbId',
  markerpositions: null,
  variables: 'observationVariableDbId',
  traits: 'traitDbId',
  scales: 'scaleDbId',
  methods: 'methodDbId',
  observationunits: 'observationUnitDbId',
  observations: 'observationDbId',
  attributes: 'attributeDbId',
  attributevalues: 'attributeValueDbId',
  breedingmethods: 'breedingMethodDbId',
  crossingprojects: 'crossingProjectDbId',
  plannedcrosses: null,
  crosses: null,
};
/** Entries of a page that no size is asked for; other lists have a thousand. */
const LONG_PAGES: Record<string, number> = { calls: 100_000, variants: 10_000, markerpositions: 10_000 };
const hasSearch = (list: string): boolean => paths[`/search/${list}`] !== undefined;

describe('every answer has the shape of the specification, with two entries or more', () => {
  test.each(Object.entries(LISTS))('%s', async (list, id) => {
    const { status, body } = await get(`/${list}`);
    expect(status).toBe(200);
    expect(problemsOf('get', `/${list}`, 200, body)).toEqual([]);
    const { pagination } = body.metadata;
    const pageSize = LONG_PAGES[list] ?? 1_000;
    expect(pagination).toMatchObject({ currentPage: 0, pageSize, totalPages: 1 });
    expect(pagination.totalCount).toBe(body.result.data.length);
    expect(body.result.data.length, list).toBeGreaterThanOrEqual(2);
    if (id !== null) {
      const ids = body.result.data.map((entry: Entry) => entry[id]);
      expect(new Set(ids).size).toBe(ids.length);
      const one = await get(`/${list}/${ids[1]}`);
      expect(problemsOf('get', `/${list}/{${id}}`, 200, one.body)).toEqual([]);
      const more = list === 'lists' ? { data: ['n1', 'n2'] } : {};
      expect(one.body.result).toEqual({ ...body.result.data[1], ...more });
      for (const nobody of ['nothing', `${ids[1].slice(0, 7)}0-0000-4000-8000-000000000000`, `${ids[1]}-999999`]) {
        const none = await get(`/${list}/${nobody}`);
        expect([none.status, none.headers['content-type']], nobody).toEqual([404, 'text/plain; charset=utf-8']);
      }
    }
    if (hasSearch(list)) {
      const all = await found(list, {});
      expect(problemsOf('get', `/search/${list}/{searchResultsDbId}`, 200, all.body)).toEqual([]);
      // Calls of a search are collapsed only where a matrix is asked for.
      expect(all.body.result.data).toHaveLength(body.result.data.length);
    }
  });

  test('lists without entries of their own', async () => {
    for (const path of [
      'commoncropnames',
      'studytypes',
      'observationlevels',
      'serverinfo',
      'allelematrix',
      'observations/table',
      'observationunits/table',
    ]) {
      const { status, body } = await get(`/${path}`);
      expect(status, path).toBe(200);
      expect(problemsOf('get', `/${path}`, 200, body), path).toEqual([]);
    }
    expect((await get('/commoncropnames')).body.result.data).toEqual(['Maize', 'Rice']);
    const { germplasm, files } = data;
    for (const [path, id] of [
      ['/germplasm/{germplasmDbId}/mcpd', germplasm.get('L1')],
      ['/germplasm/{germplasmDbId}/pedigree', germplasm.get('L3')],
      ['/germplasm/{germplasmDbId}/progeny', germplasm.get('L1')],
      ['/variantsets/{variantSetDbId}/callsets', files.genotype],
      ['/variantsets/{variantSetDbId}/variants', files.genotype],
      ['/variantsets/{variantSetDbId}/calls', files.genotype],
      ['/callsets/{callSetDbId}/calls', `${files.genotype}-1`],
      ['/variants/{variantDbId}/calls', `${files.genotype}-1`],
      ['/maps/{mapDbId}/linkagegroups', files.map],
    ] as const) {
      const { status, body } = await get(path.replace(/\{\w+\}/, id ?? ''));
      expect(status, path).toBe(200);
      expect(problemsOf('get', path, 200, body), path).toEqual([]);
      expect((await get(path.replace(/\{\w+\}/, '00000000-0000-4000-8000-000000000000'))).status, path).toBe(404);
    }
    const { body } = await get(`/variantsets/${files.genotype}/calls`);
    expect(body.metadata.pagination.totalCount).toBe(24);
    expect((await get(`/callsets/${files.genotype}-1/calls`)).body.metadata.pagination.totalCount).toBe(4);
    expect((await get(`/variants/${files.genotype}-1/calls`)).body.metadata.pagination.totalCount).toBe(6);
  });
});

/** Parameters that do not choose entries. */
const NO_FILTERS = new Set(
  (
    'authorizationHeader Authorization Accept page pageSize pageToken sortBy sortOrder includeParents includeSiblings includeProgeny includeFullTree ' +
    'includePotentialParents pedigreeDepth progenyDepth includeObservations expandHomozygotes unknownString sepPhased sepUnphased start end minPosition ' +
    'maxPosition'
  ).split(' '),
);
const parametersOf = (operation: Entry): string[] =>
  operation['parameters']
    .map((one: Entry) => one['name'] ?? String(one['$ref']).split('/').at(-1))
    .filter((name: string) => !NO_FILTERS.has(name));

const plural = (name: string): string[] => [`${name}s`, name, `${name.replace(/y$/, '')}ies`, `${name}es`];

/** What an entry answers to a filter, where the property has another name or lies deeper. */
const VALUES: Record<string, (entry: Entry) => unknown[]> = {
  'germplasm synonym': (entry) => entry['synonyms'].map((one: Entry) => one['synonym']),
  'lists programDbId': (entry) => [entry['additionalInfo'].programDbId],
  'lists commonCropName': (entry) => [entry['additionalInfo'].commonCropName],
  'germplasm binomialName': (entry) => [entry['additionalInfo'].binomialName],
  'studies seasonDbId': (entry) => entry['seasons'],
  'studies observationVariableDbId': (entry) => entry['observationVariableDbIds'],
  'seasons season': (entry) => [entry['seasonName']],
  'variants variantSetDbId': (entry) => entry['variantSetDbId'],
  'callsets variantSetDbId': (entry) => entry['variantSetDbIds'],
  'variables traitDbId': (entry) => [entry['trait'].traitDbId],
  'variables traitName': (entry) => [entry['trait'].traitName],
  'variables scaleDbId': (entry) => [entry['scale'].scaleDbId],
  'variables scaleName': (entry) => [entry['scale'].scaleName],
  'variables methodDbId': (entry) => [entry['method'].methodDbId],
  'variables ontologyDbId': (entry) => [entry['ontologyReference']?.ontologyDbId],
  'observationunits observationUnitLevelCode': (entry) => [entry['observationUnitPosition'].observationLevel.levelCode],
};

describe('every filter of every list chooses what it says', () => {
  test.each(Object.keys(LISTS))('%s', async (list) => {
    const all = await entries(`/${list}`);
    for (const name of parametersOf(paths[`/${list}`]!['get']!)) {
      const none = await get(`/${list}?${name}=nothing-of-this-name`);
      expect([none.status, none.body.result.data, none.body.metadata.status], `${list}?${name}`).toEqual([200, [], []]);
      const valuesOf = VALUES[`${list} ${name}`] ?? ((entry: Entry) => [entry[name]].flat());
      const value = all.flatMap(valuesOf).find((one) => one !== null && one !== undefined && typeof one !== 'object');
      if (value === undefined) continue;
      const wanted = all.filter((entry) => valuesOf(entry).includes(value));
      expect(
        await entries(`/${list}?${name}=${encodeURIComponent(String(value))}`),
        `${list}?${name}=${value}`,
      ).toEqual(wanted);
    }
  });

  const searched = Object.keys(LISTS).filter(hasSearch);
  test.each(searched)('search of %s', async (list) => {
    const all = (await found(list, {})).body.result.data as Entry[];
    const { SPECIFICATION } = await import('./specification.gen.ts');
    for (const field of SPECIFICATION[list as keyof typeof SPECIFICATION].search) {
      if (NO_FILTERS.has(field) || field === 'active' || field === 'isDerived' || field === 'coordinates') continue;
      const name = parametersOf(paths[`/${list}`]!['get']!).find((one) => plural(one).includes(field));
      const isLevel = field.startsWith('observationLevel');
      const none = await found(list, { [field]: isLevel ? [{ levelName: 'nothing' }] : ['nothing-of-this-name'] });
      expect([none.status, none.body.result.data, none.body.metadata.status], `${list} ${field}`).toEqual([
        200,
        [],
        [],
      ]);
      if (name === undefined) continue;
      const valuesOf = VALUES[`${list} ${name}`] ?? ((entry: Entry) => [entry[name]].flat());
      const values = [...new Set(all.flatMap(valuesOf))].filter(
        (one) => one !== null && one !== undefined && typeof one !== 'object',
      );
      if (values.length === 0) continue;
      const two = values.slice(0, 2);
      const wanted = all.filter((entry) => valuesOf(entry).some((value) => two.includes(value)));
      expect((await found(list, { [field]: two })).body.result.data, `${list} ${field}`).toEqual(wanted);
    }
  });
});

describe('numbers of the matrix and of calls are those of the file', () => {
  const matrix = (body: Entry): string[][] => body['result'].dataMatrices[0].dataMatrix;

  test('variants in rows, call sets in columns; GET expands homozygotes and a search collapses them', async () => {
    const { genotype } = data.files;
    const { body } = await get(`/allelematrix?variantSetDbId=${genotype}`);
    expect(body.result.pagination.map(({ dimension, totalCount }: Entry) => [dimension, totalCount])).toEqual([
      ['VARIANTS', 4],
      ['CALLSETS', 6],
    ]);
    expect(matrix(body)).toEqual([
      ['0/0', '0/1', '1/1', '0/0', '1/1', '0/1'],
      ['0/0', '0/0', '1/1', '1/1', '0/1', '0/1'],
      ['1/1', '0/1', '0/0', '.', '0/0', '1/1'],
      ['0/1', '0/1', '0/0', '1/1', '1/1', '0/0'],
    ]);
    const collapsed = await found('allelematrix', { variantSetDbIds: [genotype], positionRanges: ['1:200-', '2'] });
    expect(problemsOf('get', '/search/allelematrix/{searchResultsDbId}', 200, collapsed.body)).toEqual([]);
    expect(matrix(collapsed.body)).toEqual([
      ['0', '0', '1', '1', '0/1', '0/1'],
      ['1', '0/1', '0', '.', '0', '1'],
      ['0/1', '0/1', '0', '1', '1', '0'],
    ]);
  });

  test('both dimensions have pages, and filters for germplasm, variants and spelling', async () => {
    const { genotype } = data.files;
    const page = await get(
      `/allelematrix?variantSetDbId=${genotype}&dimensionVariantPage=1&dimensionVariantPageSize=3&dimensionCallSetPage=1&dimensionCallSetPageSize=4`,
    );
    expect(matrix(page.body)).toEqual([['1/1', '0/0']]);
    const chosen = await get(
      `/allelematrix?germplasmDbId=${data.germplasm.get('L4')}&variantDbId=${genotype}-2,${genotype}-3&unknownString=NA&sepUnphased=%7C`,
    );
    expect(matrix(chosen.body)).toEqual([['NA'], ['1|1']]);
    const preview = await get(`/allelematrix?preview=true&variantSetDbId=${genotype}`);
    expect([preview.body.result.variantDbIds.length, matrix(preview.body)]).toEqual([4, []]);
    // Two sets side by side: a call set has no calls of the other's variants.
    const both = matrix((await get('/allelematrix')).body);
    expect(both.map((row) => row.length)).toEqual(Array.from({ length: 6 }, () => 9));
    expect(both[0]?.slice(6)).toEqual(['.', '.', '.']);
    // As many variants as a page has of the call sets there are, whatever size is asked for them.
    const sizeOf = (answer: Answer): number => answer.body.result.pagination[0].pageSize;
    expect(sizeOf(await get('/allelematrix'))).toBe(50_000);
    const large = await get('/allelematrix?dimensionVariantPageSize=50000&dimensionCallSetPageSize=50000');
    expect([sizeOf(large), large.body.metadata.status]).toEqual([50_000, []]);
  });

  test('pages of calls follow each other across variants and sets', async () => {
    const all = (await get('/calls')).body.result.data as Entry[];
    expect(all).toHaveLength(24 + 6);
    const pages: Entry[] = [];
    let token = '0';
    do {
      const { body } = await get(`/calls?pageSize=7&pageToken=${token}`);
      pages.push(...body.result.data);
      token = body.metadata.pagination.nextPageToken;
    } while (token !== null);
    expect(pages).toEqual(all);
    expect(all[1]).toMatchObject({
      genotypeValue: '0/1',
      genotype: { values: ['0/1'] },
      callSetName: 'L2',
      variantName: 'm1',
    });
  });

  test('ranges of positions and times have both ends', async () => {
    const { map, genotype } = data.files;
    const positions = async (query: string) =>
      (await entries(`/markerpositions?${query}`)).map(({ position }) => position);
    expect(await positions(`mapDbId=${map}&minPosition=2.5`)).toEqual([2.5, 10.25]);
    expect(await positions(`mapDbId=${genotype}&minPosition=150&maxPosition=200`)).toEqual([200, 150]);
    const starts = (await found('variants', { variantSetDbIds: [genotype], start: 149, end: 200 })).body.result.data;
    expect(starts.map(({ start }: Entry) => start)).toEqual([199, 149]);
    const observed = await entries('/observations?observationTimeStampRangeStart=2021-07-15T00:00:00Z');
    expect(observed.map(({ value }) => value)).toEqual(['95']);
  });
});

describe('conventions', () => {
  test('a foreign person sees nothing, and ids of others are 404', async () => {
    const stranger = await product.person('stranger');
    const headers = { authorization: `Bearer ${stranger.token}` };
    for (const [list, id] of Object.entries(LISTS)) {
      // How lines come to be is the same for everybody.
      if (list === 'breedingmethods') continue;
      const [first] = await entries(`/${list}?pageSize=1`);
      const { status, body } = await call('GET', `/${list}`, undefined, headers);
      expect([status, body.result.data], list).toEqual([200, []]);
      if (id !== null)
        expect((await call('GET', `/${list}/${first?.[id]}`, undefined, headers)).status, `${list}/${id}`).toBe(404);
    }
    const { genotype } = data.files;
    for (const path of [
      `variantsets/${genotype}/calls`,
      `variantsets/${genotype}/export/vcf`,
      `maps/${genotype}/linkagegroups`,
    ])
      expect((await call('GET', `/${path}`, undefined, headers)).status, path).toBe(404);
    const saved = await call('POST', '/search/germplasm', { germplasmNames: ['L1'] });
    const search = `/search/germplasm/${saved.body.result.searchResultsDbId}`;
    expect((await get(search)).body.result.data).toHaveLength(1);
    expect((await call('GET', search, undefined, headers)).status).toBe(404);
  });

  test('a token that is limited to a project sees that project, its crop and nothing else', async () => {
    const [, second] = data.projects;
    const token = { name: 'Field', scopes: ['read'], expires_in_days: 1, project_ids: [second.projectId] };
    const made = await data.owner.call('POST', '/access_tokens', token);
    const headers = { authorization: `Bearer ${made.body.token}` };
    const seen = async (list: string) =>
      (await call('GET', `/${list}`, undefined, headers)).body.result.data as Entry[];
    expect((await seen('programs')).map(({ programName }) => programName)).toEqual(['Other Breeding']);
    expect((await seen('trials')).map(({ trialDbId }) => trialDbId)).toEqual([second.projectId]);
    expect((await seen('germplasm')).map(({ germplasmName }) => germplasmName)).toEqual(['X7', 'X8', 'X9']);
    expect((await seen('variantsets')).map(({ variantSetDbId }) => variantSetDbId)).toEqual([data.files.otherGenotype]);
    const login = await call(
      'POST',
      '/token',
      { username: 'anybody', password: made.body.token },
      { authorization: '' },
    );
    expect([login.status, login.body.access_token]).toEqual([200, made.body.token]);
    expect(login.body.expires_in).toBeGreaterThan(80_000);
  });

  test('a token that is deleted ends at once, also while requests with it are under way', async () => {
    const person = await product.person('revoking');
    const { body: made } = await person.call('POST', '/access_tokens', {
      ...{ name: 'Field tablet', scopes: ['read'], expires_in_days: 1 },
    });
    const ask = async () =>
      (await call('GET', '/programs', undefined, { authorization: `Bearer ${made.token}` })).status;
    const before = Array.from({ length: 20 }, ask);
    const removal = person.call('DELETE', `/access_tokens/${made.id}`);
    const during = Array.from({ length: 20 }, ask);
    expect((await removal).status).toBe(204);
    expect(new Set(await Promise.all(Array.from({ length: 20 }, ask)))).toEqual(new Set([401]));
    for (const status of await Promise.all([...before, ...during])) expect([200, 401]).toContain(status);
  });

  test('the signed-out get 401 in plain text, and pages of other sites may ask', async () => {
    const answer = await product.app.inject({ url: '/brapi/v2/studies/' });
    expect(answer.statusCode).toBe(401);
    expect(answer.headers).toMatchObject({
      'www-authenticate': 'Bearer',
      'content-type': 'text/plain; charset=utf-8',
      'access-control-allow-origin': '*',
    });
    const preflight = await product.app.inject({ method: 'OPTIONS', url: '/brapi/v2/studies' });
    expect([preflight.statusCode, preflight.headers['access-control-allow-headers']]).toEqual([
      204,
      'authorization, content-type, accept',
    ]);
    expect((await get('/nothing')).text).toBe('This address does not exist, or you have no access to it.');
  });

  test('a search without a body is one without filters, and JSON that is broken is refused', async () => {
    const headers = { 'content-type': 'application/json;charset=utf-8' };
    const empty = await call('POST', '/search/germplasm', undefined, headers);
    expect(empty.status, empty.text).toBe(202);
    const all = await get(`/search/germplasm/${empty.body.result.searchResultsDbId}`);
    expect(all.body.metadata.pagination.totalCount).toBe((await entries('/germplasm')).length);
    const broken = await product.app.inject({
      method: 'POST',
      url: '/brapi/v2/search/germplasm',
      headers: { authorization: `Bearer ${data.owner.token}`, ...headers },
      payload: '{"germplasmNames": [',
    });
    expect([broken.statusCode, broken.headers['content-type']]).toEqual([400, 'text/plain; charset=utf-8']);
  });

  test('pages are clamped and unknown parameters ignored, both with a warning', async () => {
    const { body } = await get('/samples/?pageSize=2147483647&studyType=x&page=3');
    expect(body.result.data).toEqual([]);
    expect(body.metadata.pagination).toEqual({ currentPage: 3, pageSize: 10_000, totalCount: 9, totalPages: 1 });
    expect(body.metadata.status.map(({ message }: Entry) => message)).toEqual([
      '"studyType" is not known here and was ignored.',
      'pageSize is at most 10000 here; 2147483647 was asked for.',
    ]);
    const pages = [await entries('/samples?pageSize=5'), await entries('/samples?pageSize=5&page=1')];
    expect(pages.flat()).toEqual(await entries('/samples'));
    const saved = await call('POST', '/search/samples', { pageSize: 5, page: 1, somethingElse: true });
    const result = await get(`/search/samples/${saved.body.result.searchResultsDbId}`);
    expect(result.body.result.data).toEqual(pages[1]);
    expect(result.body.metadata.status).toHaveLength(1);
    expect((await entries(`/samples?sampleName=L1&sampleName=L2`)).length).toBe(4);
  });

  test('serverinfo lists what there is, as the standard spells it', async () => {
    const { calls } = (await product.app.inject({ url: '/brapi/v2/serverinfo' })).json().result;
    const offered = new Map<string, string[]>(calls.map(({ service, methods }: Entry) => [service, methods]));
    expect(offered.get('studies')).toContain('GET');
    for (const [service, methods] of offered)
      if (service !== 'token')
        for (const method of methods)
          expect(paths[`/${service}`]?.[method.toLowerCase()], `${method} ${service}`).toBeDefined();
    const registered = product.app.guardedRoutes
      .filter(({ url }) => url.startsWith('/brapi/v2/') && !url.includes('/export/'))
      .map(({ method, url }) => `${method} ${url.replace('/brapi/v2/', '').replaceAll(/:(\w+)/g, '{$1}')}`);
    expect(
      [...offered].flatMap(([service, methods]) => methods.map((method) => `${method} ${service}`)).sort(),
    ).toEqual(registered.sort());
  });

  test('every format of a variant set can be fetched with the token, and is what it says', async () => {
    const { body } = await get(`/variantsets/${data.files.genotype}`);
    const fetched = new Map<string, Buffer>();
    for (const { dataFormat, fileURL } of body.result.availableFormats) {
      const { pathname } = new URL(fileURL);
      const answer = await product.app.inject({
        url: pathname,
        headers: { authorization: `Bearer ${data.owner.token}` },
      });
      expect(answer.statusCode, dataFormat).toBe(200);
      fetched.set(dataFormat, answer.rawPayload);
    }
    expect([...fetched.keys()]).toEqual(['Flapjack', 'VCF', 'Hapmap', 'PLINK', 'tabular']);
    expect(String(fetched.get('Flapjack')).split('\n').slice(0, 3)).toEqual([
      '# fjFile = GENOTYPE',
      '\tm1\tm2\tm3\tm4',
      'L1\tA\tA\tC\tG/T',
    ]);
    expect(fetched.get('VCF')?.subarray(0, 2)).toEqual(Buffer.of(0x1f, 0x8b));
  });

  test('answers come compressed to whoever takes that, and not again while they stay the same', async () => {
    const ask = (path: string, headers: Record<string, string>) =>
      product.app.inject({
        url: `/brapi/v2${path}`,
        headers: { authorization: `Bearer ${data.owner.token}`, 'accept-encoding': 'gzip, br', ...headers },
      });
    const unpacked = (answer: { rawPayload: Buffer }): string => gunzipSync(answer.rawPayload).toString();
    for (const path of ['/germplasm', '/allelematrix', '/calls', `/variantsets/${data.files.genotype}`]) {
      const answer = await ask(path, {});
      expect([answer.statusCode, answer.headers['content-encoding']], path).toEqual([200, 'gzip']);
      expect(JSON.parse(unpacked(answer))).toEqual((await get(path)).body);
      expect(answer.rawPayload.length).toBeLessThan(unpacked(answer).length);
    }
    const first = await ask('/variantsets', {});
    const tag = String(first.headers.etag);
    expect([tag, first.headers['cache-control']]).toEqual([expect.stringMatching(/^W\/"/), 'private, no-cache']);
    const again = await ask('/variantsets', { 'if-none-match': `"other", ${tag}` });
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', tag]);
    expect((await ask('/studies', { 'if-none-match': tag })).statusCode).toBe(200);
    const plain = await ask('/variantsets', { 'accept-encoding': 'gzip;q=0, identity' });
    expect([plain.headers['content-encoding'], plain.json()]).toEqual([undefined, JSON.parse(unpacked(first))]);
    const file = await ask(`/variantsets/${data.files.genotype}/export/vcf`, {});
    expect(file.headers['content-encoding']).toBeUndefined();
  });

  test('tables are text for those who ask for text', async () => {
    const csv = await call('GET', `/observations/table?studyDbId=${data.files.trials}-0`, undefined, {
      accept: 'text/csv',
    });
    const [header, row] = csv.text.split('\n');
    expect(header).toMatch(/^observationTimeStamp,observationUnitDbId,.*,rep,Yield,colour$/);
    expect(row).toMatch(/,101,1,1,5\.1,red$/);
    const json = (await get(`/observationunits/table?studyDbId=${data.files.trials}-1`)).body.result;
    expect(json.data.map((cells: string[]) => cells.slice(-2))).toEqual([
      ['5.9', 'red'],
      ['', 'blue'],
    ]);
  });
});

describe('managers add and change lines', () => {
  const write = async (
    method: 'POST' | 'PUT',
    path: string,
    payload: object,
    token = data.owner.token,
  ): Promise<Answer> => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await product.app.inject({ method, url: `/brapi/v2${path}`, headers, payload });
    const isJson = String(answer.headers['content-type']).includes('json');
    return {
      status: answer.statusCode,
      body: isJson ? answer.json() : undefined,
      text: answer.body,
      headers: answer.headers,
    };
  };
  const line = (germplasmName: string, more: object = {}) => ({
    ...{ germplasmName, commonCropName: 'Maize', germplasmPUI: 'urn:of:the:client', seedSourceDescription: 'ignored' },
    ...more,
  });

  test('all lines of a request or none, with synonyms and passport', async () => {
    const more = {
      synonyms: [{ synonym: 'Nova' }],
      genus: 'Zea',
      breedingMethodDbId: 'DH',
      additionalInfo: { owner: 'Ann' },
    };
    const { status, body, text } = await write('POST', '/germplasm', [line('N1', more), line('N2')]);
    expect(status, text).toBe(200);
    expect(problemsOf('post', '/germplasm', 200, body)).toEqual([]);
    expect(body.result.data[0]).toMatchObject({
      ...{ germplasmName: 'N1', genus: 'Zea', breedingMethodDbId: 'DH', synonyms: [{ synonym: 'Nova', type: null }] },
      additionalInfo: { owner: 'Ann' },
    });
    expect(await entries('/germplasm?synonym=Nova')).toEqual([body.result.data[0]]);
    const taken = await write('POST', '/germplasm', [line('N3'), line('n-1')]);
    expect([taken.status, taken.text]).toEqual([409, expect.stringContaining('"N1" differs only in case')]);
    expect(await entries('/germplasm?germplasmName=N3')).toEqual([]);
    for (const bad of [[], [{ germplasmName: 'N4' }], [line('')], [line('N4'), line('N5', { commonCropName: 'Rice' })]])
      expect((await write('POST', '/germplasm', bad)).status).toBe(400);
    expect((await write('POST', '/germplasm', [line('N4', { commonCropName: 'Wheat' })])).text).toContain(
      'no crop "Wheat"',
    );
  });

  test('a change keeps what it does not name', async () => {
    const [before] = await entries('/germplasm?germplasmName=L1');
    const { status, body, text } = await write('PUT', `/germplasm/${before?.['germplasmDbId']}`, {
      ...{ collection: 'Elite', synonyms: ['One'] },
    });
    expect(status, text).toBe(200);
    expect(problemsOf('put', '/germplasm/{germplasmDbId}', 200, body)).toEqual([]);
    expect(body.result).toEqual({ ...before, collection: 'Elite', synonyms: [{ synonym: 'One', type: null }] });
  });

  test('lines get their parents, all of a request or none', async () => {
    const made = await write('POST', '/germplasm', [line('P1'), line('P2'), line('C1'), line('C2')]);
    const [p1, p2, c1, c2] = made.body.result.data.map(({ germplasmDbId }: Entry) => germplasmDbId);
    const node = (germplasmDbId: string, female: string, male: string, more: object = {}) => ({
      ...{ germplasmDbId, germplasmName: 'of the client', crossingYear: 2020, ...more },
      parents: [
        { germplasmDbId: female, parentType: 'FEMALE' },
        { germplasmDbId: male, parentType: 'MALE' },
      ],
    });
    const { status, body, text } = await write('POST', '/pedigree', [
      node(c1, p1, p2, { breedingMethodDbId: 'BIPARENTAL' }),
      { germplasmDbId: c2, germplasmName: 'C2', parents: [{ germplasmDbId: c1, parentType: 'SELF' }] },
    ]);
    expect(status, text).toBe(200);
    expect(problemsOf('post', '/pedigree', 200, body)).toEqual([]);
    expect(body.result.data[0]).toMatchObject({
      germplasmDbId: c1,
      pedigreeString: 'P1/P2',
      breedingMethodDbId: 'BIPARENTAL',
    });
    expect((await get(`/germplasm/${c2}/pedigree`)).body.result.parents).toEqual([
      { germplasmDbId: c1, germplasmName: 'C1', parentType: 'FEMALE' },
      { germplasmDbId: c1, germplasmName: 'C1', parentType: 'MALE' },
    ]);

    // The second would run in a circle, so the first is not saved either.
    const circle = await write('PUT', '/pedigree', { [c2]: node(c2, p1, p2), [p1]: node(p1, c1, p2) });
    expect([circle.status, circle.text]).toEqual([400, expect.stringContaining(`body.${p1}: "C1" descends from "P1"`)]);
    expect(await entries(`/pedigree?germplasmDbId=${c2}`)).toMatchObject([{ pedigreeString: 'C1/C1' }]);
    const changed = await write('PUT', '/pedigree', { [c2]: { parents: [{ germplasmDbId: p2, parentType: 'MALE' }] } });
    expect(problemsOf('put', '/pedigree', 200, changed.body)).toEqual([]);
    expect(changed.body.result.data).toMatchObject([{ germplasmDbId: c2, pedigreeString: '/P2' }]);

    for (const bad of [[], [{}], [node(c1, p1, p2, { parents: null }), { germplasmDbId: c1, parents: 'P1/P2' }]])
      expect((await write('POST', '/pedigree', bad)).status).toBe(400);
    const many = { germplasmDbId: c1, parents: [{ germplasmDbId: p1, parentType: 'POPULATION' }] };
    expect((await write('POST', '/pedigree', [many])).text).toContain('FEMALE, MALE or SELF, not "POPULATION"');
    expect((await write('POST', '/pedigree', [node(c1, '00000000-0000-4000-8000-000000000000', p2)])).status).toBe(404);
    const guest = await product.person('pedigree-guest');
    await product.join(data.projects[0], guest, 'MEMBER');
    const stranger = await product.person('pedigree-stranger');
    expect([403, 404]).toContain((await write('POST', '/pedigree', [node(c1, p2, p1)], guest.token)).status);
    expect((await write('POST', '/pedigree', [node(c1, p2, p1)], stranger.token)).status).toBe(404);
    expect(await entries(`/pedigree?germplasmDbId=${c1}`)).toMatchObject([{ pedigreeString: 'P1/P2' }]);
  });

  test('nobody else does, and no token that may only read', async () => {
    const made = await data.owner.call('POST', '/access_tokens', { name: 'R', scopes: ['read'], expires_in_days: 1 });
    expect((await write('POST', '/germplasm', [line('N9')], made.body.token)).status).toBe(403);
    const guest = await product.person('guest');
    await product.join(data.projects[0], guest, 'MEMBER');
    expect((await write('POST', '/germplasm', [line('N9')], guest.token)).status).toBe(403);
    const stranger = await product.person('stranger');
    expect((await write('POST', '/germplasm', [line('N9')], stranger.token)).status).toBe(400);
    const address = `/germplasm/${data.germplasm.get('L1')}`;
    expect((await write('PUT', address, { collection: 'Mine' }, stranger.token)).status).toBe(404);
    expect(await entries('/germplasm?germplasmName=N9')).toEqual([]);
  });
});

test('a file whose bytes are lost is left out with a warning, and hides no other', async () => {
  const { db } = product.services;
  const before = await entries('/studies');
  const [project] = data.projects;
  const lost = {
    ...{ id: '00000000-0000-4000-8000-00000000dead', project_id: project.projectId, name: 'lost.csv', size_bytes: 1 },
    ...({ file_type: 'PHENOTYPE', status: 'READY', content_type: 'text/csv', storage_key: 'projects/lost' } as const),
  };
  await db.insertInto('files').values(lost).execute();
  const { status, body } = await get('/studies');
  await db.deleteFrom('files').where('id', '=', lost.id).execute();
  expect([status, body.result.data]).toEqual([200, before]);
  expect(body.metadata.status).toEqual([{ messageType: 'WARNING', message: expect.stringContaining('"lost.csv"') }]);
});
