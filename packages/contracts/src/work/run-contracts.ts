import { crossingPlansContract } from '../endpoints/work/crossing-plans.ts';
import { crossingSimulationsContract } from '../endpoints/work/crossing-simulations.ts';
import { gwasContract } from '../endpoints/work/gwas.ts';
import { modelsContract } from '../endpoints/work/models.ts';
import { parentageChecksContract } from '../endpoints/work/parentage-checks.ts';
import { predictionsContract } from '../endpoints/work/predictions.ts';
import { programmesContract } from '../endpoints/work/programmes.ts';
import type { RunContract } from '../endpoints/work/run-contract.ts';
import { stackingPlansContract } from '../endpoints/work/stacking-plans.ts';
import { trialAnalysesContract } from '../endpoints/work/trial-analyses.ts';
import type { RunPath } from './run-kinds.ts';

/** What the contracts say of each kind of run, by its part of the address. All pages load `RUN_KINDS`, few this. */
// The type is spelt out because what the compiler makes of it is too long for a declaration.
export const RUN_CONTRACTS: {
  readonly models: typeof modelsContract;
  readonly predictions: typeof predictionsContract;
  readonly gwas: typeof gwasContract;
  readonly trial_analyses: typeof trialAnalysesContract;
  readonly parentage_checks: typeof parentageChecksContract;
  readonly crossing_plans: typeof crossingPlansContract;
  readonly crossing_simulations: typeof crossingSimulationsContract;
  readonly stacking_plans: typeof stackingPlansContract;
  readonly programmes: typeof programmesContract;
} = {
  models: modelsContract,
  predictions: predictionsContract,
  gwas: gwasContract,
  trial_analyses: trialAnalysesContract,
  parentage_checks: parentageChecksContract,
  crossing_plans: crossingPlansContract,
  crossing_simulations: crossingSimulationsContract,
  stacking_plans: stackingPlansContract,
  programmes: programmesContract,
} satisfies Record<RunPath, RunContract>;
