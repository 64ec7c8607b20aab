import { crossingPlansApi } from '../endpoints/work/crossing-plans.ts';
import { crossingSimulationsApi } from '../endpoints/work/crossing-simulations.ts';
import { gwasApi } from '../endpoints/work/gwas.ts';
import { modelsApi } from '../endpoints/work/models.ts';
import { parentageChecksApi } from '../endpoints/work/parentage-checks.ts';
import { predictionsApi } from '../endpoints/work/predictions.ts';
import { programmesApi } from '../endpoints/work/programmes.ts';
import { stackingPlansApi } from '../endpoints/work/stacking-plans.ts';
import { trialAnalysesApi } from '../endpoints/work/trial-analyses.ts';
import { CROSSING_OPTIONS, CROSSING_OUTPUTS, PLAN_OPTIONS, PLAN_OUTPUTS } from '../options/crossing.ts';
import type { Options } from '../options/define-options.ts';
import { GWAS_OPTIONS, GWAS_PRESETS } from '../options/gwas.ts';
import { MODEL_OPTIONS, MODEL_PRESETS } from '../options/models.ts';
import { PARENTAGE_OPTIONS, PARENTAGE_OUTPUTS } from '../options/parentage-checks.ts';
import { PREDICTION_OPTIONS } from '../options/predictions.ts';
import type { Presets } from '../options/presets.ts';
import { PROGRAMME_OPTIONS, PROGRAMME_OUTPUTS } from '../options/programmes.ts';
import { STACK_OPTIONS, STACK_OUTPUTS } from '../options/stacking.ts';
import { TRIAL_ANALYSIS_OPTIONS } from '../options/trials.ts';
import type { RunPath } from './run-kinds.ts';

export interface RunContract {
  endpoints: object;
  /** What a run is asked for. */
  options: Options;
  /** What its dialog offers in place of single options. */
  presets?: Presets;
  /** Options of its command about further files. */
  outputs?: Options;
  /** Where people meet its options, for the page of options. */
  asked: { title: string; commands: readonly string[]; dialog: string };
}

/** With the types of its endpoints and options by their names: spelt out they are too long for a declaration. */
type Contract<Endpoints extends object, Own extends Options> = Omit<RunContract, 'endpoints' | 'options'> & {
  readonly endpoints: Endpoints;
  readonly options: Own;
};

/** What the contracts say of each kind of run, by its part of the address. All pages load `RUN_KINDS`, few this. */
export const RUN_CONTRACTS: {
  readonly models: Contract<typeof modelsApi, typeof MODEL_OPTIONS>;
  readonly predictions: Contract<typeof predictionsApi, typeof PREDICTION_OPTIONS>;
  readonly gwas: Contract<typeof gwasApi, typeof GWAS_OPTIONS>;
  readonly trial_analyses: Contract<typeof trialAnalysesApi, typeof TRIAL_ANALYSIS_OPTIONS>;
  readonly parentage_checks: Contract<typeof parentageChecksApi, typeof PARENTAGE_OPTIONS>;
  readonly crossing_plans: Contract<typeof crossingPlansApi, typeof PLAN_OPTIONS>;
  readonly crossing_simulations: Contract<typeof crossingSimulationsApi, typeof CROSSING_OPTIONS>;
  readonly stacking_plans: Contract<typeof stackingPlansApi, typeof STACK_OPTIONS>;
  readonly programmes: Contract<typeof programmesApi, typeof PROGRAMME_OPTIONS>;
} = {
  models: {
    endpoints: modelsApi,
    options: MODEL_OPTIONS,
    presets: MODEL_PRESETS,
    asked: { title: 'Models', commands: ['train', 'evaluate'], dialog: 'Train model' },
  },
  predictions: {
    endpoints: predictionsApi,
    options: PREDICTION_OPTIONS,
    asked: { title: 'Predictions', commands: ['predict'], dialog: 'New prediction' },
  },
  gwas: {
    endpoints: gwasApi,
    options: GWAS_OPTIONS,
    presets: GWAS_PRESETS,
    asked: { title: 'GWAS', commands: ['gwas'], dialog: 'Run GWAS' },
  },
  trial_analyses: {
    endpoints: trialAnalysesApi,
    options: TRIAL_ANALYSIS_OPTIONS,
    asked: { title: 'Trial analyses', commands: ['trial', 'series'], dialog: 'Analyse trials' },
  },
  parentage_checks: {
    endpoints: parentageChecksApi,
    options: PARENTAGE_OPTIONS,
    outputs: PARENTAGE_OUTPUTS,
    asked: { title: 'Parentage checks', commands: ['parentage'], dialog: 'Check parentage' },
  },
  crossing_plans: {
    endpoints: crossingPlansApi,
    options: PLAN_OPTIONS,
    outputs: PLAN_OUTPUTS,
    asked: { title: 'Crossing plans', commands: ['plan'], dialog: 'Plan crosses' },
  },
  crossing_simulations: {
    endpoints: crossingSimulationsApi,
    options: CROSSING_OPTIONS,
    outputs: CROSSING_OUTPUTS,
    asked: { title: 'Crossing simulations', commands: ['cross'], dialog: 'Simulate crosses' },
  },
  stacking_plans: {
    endpoints: stackingPlansApi,
    options: STACK_OPTIONS,
    outputs: STACK_OUTPUTS,
    asked: { title: 'Stacking', commands: ['stack'], dialog: 'Stack target loci' },
  },
  programmes: {
    endpoints: programmesApi,
    options: PROGRAMME_OPTIONS,
    outputs: PROGRAMME_OUTPUTS,
    asked: { title: 'Breeding programmes', commands: ['simulate'], dialog: 'Simulate a programme' },
  },
} satisfies Record<RunPath, RunContract>;
