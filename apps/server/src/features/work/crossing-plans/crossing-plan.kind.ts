import type { CrossingPlan, CrossingPlanDetail } from '@heterosis/contracts/work/crossing-plans';
import { selectionIntensity } from '@heterosis/statgen/crossing/cross-criteria';
import { inputs, oneStep, type RunKindDefinition } from '../runs/kind/index.ts';
import { provenanceOf } from '../runs/results/index.ts';
import type { Run } from '../runs/work/index.ts';
import { crossingPlanReport } from './crossing-plan-report.ts';
import {
  type CrossingPlanResultKind,
  type CrossingPlanRow,
  crossingPlanSelection,
  PLAN_KEY_FIGURE,
  parametersOf,
} from './crossing-plans.queries.ts';
import { runCrossingPlanJob } from './jobs.ts';
import { planMethods } from './methods-paragraph.ts';

const CSV_RESULTS = {
  'crosses.csv': 'crosses',
  'candidates.csv': 'candidates',
  'pairs.csv': 'pairs',
  'curve.csv': 'curve',
  'made.csv': 'made',
} as const satisfies Record<string, CrossingPlanResultKind>;

export const crossingPlans: RunKindDefinition<CrossingPlanRow, CrossingPlan, CrossingPlanDetail, 'crossing_plan'> = {
  ...crossingPlanSelection,
  unused(row) {
    const { candidates_from, coancestry, bp_per_cm } = parametersOf(row);
    return [
      ...(candidates_from === 'genotype' ? [] : ['genotype']),
      ...(coancestry === 'pedigree' ? [] : ['pedigree']),
      ...(bp_per_cm === null && candidates_from === 'genotype' ? [] : ['linkage_map']),
      ...(row.parameters.has_made_crosses ? [] : ['crossing_table']),
    ];
  },
  firstStep: () => ({ job: runCrossingPlanJob, step: 'plan' }),
  toItem: async (_services, row, runs) => toCrossingPlan(row, runs),

  async toDetail({ storage }, row, runs) {
    return {
      ...toCrossingPlan(row, runs),
      description: row.description,
      ...inputs.references(row, 'model', 'genotype', 'pedigree', 'crossing_table', 'linkage_map'),
      crosses_url: await oneStep.csvUrl(storage, row, 'crosses'),
      candidates_url: await oneStep.csvUrl(storage, row, 'candidates'),
      pairs_url: await oneStep.csvUrl(storage, row, 'pairs'),
      curve_url: await oneStep.csvUrl(storage, row, 'curve'),
      made_url: await oneStep.csvUrl(storage, row, 'made'),
      report: row.report,
      intensity: selectionIntensity(row.parameters.selected_fraction),
      provenance: provenanceOf(runs, { createdBy: row.creator, seed: null, parameters: parametersOf(row) }),
    };
  },

  toBundle(row, detail) {
    const names = inputs.names(detail, 'model', 'genotype', 'pedigree', 'crossing_table', 'linkage_map');
    const { report: results, provenance } = detail;
    return { inputs: names, results, provenance, files: oneStep.files(row, CSV_RESULTS) };
  },

  methods: (_row, detail) => planMethods(detail),

  outcome: (row) =>
    oneStep.outcome(row, ({ report }) => [
      `${report?.crosses} crosses of ${report?.parents} parents, group coancestry ${report?.coancestry.toPrecision(3)}.`,
    ]),

  keyFigure: PLAN_KEY_FIGURE,
  reportParts: crossingPlanReport,

  repeat: (services, trx, row, by) => oneStep.repeat(services, trx, crossingPlans, { row, by }),
};

const toCrossingPlan = (row: CrossingPlanRow, runs: readonly Run[]): CrossingPlan => ({
  ...oneStep.item(row, runs),
  ...inputs.columns(row, 'model_id', 'genotype_id', 'pedigree_id', 'crossing_table_id', 'linkage_map_id'),
  candidates_from: parametersOf(row).candidates_from,
  ...inputs.columns(row, 'model_name', 'genotype_name'),
});
