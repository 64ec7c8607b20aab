import { createFileRoute } from '@tanstack/react-router';
import { ProjectFrame } from '../../../features/people/projects/project-frame.tsx';
import { projectQuery } from '../../../features/people/projects/projects.api.ts';
import { queryClient } from '../../../lib/api/query-client.ts';

/** Every page of a project. Not awaited: the page shows its own skeleton, and its requests go out with this one. */
export const Route = createFileRoute('/_app/projects/$projectId')({
  loader: ({ params }) => void queryClient.prefetchQuery(projectQuery(params.projectId)),
  component: ProjectRoute,
});

function ProjectRoute() {
  return <ProjectFrame {...Route.useParams()} />;
}
