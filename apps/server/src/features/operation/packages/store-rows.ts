import { sql } from 'kysely';
import pg from 'pg';
import type { DatabaseTransaction } from '../../../platform/database/database.ts';
import { isId, type MovedIds } from './moved-ids.ts';
import { refused } from './open-package.ts';
import { keysOf, mapTexts, type PackageRow } from './package-rows.ts';
import { rootTables, type TableShape } from './packaged-tables.ts';
import { readLines } from './read-lines.ts';

export interface RowsToStore {
  shapes: readonly TableShape[];
  /** File of a table in the file system. */
  fileOf(table: string): string;
  moved: MovedIds;
  /** Of lines, to those here. */
  lines: ReadonlyMap<string, string>;
  /** Storage keys of what was stored of the package. */
  keys: ReadonlySet<string>;
  /** SHA-256 of an object by its key. */
  hashOf(key: string): string | undefined;
  from: { projectId: string };
  to: { projectId: string; userId: string };
}

export interface StoredRows {
  rows: Record<string, number>;
  /** Rows about something that is not in the package. */
  leftOut: number;
  /** Of the files. */
  bytes: number;
}

/** Rows and bytes of JSON per statement. */
const BATCH = 2_000;
const BATCH_BYTES = 8 << 20;

/** Columns in which the person who imports stands for the people of the other installation. */
const BY_IMPORTER = new Set(['created_by', 'chair_id']);
/** What people said and observed is not made another's; what they made needs somebody who may change it. */
const isOwned = (table: string): boolean => rootTables.includes(table) && table !== 'comments';
/** Without a foreign key, because they are of many tables. */
const ANY_ENTITY = new Set(['entity_id', 'item_id']);
/** Frozen with a hash of their own: what they say of ids is of the other installation. */
const FROZEN = new Set(['decision_versions.minutes']);
/** Jobs of another queue. */
const NEVER: Readonly<Record<string, unknown>> = { jobs: [], organization_id: null };

/** Inserts the rows of a package under new ids; what they name must be in the package, or is left empty. */
export async function storeRows(trx: DatabaseTransaction, given: RowsToStore): Promise<StoredRows> {
  const { shapes, fileOf } = given;
  const known = new Map<string, Set<string>>();
  for (const { name, columns } of shapes) {
    if (!rootTables.includes(name) || !columns.some((column) => column.name === 'id')) continue;
    const ids = new Set<string>();
    for await (const row of rowsIn(fileOf(name))) ids.add(String(row['id']));
    known.set(name, ids);
  }
  const stored: StoredRows = { rows: {}, leftOut: 0, bytes: 0 };
  const change = rowChanger(given, known);
  for (const shape of shapes) {
    const { name } = shape;
    let count = 0;
    let batch: string[] = [];
    let length = 0;
    const insert = async (): Promise<void> => {
      if (batch.length > 0) await insertRows(trx, shape, batch);
      batch = [];
      length = 0;
    };
    // A folder may stand before the one that it is in: foreign keys are checked at the end of a statement.
    const isOfItself = shape.columns.some(({ refersTo }) => refersTo === name);
    for await (const row of rowsIn(fileOf(name))) {
      const changed = change(shape, row);
      if (changed === undefined) {
        stored.leftOut++;
        continue;
      }
      if (name === 'files') stored.bytes += Number(row['size_bytes']) || 0;
      const text = JSON.stringify(changed);
      count++;
      batch.push(text);
      length += text.length;
      if (!isOfItself && (batch.length >= BATCH || length > BATCH_BYTES)) await insert();
    }
    await insert();
    stored.rows[name] = count;
  }
  return stored;
}

/** How a row becomes one of this installation; undefined: it is about something that is not here. */
function rowChanger(
  { moved, lines, keys, hashOf, from, to }: RowsToStore,
  known: ReadonlyMap<string, ReadonlySet<string>>,
): (shape: TableShape, row: PackageRow) => PackageRow | undefined {
  const everything = new Set([...known.values()].flatMap((ids) => [...ids]));
  const prefix = `projects/${from.projectId}/`;
  const inText = (text: string): string => {
    if (text.startsWith(prefix)) return moved.key(text);
    if (!isId(text)) return text;
    return lines.get(text) ?? (everything.has(text) || text === from.projectId ? moved.of(text) : text);
  };
  const idIn = (text: string, table: string | null): string | null => {
    if (table === 'germplasm') return lines.get(text) ?? null;
    const ids = table === null ? undefined : known.get(table);
    return ids === undefined || ids.has(text) ? moved.of(text) : null;
  };
  const checked = (table: string, row: PackageRow, before: PackageRow): PackageRow => {
    const foreign = keysOf(row).find((key) => !keys.has(key));
    if (foreign !== undefined)
      throw refused('missing-object', `A row of ${table} names an object that the package does not hold.`);
    if (table === 'runs' && before['finished_at'] === null)
      throw refused('refused-row', 'The package has a run that has not ended.');
    if (table === 'files' && before['sha256'] !== null && before['sha256'] !== hashOf(String(row['storage_key'])))
      throw refused('checksum', `The file "${String(before['name'])}" is not the one that its row describes.`);
    return row;
  };
  return ({ name: table, columns }, row) => {
    const changed: PackageRow = {};
    for (const { name, type, refersTo, isRequired } of columns) {
      const value = row[name] ?? null;
      const isOne = type === 'uuid' && typeof value === 'string';
      const after =
        name === 'project_id'
          ? to.projectId
          : name in NEVER
            ? NEVER[name]
            : FROZEN.has(`${table}.${name}`)
              ? value
              : refersTo === 'users'
                ? BY_IMPORTER.has(name) && isOwned(table)
                  ? to.userId
                  : null
                : isOne && ANY_ENTITY.has(name)
                  ? (lines.get(value) ?? (everything.has(value) ? moved.of(value) : null))
                  : isOne
                    ? idIn(value, refersTo)
                    : type === 'uuid[]'
                      ? mapTexts(value, (text) => moved.of(text))
                      : mapTexts(value, inText);
      if (after === null && value !== null && isRequired) return undefined;
      changed[name] = after;
    }
    if (table === 'files') changed['meta'] = withFormerId(changed['meta'], row['id']);
    return checked(table, changed, row);
  };
}

/** Stored results name files by their ids, and their bytes stay as they are. */
function withFormerId(meta: unknown, id: unknown): unknown {
  const { former_ids: before = [], ...others } = (meta ?? {}) as { former_ids?: unknown[] };
  return { ...others, former_ids: [...before, id] };
}

async function* rowsIn(path: string): AsyncGenerator<PackageRow> {
  for await (const line of readLines(path)) {
    try {
      yield JSON.parse(line) as PackageRow;
    } catch {
      throw refused('unreadable', 'A table of the package cannot be read.');
    }
  }
}

async function insertRows(trx: DatabaseTransaction, { name, columns }: TableShape, rows: string[]): Promise<void> {
  const names = sql.join(columns.map((column) => sql.ref(column.name)));
  try {
    await sql`
      insert into ${sql.table(name)} (${names}) overriding system value
      select ${names} from json_populate_recordset(null::${sql.table(name)}, ${`[${rows.join(',')}]`}::json)
    `.execute(trx);
  } catch (error) {
    // Classes 22 and 23: a value that the column does not take, or that a constraint refuses.
    if (!(error instanceof pg.DatabaseError) || !/^2[23]/.test(error.code ?? '')) throw error;
    throw refused('refused-row', `The database refuses rows of ${name} (${error.constraint ?? error.message}).`);
  }
}
