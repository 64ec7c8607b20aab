import { expect, test } from 'vitest';
import { type Entry, startFilled } from '../testing.ts';

const { product, data, call, problemsOf } = await startFilled();

await product.stopWorker();

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const idOf = (name: string): string => data.germplasm.get(name) ?? '';
const inFirst = () => ({ trialDbId: data.projects[0].projectId });
const newList = (listName: string, members: unknown, more: object = {}) => ({
  ...{ listName, listType: 'germplasm', data: members, additionalInfo: inFirst() },
  ...more,
});
const listed = async (query = ''): Promise<Entry[]> => (await call('GET', `/lists${query}`)).body.result.data;
const namesIn = async (id: string): Promise<string[]> =>
  (await data.owner.call('GET', `${data.projects[0].address}/lists/${id}`)).body.members;

/** Makes one list in the first project. */
async function made(listName: string, members: string[], more: object = {}): Promise<Entry> {
  const { status, body, text } = await call('POST', '/lists', [newList(listName, members, more)]);
  expect(status, text).toBe(200);
  return body.result.data[0];
}

test('lines are ids, and names where there is no line', async () => {
  const [founders] = await listed('?listName=Founders');
  expect(founders).toMatchObject({ listType: 'germplasm', listSize: 3, additionalInfo: { commonCropName: 'Maize' } });
  const { body } = await call('GET', `/lists/${founders?.['listDbId']}`);
  expect(problemsOf('get', '/lists/{listDbId}', 200, body)).toEqual([]);
  expect(body.result).toEqual({ ...founders, data: [idOf('L1'), idOf('L2'), 'nowhere'] });
});

test('all lists of a request are made, or none', async () => {
  const { genotype } = data.files;
  const { status, body, text } = await call('POST', '/lists', [
    newList('Testers', [idOf('L3'), 'L1', idOf('L3')], { listDescription: 'of 2026', listSource: 'a phone' }),
    newList('Chip', [`${genotype}-2`, 'm1'], { listType: 'markers' }),
    newList('Later', null),
  ]);
  expect(status, text).toBe(200);
  expect(problemsOf('post', '/lists', 200, body)).toEqual([]);
  expect(body.metadata.status).toEqual([
    { messageType: 'WARNING', message: '"listSource" is not known here and was ignored.' },
  ]);
  expect(body.result.data).toMatchObject([
    { listName: 'Testers', listDescription: 'of 2026', listSize: 2, listOwnerPersonDbId: data.owner.userId },
    { listName: 'Chip', listType: 'markers', listSize: 2 },
    { listName: 'Later', listSize: 0 },
  ]);
  const [testers, chip] = body.result.data.map(({ listDbId }: Entry) => listDbId);
  expect([await namesIn(testers), await namesIn(chip)]).toEqual([
    ['L3', 'L1'],
    ['m3', 'm1'],
  ]);

  const before = await listed();
  const good = newList('Not made', ['L1']);
  for (const [bad, code, message] of [
    [newList('testers', ['L1']), 409, 'a list "testers" already'],
    [newList('Strange', [UNKNOWN]), 404, `"${UNKNOWN}" does not exist`],
    [newList('Of rice', [idOf('X9')]), 404, 'does not exist'],
    [newList('No marker', [`${genotype}-99`], { listType: 'markers' }), 404, 'The variant'],
    [newList('Of files', [], { listType: 'samples' }), 400, 'body.1.listType'],
    [newList('', []), 400, 'body.1.listName'],
    [newList('Text', 'L1'), 400, 'body.1.data'],
    [newList('Numbers', [1]), 400, 'body.1.data.0'],
    [newList('Blank', [' ']), 400, 'body.1.data.0'],
    [newList('Anywhere', ['L1'], { additionalInfo: {} }), 400, 'several trials fit'],
    [newList('Nowhere', ['L1'], { additionalInfo: { trialDbId: UNKNOWN } }), 400, 'no such program'],
    [newList('There', [], { additionalInfo: { trialDbId: data.projects[1].projectId } }), 400, 'of one trial'],
    [{ data: ['L1'] }, 400, 'body.1.listName'],
    ['L1', 400, 'body.1'],
  ] as const) {
    const answer = await call('POST', '/lists', [good, bad]);
    expect([answer.status, answer.text], JSON.stringify(bad)).toEqual([code, expect.stringContaining(message)]);
  }
  for (const bad of [[], {}, good]) expect((await call('POST', '/lists', bad)).status).toBe(400);
  expect(await listed()).toEqual(before);
});

