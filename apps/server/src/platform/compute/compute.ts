import type { Needs } from '../job-queue/job.ts';

/** Where a compute child is in its work. */
export interface ComputeProgress {
  stage: string;
  done: number;
  total: number;
}

export interface ComputeOptions {
  signal?: AbortSignal;
  /** Called at most twice a second, and for the first report of every stage. */
  onProgress?: (progress: ComputeProgress) => void;
  /** JavaScript heap of the child; default from the configuration. */
  memoryMb?: number;
  /** What the work needs altogether; a cluster is asked for it. */
  needs?: Needs | undefined;
}

/** What a compute function receives besides its input. Matches `AnalysisContext` of packages/analysis. */
export interface ComputeContext {
  threads: number;
  onProgress(progress: ComputeProgress): void;
  signal: AbortSignal;
}

/** The shape of a compute file's export: `export const compute: ComputeFunction<Input, Output>`. */
export type ComputeFunction<Input, Output> = (input: Input, context: ComputeContext) => Promise<Output>;

/** Runs numerics in a child process of their own, so that a crash or a full memory kills the job and not the worker. */
export interface ComputePool {
  /**
   * Runs `compute` of the module at `moduleUrl` (`new URL('./x.compute.ts', import.meta.url)`) in a child that does
   * nothing else meanwhile. It may have done other work before, and is kept for more for a short while. Input and
   * result travel by structured clone (typed arrays stay typed). A `ComputeError` tells how it failed; an abort kills
   * the child.
   */
  run<Input, Output>(moduleUrl: URL, input: Input, options?: ComputeOptions): Promise<Output>;
  close(): Promise<void>;
}

/**
 * `code` is the error's own when it has one (as those of statgen and file-formats do), otherwise `compute/failed`,
 * `compute/out-of-memory`, `compute/crashed` or `compute/aborted`. `details` are the own enumerable fields of the
 * error.
 */
export class ComputeError extends Error {
  readonly code: string;
  readonly details: Record<string, unknown>;
  /**
   * Whether a retry would fail in the same way: the child reported a coded error, so the input is at fault, or its
   * heap was full.
   */
  readonly isExpected: boolean;

  constructor(
    code: string,
    message: string,
    {
      details = {},
      isExpected = false,
      cause,
    }: { details?: Record<string, unknown>; isExpected?: boolean; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ComputeError';
    this.code = code;
    this.details = details;
    this.isExpected = isExpected;
  }
}
