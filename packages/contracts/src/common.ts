import * as z from 'zod';

/** UUIDv7 of a row. In a path any text is accepted, so that a malformed id returns 404 like an unknown one. */
export const id = z.uuid();
export const pathId = z.string().min(1).max(64);

/** ISO 8601 with offset. */
export const timestamp = z.iso.datetime({ offset: true });

/** Text of one line. */
export const withoutControls = (text: string): boolean => !/\p{Cc}/u.test(text);

/** A day that a person names, as 2027-03-01. What was sown or is planned lies within these years. */
export const givenDay = z.iso
  .date()
  .refine((day) => day >= '1900' && day < '2200', { error: 'The date must lie between 1900 and 2199' });

/** Whether a text has a character that leaves a mark: two names of invisible ones look alike, and like none. */
export const isVisible = (text: string): boolean =>
  text === '' || /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);

/** Names of projects, folders, files, models and the like: required, trimmed, at most 255 characters. */
export const name = z
  .string()
  .trim()
  .min(1, 'A name is required')
  .max(255, 'A name has at most 255 characters')
  .refine(withoutControls, 'Control characters are not allowed')
  .refine(isVisible, 'Only invisible characters');

export const description = z.string().trim().max(5000, 'A description has at most 5,000 characters');

export const trait = z.string().min(1).max(255).describe('As the phenotype file spells it.');

export const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 500;

/** Query of every list: keyset pagination. */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE).describe('Rows per page.'),
  cursor: z.string().max(1000).optional().describe('`next_cursor` of the previous page; absent for the first page.'),
});

/** Response of every list. `next_cursor` is null on the last page. */
export const page = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), next_cursor: z.string().nullable().describe('Null on the last page.') });
export type Page<Item> = { data: Item[]; next_cursor: string | null };

/** A reference to another row: its id and name. */
export const reference = z.object({ id, name: z.string() }).meta({ id: 'Reference' });
export type Reference = z.infer<typeof reference>;

/** Paper that a PDF is printed on. */
export const paper = z.enum(['A4', 'LETTER']);
export type Paper = z.infer<typeof paper>;

export const role = z.enum(['OWNER', 'MANAGER', 'MEMBER']);
export type Role = z.infer<typeof role>;
