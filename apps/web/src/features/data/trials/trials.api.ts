import type {
  createTrialsBody,
  openFileBody,
  replaceLayoutBody,
  swapPlotsBody,
  updateTrialBody,
} from '@heterosis/contracts/data/trials';
import { trialsApi } from '@heterosis/contracts/endpoints/data/trials';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { call } from '../../../lib/api/api-client.ts';
import { listAll } from '../../../lib/api/pages.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import { keys } from '../../../lib/api/query-keys.ts';

/** All trials of a project, the newest first. */
export const trialsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...keys.trials(projectId), 'list'],
    queryFn: ({ signal }) => listAll(trialsApi.listTrials, { project_id: projectId, query: {} }, signal),
  });

export const trialQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [...keys.trials(projectId), 'one', id],
    queryFn: ({ signal }) => call(trialsApi.getTrial, { project_id: projectId, id }, { signal }),
  });

export const plotsQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [...keys.trials(projectId), 'plots', id],
    queryFn: ({ signal }) => call(trialsApi.getPlots, { project_id: projectId, id }, { signal }),
  });

export const trialEventsQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [...keys.trials(projectId), 'events', id],
    queryFn: ({ signal }) => listAll(trialsApi.listTrialEvents, { project_id: projectId, id, query: {} }, signal),
  });

/** Names of entries that the germplasm list of the project lacks, or has several lines for. */
export const unknownEntriesQuery = (projectId: string, entries: string[]) =>
  queryOptions({
    queryKey: [...keys.trials(projectId), 'entries', entries],
    queryFn: async ({ signal }) => {
      const body = { entries };
      const { unknown, ambiguous } = await call(trialsApi.matchEntries, { project_id: projectId, body }, { signal });
      return { unknown, ambiguous: ambiguous.map(({ name }) => name) };
    },
    enabled: entries.length > 0,
    // The list may have grown since.
    staleTime: 0,
  });

export function useTrialMutations(projectId: string) {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: keys.trials(projectId) });
  return {
    create: useMutation({
      mutationFn: (body: z.input<typeof createTrialsBody>) =>
        call(trialsApi.createTrials, { project_id: projectId, body }),
      onSuccess,
    }),
    openFile: useMutation({
      mutationFn: (body: z.input<typeof openFileBody>) => call(trialsApi.openFile, { project_id: projectId, body }),
      onSuccess,
    }),
    replaceLayout: useMutation({
      mutationFn: ({ id, ...body }: z.input<typeof replaceLayoutBody> & { id: string }) =>
        call(trialsApi.replaceLayout, { project_id: projectId, id, body }),
      onSuccess,
    }),
    update: useMutation({
      mutationFn: ({ id, ...body }: z.input<typeof updateTrialBody> & { id: string }) =>
        call(trialsApi.updateTrial, { project_id: projectId, id, body }),
      onSuccess,
    }),
    swap: useMutation({
      mutationFn: ({ id, ...body }: z.input<typeof swapPlotsBody> & { id: string }) =>
        call(trialsApi.swapPlots, { project_id: projectId, id, body }),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (id: string) => queryClient.end(id, () => call(trialsApi.deleteTrial, { project_id: projectId, id })),
      onSuccess,
    }),
  };
}
