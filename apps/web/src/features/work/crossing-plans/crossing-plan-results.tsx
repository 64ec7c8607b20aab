import type { CrossingPlanDetail } from '@heterosis/contracts/work/crossing-plans';
import { ProvenanceSection, type RunPartProps, RunWarnings } from '../runs/index.ts';
import { PlanWorkbench } from './plan-workbench.tsx';

export function CrossingPlanResults({ projectId, run: plan }: RunPartProps<CrossingPlanDetail>) {
  return (
    <>
      <RunWarnings warnings={plan.report?.warnings} />
      {plan.status === 'SUCCESS' && <PlanWorkbench projectId={projectId} run={plan} />}
      <ProvenanceSection kind="crossing_plan" provenance={plan.provenance} />
    </>
  );
}
