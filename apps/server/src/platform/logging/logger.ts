import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '../config/config.ts';

export type { Logger } from 'pino';

/** Redacted wherever they occur in a logged object. */
const SECRETS = [
  'authorization',
  'cookie',
  'password',
  'token',
  'access_token',
  'refresh_token',
  'secret',
  'client_secret',
];
/** Codes of sign-in links are redacted; codes of errors are not. */
const CODES = ['code', 'body.code', 'query.code', '*.body.code', '*.query.code'];

/** The logger of a process. `destination` is for tests. */
export function createLogger({ log }: Pick<Config, 'log'>, destination?: DestinationStream): Logger {
  const options = {
    level: log.level,
    base: { pid: process.pid },
    // ISO times can be read by people and parsed by every log collector.
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
    redact: { paths: [...SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), ...CODES], censor: '[hidden]' },
  };
  if (destination !== undefined) return pino(options, destination);
  if (log.format === 'json') return pino(options);
  return pino({
    ...options,
    transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' } },
  });
}
