import { createFileRoute } from '@tanstack/react-router';
import { ProgrammeResultsPart } from '../../../../../features/work/programmes/programme-results.tsx';
import { PROGRAMME_VIEW } from '../../../../../features/work/programmes/programmes.view.tsx';
import { RunPage } from '../../../../../features/work/runs/index.ts';

export const Route = createFileRoute('/_app/projects/$projectId/programmes/$programmeId')({
  component: ProgrammeDetailPageRoute,
});

function ProgrammeDetailPageRoute() {
  const { projectId, programmeId } = Route.useParams();
  return <RunPage view={PROGRAMME_VIEW} Results={ProgrammeResultsPart} projectId={projectId} id={programmeId} />;
}
