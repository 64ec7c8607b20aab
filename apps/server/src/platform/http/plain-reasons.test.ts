import { expect, test } from 'vitest';
import * as z from 'zod';
import { plainReason } from './plain-reasons.ts';

const reason = (schema: z.ZodType, value: unknown): string | undefined =>
  schema.safeParse(value, { error: plainReason }).error?.issues[0]?.message;

test('what is wrong with a field is said in words for people', () => {
  expect(reason(z.string(), undefined)).toBe('This is missing');
  expect(reason(z.string(), 7)).toBe('This must be a text');
  expect(reason(z.coerce.number(), 'many')).toBe('This must be a number');
  expect(reason(z.number().int(), 1.5)).toBe('This must be a whole number');
  expect(reason(z.number().max(500), 501)).toBe('At most 500');
  expect(reason(z.number().positive(), 0)).toBe('More than 0');
  expect(reason(z.string().min(3), 'a')).toBe('At least 3 characters');
  expect(reason(z.array(z.string()).max(2), ['a', 'b', 'c'])).toBe('At most 2 entries');
  expect(reason(z.enum(['LRT', 'WALD']), 'F')).toBe('Choose one of LRT, WALD');
  expect(reason(z.literal('RRBLUP'), 'BayesB')).toBe('This must be RRBLUP');
  expect(reason(z.uuid(), 'x')).toBe('This is not an id');
});

test('words that a schema brings itself stay', () => {
  expect(reason(z.string().min(1, 'A name is required'), '')).toBe('A name is required');
});
