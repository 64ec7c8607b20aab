import {
  type createProjectBody,
  type ProjectOverview,
  project,
  projectDetail,
  projectOverview,
  type updateProjectBody,
} from '@heterosis/contracts/projects';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../../lib/api/api-client.ts';
import { listAll } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { pollWhile } from '../../../lib/events/live.ts';

export const projectsQuery = () =>
  queryOptions({
    queryKey: [...keys.projects, 'list'],
    queryFn: ({ signal }) => listAll(project, '/projects', { signal }),
  });

export const projectQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...keys.project(projectId), 'detail'],
    queryFn: ({ signal }) => api.get(projectDetail, `/projects/${projectId}`, { signal }),
  });

export const overviewQuery = (projectId: string) =>
  queryOptions({
    queryKey: keys.overview(projectId),
    queryFn: ({ signal }) => api.get(projectOverview, `/projects/${projectId}/overview`, { signal }),
    refetchInterval: (query) => pollWhile(isAnythingRunning(query.state.data)),
  });

function isAnythingRunning(overview: ProjectOverview | undefined): boolean {
  return overview?.recent.some((run) => run.state === 'processing') ?? false;
}

export function useCreateProject() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof createProjectBody>) => api.post(projectDetail, '/projects', body),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.projects }),
  });
}

export function useUpdateProject(projectId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof updateProjectBody>) => api.put(projectDetail, `/projects/${projectId}`, body),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.projects }),
  });
}

export function useDeleteProject() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (projectId: string) => api.delete(`/projects/${projectId}`),
    onSuccess: (_, projectId) => {
      client.removeQueries({ queryKey: keys.project(projectId) });
      return Promise.all([
        client.invalidateQueries({ queryKey: [...keys.projects, 'list'] }),
        client.invalidateQueries({ queryKey: keys.organizations }),
      ]);
    },
  });
}
