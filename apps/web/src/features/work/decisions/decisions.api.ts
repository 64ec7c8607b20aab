import { listsApi } from '@heterosis/contracts/endpoints/data/lists';
import { decisionsApi } from '@heterosis/contracts/endpoints/work/decisions';
import {
  type createDecisionBody,
  type DecisionDetail,
  type DecisionMark,
  type DecisionMarks,
  MARKS_AT_ONCE,
  type updateDecisionBody,
} from '@heterosis/contracts/work/decisions';
import { RUN_CONTRACTS } from '@heterosis/contracts/work/run-contracts';
import { type DecidedKind, decidedKinds, RUN_KINDS } from '@heterosis/contracts/work/run-kinds';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import { call } from '../../../lib/api/api-client.ts';
import { listAll } from '../../../lib/api/pages.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { showToast } from '../../../lib/browser/toast.ts';

/** All decisions of a project, the newest first. */
export const decisionsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...keys.decisions(projectId), 'list'],
    queryFn: ({ signal }) => listAll(decisionsApi.listDecisions, { project_id: projectId, query: {} }, signal),
  });

export const decisionQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [...keys.decisions(projectId), 'one', id],
    queryFn: ({ signal }) => call(decisionsApi.getDecision, { project_id: projectId, id }, { signal }),
  });

/** What a decision may begin with: lists of lines, and runs with a result. */
export interface Source {
  key: string;
  kind: 'list' | DecidedKind;
  id: string;
  name: string;
}

export const sourcesQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...keys.project(projectId), 'decision-sources'],
    queryFn: async ({ signal }): Promise<Source[]> => {
      const request = { project_id: projectId, query: {} };
      const lists = await listAll(listsApi.listLists, { ...request, query: { kind: 'germplasm' } }, signal);
      const runs = await Promise.all(
        decidedKinds.map(async (kind) => {
          const all = await listAll(RUN_CONTRACTS[RUN_KINDS[kind].path].endpoints.listRuns, request, signal);
          return all.flatMap(({ id, name, status }) => (hasResult(status) ? [sourceOf(kind, id, name)] : []));
        }),
      );
      return [...lists.map(({ id, name }) => sourceOf('list', id, name)), ...runs.flat()];
    },
    staleTime: 0,
  });

const sourceOf = (kind: Source['kind'], id: string, name: string): Source => ({ key: `${kind} ${id}`, kind, id, name });

const hasResult = (status: string | Record<string, string>): boolean =>
  (typeof status === 'string' ? [status] : Object.values(status)).includes('SUCCESS');

/** Values change with the settings only, and names with the state: no mark reads them again. */
export const linesQuery = (projectId: string, { id, settings, state, version }: DecisionDetail) =>
  queryOptions({
    queryKey: [...keys.decisionLines(projectId), id, settings, state, version],
    queryFn: ({ signal }) => call(decisionsApi.getDecisionLines, { project_id: projectId, id }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** All marks. Only those after the last one that is known are asked for. */
export const marksQuery = (projectId: string, id: string) => {
  const queryKey = [...keys.decisions(projectId), 'marks', id] as const;
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<DecisionMark[]> => {
      const known = queryClient.getQueryData<DecisionMark[]>(queryKey) ?? [];
      const all = [...known];
      for (;;) {
        const query = { after: all.at(-1)?.place ?? 0 };
        const { data }: DecisionMarks = await call(
          decisionsApi.listMarks,
          { project_id: projectId, id, query },
          { signal },
        );
        all.push(...data);
        if (data.length < MARKS_AT_ONCE) return data.length === 0 && all.length === known.length ? known : all;
      }
    },
  });
};

export const setQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [...keys.decisions(projectId), 'set', id],
    queryFn: ({ signal }) => call(decisionsApi.getDecisionSet, { project_id: projectId, id }, { signal }),
    placeholderData: keepPreviousData,
  });

export const outcomeQuery = (projectId: string, id: string, isClosed: boolean) =>
  queryOptions({
    queryKey: [...keys.decisions(projectId), 'outcome', id],
    queryFn: ({ signal }) => call(decisionsApi.getDecisionOutcome, { project_id: projectId, id }, { signal }),
    enabled: isClosed,
  });

export function useDecisionMutations(projectId: string) {
  const client = useQueryClient();
  const { t } = useTranslation();
  const onSuccess = () => client.invalidateQueries({ queryKey: keys.decisions(projectId) });
  return {
    create: useMutation({
      mutationFn: (body: z.input<typeof createDecisionBody>) =>
        call(decisionsApi.createDecision, { project_id: projectId, body }),
      onSuccess,
    }),
    update: useMutation({
      mutationFn: ({ id, ...body }: z.input<typeof updateDecisionBody> & { id: string }) =>
        call(decisionsApi.updateDecision, { project_id: projectId, id, body }),
      onSuccess,
    }),
    refresh: useMutation({
      mutationFn: (id: string) => call(decisionsApi.refreshDecision, { project_id: projectId, id }),
      onSuccess: () => {
        showToast({ text: t('decisions.refreshed') });
        return onSuccess();
      },
    }),
    close: useMutation({
      mutationFn: ({ id, ...body }: { id: string; version: number; list_name: string; last_mark: number }) =>
        call(decisionsApi.closeDecision, { project_id: projectId, id, body }),
      onSuccess: async () => {
        await Promise.all([onSuccess(), client.invalidateQueries({ queryKey: keys.lists(projectId) })]);
      },
    }),
    reopen: useMutation({
      mutationFn: ({ id, reason }: { id: string; reason: string }) =>
        call(decisionsApi.reopenDecision, { project_id: projectId, id, body: { reason } }),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (id: string) =>
        queryClient.end(id, () => call(decisionsApi.deleteDecision, { project_id: projectId, id })),
      onSuccess,
    }),
  };
}
