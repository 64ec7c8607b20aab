import * as z from 'zod';
import { id, timestamp } from '../common.ts';
import { runKinds } from '../work/run-kinds.ts';

export const searchQuery = z.object({
  search: z.string().trim().min(1).max(100).describe('Words that the name contains, in any order.'),
});

export const foundThing = z
  .object({
    kind: z.enum(['file', 'folder', 'germplasm', 'trial', ...runKinds]),
    id,
    name: z.string(),
    note: z
      .string()
      .nullable()
      .describe(
        'Type of a file; place and season of a trial; the synonym of a germplasm that was found; otherwise null.',
      ),
    created_at: timestamp,
  })
  .meta({ id: 'FoundThing' });
export type FoundThing = z.infer<typeof foundThing>;

export const foundThings = z.object({
  data: z.array(foundThing).describe('The best of each kind: equal names first, then those that begin alike.'),
});
export type FoundThings = z.infer<typeof foundThings>;
