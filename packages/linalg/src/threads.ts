import { readFileSync } from 'node:fs';
import { backend } from './backend.ts';
import { openSystemLibrary } from './system-library.ts';

/**
 * Sets how many threads the library may use in this process (processes × threads ≤ cores). The plain backend and Accelerate
 * decide themselves; then nothing happens.
 *
 * @throws RangeError unless `threads` is a whole number ≥ 1
 */
export function setThreadCount(threads: number): void {
  if (!(Number.isInteger(threads) && threads >= 1)) {
    throw new RangeError(`the number of threads must be a whole number of at least 1, not ${threads}`);
  }
  openSystemLibrary().library?.setThreads?.(threads);
}

/** Threads the library uses, 1 when it does not say. */
export function threadCount(): number {
  return openSystemLibrary().library?.getThreads?.() ?? 1;
}

/** Which linear algebra runs here, for logs and reports. */
export interface LinearAlgebraDescription {
  name: 'openblas' | 'accelerate' | 'plain';
  path: string;
  /** The kernels OpenBLAS chose for this processor, such as "Haswell"; empty when unknown. */
  core: string;
  threads: number;
}

/** Loads the library if that has not happened and describes it. */
export function describeLinearAlgebra(): LinearAlgebraDescription {
  const { name, path } = backend();
  const core = name === 'plain' ? '' : (openSystemLibrary().library?.coreName?.() ?? '');
  return { name, path, core, threads: name === 'plain' ? 1 : threadCount() };
}

/** Processor flags that OpenBLAS's SkylakeX kernels need. */
const SKYLAKEX_FLAGS = ['avx512f', 'avx512dq', 'avx512bw', 'avx512vl'];
/** What OpenBLAS 0.3.21 falls back to on processors newer than itself (AMD Zen 4 and 5, newer Intel cores). */
const AVX2_CORES = new Set(['Haswell', 'Zen']);

/**
 * Environment variables with which a compute child process should be started, beside `process.env`: OpenBLAS chooses its
 * kernels when it is loaded, and an OpenBLAS older than the processor takes AVX2 kernels where AVX-512 ones run
 * (59 against 100 GFLOP/s a thread in double precision). Empty when the choice is right already or made by the user.
 */
export function computeEnvironment(): Record<string, string> {
  if (process.env.OPENBLAS_CORETYPE !== undefined) return {};
  const core = coreTypeFor(processorFlags(), openSystemLibrary().library?.coreName?.() ?? '');
  return core === undefined ? {} : { OPENBLAS_CORETYPE: core };
}

/** The better kernels for a processor with these flags when OpenBLAS chose `core` by itself, or undefined. */
export function coreTypeFor(flags: ReadonlySet<string>, core: string): string | undefined {
  return AVX2_CORES.has(core) && SKYLAKEX_FLAGS.every((flag) => flags.has(flag)) ? 'SkylakeX' : undefined;
}

function processorFlags(): Set<string> {
  if (process.platform !== 'linux') return new Set();
  const line = /^flags\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'));
  return new Set(line?.[1]?.trim().split(/\s+/) ?? []);
}
