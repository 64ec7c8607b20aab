import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../platform/config/config.ts';
import { ConfigError } from '../platform/config/config-error.ts';
import { type Database, isDatabaseUnavailable, openDatabase, sqlState } from '../platform/database/database.ts';
import { startEmbeddedPostgres } from '../platform/database/embedded-postgres.ts';
import { DatabaseNotMigratedError } from '../platform/database/migrate.ts';
import { whenDatabaseAnswers } from '../platform/database/wait-for-database.ts';
import { createLogger, type Logger } from '../platform/logging/logger.ts';
import { createMailer } from '../platform/mail/create-mailer.ts';
import type { Mailer } from '../platform/mail/mailer.ts';
import { startTracing } from '../platform/tracing/tracing.ts';

/** Database and mail: everything that an operator's command needs. */
export interface Foundation {
  config: Config;
  logger: Logger;
  db: Database;
  mailer: Mailer;
  databaseUrl: string;
  /** Repeats what needs the database while it cannot be reached, for DATABASE_WAIT_SECONDS. */
  patiently<Result>(work: () => Promise<Result>): Promise<Result>;
  onClose(close: () => Promise<unknown>): void;
  close(): Promise<void>;
}

export interface FoundationOptions {
  config: Config;
  /** What is done to the schema, or required of it. */
  prepare: (db: Database) => Promise<unknown>;
  /** Where the outbox shows the links of mails. */
  print: (line: string) => void;
}

export async function openFoundation({ config, prepare, print }: FoundationOptions): Promise<Foundation> {
  const logger = createLogger(config);
  const closers: (() => Promise<unknown>)[] = [];
  const onClose = (close: () => Promise<unknown>): void => void closers.unshift(close);
  const close = async (): Promise<void> => {
    for (const one of closers.splice(0)) {
      try {
        await one();
      } catch (error) {
        logger.warn({ err: error }, 'closing');
      }
    }
  };
  try {
    if (config.traces !== null) onClose(await startTracing({ endpoint: config.traces, version: config.version }));
    const databaseUrl = config.database.url ?? (await openEmbedded(config, logger, onClose));
    const db = openDatabase({
      url: databaseUrl,
      max: config.database.pool,
      onConnectionLost: (error) => logger.warn({ err: error }, 'database connection'),
    });
    onClose(() => db.destroy());
    const patiently = <Result>(work: () => Promise<Result>): Promise<Result> =>
      whenDatabaseAnswers(
        {
          seconds: config.database.waitSeconds,
          onWait: ({ message }) =>
            print(`Waiting for the database, up to ${config.database.waitSeconds} s (${message})`),
        },
        work,
      );
    await patiently(() => prepare(db));
    const mailer = createMailer({ config, db, print });
    onClose(() => mailer.close());
    return { config, logger, db, mailer, databaseUrl, patiently, onClose, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Whether a server has ever been started with this DATA_DIR and the embedded database. */
export const hasEmbeddedDatabase = ({ dataDir }: Config): boolean =>
  existsSync(join(dataDir, 'secrets', 'postgres-password'));

async function openEmbedded(config: Config, logger: Logger, onClose: Foundation['onClose']): Promise<string> {
  const postgres = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    log: (message) => logger.debug({ message }, 'embedded PostgreSQL'),
  });
  onClose(() => postgres.stop());
  return postgres.url;
}

/** SQLSTATE: authorization, no such database. */
const DATABASE_REFUSES = /^(28...|3D000)$/;

/** Why a start failed, for the terminal: a sentence for expected failures, the stack for any other. */
export function describeStartFailure(error: unknown): string {
  if (error instanceof ConfigError || error instanceof DatabaseNotMigratedError) return error.message;
  const { code, path, port, address } = (error ?? {}) as NodeJS.ErrnoException & { port?: number; address?: string };
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port ?? ''} is in use. Stop what listens there, or choose another port, for example PORT=3001; PORT=0 takes any free one.`;
    case 'EADDRNOTAVAIL':
      return `HOST=${address ?? ''} is not an address of this machine. 127.0.0.1 serves this machine alone, 0.0.0.0 all networks.`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      if (path === undefined && port !== undefined)
        return `Port ${port} may not be opened by this user: choose one above 1023 with PORT=….`;
      if (path !== undefined)
        return `${path} cannot be read or written by this user (${code}). Give the directory to this user, or choose another with DATA_DIR=….`;
      break;
    case 'ENOTDIR':
    case 'EEXIST':
      if (path !== undefined)
        return `${path} is not a directory, or lies below a file. Choose another directory with DATA_DIR=….`;
      break;
    case 'ENOSPC':
      return `The disk is full${path === undefined ? '' : ` (${path})`}. Make room, or choose a directory on another disk with DATA_DIR=….`;
  }
  if (isDatabaseUnavailable(error))
    return `The database cannot be reached (${(error as Error).message}). Check DATABASE_URL and that PostgreSQL runs.`;
  if (DATABASE_REFUSES.test(sqlState(error) ?? ''))
    return `The database lets nobody in (${(error as Error).message}). Check user, password and database in DATABASE_URL.`;
  const { cause } = (error ?? {}) as Error;
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (cause === undefined) return stack;
  // An expected failure is often wrapped by its caller.
  const reason = describeStartFailure(cause);
  return reason.includes('\n    at ') ? `${stack}\ncaused by: ${reason}` : reason;
}
