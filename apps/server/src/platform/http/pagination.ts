import type { Page } from '@heterosis/contracts/common';
import { isStorable } from './hooks/storable-text.ts';
import { Problem } from './problem.ts';
import { isUuid } from './uuid.ts';

/** The values a list is ordered by, of the last row of a page: `[created_at, id]` for example. */
export type CursorKey = (string | number | null)[];

/** An opaque cursor: base64url of the key as JSON. */
export function encodeCursor(key: CursorKey): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/** The key of a cursor with `length` values; undefined without a cursor. Cursors of other lists are refused. */
export function decodeCursor(cursor: string | undefined, length: number): CursorKey | undefined {
  if (cursor === undefined) return undefined;
  let key: unknown;
  try {
    key = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch (cause) {
    throw badCursor(cause);
  }
  const isKey =
    Array.isArray(key) &&
    key.length === length &&
    key.every(
      (value) => value === null || typeof value === 'number' || (typeof value === 'string' && isStorable(value)),
    );
  if (!isKey) throw badCursor(undefined);
  return key as CursorKey;
}

/** A cursor for lists ordered by id. Text that is not an id would be a database error. */
export function decodeIdCursor(cursor: string | undefined): string | undefined {
  const id = decodeCursor(cursor, 1)?.[0];
  if (id === undefined) return undefined;
  if (typeof id !== 'string' || !isUuid(id)) throw badCursor(undefined);
  return id;
}

/** Row numbers are 32-bit integers. */
const LAST_PLACE = 2 ** 31 - 1;

/** A cursor for lists ordered by row number. A number out of range would be a database error. */
export function decodePlaceCursor(cursor: string | undefined): number | undefined {
  const place = decodeCursor(cursor, 1)?.[0];
  if (place === undefined) return undefined;
  if (typeof place !== 'number' || !Number.isInteger(place) || place < 0 || place > LAST_PLACE)
    throw badCursor(undefined);
  return place;
}

/**
 * A cursor for lists ordered by name and id. The name is lower-cased by the database, whose rules may differ from
 * ours.
 */
export function decodeNameCursor(cursor: string | undefined): [name: string, id: string] | undefined {
  const key = decodeCursor(cursor, 2);
  if (key === undefined) return undefined;
  const [name, id] = key;
  if (typeof name !== 'string' || typeof id !== 'string' || !isUuid(id)) throw badCursor(undefined);
  return [name, id];
}

/** A cursor for lists ordered by time. */
export function decodeTimeCursor(cursor: string | undefined): [time: string, id: string] | undefined {
  const key = decodeNameCursor(cursor);
  if (key === undefined) return undefined;
  // Any time that JavaScript parses, in the format of the database.
  const time = new Date(key[0]);
  if (!/^\d{4}-/.test(key[0]) || Number.isNaN(time.getTime())) throw badCursor(undefined);
  return [time.toISOString(), key[1]];
}

/** Turns `limit + 1` fetched rows into a page; the extra row shows that there is a next page. */
export function toPage<Row>(rows: Row[], limit: number, keyOf: (row: Row) => CursorKey): Page<Row> {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  return { data, next_cursor: rows.length > limit && last !== undefined ? encodeCursor(keyOf(last)) : null };
}

function badCursor(cause: unknown): Problem {
  return new Problem(
    'request/invalid',
    'The cursor is not one that this list gave out. Start again without a cursor.',
    {
      cause,
      invalidParams: [{ name: 'query.cursor', reason: 'not a cursor of this list' }],
    },
  );
}
