import { readFileSync } from 'node:fs';
import { backend } from './chosen-backend.ts';
import { openSystemLibrary } from './system/system-library.ts';

/**
 * Sets the number of threads of the library in this process (processes × threads ≤ cores). Has no effect on the plain
 * backend and Accelerate, which choose themselves.
 *
 * @throws RangeError unless `threads` is an integer ≥ 1
 */
export function setThreadCount(threads: number): void {
  if (!(Number.isInteger(threads) && threads >= 1)) {
    throw new RangeError(`the number of threads must be a whole number of at least 1, not ${threads}`);
  }
  openSystemLibrary().library?.setThreads?.(threads);
}

/** Number of threads of the library; 1 if it does not say. */
export function threadCount(): number {
  return openSystemLibrary().library?.getThreads?.() ?? 1;
}

/** Runs `action` with one thread of the library, for matrices so small that threads wait longer than they compute. */
export function withOneThread<T>(action: () => T): T {
  const before = threadCount();
  if (before === 1) return action();
  setThreadCount(1);
  try {
    return action();
  } finally {
    setThreadCount(before);
  }
}

/** The linear algebra in use, for logs and reports. */
export interface LinearAlgebraDescription {
  name: 'openblas' | 'accelerate' | 'plain';
  path: string;
  /** The kernels that OpenBLAS chose for this processor, such as "Haswell"; empty when unknown. */
  core: string;
  threads: number;
}

/** Loads the library if necessary, and describes it. */
export function describeLinearAlgebra(): LinearAlgebraDescription {
  const { name, path } = backend();
  const core = name === 'plain' ? '' : (openSystemLibrary().library?.coreName?.() ?? '');
  return { name, path, core, threads: name === 'plain' ? 1 : threadCount() };
}

/** Processor flags that OpenBLAS's kernels need, the fastest kernels first. */
const KERNELS: readonly { core: string; flags: readonly string[]; instead: ReadonlySet<string> }[] = [
  // Fallbacks of OpenBLAS 0.3.21 on processors newer than itself: AVX2 kernels on AMD Zen 4 and 5, those of 2004
  // (Prescott) on Intel's Emerald Rapids.
  {
    core: 'SkylakeX',
    flags: ['avx512f', 'avx512dq', 'avx512bw', 'avx512vl'],
    instead: new Set(['Prescott', 'Haswell', 'Zen']),
  },
  { core: 'Haswell', flags: ['avx2', 'fma'], instead: new Set(['Prescott']) },
];

/**
 * Environment variables for starting a compute child process, in addition to `process.env`. OpenBLAS chooses its
 * kernels when loaded, and an OpenBLAS older than the processor takes AVX2 kernels where AVX-512 ones would run (59
 * versus 100 GFLOP/s per thread in double precision), or its oldest (15). Empty if the choice is already right or the
 * user made it.
 */
export function computeEnvironment(): Record<string, string> {
  if (process.env.OPENBLAS_CORETYPE !== undefined) return {};
  const core = coreTypeFor(processorFlags(), openSystemLibrary().library?.coreName?.() ?? '');
  return core === undefined ? {} : { OPENBLAS_CORETYPE: core };
}

/** The better kernels for a processor with these flags when OpenBLAS itself chose `core`, or undefined. */
export function coreTypeFor(flags: ReadonlySet<string>, core: string): string | undefined {
  const better = KERNELS.find(
    ({ flags: needed, instead }) => instead.has(core) && needed.every((flag) => flags.has(flag)),
  );
  return better?.core;
}

function processorFlags(): Set<string> {
  if (process.platform !== 'linux') return new Set();
  const line = /^flags\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'));
  return new Set(line?.[1]?.trim().split(/\s+/) ?? []);
}
