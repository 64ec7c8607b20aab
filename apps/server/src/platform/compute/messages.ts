import type { ComputeProgress } from './compute.ts';

/** From the worker to its child: what to do. */
export interface StartMessage {
  moduleUrl: string;
  input: unknown;
  threads: number;
}

/** From the child. `code` is there when the error has one, which makes it an expected failure. */
export type ChildMessage =
  | { type: 'progress'; progress: ComputeProgress }
  /** `peakMb` is the peak memory of the process so far, `rssMb` what it has now. */
  | { type: 'result'; output: unknown; peakMb: number; rssMb: number }
  | {
      type: 'error';
      code: string | undefined;
      message: string;
      stack: string | undefined;
      details: Record<string, unknown>;
      rssMb: number;
    };
