import { AnalysisError } from '@heterosis/analysis/context';
import { usableMemoryMb } from '@heterosis/analysis/engine/machine-rates';
import { type EnginePlan, type EngineTask, planEngine } from '@heterosis/analysis/engine/plan-engine';
import type { estimateBody, RunEstimate } from '@heterosis/contracts/estimates';
import type * as z from 'zod';
import type { ProjectAccess } from '../../platform/http/access.ts';
import type { Services } from '../../platform/http/app.ts';
import { Problem } from '../../platform/http/problem.ts';
import { requireReadyFile } from '../files/index.ts';
import { requireTraits } from './match-files.service.ts';

/**
 * `POST /projects/{p}/estimate`: time, memory and disk of a run from the sizes of its files. Individuals that only one
 * file has are not known before names are matched, so that the estimate is of the smaller file.
 *
 * Throws Problem `runs/does-not-fit` for what no engine can hold.
 */
export async function estimateRun(
  { db, config }: Services,
  { projectId }: ProjectAccess,
  body: z.output<typeof estimateBody>,
): Promise<RunEstimate> {
  const genotype = await requireReadyFile(db, projectId, body.genotype_id, 'GENOTYPE');
  const phenotype = await requireReadyFile(db, projectId, body.phenotype_id, 'PHENOTYPE');
  const traits = requireTraits(phenotype, body.traits);
  const individuals = genotype.row_count ?? 0;
  const common = {
    individuals,
    observed: Math.min(individuals, phenotype.row_count ?? individuals),
    markers: genotype.column_count ?? 0,
    traits: traits.length,
    groups: 1,
    needsIndividuals: body.dominance
      ? 'Dominance needs the kinships of the individuals.'
      : body.single_step
        ? 'The relationships of a pedigree are those of individuals.'
        : null,
    needsMarkers: null,
    folds: body.n_fold,
    repetitions: body.n_repetition,
    isFitted: body.test !== 'SCORE',
  };
  const machine = { threads: config.compute.threads ?? 1, memoryMb: usableMemoryMb() };
  const plan = (analysis: EngineTask['analysis']): EnginePlan => planEngine({ analysis, ...common }, machine);
  try {
    if (body.analysis === 'gwas') return estimateOf([plan('gwas')]);
    return estimateOf([plan('train'), plan('evaluate')]);
  } catch (error) {
    if (!(error instanceof AnalysisError)) throw error;
    throw new Problem('runs/does-not-fit', `${error.message} ${error.suggestion}`);
  }
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
  };
}
