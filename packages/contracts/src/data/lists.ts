import * as z from 'zod';
import { description, id, name, pageQuery, timestamp, withoutControls } from '../common.ts';

/** Most names of a list. */
export const MAX_MEMBERS = 20_000;
/** Most lists of a project. */
export const MAX_LISTS = 1000;

export const listKind = z
  .enum(['germplasm', 'markers'])
  .describe('What the list names: lines (as files and results write them), or markers.');
export type ListKind = z.infer<typeof listKind>;

export const listMembers = z
  .array(z.string().trim().min(1).max(255).refine(withoutControls, 'Control characters are not allowed'))
  .max(MAX_MEMBERS, `A list has at most ${MAX_MEMBERS} names`)
  .describe('Names in their order. A name that is given twice counts once, where it came first.');

/** Names that are kept with a project: rows that were ticked in a table, or names that were pasted. */
export const savedList = z
  .object({
    id,
    project_id: id,
    kind: listKind,
    name: z.string(),
    description: z.string().nullable(),
    size: z.number().int().describe('Names on the list.'),
    created_by: z.string().nullable(),
    created_by_id: id.nullable().describe('Id of the user; null once the account is deleted.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'List' });
export type SavedList = z.infer<typeof savedList>;

export const savedListDetail = savedList
  .extend({ members: z.array(z.string()).describe('Names in their order.') })
  .meta({ id: 'ListDetail' });
export type SavedListDetail = z.infer<typeof savedListDetail>;

export const listListsQuery = pageQuery.extend({
  kind: listKind.optional(),
  name: z.string().max(255).optional().describe('Only those whose name contains this.'),
});

export const createListBody = z.object({
  name,
  kind: listKind,
  description: description.nullable().optional(),
  members: listMembers.min(1, 'A list needs a name on it'),
});

/** Absent fields stay unchanged. `add` and `remove` change members one by one; `members` replaces all of them. */
export const updateListBody = z
  .object({
    name: name.optional(),
    description: description.nullable().optional(),
    members: listMembers.optional(),
    add: listMembers.optional().describe('Names that are put at the end, unless they are on the list.'),
    remove: listMembers.optional().describe('Names that are taken off; others are ignored.'),
  })
  .refine(
    ({ members: all, add, remove }) => all === undefined || (add === undefined && remove === undefined),
    'Give either members, or add and remove',
  );
