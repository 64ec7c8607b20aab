import type { Page } from '@heterosis/contracts/common';
import type { Endpoint } from '@heterosis/contracts/endpoint';
import type { RunKind, RunPath } from '@heterosis/contracts/work/run-kinds';
import type { Citation, reportQuery, updateRunBody } from '@heterosis/contracts/work/runs';
import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod';
import { call } from '../../../lib/api/api-client.ts';
import { listAll } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { pollWhile } from '../../../lib/events/live.ts';
import { isRunning, type RunState } from './run-state.ts';

/** What the server answers about a run, and its state in the one shape that pages know. */
export type WithState<Run> = Run & { state: RunState };

type Path<Rest extends string> = { path: `/projects/:project_id/${RunPath}${Rest}` };
type Answering<Answer> = Endpoint & { answer: z.ZodType<Answer> };

/** The endpoints of one run of any kind. */
export interface SingleRunEndpoints<Detail> {
  readRun: Answering<Detail> & Path<'/:id'>;
  updateRun: Answering<Detail> & Path<'/:id'> & { body: typeof updateRunBody };
  deleteRun: Endpoint & Path<'/:id'>;
  bundleRun: Endpoint & Path<'/:id/bundle'> & { media: readonly string[] };
  citeRun: Answering<Citation> & Path<'/:id/citation'>;
  reportRun: Endpoint & Path<'/:id/report'> & { media: readonly string[]; query: typeof reportQuery };
  cancelRun: Answering<Detail> & Path<'/:id/cancel'>;
  retryRun: Answering<Detail> & Path<'/:id/retry'>;
}

/** The endpoints that every kind has: what they answer of a run in a list and of one run, and what starts one. */
export interface RunEndpoints<Item, Detail, Body> extends SingleRunEndpoints<Detail> {
  listRuns: Answering<Page<Item>> & Path<''>;
  createRun: Answering<Detail> & Path<''> & { body: z.ZodType<unknown, Body> };
}

/** The runs of one kind, as pages read and change them. */
export type Runs<Item, Detail, Body> = ReturnType<typeof runsOf<Item, Detail, Body>>;

/**
 * The runs of a kind by its endpoints, and how their state is told. The list and the page of one are asked for again
 * while a run is under way and no events come.
 */
export function runsOf<Item, Detail, Body>(
  kind: RunKind,
  endpoints: RunEndpoints<Item, Detail, Body>,
  stateOf: (run: Item | Detail) => RunState,
) {
  const withState = <Run extends Item | Detail>(run: Run): WithState<Run> => ({ ...run, state: stateOf(run) });
  const withStates = (list: Item[]) => list.map((run) => withState(run));
  return {
    kind,
    endpoints,
    /** All runs of the project: they are grouped by their inputs in the browser. */
    list: (projectId: string) =>
      queryOptions({
        queryKey: [...keys.runs(kind, projectId), 'list'],
        queryFn: ({ signal }) => listAll(endpoints.listRuns, { project_id: projectId }, signal),
        refetchInterval: (query) => pollWhile(query.state.data?.some((run) => isRunning(stateOf(run))) ?? false),
        select: withStates,
      }),
    detail: (projectId: string, id: string) =>
      queryOptions({
        queryKey: [...keys.runs(kind, projectId), 'detail', id],
        queryFn: ({ signal }): Promise<Detail> => call(endpoints.readRun, { project_id: projectId, id }, { signal }),
        refetchInterval: (query) =>
          pollWhile(query.state.data !== undefined && isRunning(stateOf(query.state.data as Detail))),
        select: withState<Detail>,
      }),
  };
}
