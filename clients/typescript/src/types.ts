import type { fileDetail } from '@heterosis/contracts/data/files';
import type { AnswerOf } from '@heterosis/contracts/endpoint';
import type { RUN_CONTRACTS } from '@heterosis/contracts/work/run-contracts';
import type { RunPath } from '@heterosis/contracts/work/run-kinds';
import type * as z from 'zod';

/** What all runs have: one state, or one for each trait. */
export interface AnyRun {
  name: string;
  status: string | Record<string, string>;
  error_extra?: Record<string, string> | null;
  error_extras?: Record<string, Record<string, string> | null>;
}

/** A run of a kind as its address answers it. */
export type RunOf<Kind extends RunPath> = AnswerOf<(typeof RUN_CONTRACTS)[Kind]['endpoints']['readRun']>;

export type ProjectFile = z.output<typeof fileDetail>;
