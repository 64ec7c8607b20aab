import { AnalysisError } from '@heterosis/analysis/context';
import type { EngineTask } from '@heterosis/analysis/engine/engine-task';
import type { EnginePlan } from '@heterosis/analysis/engine/plan-engine';
import { comparedSeconds, trainingSeconds } from '@heterosis/analysis/prediction/evaluation/compared-seconds';
import type { InputOf } from '@heterosis/contracts/endpoint';
import type { matchingApi } from '@heterosis/contracts/endpoints/work/matching';
import { modelNameOf } from '@heterosis/contracts/options/model-types';
import type { RunEstimate } from '@heterosis/contracts/work/estimates';
import type { Services } from '../../../platform/http/app.ts';
import type { ProjectCall } from '../../../platform/http/bind.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { type FileRow, requireGenotype, requireReadyFile } from '../../data/files/index.ts';
import { countMarkersThatPass } from './count-kept.ts';
import { requireTraits } from './match-files.service.ts';
import { isWhole, largestMachine, planRun, type RunSizes } from './run-needs.ts';

/**
 * `POST /projects/{p}/estimate`: time, memory and disk of a run on the largest worker, from the sizes of its files.
 *
 * Throws Problem `runs/does-not-fit` for what no engine can hold.
 */
export async function estimateRun(
  { services: { db, config, tables }, access: { projectId } }: ProjectCall,
  { body }: InputOf<typeof matchingApi.estimateRun>,
): Promise<RunEstimate> {
  const genotype = await requireGenotype(db, projectId, body.genotype_id);
  const phenotype = await requireReadyFile(db, projectId, body.phenotype_id, 'PHENOTYPE');
  const traits = requireTraits(phenotype, body.traits);
  const sizes: RunSizes = {
    ...{
      genotype,
      phenotype,
      traits: traits.length,
      dominance: body.dominance,
      singleStep: body.single_step,
      multiTrait: body.analysis === 'train' && body.multi_trait,
    },
    ...{ weights: body.weights, residualLines: body.residual_lines },
    ...{ folds: body.n_fold, repetitions: body.n_repetition, isFitted: body.test !== 'SCORE', loco: body.loco },
    ...{ permutations: body.permutations, stepwise: body.stepwise, geneActions: body.gene_action },
    wholeShare: await wholeShareOf(tables, genotype),
  };
  const machine = await largestMachine({ db, config });
  const plan = (analysis: EngineTask['analysis'], more: Partial<RunSizes> = {}): EnginePlan =>
    planRun(analysis, { ...sizes, ...more }, machine);
  try {
    if (body.analysis === 'gwas')
      return estimateOf([plan('gwas'), ...(body.multi_trait ? [plan('gwas', { multiTrait: true })] : [])]);
    const { seconds, ...estimate } = estimateOf([plan('train'), plan('evaluate')]);
    const chains = { ...body, threads: machine.threads };
    const compared = comparedSeconds(modelsOf(body), comparedSizes(sizes, body), chains);
    const trained = trainingSeconds(modelNameOf(body.model_type), comparedSizes(sizes, body), chains);
    return { ...estimate, seconds: Number((seconds + traits.length * (compared + trained)).toPrecision(3)) };
  } catch (error) {
    if (!(error instanceof AnalysisError)) throw error;
    throw new Problem('runs/does-not-fit', `${error.message} ${error.suggestion}`);
  }
}

type EstimateBody = InputOf<typeof matchingApi.estimateRun>['body'];

/** Models on the folds beside GBLUP. */
const modelsOf = ({ model_type: type, compared_models: others }: EstimateBody): string[] => [
  ...new Set([...(type === 'RRBLUP' ? [] : [modelNameOf(type)]), ...others]),
];

const comparedSizes = ({ genotype, phenotype }: RunSizes, { n_fold, n_repetition }: EstimateBody) => ({
  observed: Math.min(genotype.row_count ?? 0, phenotype.row_count ?? Number.POSITIVE_INFINITY),
  markers: genotype.column_count ?? 0,
  folds: n_fold,
  repetitions: n_repetition,
});

/** Share of the markers without missing calls; 0 where there are fractional dosages, which count like them. */
async function wholeShareOf(tables: Services['tables'], genotype: FileRow): Promise<number> {
  if (isWhole(genotype)) return 1;
  const key = genotype.meta.keys?.marker_qc;
  const markers = genotype.column_count ?? 0;
  if (key === undefined || markers === 0 || genotype.meta.panel?.fractional != null) return 0;
  return (await countMarkersThatPass(tables, key, { maf: 0, callRate: 1, without: [] })) / markers;
}

/** Analyses one after the other. */
function estimateOf(plans: readonly [EnginePlan, ...EnginePlan[]]): RunEstimate {
  const [{ engine, reason }] = plans;
  const largest = (figure: 'memoryMb'): number => Math.max(...plans.map(({ estimate }) => estimate[figure]));
  const sum = (figure: 'seconds' | 'diskMb'): number => plans.reduce((all, { estimate }) => all + estimate[figure], 0);
  return {
    engine,
    reason,
    seconds: Number(sum('seconds').toPrecision(3)),
    memory_mb: Math.round(largest('memoryMb')),
    disk_mb: Math.ceil(sum('diskMb')),
    pruning: pruningOf(plans),
  };
}

/** That of the analysis which keeps fewest markers. */
function pruningOf(plans: readonly EnginePlan[]): RunEstimate['pruning'] {
  const [most] = plans.flatMap(({ pruning }) => pruning ?? []).toSorted((a, b) => a.atMost - b.atMost);
  return most === undefined ? null : { markers: most.markers, at_most: most.atMost };
}
