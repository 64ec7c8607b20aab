import type { ProgrammeDetail } from '@heterosis/contracts/work/programmes';
import { createFileRoute } from '@tanstack/react-router';
import { ProgrammePlanPart } from '../../../../../features/work/programme-plans/plan-part.tsx';
import { ProgrammeResultsPart } from '../../../../../features/work/programmes/programme-results.tsx';
import { PROGRAMME_VIEW } from '../../../../../features/work/programmes/programmes.view.tsx';
import { RunPage, type RunPartProps } from '../../../../../features/work/runs/index.ts';

export const Route = createFileRoute('/_app/projects/$projectId/programmes/$programmeId')({
  component: ProgrammeDetailPageRoute,
});

function ProgrammeDetailPageRoute() {
  const { projectId, programmeId } = Route.useParams();
  return <RunPage view={PROGRAMME_VIEW} Results={PlanAndResults} projectId={projectId} id={programmeId} />;
}

const PlanAndResults = (props: RunPartProps<ProgrammeDetail>) => (
  <>
    <ProgrammePlanPart {...props} />
    <ProgrammeResultsPart {...props} />
  </>
);
