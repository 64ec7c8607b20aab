import type { RunKind } from '../work/run-kinds.ts';
import { CLUMPING_OPTIONS } from './clumping.ts';
import { CROSSING_OPTIONS, CROSSING_OUTPUTS, PLAN_OPTIONS, PLAN_OUTPUTS } from './crossing.ts';
import type { Options } from './define-options.ts';
import { GWAS_OPTIONS } from './gwas.ts';
import { MODEL_OPTIONS } from './models.ts';
import { PARENTAGE_OPTIONS } from './parentage-checks.ts';
import { PREDICTION_OPTIONS } from './predictions.ts';
import { ENGINE_OPTIONS } from './shared.ts';

/** What a run of each kind is asked for. */
export const RUN_OPTIONS = {
  model: MODEL_OPTIONS,
  prediction: PREDICTION_OPTIONS,
  gwas: GWAS_OPTIONS,
  parentage_check: PARENTAGE_OPTIONS,
  crossing_plan: PLAN_OPTIONS,
  crossing_simulation: CROSSING_OPTIONS,
} satisfies Record<RunKind, Options>;

/** All tables, under the titles that the page of options gives them. */
export const OPTION_TABLES: Record<string, { about: string; options: Options }> = {
  GWAS: { about: '`POST …/gwas`, `heterosis gwas` and the dialog “Run GWAS”.', options: GWAS_OPTIONS },
  'Clumps of a GWAS': { about: 'The fields of `clumps`.', options: CLUMPING_OPTIONS },
  Models: {
    about: '`POST …/models`, `heterosis train`, `heterosis evaluate` and the dialog “Train model”.',
    options: MODEL_OPTIONS,
  },
  Predictions: {
    about: '`POST …/predictions`, `heterosis predict` and the dialog “New prediction”.',
    options: PREDICTION_OPTIONS,
  },
  'Parentage checks': {
    about: '`POST …/parentage_checks`, `heterosis parentage` and the dialog “Check parentage”.',
    options: PARENTAGE_OPTIONS,
  },
  'Crossing simulations': {
    about: '`POST …/crossing_simulations`, `heterosis cross` and the dialog “Simulate crosses”.',
    options: { ...CROSSING_OPTIONS, ...CROSSING_OUTPUTS },
  },
  'Crossing plans': {
    about: '`POST …/crossing_plans`, `heterosis plan` and the dialog “Plan crosses”.',
    options: { ...PLAN_OPTIONS, ...PLAN_OUTPUTS },
  },
  'How it is computed': { about: 'Trainings, evaluations and GWAS of the command line.', options: ENGINE_OPTIONS },
};
