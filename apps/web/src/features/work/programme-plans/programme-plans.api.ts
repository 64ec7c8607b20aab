import { filesApi } from '@heterosis/contracts/endpoints/data/files';
import { listsApi } from '@heterosis/contracts/endpoints/data/lists';
import { trialsApi } from '@heterosis/contracts/endpoints/data/trials';
import { decisionsApi } from '@heterosis/contracts/endpoints/work/decisions';
import { programmePlansApi } from '@heterosis/contracts/endpoints/work/programme-plans';
import type { PlannedThing, ProgrammePlan, StepState } from '@heterosis/contracts/work/programmes/programme-plans';
import { RUN_CONTRACTS } from '@heterosis/contracts/work/run-contracts';
import { RUN_KINDS } from '@heterosis/contracts/work/run-kinds';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/api-client.ts';
import { listAll } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';

const planKey = (projectId: string, id: string) => [...keys.runs('programme', projectId), 'plan', id] as const;

export const planQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: planKey(projectId, id),
    queryFn: ({ signal }) => call(programmePlansApi.getPlan, { project_id: projectId, id }, { signal }),
  });

/** What was expected of the steps, and what came of them. */
export const planOutcomeQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [...planKey(projectId, id), 'outcome'],
    queryFn: ({ signal }) => call(programmePlansApi.getPlanOutcome, { project_id: projectId, id }, { signal }),
  });

/** Something of the project that a step can be linked with. */
export interface Thing {
  kind: PlannedThing;
  id: string;
  name: string;
}

/** All things of some kinds, the newest of each first. */
export const thingsQuery = (projectId: string, kinds: readonly PlannedThing[]) =>
  queryOptions({
    queryKey: [...keys.project(projectId), 'things', ...kinds],
    queryFn: async ({ signal }): Promise<Thing[]> =>
      (await Promise.all(kinds.map((kind) => listThings(projectId, kind, signal)))).flat(),
    staleTime: 0,
  });

async function listThings(projectId: string, kind: PlannedThing, signal: AbortSignal): Promise<Thing[]> {
  const request = { project_id: projectId, query: {} };
  const found = await (() => {
    switch (kind) {
      case 'list':
        return listAll(listsApi.listLists, { ...request, query: { kind: 'germplasm' } }, signal);
      case 'file':
        return listAll(filesApi.listFiles, { ...request, query: { file_type: ['GENOTYPE'] } }, signal);
      case 'trial':
        return listAll(trialsApi.listTrials, request, signal);
      case 'decision':
        return listAll(decisionsApi.listDecisions, request, signal);
      default:
        return listAll(RUN_CONTRACTS[RUN_KINDS[kind].path].endpoints.listRuns, request, signal);
    }
  })();
  return found.map(({ id, name }) => ({ kind, id, name }));
}

/** Changes of a plan: each answers the whole plan, and what came of its steps is read again. */
export function usePlanMutations(projectId: string, id: string) {
  const client = useQueryClient();
  const at = { project_id: projectId, id };
  const settle = (plan: ProgrammePlan) => {
    client.setQueryData(planQuery(projectId, id).queryKey, { plan });
    return client.invalidateQueries({ queryKey: planOutcomeQuery(projectId, id).queryKey });
  };
  const readAgain = () => client.invalidateQueries({ queryKey: planKey(projectId, id) });
  return {
    start: useMutation({
      mutationFn: (body: { scheme: number; starts_on: string }) => call(programmePlansApi.startPlan, { ...at, body }),
      onSuccess: settle,
    }),
    move: useMutation({
      mutationFn: (body: { starts_on: string }) => call(programmePlansApi.updatePlan, { ...at, body }),
      onSuccess: settle,
    }),
    stop: useMutation({
      mutationFn: () => call(programmePlansApi.stopPlan, at),
      onSuccess: readAgain,
    }),
    change: useMutation({
      mutationFn: ({ step, ...body }: { step: string; state?: StepState; due_on?: string | null; note?: string }) =>
        call(programmePlansApi.updateStep, { ...at, step, body }),
      onSuccess: settle,
    }),
    link: useMutation({
      mutationFn: ({ step, ...body }: { step: string; kind: PlannedThing; id: string }) =>
        call(programmePlansApi.linkStep, { ...at, step, body }),
      onSuccess: settle,
    }),
    unlink: useMutation({
      mutationFn: (link_id: string) => call(programmePlansApi.unlinkStep, { ...at, link_id }),
      onSuccess: readAgain,
    }),
    keepList: useMutation({
      mutationFn: ({ step, ...body }: { step: string; line_names?: string; lines_each?: number }) =>
        call(programmePlansApi.keepStepList, { ...at, step, body }),
      onSuccess: async (plan) => {
        await Promise.all([settle(plan), client.invalidateQueries({ queryKey: keys.lists(projectId) })]);
      },
    }),
  };
}

export type PlanMutations = ReturnType<typeof usePlanMutations>;
