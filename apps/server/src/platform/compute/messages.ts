import type { ComputeProgress } from './compute.ts';

/** From the worker to its child: what to do. */
export interface StartMessage {
  moduleUrl: string;
  input: unknown;
  threads: number;
  /** The answer tells when it did what. */
  isTraced?: boolean;
}

/** Milliseconds since 1970 at which a child began to load the code of its work, and each stage of it. */
export interface Timeline {
  pid: number;
  begun: number;
  stages: { stage: string; begun: number }[];
  ended: number;
}

/** From the child. `code` is there when the error has one, which makes it an expected failure. */
export type ChildMessage =
  | { type: 'progress'; progress: ComputeProgress }
  /** `peakMb` is the peak memory of the process so far, `rssMb` what it has now. */
  | { type: 'result'; output: unknown; peakMb: number; rssMb: number; timeline?: Timeline }
  | {
      type: 'error';
      code: string | undefined;
      message: string;
      stack: string | undefined;
      details: Record<string, unknown>;
      rssMb: number;
      timeline?: Timeline;
    };
