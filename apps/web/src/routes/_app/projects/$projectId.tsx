import { createFileRoute, Outlet } from '@tanstack/react-router';
import { projectQuery } from '../../../features/projects/projects.api.ts';
import { queryClient } from '../../../lib/query-client.ts';

/** Every page of a project: an unknown project, or one of others, is not found before anything is drawn. */
export const Route = createFileRoute('/_app/projects/$projectId')({
  loader: ({ params }) => queryClient.ensureQueryData(projectQuery(params.projectId)),
  component: Outlet,
});
