import { AsyncLocalStorage } from 'node:async_hooks';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';

const current = new AsyncLocalStorage<JoinedTransaction>();

/** Whether statements of this moment see what an uncommitted transaction has written, so that nobody may share them. */
export const isJoined = (): boolean => current.getStore()?.hasBegun === true;

/**
 * One transaction around everything that a piece of work writes, although its parts open transactions of their own:
 * within {@link run} these become savepoints. It begins with the first write, so that nothing is held while the work
 * only reads, receives bytes or waits for another server; from then on reads see what was written.
 */
export class JoinedTransaction {
  readonly driver: Driver;
  #begun: Promise<DatabaseConnection> | undefined;
  #isOpen = true;
  /** The statement, or group of statements, that the connection works on. */
  #turn: Promise<unknown> = Promise.resolve();
  /** The end of the last transaction that became a savepoint. */
  #part: Promise<void> = Promise.resolve();
  #savepoints = 0;

  constructor(driver: Driver) {
    this.driver = driver;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get hasBegun(): boolean {
    return this.#isOpen && this.#begun !== undefined;
  }

  /** Joins all that `work` begins, also what it calls later. */
  run<Result>(work: () => Result): Result {
    return current.run(this, work);
  }

  /** Commits what was written and goes on with a new transaction at the next write. */
  async commit(): Promise<void> {
    await this.#turn;
    const begun = this.#begun;
    this.#begun = undefined;
    if (begun === undefined) return;
    const connection = await begun;
    try {
      await this.driver.commitTransaction(connection);
    } catch (error) {
      await this.driver.rollbackTransaction(connection).catch(() => undefined);
      throw error;
    } finally {
      await this.driver.releaseConnection(connection);
    }
  }

  /** Nothing joins any more; what is not committed is lost. Never throws. */
  async end(): Promise<void> {
    this.#isOpen = false;
    const connection = await this.#begun?.catch(() => undefined);
    if (connection === undefined) return;
    // Without an answer the connection is broken, and PostgreSQL rolls back by itself.
    await this.driver.rollbackTransaction(connection).catch(() => undefined);
    await this.driver.releaseConnection(connection).catch(() => undefined);
  }

  /** For the driver. */
  async send<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return await this.#inTurn((connection) => connection.executeQuery<Row>(query));
  }

  /** A statement outside all parts: if it fails, only it is undone, and its sender may go on. */
  async sendAlone<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const savepoint = `alone_${this.#savepoints++}`;
    return await this.#inTurn(async (connection) => {
      await connection.executeQuery(CompiledQuery.raw(`savepoint ${savepoint}`));
      try {
        const result = await connection.executeQuery<Row>(query);
        await connection.executeQuery(CompiledQuery.raw(`release savepoint ${savepoint}`));
        return result;
      } catch (error) {
        await connection.executeQuery(CompiledQuery.raw(`rollback to savepoint ${savepoint}`)).catch(() => undefined);
        throw error;
      }
    });
  }

  /** Begins a part when the one before has ended. */
  async beginPart(): Promise<Part> {
    const before = this.#part;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#part = promise;
    await before;
    const savepoint = `part_${this.#savepoints++}`;
    try {
      await this.send(CompiledQuery.raw(`savepoint ${savepoint}`));
    } catch (error) {
      resolve();
      throw error;
    }
    return { savepoint, leave: resolve };
  }

  #inTurn<Result>(work: (connection: DatabaseConnection) => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(async () => await work(await this.#connection()));
    this.#turn = result.catch(() => undefined);
    return result;
  }

  #connection(): Promise<DatabaseConnection> {
    if (!this.#isOpen) throw new Error('The request that wrote this has been answered.');
    this.#begun ??= this.#begin().catch((error: unknown) => {
      this.#begun = undefined;
      throw error;
    });
    return this.#begun;
  }

  async #begin(): Promise<DatabaseConnection> {
    const connection = await this.driver.acquireConnection();
    try {
      await this.driver.beginTransaction(connection, {});
      return connection;
    } catch (error) {
      await this.driver.releaseConnection(connection);
      throw error;
    }
  }
}

interface Part {
  savepoint: string;
  leave(): void;
}

/** Hands out the pool's connections, and to joined work its own transaction. */
export class JoiningDriver implements Driver {
  readonly pool: Driver;

  constructor(pool: Driver) {
    this.pool = pool;
  }

  init(): Promise<void> {
    return this.pool.init();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const transaction = current.getStore();
    return transaction?.isOpen === true && transaction.driver === this.pool
      ? new JoinedConnection(transaction)
      : await this.pool.acquireConnection();
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await (connection instanceof JoinedConnection
      ? connection.beginPart()
      : this.pool.beginTransaction(connection, settings));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection instanceof JoinedConnection ? connection.keepPart() : this.pool.commitTransaction(connection));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection instanceof JoinedConnection ? connection.undoPart() : this.pool.rollbackTransaction(connection));
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    if (!(connection instanceof JoinedConnection)) await this.pool.releaseConnection(connection);
  }

  destroy(): Promise<void> {
    return this.pool.destroy();
  }
}

/** Not with a `with`, in which something may be written, nor SQL that was written by hand. */
const isRead = ({ query }: CompiledQuery): boolean => query.kind === 'SelectQueryNode' && query.with === undefined;

class JoinedConnection implements DatabaseConnection {
  readonly #transaction: JoinedTransaction;
  #part: Part | undefined;

  constructor(transaction: JoinedTransaction) {
    this.#transaction = transaction;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#part !== undefined) return await this.#transaction.send(query);
    if (!isRead(query)) return await this.#transaction.sendAlone(query);
    if (this.#transaction.hasBegun) return await this.#transaction.send(query);
    const { driver } = this.#transaction;
    const connection = await driver.acquireConnection();
    try {
      return await connection.executeQuery(query);
    } finally {
      await driver.releaseConnection(connection);
    }
  }

  /** No cursor is configured. */
  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Queries are not streamed.');
  }

  async beginPart(): Promise<void> {
    this.#part = await this.#transaction.beginPart();
  }

  async keepPart(): Promise<void> {
    await this.#end('release savepoint');
    this.#leave();
  }

  async undoPart(): Promise<void> {
    try {
      await this.#end('rollback to savepoint');
    } finally {
      this.#leave();
    }
  }

  async #end(command: string): Promise<void> {
    if (this.#part !== undefined) await this.#transaction.send(CompiledQuery.raw(`${command} ${this.#part.savepoint}`));
  }

  #leave(): void {
    this.#part?.leave();
    this.#part = undefined;
  }
}
