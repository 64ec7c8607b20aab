import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_MS = 50;

/**
 * Runs `work` while no other process of this machine holds the lock file. The lock of an ended process is taken over.
 * A process is identified by id and start time, because a container reuses ids after every restart.
 */
export async function withProcessLock<Result>(
  path: string,
  timeoutMs: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const deadline = Date.now() + timeoutMs;
  while (!tryLock(path)) {
    if (Date.now() > deadline)
      throw new Error(`${path} is held by another process (${readHolder(path) ?? 'unknown'}).`);
    await sleep(RETRY_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

/** Text that identifies this process, for {@link isProcessAlive}. */
export function processIdentity(pid: number = process.pid): string {
  return `${pid} ${startTime(pid) ?? '?'}`;
}

/** Whether the process identified by {@link processIdentity} still runs. */
export function isProcessAlive(identity: string): boolean {
  const [pid = '', ...start] = identity.trim().split(' ');
  if (!/^\d+$/.test(pid)) return false;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    // EPERM: it runs under another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return startTime(Number(pid)) === (start.join(' ') || undefined);
}

function tryLock(path: string): boolean {
  mkdirSync(dirname(path), { recursive: true });
  const own = join(dirname(path), `.lock-${process.pid}-${randomBytes(6).toString('hex')}`);
  writeFileSync(own, processIdentity());
  try {
    // A link appears together with its content, so no process reads an empty lock.
    linkSync(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    removeStale(path, own);
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

/** Moves the lock of an ended process away, and puts it back if it turns out to belong to a running one. */
function removeStale(path: string, scratch: string): void {
  const holder = readHolder(path);
  if (holder === undefined || isProcessAlive(holder)) return;
  const moved = `${scratch}.stale`;
  try {
    renameSync(path, moved);
    if (readHolder(moved) !== holder) linkSync(moved, path);
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    rmSync(moved, { force: true });
  }
}

function readHolder(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Start time of a process as the system reports it; undefined when there is none. A zombie counts as ended. */
function startTime(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      // Field 2 is the command in parentheses and may hold blanks; state is field 3, start time field 22.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      return fields[0] === 'Z' ? undefined : fields[19];
    } catch (error) {
      if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw error;
    }
  }
  try {
    const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return text.replaceAll(/\s+/g, '_') || undefined;
  } catch {
    // ps exits with 1 when there is no such process.
    return undefined;
  }
}
