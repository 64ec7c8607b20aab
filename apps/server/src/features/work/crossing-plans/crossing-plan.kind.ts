import type { CrossingPlan, CrossingPlanDetail } from '@heterosis/contracts/work/crossing-plans';
import { selectionIntensity } from '@heterosis/statgen/crossing/cross-criteria';
import { oneStep, type RunKindDefinition, referenceTo } from '../runs/kind/index.ts';
import { provenanceOf } from '../runs/results/index.ts';
import type { Run } from '../runs/work/index.ts';
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
      model: referenceTo(row.model_id, row.model_name),
      genotype: referenceTo(row.genotype_id, row.genotype_name),
      pedigree: referenceTo(row.pedigree_id, row.pedigree_name),
      crossing_table: referenceTo(row.crossing_table_id, row.crossing_table_name),
      linkage_map: referenceTo(row.linkage_map_id, row.linkage_map_name),
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
    const inputs = {
      model: detail.model?.name ?? null,
      genotype: detail.genotype?.name ?? null,
      pedigree: detail.pedigree?.name ?? null,
      crossing_table: detail.crossing_table?.name ?? null,
      linkage_map: detail.linkage_map?.name ?? null,
    };
    const { report: results, provenance } = detail;
    return { inputs, results, provenance, methods: planMethods(detail), files: oneStep.files(row, CSV_RESULTS) };
  },

  outcome: (row) =>
    oneStep.outcome(row, ({ report }) => [
      `${report?.crosses} crosses of ${report?.parents} parents, group coancestry ${report?.coancestry.toPrecision(3)}.`,
    ]),

  keyFigure: PLAN_KEY_FIGURE,

  repeat: (services, trx, row, requested) => oneStep.repeat(services, trx, crossingPlans, row, requested),
};

const toCrossingPlan = (row: CrossingPlanRow, runs: readonly Run[]): CrossingPlan => ({
  ...oneStep.item(row, runs),
  model_id: row.model_id,
  genotype_id: row.genotype_id,
  pedigree_id: row.pedigree_id,
  crossing_table_id: row.crossing_table_id,
  linkage_map_id: row.linkage_map_id,
  candidates_from: parametersOf(row).candidates_from,
  model_name: row.model_name,
  genotype_name: row.genotype_name,
});
