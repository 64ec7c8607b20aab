import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '../config/config.ts';

export type { Logger } from 'pino';

/** Never in a log line, wherever an object that holds one is logged. */
const SECRETS = ['authorization', 'cookie', 'password', 'token', 'access_token', 'refresh_token', 'secret'];
/** Codes of sign-in links; those of errors say what went wrong. */
const CODES = ['code', 'body.code', 'query.code', '*.body.code', '*.query.code'];

/** The logger of a process. `destination` is for tests. */
export function createLogger({ log }: Pick<Config, 'log'>, destination?: DestinationStream): Logger {
  const options = {
    level: log.level,
    base: { pid: process.pid },
    // For people who read the lines as they are, and what every collector of logs understands.
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
