import type { ProgrammeDetail } from '@heterosis/contracts/work/programmes';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { SkeletonLines } from '../../../../../components/page/loading.tsx';
import { ProgrammePlanPart, usePlanIsLoading } from '../../../../../features/work/programme-plans/plan-part.tsx';
import { firstResultsQuery, ProgrammeResultsPart } from '../../../../../features/work/programmes/programme-results.tsx';
import { PROGRAMME_VIEW } from '../../../../../features/work/programmes/programmes.view.tsx';
import { RunPage, type RunPartProps } from '../../../../../features/work/runs/index.ts';

export const Route = createFileRoute('/_app/projects/$projectId/programmes/$programmeId')({
  component: ProgrammeDetailPageRoute,
});

function ProgrammeDetailPageRoute() {
  const { projectId, programmeId } = Route.useParams();
  return <RunPage view={PROGRAMME_VIEW} Results={PlanAndResults} projectId={projectId} id={programmeId} />;
}

function PlanAndResults(props: RunPartProps<ProgrammeDetail>) {
  const isPlanLoading = usePlanIsLoading(props.projectId, props.run);
  const results = useQuery(firstResultsQuery(props.projectId, props.run));
  if (isPlanLoading || results.isLoading) return <SkeletonLines lines={8} />;
  return (
    <>
      <ProgrammePlanPart {...props} />
      <ProgrammeResultsPart {...props} />
    </>
  );
}
