import { createFileRoute } from '@tanstack/react-router';
import { ProjectOverviewPage } from '../../../../features/people/projects/overview/project-overview-page.tsx';

export const Route = createFileRoute('/_app/projects/$projectId/')({ component: ProjectOverviewPageRoute });

function ProjectOverviewPageRoute() {
  return <ProjectOverviewPage {...Route.useParams()} />;
}
