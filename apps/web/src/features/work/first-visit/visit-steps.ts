import type { ProjectOverview } from '@heterosis/contracts/people/projects';

export type VisitStep = 'bring' | 'see' | 'choose';
export const VISIT_STEPS: readonly VisitStep[] = ['bring', 'see', 'choose'];

/** Which of the first steps a project has behind it: what it holds tells, so that nothing has to be ticked. */
export function stepsDone(overview: ProjectOverview): Record<VisitStep, boolean> {
  return {
    bring: overview.newest.genotype_id !== null && overview.newest.phenotype_id !== null,
    see: overview.models > 0 || overview.gwas > 0,
    choose: overview.crossing_plans > 0 || overview.crossing_simulations > 0,
  };
}
