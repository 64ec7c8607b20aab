import type { ProgrammeDetail } from '@heterosis/contracts/work/programmes';
import type { PlanOutcome, ProgrammePlan } from '@heterosis/contracts/work/programmes/programme-plans';
import type { PlanMutations } from './programme-plans.api.ts';

/** What the steps of a plan are drawn from. */
export interface StepsProps {
  projectId: string;
  programmeId: string;
  /** The programme. */
  run: Pick<ProgrammeDetail, 'name'>;
  plan: ProgrammePlan;
  outcome: PlanOutcome | undefined;
  mutations: PlanMutations;
  mayWrite: boolean;
}
