import fs, { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { resolve, sep } from 'node:path';

/** Which write fails. It is read from a file, so that compute processes learn of it as well. */
export interface Fault {
  id: number;
  /** Whose writes are counted: of the server in this process, or of a compute process. */
  who: 'server' | 'child';
  /** Counted from 1. */
  at: number;
  /** How many fail from there on; -1: all, until another fault is set. */
  times: number;
  /** `SHORT`: half of the bytes are written, as the system may at any time. */
  code: 'ENOSPC' | 'EIO' | 'SHORT';
}

// oxlint-disable-next-line typescript/no-explicit-any -- functions of every shape are wrapped
type Any = any;

const NUMBERS = { ENOSPC: -28, EIO: -5 };

/** What a write does to the disk, by the name of the function; its first argument is a path or a descriptor. */
const BY_PATH = ['mkdir', 'rename', 'copyFile', 'writeFile', 'appendFile', 'truncate'];
const BY_DESCRIPTOR = ['write', 'writev', 'fsync', 'fdatasync', 'ftruncate'];
const OF_HANDLES = ['write', 'writev', 'writeFile', 'appendFile', 'sync', 'datasync', 'truncate'];

/**
 * Lets writes below a directory fail in this process, as `control` says: a file with a {@link Fault}, or none. Each
 * fault that came is noted beside it. Patches the functions of `node:fs`, so that everything above them is real.
 */
export function installFailingWrites(directory: string, control: string, who: Fault['who']): void {
  const root = resolve(directory) + sep;
  const descriptors = new Set<unknown>();
  const handles = new WeakSet<object>();
  let known = 0;
  let count = 0;

  /** The fault that this write meets, if any. */
  function met(): Fault['code'] | undefined {
    let fault: Fault;
    try {
      fault = JSON.parse(readFileSync(control, 'utf8')) as Fault;
    } catch {
      return undefined;
    }
    if (fault.who !== who) return undefined;
    if (fault.id !== known) [known, count] = [fault.id, 0];
    count++;
    if (count < fault.at || (fault.times >= 0 && timesCome(control) >= fault.times)) return undefined;
    appendFileSync(`${control}.came`, `${who} ${fault.code} ${count}\n`);
    return fault.code;
  }

  const isBelow = (path: unknown): boolean => typeof path === 'string' && (resolve(path) + sep).startsWith(root);
  const isWriting = (flags: unknown): boolean =>
    typeof flags === 'string' ? /[wa+]/.test(flags) : Number(flags ?? 0) !== 0;
  const failure = (code: 'ENOSPC' | 'EIO', call: string): Error =>
    Object.assign(new Error(`${code}: injected, ${call}`), { code, errno: NUMBERS[code], syscall: call });

  /** Fails, or shortens what is written, or lets it pass. */
  function attempt(
    call: string,
    args: Any[],
    pass: (args: Any[]) => Any,
    fail: (error: Error, args: Any[]) => Any,
  ): Any {
    const code = met();
    if (code === 'SHORT') return pass(call === 'write' ? shortened(args) : args);
    return code === undefined ? pass(args) : fail(failure(code, call), args);
  }
  const byCallback = (error: Error, args: Any[]): void => void process.nextTick(args.at(-1), error);
  const byPromise = async (error: Error): Promise<never> => {
    throw error;
  };
  const byThrowing = (error: Error): never => {
    throw error;
  };

  function wrap(target: Any, name: string, isOurs: (args: Any[], self: Any) => boolean, fail: Any, call = name): void {
    const original = target[name];
    target[name] = function wrapped(this: Any, ...args: Any[]): Any {
      if (!isOurs(args, this)) return original.apply(this, args);
      return attempt(call, args, (given) => original.apply(this, given), fail);
    };
  }

  const file = fs as Any;
  for (const name of BY_PATH) {
    wrap(file, name, ([path]) => isBelow(path), byCallback);
    wrap(file, `${name}Sync`, ([path]) => isBelow(path), byThrowing, name);
    wrap(file.promises, name, ([path]) => isBelow(path), byPromise);
  }
  for (const name of BY_DESCRIPTOR) {
    wrap(file, name, ([fd]) => descriptors.has(fd), byCallback);
    wrap(file, `${name}Sync`, ([fd]) => descriptors.has(fd), byThrowing, name);
  }
  const opensOurs = ([path, flags]: Any[]): boolean => isBelow(path) && isWriting(flags);
  const open = file.open;
  file.open = (...args: Any[]): void => {
    const done = args.at(-1);
    if (!opensOurs(args)) return open(...args);
    const noting = (error: Error | null, fd: number): void => {
      if (error === null) descriptors.add(fd);
      done(error, fd);
    };
    attempt('open', args, () => open(...args.slice(0, -1), noting), byCallback);
  };
  const openSync = file.openSync;
  file.openSync = (...args: Any[]): number => {
    if (!opensOurs(args)) return openSync(...args);
    const fd = attempt('open', args, () => openSync(...args), byThrowing) as number;
    descriptors.add(fd);
    return fd;
  };
  const close = file.close;
  file.close = (fd: number, ...rest: Any[]): void => {
    descriptors.delete(fd);
    close(fd, ...rest);
  };
  const openPromise = file.promises.open;
  file.promises.open = async (...args: Any[]): Promise<Any> => {
    if (!opensOurs(args)) return await openPromise(...args);
    const handle = await attempt('open', args, () => openPromise(...args), byPromise);
    patchHandles(Object.getPrototypeOf(handle));
    handles.add(handle);
    return handle;
  };
  let isPatched = false;
  function patchHandles(prototype: Any): void {
    if (isPatched) return;
    isPatched = true;
    for (const name of OF_HANDLES) wrap(prototype, name, (_, self) => handles.has(self), byPromise);
  }
  syncBuiltinESMExports();
}

/** `write(to, bytes, offset, length, …)` and `handle.write(bytes, offset, length, …)` with half of the length. */
function shortened(args: Any[]): Any[] {
  const place = args.findIndex((one) => ArrayBuffer.isView(one));
  const bytes = args[place] as Uint8Array | undefined;
  if (bytes === undefined) return args;
  const copy = [...args];
  const offset = typeof copy[place + 1] === 'number' ? copy[place + 1] : 0;
  const length = typeof copy[place + 2] === 'number' ? copy[place + 2] : bytes.byteLength - offset;
  if (length < 2 || typeof copy[place + 1] === 'object') return args;
  copy[place + 1] = offset;
  copy[place + 2] = Math.floor(length / 2);
  return copy;
}

/** Also those in processes that have ended since. */
const timesCome = (control: string): number =>
  existsSync(`${control}.came`) ? readFileSync(`${control}.came`, 'utf8').split('\n').length - 1 : 0;

let faults = 0;

/** Sets the next fault, or none. */
export function setFault(control: string, fault: Omit<Fault, 'id'> | undefined): void {
  rmSync(`${control}.came`, { force: true });
  if (fault === undefined) rmSync(control, { force: true });
  else writeFileSync(control, JSON.stringify({ id: Date.now() * 1000 + (faults++ % 1000), ...fault }));
}

/** Whether the fault has come. */
export const faultCame = (control: string): boolean => timesCome(control) > 0;