test('a change keeps what it does not name, and how names are spelled', async () => {
  const { listDbId } = await made('Spelling', ['Line Two', 'L1']);
  const address = `/lists/${listDbId}`;
  const before = (await call('GET', address)).body.result;
  expect(before.data).toEqual([idOf('L2'), idOf('L1')]);
  const { status, body, text } = await call('PUT', address, {
    ...before,
    ...{ listName: 'Spelled', data: [...before.data, idOf('L4')] },
  });
  expect(status, text).toBe(200);
  expect(problemsOf('put', '/lists/{listDbId}', 200, body)).toEqual([]);
  expect(body.metadata.status).toEqual([]);
  expect(body.result).toEqual({
    ...{ ...before, listName: 'Spelled', listSize: 3, data: [idOf('L2'), idOf('L1'), idOf('L4')] },
    dateModified: body.result.dateModified,
  });
  expect(await namesIn(listDbId)).toEqual(['Line Two', 'L1', 'L4']);
  const described = await call('PUT', address, { listDescription: 'all' });
  expect(described.body.result).toMatchObject({ listName: 'Spelled', listDescription: 'all', listSize: 3 });
  expect((await call('PUT', address, { data: [] })).body.result.data).toEqual([]);
  for (const [bad, code] of [
    [{ listType: 'markers' }, 400],
    [{ listName: ' ' }, 400],
    [{ data: [UNKNOWN] }, 404],
    [[], 400],
  ] as const)
    expect((await call('PUT', address, bad)).status, JSON.stringify(bad)).toBe(code);
  expect((await call('PUT', `/lists/${UNKNOWN}`, { listName: 'Mine' })).status).toBe(404);
});

test.each(['data', 'items'])('new members of %s come to the end, each once', async (part) => {
  const { listDbId } = await made(`Growing ${part}`, ['L1']);
  const { status, body, text } = await call('POST', `/lists/${listDbId}/${part}`, [idOf('L5'), 'L1', idOf('L1')]);
  expect(status, text).toBe(200);
  expect(problemsOf('post', `/lists/{listDbId}/${part}`, 200, body)).toEqual([]);
  expect(body.result).toMatchObject({ listSize: 2, data: [idOf('L1'), idOf('L5')] });
  for (const [bad, code] of [
    [[], 400],
    [['L2', UNKNOWN], 404],
    [{ data: ['L2'] }, 400],
    [Array.from({ length: 20_001 }, (_, i) => `N${i}`), 400],
  ] as const)
    expect((await call('POST', `/lists/${listDbId}/${part}`, bad)).status).toBe(code);
  const many = Array.from({ length: 20_000 }, (_, i) => `N${i}`);
  expect((await call('POST', `/lists/${listDbId}/${part}`, many)).text).toContain('at most 20000 names');
  expect(await namesIn(listDbId)).toEqual(['L1', 'L5']);
});

test('searches choose by owner and by time', async () => {
  const found = async (body: object): Promise<string[]> => {
    const saved = await call('POST', '/search/lists', body);
    const { result } = (await call('GET', `/search/lists/${saved.body.result.searchResultsDbId}`)).body;
    return result.data.map(({ listName }: Entry) => listName);
  };
  const all = (await listed()).map(({ listName }) => listName);
  expect(await found({ listOwnerPersonDbIds: [data.owner.userId] })).toEqual(all);
  expect(await found({ listOwnerPersonDbIds: [UNKNOWN] })).toEqual([]);
  const [, kept] = await listed();
  expect(await found({ dateCreatedRangeEnd: kept?.['dateCreated'] })).toEqual(all.slice(0, 2));
  expect(await found({ dateCreatedRangeStart: '2100-01-01T00:00:00Z' })).toEqual([]);
  expect(await found({ dateModifiedRangeStart: '2000-01-01T00:00:00Z' })).toEqual(all);
});

test('members change their own lists, guests see no lines beyond the project, and strangers nothing', async () => {
  // No file of the project has it: what the germplasm list of the organization holds is not told.
  const secret = await call('POST', '/germplasm', [{ germplasmName: 'Secret', commonCropName: 'Maize' }]);
  const [{ germplasmDbId: secretId }] = secret.body.result.data;
  const { listDbId } = await made('Of the owner', ['L1', 'Secret']);
  const address = `/lists/${listDbId}`;
  const guest = await product.person('list-guest');
  await product.join(data.projects[0], guest, 'MEMBER');
  expect((await call('GET', address)).body.result.data).toEqual([idOf('L1'), secretId]);
  expect((await call('GET', address, undefined, guest)).body.result.data).toEqual([idOf('L1'), 'Secret']);
  expect((await call('PUT', address, { listName: 'Mine' }, guest)).status).toBe(403);
  expect((await call('POST', `${address}/data`, ['L2'], guest)).status).toBe(403);
  const own = await call('POST', '/lists', [newList('Of the guest', [idOf('L1')], { additionalInfo: {} })], guest);
  expect(own.body.result.data[0]).toMatchObject({ listName: 'Of the guest', additionalInfo: inFirst() });
  expect((await call('POST', '/lists', [newList('Guessed', [secretId])], guest)).status).toBe(404);

  const stranger = await product.person('list-stranger');
  for (const [method, path, body] of [
    ['GET', address, undefined],
    ['PUT', address, { listName: 'Mine' }],
    ['POST', `${address}/data`, ['L2']],
    ['POST', `${address}/items`, ['L2']],
  ] as const)
    expect((await call(method, path, body, stranger)).status, `${method} ${path}`).toBe(404);
  expect((await call('POST', '/lists', [newList('Foreign', ['L1'])], stranger)).status).toBe(400);
  const reading = await data.owner.call('POST', '/access_tokens', { name: 'R', scopes: ['read'], expires_in_days: 1 });
  const reader = { token: reading.body.token };
  expect((await call('POST', '/lists', [newList('Read only', ['L1'])], reader)).status).toBe(403);
  expect((await call('GET', address)).body.result).toMatchObject({ listName: 'Of the owner', listSize: 2 });
});
