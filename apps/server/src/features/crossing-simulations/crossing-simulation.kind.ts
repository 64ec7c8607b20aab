import type { CrossingSimulation, CrossingSimulationDetail } from '@heterosis/contracts/crossing-simulations';
import { selectionIntensity } from '@heterosis/statgen/crossing/cross-criteria';
import { Problem } from '../../platform/http/problem.ts';
import {
  makeBundle,
  progressOf,
  provenanceOf,
  type Run,
  type RunKindDefinition,
  reasonInWords,
  referenceTo,
  requireInputs,
  startStep,
} from '../runs/index.ts';
import {
  CROSSING_KEY_FIGURE,
  type CrossingSimulationRow,
  crossingSelection,
  updateCrossingSimulationStatus,
} from './crossing-simulations.queries.ts';
import { crossingMethods } from './methods-paragraph.ts';
import { readBestCrosses } from './overview-crosses.queries.ts';
import { ensurePhasingOf } from './phase-first.ts';
import { awaitPhasingJob, runCrossingJob } from './run-crossing.job.ts';

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
    const download = async (kind: 'csv' | 'progeny_csv', ending: string) => {
      const key = row.result_keys[kind];
      if (key === undefined) return null;
      return await storage.signGet(key, {
        fileName: `${row.name}_${ending}.csv`,
        contentType: 'text/csv; charset=utf-8',
      });
    };
    return {
      ...toCrossingSimulation(row, runs),
      description: row.description,
      model: referenceTo(row.model_id, row.model_name),
      genotype: referenceTo(row.genotype_id, row.genotype_name),
      crossing_table: referenceTo(row.crossing_table_id, row.crossing_table_name),
      linkage_map: referenceTo(row.linkage_map_id, row.linkage_map_name),
      result_url: await download('csv', 'crosses'),
      progeny_url: await download('progeny_csv', 'progeny'),
      report: row.report,
      intensities: intensitiesWith(row.parameters.selected_fraction),
      provenance: provenanceOf(runs, { createdBy: row.creator, seed: row.seed, parameters: row.parameters }),
    };
  },

  toBundle({ result_keys }, detail) {
    const { id, name, description, traits, report, provenance } = detail;
    const inputs = {
      model: detail.model?.name ?? null,
      genotype: detail.genotype?.name ?? null,
      crossing_table: detail.crossing_table?.name ?? null,
      linkage_map: detail.linkage_map?.name ?? null,
    };
    const results = [
      { name: 'crosses.csv', key: result_keys.csv },
      { name: 'progeny.csv', key: result_keys.progeny_csv },
    ];
    return makeBundle(
      { kind: 'crossing_simulation', id, name, description, traits, inputs, results: report, provenance },
      crossingMethods(detail),
      results.flatMap(({ name: file, key }) => (key === undefined ? [] : [{ name: file, content: { key } }])),
    );
  },

  outcome({ status, report, error_extra }) {
    if (status === 'PROCESSING') return undefined;
    if (error_extra !== null) return { results: [], failures: [reasonInWords(error_extra)] };
    const best = Object.entries(report?.best ?? {}).map(
      ([trait, { cross, usefulness }]) => `${trait}: best cross ${cross}, usefulness ${usefulness.toPrecision(4)}.`,
    );
    const done = report?.progeny === 0 ? 'evaluated' : 'simulated';
    return { results: [`${report?.crosses} crosses ${done}.`, ...best], failures: [] };
  },

  overviewResults: readBestCrosses,

  keyFigure: CROSSING_KEY_FIGURE,

  async restart(services, trx, row, requested) {
    if (row.status !== 'ERROR')
      throw new Problem('runs/not-retryable', 'Only a failed crossing simulation can be repeated.');
    requireInputs(crossingSimulations, row);
    await updateCrossingSimulationStatus(trx, row.project_id, row.id, { status: 'PROCESSING' });
    if (row.parameters.phase_first) await ensurePhasingOf(services, trx, row, requested.requested_by);
    await startStep(services, trx, crossingSimulations, row, requested);
  },
};

function toCrossingSimulation(row: CrossingSimulationRow, [run]: readonly Run[]): CrossingSimulation {
  return {
    id: row.id,
    name: row.name,
    project_id: row.project_id,
    model_id: row.model_id,
    genotype_id: row.genotype_id,
    crossing_table_id: row.crossing_table_id,
    linkage_map_id: row.linkage_map_id,
    model_name: row.model_name,
    genotype_name: row.genotype_name,
    crossing_table_name: row.crossing_table_name,
    linkage_map_name: row.linkage_map_name,
    status: row.status,
    error_extra: row.error_extra,
    progress: row.status === 'PROCESSING' ? progressOf(run) : null,
    traits: row.traits,
    key_figure: row.key_figure,
    created_by: row.creator,
    created_by_id: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
