import type { AnswerOf, RequestTo } from '@heterosis/contracts/endpoint';
import { addressOf } from '@heterosis/contracts/endpoint-address';
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest';
import * as sample from '../../../tools/sample-endpoint/sample.service.ts';
import { sampleApi } from '../../../tools/sample-endpoint/sample.ts';
import { bind } from './bind.ts';
import { createTestApp, type TestApp } from './testing.ts';

const { weighSeed, printLabel } = sampleApi;
let context: TestApp;

beforeAll(async () => {
  context = await createTestApp({ features: [bind(sampleApi, sample)] });
});
afterAll(() => context.close());

test('an endpoint of two files, a row and a function of its name, is served and checked', async () => {
  const url = `/api${addressOf(weighSeed, { lot: 7 })}`;
  const weigh = (query: string, payload: object) => context.app.inject({ method: 'POST', url: url + query, payload });
  const answer = await weigh('?unit=kg', { grams: 1500 });
  expect(answer.statusCode).toBe(201);
  expect(answer.json()).toEqual({ lot: 7, weight: 1.5, unit: 'kg' });
  expect((await weigh('?unit=lb', { grams: 1 })).json().invalid_params).toEqual([
    expect.objectContaining({ name: 'query.unit' }),
  ]);
  expect((await weigh('', { grams: 1, gramms: 2 })).statusCode).toBe(400);
});

test('what it answers as a file has the type of the row and a name', async () => {
  const { headers, body } = await context.app.inject({ url: `/api${addressOf(printLabel, { lot: '8/9' })}` });
  expect(headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(headers['content-disposition']).toBe(`attachment; filename="lot 8_9.csv"; filename*=UTF-8''lot%208_9.csv`);
  expect(body).toBe('lot\n8/9\n');
});

test('it is in the API document, and typed for those who call it', () => {
  const paths = context.app.swagger().paths as Record<string, Record<string, { summary: string; parameters: unknown }>>;
  expect(paths['/api/samples/{lot}/weights']?.['post']).toMatchObject({ summary: 'Weigh a lot of seed' });
  expect(paths['/api/samples/{lot}/label']?.['get']).toMatchObject({ summary: 'The label of a lot' });
  expectTypeOf<RequestTo<typeof weighSeed>['body']>().toEqualTypeOf<{ grams: number }>();
  expectTypeOf<AnswerOf<typeof weighSeed>>().toEqualTypeOf<{ lot: number; weight: number; unit: string }>();
  expectTypeOf<AnswerOf<typeof printLabel>>().toEqualTypeOf<Response>();
});
