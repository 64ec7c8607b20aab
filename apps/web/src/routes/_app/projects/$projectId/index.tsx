import { createFileRoute } from '@tanstack/react-router';
import { ProjectOverviewPage } from '../../../../features/people/projects/overview/project-overview-page.tsx';
import { FirstVisit } from '../../../../features/work/first-visit/index.ts';

export const Route = createFileRoute('/_app/projects/$projectId/')({ component: ProjectOverviewPageRoute });

function ProjectOverviewPageRoute() {
  const { projectId } = Route.useParams();
  return (
    <ProjectOverviewPage projectId={projectId}>
      <FirstVisit key={projectId} projectId={projectId} />
    </ProjectOverviewPage>
  );
}
