import { createFileRoute } from '@tanstack/react-router';
import { ProjectMembersPage } from '../../../../features/people/projects/project-members-page.tsx';

export const Route = createFileRoute('/_app/projects/$projectId/members')({ component: ProjectMembersRoute });

function ProjectMembersRoute() {
  return <ProjectMembersPage {...Route.useParams()} />;
}
