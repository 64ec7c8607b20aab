/** What an analysis is doing; the order is the usual one. */
export type Stage =
  | 'read'
  | 'match'
  | 'qc'
  | 'kinship'
  | 'fit'
  | 'cross-validate'
  | 'test'
  | 'predict'
  | 'cross'
  | 'phase'
  | 'write';

/** `done` of `total` counts what the stage counts: bytes, markers, folds, crosses. */
export interface StageProgress {
  stage: Stage;
  done: number;
  total: number;
}

/** What every analysis is given besides its input. */
export interface AnalysisContext {
  /** Threads for matrix products; at least 1. */
  threads: number;
  /** Called at the start of each stage with `done` 0, and between blocks. */
  onProgress?: (progress: StageProgress) => void;
  /** Looked at between blocks; an abort rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** An expected failure of an analysis: the input cannot give a result, and this says why and what to do. */
export class AnalysisError extends Error {
  readonly code: string;
  /** What to do about it, in a sentence. */
  readonly suggestion: string;
  readonly details: Record<string, unknown>;

  constructor(code: string, message: string, suggestion: string, details: Record<string, unknown> = {}) {
    super(message);
    this.name = 'AnalysisError';
    this.code = code;
    this.suggestion = suggestion;
    this.details = details;
  }
}

/** Reports progress and stops when the caller has asked to. Call it between blocks. */
export function reportProgress(context: AnalysisContext, stage: Stage, done: number, total: number): void {
  context.signal?.throwIfAborted();
  context.onProgress?.({ stage, done, total });
}

/** Seconds spent in each stage of an analysis. */
export type StageSeconds = Partial<Record<Stage, number>>;

/**
 * A context that also measures how long each stage takes: from its first report to the first of another stage or to
 * `finish()`. A stage that comes back adds up.
 *
 * @param now clock in milliseconds, for example `performance.now`
 */
export function timedContext(
  context: AnalysisContext,
  now: () => number,
): { context: AnalysisContext; finish: () => StageSeconds } {
  const seconds: StageSeconds = {};
  let current: Stage | null = null;
  let since = now();
  const enter = (stage: Stage | null) => {
    const time = now();
    if (current !== null) seconds[current] = (seconds[current] ?? 0) + (time - since) / 1000;
    current = stage;
    since = time;
  };
  return {
    context: {
      ...context,
      onProgress: (progress) => {
        if (progress.stage !== current) enter(progress.stage);
        context.onProgress?.(progress);
      },
    },
    finish: () => {
      enter(null);
      return seconds;
    },
  };
}
