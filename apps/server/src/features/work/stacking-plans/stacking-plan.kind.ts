import type { StackingPlan, StackingPlanDetail } from '@heterosis/contracts/work/stacking-plans';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import { inputs, oneStep, type RunKindDefinition } from '../runs/kind/index.ts';
import { provenanceOf } from '../runs/results/index.ts';
import type { Run } from '../runs/work/index.ts';
import { runStackingPlanJob } from './jobs.ts';
import { stackingMethods } from './methods-paragraph.ts';
import { stackingReportParts } from './stacking-plan-report.ts';
import { STACKING_KEY_FIGURE, type StackingRow, stackingSelection } from './stacking-plans.queries.ts';

export const stackingPlans: RunKindDefinition<StackingRow, StackingPlan, StackingPlanDetail, 'stacking_plan'> = {
  ...stackingSelection,
  unused: ({ has_linkage_map }) => (has_linkage_map ? [] : ['linkage_map']),
  firstStep: ({ seed }) => ({ job: runStackingPlanJob, step: 'plan', seed }),
  toItem: async (_services, row, runs) => toStackingPlan(row, runs),

  async toDetail({ storage }, row, runs) {
    const detail = {
      ...toStackingPlan(row, runs),
      description: row.description,
      ...inputs.references(row, 'genotype', 'linkage_map'),
      schedule_url: await oneStep.csvUrl(storage, row, 'schedule'),
      report: row.report,
      provenance: provenanceOf(runs, { createdBy: row.creator, seed: row.seed, parameters: row.parameters }),
    };
    return { ...detail, methods: stackingMethods(detail) };
  },

  toBundle(row, detail) {
    const { report: results, provenance } = detail;
    return {
      inputs: inputs.names(detail, 'genotype', 'linkage_map'),
      results,
      provenance,
      files: oneStep.files(row, { 'schedule.csv': 'schedule' }),
    };
  },

  methods: (_row, detail) => stackingMethods(detail),

  outcome: (row) =>
    oneStep.outcome(row, ({ report }) =>
      report === null
        ? []
        : [
            `${groupedNumber(report.plants)} plants in ${report.generations} generations, at most ${groupedNumber(report.largest)} at a time.`,
          ],
    ),

  keyFigure: STACKING_KEY_FIGURE,
  reportParts: async (_services, row) => stackingReportParts(row),

  repeat: (services, trx, row, by) => oneStep.repeat(services, trx, stackingPlans, { row, by }),
};

const toStackingPlan = (row: StackingRow, runs: readonly Run[]): StackingPlan => ({
  ...oneStep.item(row, runs),
  ...inputs.columns(row, 'genotype_id', 'linkage_map_id', 'genotype_name', 'linkage_map_name'),
});
