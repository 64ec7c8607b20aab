import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';

/** What a request may carry: every schema whose name says so. */
const requests: [string, z.ZodType][] = [];
for (const file of readdirSync(import.meta.dirname)) {
  if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
  const exported = (await import(`./${file}`)) as Record<string, unknown>;
  for (const [name, schema] of Object.entries(exported))
    if (/(Body|Query)$/.test(name) && schema instanceof z.ZodType) requests.push([name, schema]);
}

/** Places in a JSON schema that take text, lists or numbers of any size. */
function unbounded(schema: z.core.JSONSchema.BaseSchema, at: string): string[] {
  const inside = (part: unknown, name: string): string[] =>
    typeof part === 'object' && part !== null ? unbounded(part as z.core.JSONSchema.BaseSchema, name) : [];
  const found: string[] = [];
  const { type, enum: values, const: constant, format, pattern } = schema;
  if (type === 'string' && schema.maxLength === undefined && !values && constant === undefined && !format && !pattern)
    found.push(`${at}: text of any length`);
  if (type === 'array') {
    if (schema.maxItems === undefined) found.push(`${at}: a list of any length`);
    found.push(...inside(schema.items, `${at}[]`));
  }
  if (
    (type === 'number' || type === 'integer') &&
    schema.maximum === undefined &&
    schema.exclusiveMaximum === undefined
  )
    found.push(`${at}: a number of any size`);
  for (const [name, part] of Object.entries(schema.properties ?? {})) found.push(...inside(part, `${at}.${name}`));
  if (typeof schema.additionalProperties === 'object') found.push(`${at}: any names`);
  for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
    found.push(...inside(part, at));
  return found;
}

describe('no request can be larger than it needs to be', () => {
  test('schemas of requests are found', () => expect(requests.length).toBeGreaterThan(25));

  test.each(requests)('%s', (name, schema) => {
    // The output side: coerced query parameters are text of any kind before they are numbers within their limits.
    const json = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
    expect(unbounded(json, name)).toEqual([]);
  });
});
