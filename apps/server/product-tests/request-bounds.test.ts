import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { wireFeatures } from '../src/entrypoints/wiring.ts';
import type { App } from '../src/platform/http/app.ts';
import { createTestServices, type TestServices } from '../src/platform/http/testing.ts';

let services: TestServices;
beforeAll(async () => {
  services = await createTestServices();
});
afterAll(() => services.close());

type Schemas = Partial<Record<'params' | 'querystring' | 'body', z.ZodType>>;

/** The routes that the features register, without a server. */
async function listRequestSchemas(): Promise<[string, z.ZodType][]> {
  const all: [string, z.ZodType][] = [];
  const route = ({ method, url, schema }: { method: string; url: string; schema?: Schemas }) => {
    for (const part of ['params', 'querystring', 'body'] as const) {
      const found = schema?.[part];
      if (found !== undefined) all.push([`${method} ${url} ${part}`, found]);
    }
  };
  const register = (method: string) => (url: string, options?: { schema?: Schemas }) =>
    route({ ...options, method: method.toUpperCase(), url });
  // Ignore the metrics that features register beside their routes: callers send nothing to them.
  const metrics = { registerMetric: () => {} };
  const app = new Proxy(
    {},
    {
      get: (_, name) => (name === 'metrics' ? metrics : name === 'route' ? route : register(String(name))),
    },
  ) as App;
  const { features, rootFeatures } = wireFeatures(services.services);
  for (const routes of [...features, ...rootFeatures]) await routes(app, services.services);
  return all;
}

/** An object with names of the caller's choice: few of them, and short. */
function hasBoundedNames({ maxProperties, propertyNames }: z.core.JSONSchema.BaseSchema): boolean {
  return maxProperties !== undefined && typeof propertyNames === 'object' && propertyNames.maxLength !== undefined;
}

/** Fields that accept text, lists or numbers of unlimited size. */
function unbounded(schema: z.core.JSONSchema.BaseSchema, at: string): string[] {
  const { type, enum: values, const: constant, format, pattern } = schema;
  const isChosen = values !== undefined || constant !== undefined;
  const inside = (part: unknown, name: string): string[] =>
    typeof part === 'object' && part !== null ? unbounded(part as z.core.JSONSchema.BaseSchema, name) : [];
  return [
    ...(type === 'string' && !isChosen && !format && !pattern && schema.maxLength === undefined
      ? [`${at}: text of any length`]
      : []),
    ...(type === 'array' && schema.maxItems === undefined ? [`${at}: a list of any length`] : []),
    ...((type === 'number' || type === 'integer') &&
    !isChosen &&
    schema.maximum === undefined &&
    schema.exclusiveMaximum === undefined
      ? [`${at}: a number of any size`]
      : []),
    ...(typeof schema.additionalProperties === 'object' && !hasBoundedNames(schema) ? [`${at}: any names`] : []),
    ...inside(schema.additionalProperties, `${at}.*`),
    ...inside(schema.items, `${at}[]`),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) => inside(part, `${at}.${name}`)),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].flatMap((part) => inside(part, at)),
  ];
}

test('no part of a request can be larger than it needs to be', async () => {
  const schemas = await listRequestSchemas();
  expect(schemas.length).toBeGreaterThan(300);
  // Check the output side: before coercion, a query parameter is text of any kind.
  const problems = schemas.flatMap(([name, schema]) =>
    unbounded(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }), name),
  );
  expect(problems).toEqual([]);
});
