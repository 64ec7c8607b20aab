import type { RefusedObservation } from '@heterosis/contracts/data/trial-observations';
import { trialsApi } from '@heterosis/contracts/endpoints/data/trials';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../../lib/api/api-client.ts';
import { Problem } from '../../../../lib/api/problem.ts';
import { keys } from '../../../../lib/api/query-keys.ts';
import type { TypedValue } from './outbox.ts';

/** What counts of a trait on every plot. */
export const observationsQuery = (projectId: string, id: string, trait: string) =>
  queryOptions({
    queryKey: [...keys.trials(projectId), 'observations', id, trait],
    queryFn: ({ signal }) =>
      call(trialsApi.listObservations, { project_id: projectId, id, query: { trait } }, { signal }),
  });

/** All that was ever observed on a plot, the latest first. */
export const plotHistoryQuery = (projectId: string, id: string, plot: number) =>
  queryOptions({
    queryKey: [...keys.trials(projectId), 'plot', id, plot],
    queryFn: ({ signal }) => call(trialsApi.getPlotHistory, { project_id: projectId, id, plot }, { signal }),
  });

export const completenessQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [...keys.trials(projectId), 'completeness', id],
    queryFn: ({ signal }) => call(trialsApi.getCompleteness, { project_id: projectId, id }, { signal }),
  });

export const conflictsQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [...keys.trials(projectId), 'conflicts', id],
    queryFn: ({ signal }) => call(trialsApi.listConflicts, { project_id: projectId, id }, { signal }),
  });

export function useSettleConflict(projectId: string, id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (keep: string[]) => call(trialsApi.settleConflicts, { project_id: projectId, id, body: { keep } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.trials(projectId) }),
  });
}

export const stagedQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [...keys.trials(projectId), 'staged', id],
    queryFn: ({ signal }) => call(trialsApi.listStaged, { project_id: projectId, id }, { signal }),
  });

export function useSettleStaged(projectId: string, id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { accept?: string[]; decline?: string[] }) =>
      call(trialsApi.settleStaged, { project_id: projectId, id, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.trials(projectId) }),
  });
}

/**
 * Sends values; which are stored, and which the server refuses and why. It stores all of a request or none, so that
 * after a refusal the others are still to be sent.
 */
export async function sendValues(
  { projectId, id, asUser }: { projectId: string; id: string; asUser: string | undefined },
  values: readonly TypedValue[],
): Promise<{ stored: string[]; refused: Map<string, string> }> {
  const observations = values.map(({ id: own, plot, trait, value, observedAt, corrects }) => ({
    ...{ id: own, plot, trait, corrects: [...corrects] },
    value: value === '' ? null : value,
    observed_at: observedAt,
  }));
  try {
    const body = { observations, origin: 'TYPED' as const };
    await call(trialsApi.recordObservations, { project_id: projectId, id, body }, { asUser });
    return { stored: values.map((value) => value.id), refused: new Map() };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'trials/values-refused') throw error;
    const errors = (error.details['errors'] ?? []) as RefusedObservation[];
    if (errors.length === 0) throw error;
    return { stored: [], refused: new Map(errors.map((one) => [one.id, one.message])) };
  }
}
