import type { Asked, PageRequest } from './asked.ts';
import type { Json } from './envelope.ts';
import type { BrapiScope } from './scope.ts';
import { SPECIFICATION } from './specification.gen.ts';

export type ListName = keyof typeof SPECIFICATION;

/** Rows that follow each other and can be read from any place. */
export interface Segment<Row> {
  count: number;
  /** Rows `first` … `first + count − 1`, 0-based. */
  read(first: number, count: number): Promise<Row[]>;
}

/** A list of BrAPI: from one such description come GET list, GET one, POST search and GET result. */
export interface ListEntity<Row = unknown> {
  /** Its name in addresses and in the specification. */
  name: ListName;
  /** Property and filter that names one entry; null: entries have no address of their own. */
  id: string | null;
  /** It has a search. */
  hasSearch: boolean;
  /** One entry says more than it does in the list, so it has a route of its own. */
  hasOwnDetails?: boolean;
  /** Pages have tokens besides numbers. */
  hasTokens?: boolean;
  /** A page is as long as a page may be unless the request says otherwise: clients read one, and think it is all. */
  hasLongPages?: boolean;
  /** Properties that filters compare, where their names differ: `seasonDbId` compares `seasons`. */
  paths?: Readonly<Record<string, string>>;
  /**
   * What the caller may see. Filters that are taken from `asked` have been applied here; all others are applied to
   * the serialized entries.
   */
  segments(scope: BrapiScope, asked: Asked): Promise<Segment<Row>[]>;
  /** Entries in the order of the rows, with all properties of the specification. */
  serialize(scope: BrapiScope, rows: readonly Row[], asked: Asked): Promise<Json[]> | Json[];
}

export const segmentOf = <Row>(rows: readonly Row[]): Segment<Row> => ({
  count: rows.length,
  read: async (first, count) => rows.slice(first, first + count),
});

/** An entry with every property of the specification: null, or an empty list, where we have nothing. */
export function complete(name: ListName, known: Json): Json {
  const entry: Json = { ...SPECIFICATION[name].properties, ...known };
  const { additionalInfo } = entry;
  if (typeof additionalInfo === 'object' && additionalInfo !== null) entry['additionalInfo'] = asTexts(additionalInfo);
  return entry;
}

/** The standard allows text only in `additionalInfo`. */
const asTexts = (values: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): [string, string][] =>
      value === null || value === undefined ? [] : [[name, Array.isArray(value) ? value.join('; ') : String(value)]],
    ),
  );

/** Rows that are read at once while a filter looks for its entries. */
const BLOCK = 2_000;

export async function listEntries(
  entity: ListEntity,
  scope: BrapiScope,
  asked: Asked,
  { page, size }: PageRequest,
): Promise<{ data: Json[]; total: number }> {
  const sortBy = asked.text('sortBy');
  const isDescending = asked.text('sortOrder')?.toLowerCase() === 'desc';
  const segments = await entity.segments(scope, asked);
  // What an entry includes chooses no entries.
  const filters = asked.rest().filter(([name]) => !name.startsWith('include'));
  const conditions = filters.map(([name, values]) => ({
    path: (entity.paths?.[name] ?? COMMON_PATHS[name] ?? name).split('.'),
    values: new Set(values),
  }));
  if (conditions.length === 0 && sortBy === undefined) {
    const total = segments.reduce((sum, { count }) => sum + count, 0);
    return { data: await entity.serialize(scope, await slice(segments, page * size, size), asked), total };
  }

  const wanted: Json[] = [];
  let total = 0;
  for (const segment of segments)
    for (let first = 0; first < segment.count; first += BLOCK) {
      const rows = await segment.read(first, Math.min(BLOCK, segment.count - first));
      for (const entry of await entity.serialize(scope, rows, asked)) {
        if (!conditions.every(({ path, values }) => valuesAt(entry, path).some((value) => values.has(value)))) continue;
        if (sortBy !== undefined || (total >= page * size && wanted.length < size)) wanted.push(entry);
        total++;
      }
    }
  if (sortBy === undefined) return { data: wanted, total };
  const key = (entry: Json): string => valuesAt(entry, sortBy.split('.'))[0] ?? '';
  wanted.sort((a, b) => collator.compare(key(a), key(b)) * (isDescending ? -1 : 1));
  return { data: wanted.slice(page * size, (page + 1) * size), total };
}

const collator = new Intl.Collator('en', { numeric: true });

/** Rows `from` … `from + size − 1` of segments that follow each other; fewer at the end. */
export async function slice<Row>(segments: readonly Segment<Row>[], from: number, size: number): Promise<Row[]> {
  const rows: Row[] = [];
  let before = 0;
  for (const segment of segments) {
    const first = Math.max(0, from - before);
    const count = Math.min(segment.count - first, size - rows.length);
    if (count > 0) for (const row of await segment.read(first, count)) rows.push(row);
    before += segment.count;
    if (rows.length >= size) break;
  }
  return rows;
}

/** The texts at a path of properties; lists on the way mean each of their entries. */
export function valuesAt(value: unknown, path: readonly string[]): string[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((one) => valuesAt(one, path));
  const [head, ...rest] = path;
  if (head === undefined) return typeof value === 'object' ? [] : [String(value)];
  return typeof value === 'object' ? valuesAt((value as Json)[head], rest) : [];
}

/** The paths of the filters that every entity has. */
const COMMON_PATHS: Readonly<Record<string, string>> = {
  externalReferenceID: 'externalReferences.referenceID',
  externalReferenceId: 'externalReferences.referenceId',
  externalReferenceSource: 'externalReferences.referenceSource',
};
