import { afterAll, beforeAll, expect, test } from 'vitest';
import { specification } from '../../testing/brapi.ts';
import { type Answer, type Product, startProduct } from '../../testing/product.ts';
import { type BrapiData, fill } from './testing.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- entries of every list
type Entry = Record<string, any>;

let product: Product;
let data: BrapiData;

beforeAll(async () => {
  product = await startProduct();
  data = await fill(product);
});
afterAll(() => product.close());

async function call(method: 'GET' | 'POST', path: string, payload?: object, token = data.owner.token): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await product.app.inject({
    method,
    url: `/brapi/v2${path}`,
    headers,
    ...(payload === undefined ? {} : { payload }),
  });
  const isJson = String(answer.headers['content-type']).includes('json');
  return {
    status: answer.statusCode,
    body: isJson ? answer.json() : undefined,
    text: answer.body,
    headers: answer.headers,
  };
}

const list = async (path: string): Promise<Entry[]> => (await call('GET', path)).body.result.data;

test('some individuals and markers become a file with the same calls', async () => {
  const { genotype } = data.files;
  const callSetDbIds = [`${genotype}-4`, `${genotype}-0`, `${genotype}-1`];
  const variantDbIds = [`${genotype}-3`, `${genotype}-1`, `${genotype}-1`];
  const body = { variantSetDbIds: [genotype], callSetDbIds, variantDbIds, sepPhased: '~' };
  const { status, body: answer, text } = await call('POST', '/variantsets/extract', body);
  expect(status, text).toBe(200);
  expect(specification().problemsOf('post', '/variantsets/extract', 200, answer)).toEqual([]);
  const id = answer.result.variantSetDbId;
  expect(answer.result).toMatchObject({ callSetCount: 3, variantCount: 2 });
  for (;;) {
    const file = (await data.owner.call('GET', `${data.projects[0].address}/files/${id}`)).body;
    if (!['UPLOADED', 'CHECKING'].includes(file.status)) {
      expect(file.status, JSON.stringify(file)).toMatch(/^READY/);
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const seen = ({ callSetName, variantName, genotypeValue }: Entry): string[] => [
    callSetName,
    variantName,
    genotypeValue,
  ];
  const names = (await list(`/samples?variantSetDbId=${genotype}&studyDbId=${genotype}`))
    .filter(({ sampleDbId }) => callSetDbIds.includes(sampleDbId))
    .map(({ sampleName }) => sampleName);
  const wanted = (await list(`/variantsets/${genotype}/calls`)).filter(
    ({ callSetDbId, variantDbId }) => callSetDbIds.includes(callSetDbId) && variantDbIds.includes(variantDbId),
  );
  const extracted = await list(`/variantsets/${id}/calls`);
  expect(new Set(extracted.map(({ callSetName }) => callSetName))).toEqual(new Set(names));
  expect(extracted.map(seen)).toEqual(wanted.map(seen));
  expect(extracted).toHaveLength(6);
});

test('what cannot be extracted makes no file', async () => {
  const { genotype, otherGenotype } = data.files;
  const before = await list('/variantsets');
  for (const [body, text] of [
    [{}, 'Name the variant set'],
    [{ variantSetDbIds: ['nothing'] }, 'no variant set'],
    [{ variantSetDbIds: [genotype, otherGenotype] }, 'Several variant sets'],
    [{ variantSetDbIds: [genotype], callSetDbIds: [`${otherGenotype}-0`] }, 'no variant set'],
  ] as const) {
    const answer = await call('POST', '/variantsets/extract', body);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(text)]);
  }
  const body = { variantSetDbIds: [genotype] };
  const made = await data.owner.call('POST', '/access_tokens', { name: 'R', scopes: ['read'], expires_in_days: 1 });
  expect((await call('POST', '/variantsets/extract', body, made.body.token)).status).toBe(403);
  const stranger = await product.person('extract-stranger');
  expect((await call('POST', '/variantsets/extract', body, stranger.token)).status).toBe(400);
  expect(await list('/variantsets')).toEqual(before);
});
