import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { isProcessAlive, processIdentity } from './process-lock.ts';

const HOST = hostname().replaceAll(/[^A-Za-z0-9-]/g, '-');
const SEPARATOR = '~';

/** A new name for something that this process deletes itself: machine, process and a random part. */
export function scratchName(): string {
  return [HOST, ...processIdentity().split(' '), randomBytes(8).toString('hex')].join(SEPARATOR);
}

/** Whether {@link scratchName} made this name in a process of this machine that has ended. */
export function isAbandoned(name: string): boolean {
  const [host, pid, start, random] = name.split(SEPARATOR);
  return host === HOST && random !== undefined && !isProcessAlive(`${pid} ${start}`);
}
