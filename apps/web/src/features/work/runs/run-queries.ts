import { RUN_KINDS, type RunKind } from '@heterosis/contracts/work/run-kinds';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../../lib/api/api-client.ts';
import { listAllAt } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { pollWhile } from '../../../lib/events/live.ts';
import { isRunning, type RunState } from './run-state.ts';

/** What the server answers about a run, and its state in the one shape that pages know. */
export type WithState<Run> = Run & { state: RunState };

/** Address of one run on the server. */
export const runPath = (kind: RunKind, projectId: string, id: string): string =>
  `/projects/${projectId}/${RUN_KINDS[kind].path}/${id}`;

/**
 * The list of a kind of run and the page of one, with the contracts of both and how its state is told.
 * Both are asked for again while a run is under way and no events come.
 */
export function runQueries<Item extends z.ZodType, Detail extends z.ZodType>(
  kind: RunKind,
  contract: { item: Item; detail: Detail; stateOf: (run: z.output<Item> | z.output<Detail>) => RunState },
) {
  const { item, detail, stateOf } = contract;
  const withState = <Run extends z.output<Item> | z.output<Detail>>(run: Run): WithState<Run> => ({
    ...(run as Run & object),
    state: stateOf(run),
  });
  const withStates = (list: z.output<Item>[]) => list.map((run) => withState(run));
  return {
    /** All runs of the project: they are grouped by their inputs in the browser. */
    list: (projectId: string) =>
      queryOptions({
        queryKey: [...keys.runs(kind, projectId), 'list'],
        queryFn: ({ signal }) => listAllAt(item, `/projects/${projectId}/${RUN_KINDS[kind].path}`, { signal }),
        refetchInterval: (query) => pollWhile(query.state.data?.some((run) => isRunning(stateOf(run))) ?? false),
        select: withStates,
      }),
    detail: (projectId: string, id: string) =>
      queryOptions({
        queryKey: [...keys.runs(kind, projectId), 'detail', id],
        queryFn: ({ signal }): Promise<z.output<Detail>> => api.get(detail, runPath(kind, projectId, id), { signal }),
        refetchInterval: (query) =>
          pollWhile(query.state.data !== undefined && isRunning(stateOf(query.state.data as z.output<Detail>))),
        select: withState<z.output<Detail>>,
      }),
  };
}
