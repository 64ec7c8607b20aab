import type { CrossingPlan, CrossingPlanDetail } from '@heterosis/contracts/crossing-plans';
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
  type CrossingPlanResultKind,
  type CrossingPlanRow,
  crossingPlanSelection,
  PLAN_KEY_FIGURE,
  parametersOf,
  updateCrossingPlanStatus,
} from './crossing-plans.queries.ts';
import { planMethods } from './methods-paragraph.ts';
import { runCrossingPlanJob } from './run-crossing-plan.job.ts';

const CSV_RESULTS = ['crosses', 'candidates', 'pairs', 'curve', 'made'] as const satisfies CrossingPlanResultKind[];

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
    const urls = await Promise.all(
      CSV_RESULTS.map(async (kind) => {
        const key = row.result_keys[kind];
        const fileName = `${row.name}_${kind}.csv`;
        return key === undefined ? null : storage.signGet(key, { fileName, contentType: 'text/csv; charset=utf-8' });
      }),
    );
    const [crosses_url = null, candidates_url = null, pairs_url = null, curve_url = null, made_url = null] = urls;
    return {
      ...toCrossingPlan(row, runs),
      description: row.description,
      model: referenceTo(row.model_id, row.model_name),
      genotype: referenceTo(row.genotype_id, row.genotype_name),
      pedigree: referenceTo(row.pedigree_id, row.pedigree_name),
      crossing_table: referenceTo(row.crossing_table_id, row.crossing_table_name),
      linkage_map: referenceTo(row.linkage_map_id, row.linkage_map_name),
      crosses_url,
      candidates_url,
      pairs_url,
      curve_url,
      made_url,
      report: row.report,
      intensity: selectionIntensity(row.parameters.selected_fraction),
      provenance: provenanceOf(runs, { createdBy: row.creator, seed: null, parameters: parametersOf(row) }),
    };
  },

  toBundle({ result_keys }, detail) {
    const { id, name, description, traits, report, provenance } = detail;
    const inputs = {
      model: detail.model?.name ?? null,
      genotype: detail.genotype?.name ?? null,
      pedigree: detail.pedigree?.name ?? null,
      crossing_table: detail.crossing_table?.name ?? null,
      linkage_map: detail.linkage_map?.name ?? null,
    };
    return makeBundle(
      { kind: 'crossing_plan', id, name, description, traits, inputs, results: report, provenance },
      planMethods(detail),
      CSV_RESULTS.flatMap((kind) => {
        const key = result_keys[kind];
        return key === undefined ? [] : [{ name: `${kind}.csv`, content: { key } }];
      }),
    );
  },

  outcome({ status, report, error_extra }) {
    if (status === 'PROCESSING') return undefined;
    if (error_extra !== null) return { results: [], failures: [reasonInWords(error_extra)] };
    return {
      results: [
        `${report?.crosses} crosses of ${report?.parents} parents, group coancestry ${report?.coancestry.toPrecision(3)}.`,
      ],
      failures: [],
    };
  },

  keyFigure: PLAN_KEY_FIGURE,

  async restart(services, trx, row, requested) {
    if (row.status !== 'ERROR') throw new Problem('runs/not-retryable', 'Only a failed crossing plan can be repeated.');
    requireInputs(crossingPlans, row);
    await updateCrossingPlanStatus(trx, row.project_id, row.id, { status: 'PROCESSING' });
    await startStep(services, trx, crossingPlans, row, requested);
  },
};

function toCrossingPlan(row: CrossingPlanRow, [run]: readonly Run[]): CrossingPlan {
  return {
    id: row.id,
    name: row.name,
    project_id: row.project_id,
    model_id: row.model_id,
    genotype_id: row.genotype_id,
    pedigree_id: row.pedigree_id,
    crossing_table_id: row.crossing_table_id,
    linkage_map_id: row.linkage_map_id,
    candidates_from: parametersOf(row).candidates_from,
    model_name: row.model_name,
    genotype_name: row.genotype_name,
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
