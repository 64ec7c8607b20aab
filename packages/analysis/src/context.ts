/** Stages of an analysis, in their usual order. */
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
  | 'simulate'
  | 'phase'
  | 'write';

/** Progress in the unit of the stage: bytes, markers, folds, crosses, replicates. */
export interface StageProgress {
  stage: Stage;
  done: number;
  total: number;
}

/** How genotype files are read. */
export interface GenotypeReading {
  /** Whether plants of more than two copies of each chromosome are taken; refused (E-GT-PLOIDY) unless told. */
  polyploids?: boolean;
  /** Whether plants that differ in ploidy are taken; refused (E-GT-PLOIDY-MIX) unless told. */
  mixedPloidies?: boolean;
  /** Reads only the plants of this ploidy. */
  samplesOfPloidy?: number;
  /** Copies of each chromosome where a file does not tell them. */
  ploidy?: number;
  /** The field of a VCF that genotypes are read from; default GT. */
  genotypeField?: 'GT' | 'DS' | 'AD' | 'AD-called';
}

/** What every analysis receives besides its input. */
export interface AnalysisContext {
  /** How genotype files are read; diploids from GT unless told. */
  genotypes?: GenotypeReading;
  /** Threads for matrix products; at least 1. */
  threads: number;
  /** Called at the start of each stage with `done` 0, and between blocks. */
  onProgress?: (progress: StageProgress) => void;
  /** Checked between blocks; an abort rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** An expected failure: the input allows no result. It says why, and what to do. */
export class AnalysisError extends Error {
  readonly code: string;
  /** What to do about it, in one sentence. */
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

/** Reports progress, and throws if the caller has aborted. Call it between blocks. */
export function reportProgress(context: AnalysisContext, stage: Stage, done: number, total: number): void {
  context.signal?.throwIfAborted();
  context.onProgress?.({ stage, done, total });
}

/** Seconds spent in each stage of an analysis. */
export type StageSeconds = Partial<Record<Stage, number>>;

/**
 * A context that also measures the time of each stage: from its first report to the first report of another stage, or
 * to `finish()`. Repeated visits to a stage add up.
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
