import type { CrossingSimulation, CrossingSimulationDetail } from '@heterosis/contracts/work/crossing-simulations';
import { selectionIntensity } from '@heterosis/statgen/crossing/cross-criteria';
import { inputs, oneStep, type RunKindDefinition } from '../runs/kind/index.ts';
import { provenanceOf } from '../runs/results/index.ts';
import type { Run } from '../runs/work/index.ts';
import { crossingReport } from './crossing-report.ts';
import { CROSSING_KEY_FIGURE, type CrossingSimulationRow, crossingSelection } from './crossing-simulations.queries.ts';
import { awaitPhasingJob, runCrossingJob } from './jobs.ts';
import { crossingMethods } from './methods-paragraph.ts';
import { readBestCrosses } from './overview-crosses.queries.ts';
import { ensurePhasingOf } from './phase-first.ts';

/** Selected fractions offered on pages. */
const FRACTIONS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5];

const intensitiesWith = (own: number): CrossingSimulationDetail['intensities'] =>
  [...new Set([...FRACTIONS, own])]
    .sort((a, b) => a - b)
    .map((fraction) => ({ fraction, intensity: selectionIntensity(fraction) }));

export const crossingSimulations: RunKindDefinition<
  CrossingSimulationRow,
  CrossingSimulation,
  CrossingSimulationDetail,
  'crossing_simulation'
> = {
  ...crossingSelection,
  unused: ({ parameters }) => (parameters.bp_per_cm === null ? [] : ['linkage_map']),
  firstStep: ({ seed, parameters }) => ({
    job: parameters.phase_first ? awaitPhasingJob : runCrossingJob,
    step: 'crossing',
    seed,
  }),
  toItem: async (_services, row, runs) => toCrossingSimulation(row, runs),

  async toDetail({ storage }, row, runs) {
    return {
      ...toCrossingSimulation(row, runs),
      description: row.description,
      ...inputs.references(row, 'model', 'genotype', 'crossing_table', 'linkage_map'),
      result_url: await oneStep.csvUrl(storage, row, 'csv', 'crosses'),
      progeny_url: await oneStep.csvUrl(storage, row, 'progeny_csv', 'progeny'),
      report: row.report,
      intensities: intensitiesWith(row.parameters.selected_fraction),
      provenance: provenanceOf(runs, { createdBy: row.creator, seed: row.seed, parameters: row.parameters }),
    };
  },

  toBundle(row, detail) {
    const names = inputs.names(detail, 'model', 'genotype', 'crossing_table', 'linkage_map');
    const { report: results, provenance } = detail;
    const files = oneStep.files(row, { 'crosses.csv': 'csv', 'progeny.csv': 'progeny_csv' });
    return { inputs: names, results, provenance, files };
  },

  methods: (_row, detail) => crossingMethods(detail),

  outcome: (row) =>
    oneStep.outcome(row, ({ report }) => {
      const done = report?.progeny === 0 ? 'evaluated' : 'simulated';
      const best = Object.entries(report?.best ?? {}).map(
        ([trait, { cross, usefulness }]) => `${trait}: best cross ${cross}, usefulness ${usefulness.toPrecision(4)}.`,
      );
      return [`${report?.crosses} crosses ${done}.`, ...best];
    }),

  overviewResults: readBestCrosses,
  reportParts: crossingReport,

  keyFigure: CROSSING_KEY_FIGURE,

  repeat: (services, trx, row, by) =>
    oneStep.repeat(services, trx, crossingSimulations, {
      row,
      by,
      prepare: async () => {
        if (row.parameters.phase_first) await ensurePhasingOf(services, trx, row, by.requested_by);
      },
    }),
};

const toCrossingSimulation = (row: CrossingSimulationRow, runs: readonly Run[]): CrossingSimulation => ({
  ...oneStep.item(row, runs),
  ...inputs.columns(
    row,
    'model_id',
    'genotype_id',
    'crossing_table_id',
    'linkage_map_id',
    'model_name',
    'genotype_name',
    'crossing_table_name',
    'linkage_map_name',
  ),
});
