import * as z from 'zod';
import { id, name, timestamp } from '../common.ts';

/** Most views of tables that a project keeps, those of all its people together. */
export const MAX_VIEWS = 1000;

/** What a table shows and how. What the table no longer has is ignored by it, and named. */
export const viewContent = z.object({
  columns: z
    .array(z.object({ id: z.string().min(1).max(300), name: z.string().max(300) }))
    .min(1)
    .max(300)
    .describe('Columns that are shown, in their order; the name is for telling which of them is gone.'),
  search: z.string().max(255).default(''),
  sort: z.string().max(300).nullable().default(null).describe('A column, with `-` before it for descending.'),
  group: z.string().max(100).nullable().default(null).describe('What rows are grouped by; null: as the table does.'),
  filters: z
    .record(z.string().max(300), z.string().max(1000))
    .refine((filters) => Object.keys(filters).length <= 100, 'At most 100 filters')
    .meta({ maxProperties: 100 })
    .default({})
    .describe("The page's own filters beside the search."),
});
export type ViewContent = z.output<typeof viewContent>;

/** Columns, order, sort and filters of a table under a name. */
export const tableView = z
  .object({
    id,
    project_id: id,
    table: z.string().describe('Name of the table in the product.'),
    name: z.string(),
    content: viewContent,
    is_shared: z.boolean().describe('Everybody in the project sees it; otherwise only its author.'),
    is_default: z
      .boolean()
      .describe("The table opens with it: for everybody if it is shared, unless a view of one's own is the default."),
    created_by: z.string().nullable(),
    created_by_id: id.nullable().describe('Id of the user; null once the account is deleted.'),
    may_change: z.boolean().describe('By you: its author, or for shared views a manager of the project.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'TableView' });
export type TableView = z.infer<typeof tableView>;

/** `GET /projects/{project_id}/table_views`: your own and the shared ones, by table and name. */
export const tableViews = z
  .object({
    data: z.array(tableView),
    may_save: z.boolean().describe('You may save views of your own.'),
    may_share: z.boolean().describe('You may save views for everybody.'),
    may_set_default: z.boolean().describe('You may choose the view that a table opens with for everybody.'),
  })
  .meta({ id: 'TableViews' });
export type TableViews = z.infer<typeof tableViews>;

export const createViewBody = z.object({
  table: z.string().regex(/^[\w-]{1,100}$/),
  name,
  content: viewContent,
  is_shared: z.boolean().default(false),
  is_default: z.boolean().default(false),
});

/** Absent fields stay unchanged. */
export const updateViewBody = z.object({
  name: name.optional(),
  content: viewContent.optional(),
  is_shared: z.boolean().optional(),
  is_default: z.boolean().optional(),
});
