import type { fileDetail } from '@heterosis/contracts/data/files';
import type { AnswerOf } from '@heterosis/contracts/endpoint';
import { crossingPlansApi } from '@heterosis/contracts/endpoints/crossing-plans';
import { crossingSimulationsApi } from '@heterosis/contracts/endpoints/crossing-simulations';
import { gwasApi } from '@heterosis/contracts/endpoints/gwas';
import { modelsApi } from '@heterosis/contracts/endpoints/models';
import { parentageChecksApi } from '@heterosis/contracts/endpoints/parentage-checks';
import { predictionsApi } from '@heterosis/contracts/endpoints/predictions';
import type { RunPath } from '@heterosis/contracts/work/run-kinds';
import type * as z from 'zod';

/** The endpoints of each kind of run, by its part of the address. */
export const RUNS = {
  models: modelsApi,
  predictions: predictionsApi,
  gwas: gwasApi,
  parentage_checks: parentageChecksApi,
  crossing_plans: crossingPlansApi,
  crossing_simulations: crossingSimulationsApi,
} as const satisfies Record<RunPath, object>;

/** What all runs have: one state, or one for each trait. */
export interface AnyRun {
  name: string;
  status: string | Record<string, string>;
  error_extra?: Record<string, string> | null;
  error_extras?: Record<string, Record<string, string> | null>;
}

/** A run of a kind as its address answers it. */
export type RunOf<Kind extends RunPath> = AnswerOf<(typeof RUNS)[Kind]['readRun']>;

export type ProjectFile = z.output<typeof fileDetail>;
