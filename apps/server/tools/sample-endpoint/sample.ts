import { type Endpoints, get, post } from '@heterosis/contracts/endpoint';
import * as z from 'zod';

/** The rows of a feature that a test adds. */
export const sampleApi = {
  weighSeed: post('/samples/:lot/weights', 'public', {
    summary: 'Weigh a lot of seed',
    params: { lot: z.coerce.number().int() },
    query: z.object({ unit: z.enum(['g', 'kg']).default('g') }),
    body: z.object({ grams: z.number().positive() }),
    answer: z.object({ lot: z.number(), weight: z.number(), unit: z.string() }),
    status: 201,
  }),
  printLabel: get('/samples/:lot/label', 'public', { summary: 'The label of a lot', media: ['text/csv'] }),
} as const satisfies Endpoints;
