import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { isLostConnection } from '../outgoing/lost-connection.ts';
import { JoinedTransaction, JoiningDriver } from './joined-transaction.ts';
import type { DB } from './schema.gen.ts';

export type Database = Kysely<DB>;
export type DatabaseTransaction = Transaction<DB>;

/** What query functions accept: the pool or a transaction. */
export type Queryable = Kysely<DB> | Transaction<DB>;

/**
 * Values come back as the API spells them, so that a row can go to the wire as it is: timestamps as ISO 8601 text
 * (columns are timestamptz(3), nothing is lost), bigint as number (sizes and counts stay far below 2^53).
 */
const PARSERS = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.TIMESTAMPTZ, isoTime],
  [pg.types.builtins.INT8, Number],
  // A day has no time zone, and a Date has one.
  [pg.types.builtins.DATE, String],
]);

/**
 * PostgreSQL writes `2026-11-21 06:00:00.12+00` when the session is in UTC, as with the embedded server: no need for
 * a Date then.
 */
function isoTime(text: string): string {
  const found = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00$/.exec(text);
  if (found === null) return new Date(text).toISOString();
  return `${found[1]}T${found[2]}.${(found[3] ?? '').padEnd(3, '0')}Z`;
}

const databaseTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    (format === 'binary' ? undefined : PARSERS.get(oid)) ?? pg.types.getTypeParser(oid, format as 'text'),
};

export interface OpenDatabaseOptions {
  url: string;
  /** Most connections of the pool. */
  max?: number;
  /** Called when an idle connection breaks. The pool has already dropped it and opens another when needed. */
  onConnectionLost?: (error: Error) => void;
}

interface PoolUsage {
  busy: number;
  idle: number;
  /** Requests waiting for a connection. */
  waiting: number;
}

const pools = new WeakMap<Database, pg.Pool>();
const drivers = new WeakMap<Database, JoiningDriver>();

/** A transaction that everything joins which is run within it; see {@link JoinedTransaction}. */
export function joinedTransaction(db: Database): JoinedTransaction {
  const driver = drivers.get(db);
  if (driver === undefined) throw new Error('The database was not opened by openDatabase.');
  return new JoinedTransaction(driver.pool);
}

/** Current use of this process's connections. */
export function poolUsage(db: Database): PoolUsage {
  const { totalCount = 0, idleCount = 0, waitingCount = 0 } = pools.get(db) ?? {};
  return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}

/** Opens a pool; no connection is made before the first query. Close it with `db.destroy()`. */
export function openDatabase({ url, max = 20, onConnectionLost }: OpenDatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types: databaseTypes,
    application_name: 'heterosis',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  // `end` does not wait until the sockets have closed, so the end of an embedded database may cut them: no news then.
  pool.on('error', (error) => {
    if (!pool.ending) onConnectionLost?.(error);
  });
  const lost = new WeakSet<pg.PoolClient>();
  pool.on('connect', (client) => watchConnection(client, () => lost.add(client)));
  const dialect = new PostgresDialect({
    pool: {
      options: {},
      end: () => pool.end(),
      async connect() {
        const client = await pool.connect();
        const release = client.release.bind(client);
        // Otherwise the pool may hand out the connection before its socket has closed, and the next request fails.
        client.release = () => release(lost.has(client));
        return client;
      },
    },
  });
  const driver = new JoiningDriver(dialect.createDriver());
  const db: Database = new Kysely<DB>({
    dialect: {
      createDriver: () => driver,
      createQueryCompiler: () => dialect.createQueryCompiler(),
      createAdapter: () => dialect.createAdapter(),
      createIntrospector: (schemaDb) => dialect.createIntrospector(schemaDb),
    },
  });
  pools.set(db, pool);
  drivers.set(db, driver);
  return db;
}

/** Reports a broken connection, whether a query found it or the connection itself raised the error. */
function watchConnection(client: pg.PoolClient, onLost: () => void): void {
  // A checked-out connection that breaks emits an error; without a listener it would end the process.
  client.on('error', onLost);
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const watched = (first: unknown, ...rest: unknown[]): unknown => {
    const prepared = typeof first === 'string' && rest.length > 0 ? preparedName(first) : undefined;
    const answer =
      prepared === undefined ? query(first, ...rest) : query({ name: prepared, text: first, values: rest[0] });
    if (answer instanceof Promise)
      answer.catch((error: unknown) => {
        if (isDatabaseUnavailable(error)) onLost();
      });
    return answer;
  };
  client.query = watched as typeof client.query;
}

const PREPARED = new Map<string, string>();
/** A longer statement was built for a single request and is not worth preparing. */
const MAX_PREPARED = 1000;

/**
 * Prepares reads once per connection: parsing and planning a join of four tables takes PostgreSQL longer than running
 * it. Undefined for everything else.
 */
function preparedName(text: string): string | undefined {
  const known = PREPARED.get(text);
  if (known !== undefined) return known;
  if (!text.startsWith('select ') || PREPARED.size >= MAX_PREPARED) return undefined;
  const name = `read_${PREPARED.size}`;
  PREPARED.set(text, name);
  return name;
}

/** SQLSTATE of a database error, or undefined when it is none. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/**
 * Whether a unique, foreign-key, check or not-null constraint refused a write; `constraint` narrows it to one by
 * name.
 */
export function violates(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.constraint === constraint && error.code?.startsWith('23') === true;
}

/**
 * SQLSTATE of statements that met another transaction: a unique or foreign key that it changed, a serialization
 * failure, a deadlock.
 */
const MET_ANOTHER = new Set(['23505', '23503', '40001', '40P01']);

/** Whether a write was refused because of another at the same moment; the same request may pass when repeated. */
export const hasMetAnother = (error: unknown): boolean => MET_ANOTHER.has(sqlState(error) ?? '');

const TRIES = 5;

/**
 * Runs a transaction, and again when it met another. For work that chooses by what it reads, such as a free name, and
 * would choose again.
 */
export async function repeatedTransaction<Result>(
  db: Database,
  work: (trx: DatabaseTransaction) => Promise<Result>,
): Promise<Result> {
  for (let left = TRIES - 1; ; left--) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (left === 0 || !hasMetAnother(error)) throw error;
    }
  }
}

/** Whether an error means that the database cannot be reached, rather than that a statement was wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  // SQLSTATE classes 08 (connection) and 57P0 (shutdown), and too many connections.
  if (isLostConnection(error) || (typeof code === 'string' && /^(08|57P0|53300)/.test(code))) return true;
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|is not currently accepting connections/.test(
    error.message,
  );
}
