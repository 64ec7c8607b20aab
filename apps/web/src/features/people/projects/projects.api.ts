import { projectsApi } from '@heterosis/contracts/endpoints/people/projects';
import type { createProjectBody, ProjectOverview, updateProjectBody } from '@heterosis/contracts/people/projects';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { call } from '../../../lib/api/api-client.ts';
import { listAll } from '../../../lib/api/pages.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { pollWhile } from '../../../lib/events/live.ts';
import { guestProject } from '../../../lib/session/browser-session.ts';

export const projectsQuery = () =>
  queryOptions({
    queryKey: [...keys.projects, 'list'],
    queryFn: ({ signal }) => listAll(projectsApi.listProjects, {}, signal),
    enabled: guestProject() === undefined,
  });

export const projectQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...keys.project(projectId), 'detail'],
    queryFn: ({ signal }) => call(projectsApi.readProject, { project_id: projectId }, { signal }),
  });

export const overviewQuery = (projectId: string) =>
  queryOptions({
    queryKey: keys.overview(projectId),
    queryFn: ({ signal }) => call(projectsApi.readOverview, { project_id: projectId }, { signal }),
    refetchInterval: (query) => pollWhile(isAnythingRunning(query.state.data)),
  });

function isAnythingRunning(overview: ProjectOverview | undefined): boolean {
  return overview?.recent.some((run) => run.state === 'processing') ?? false;
}

export function useCreateProject() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof createProjectBody>) => call(projectsApi.createProject, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.projects }),
  });
}

export function useUpdateProject(projectId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof updateProjectBody>) =>
      call(projectsApi.changeProject, { project_id: projectId, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.projects }),
  });
}

export function useDeleteProject() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (projectId: string) =>
      queryClient.end(projectId, () => call(projectsApi.deleteProject, { project_id: projectId })),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: [...keys.projects, 'list'] }),
        client.invalidateQueries({ queryKey: keys.organizations }),
      ]),
  });
}
