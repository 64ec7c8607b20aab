import {
  failedRun,
  operatedMail,
  operatedOrganization,
  operatedWorkers,
  queueDepths,
  type quotasBody,
  registration,
  registrationDecision,
} from '@heterosis/contracts/operation';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../../lib/api/api-client.ts';
import { listAll } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';

/** A page of an operator may stay open for hours. */
const REFRESH_MS = 30_000;

export const registrationsQuery = () =>
  queryOptions({
    queryKey: [...keys.operation, 'registrations'],
    queryFn: ({ signal }) => listAll(registration, '/operator/registrations', { signal }),
    refetchInterval: REFRESH_MS,
  });

export const operatedOrganizationsQuery = () =>
  queryOptions({
    queryKey: [...keys.operation, 'organizations'],
    queryFn: ({ signal }) => listAll(operatedOrganization, '/operator/organizations', { signal }),
  });

export const queueQuery = () =>
  queryOptions({
    queryKey: [...keys.operation, 'queue'],
    queryFn: ({ signal }) => api.get(queueDepths, '/operator/queue', { signal }),
    refetchInterval: REFRESH_MS,
  });

export const workersQuery = () =>
  queryOptions({
    queryKey: [...keys.operation, 'workers'],
    queryFn: ({ signal }) => api.get(operatedWorkers, '/operator/workers', { signal }),
    refetchInterval: REFRESH_MS,
  });

export const failedRunsQuery = () =>
  queryOptions({
    queryKey: [...keys.operation, 'failed-runs'],
    queryFn: ({ signal }) => listAll(failedRun, '/operator/failed_runs', { signal }),
    refetchInterval: REFRESH_MS,
  });

export const mailsQuery = () =>
  queryOptions({
    queryKey: [...keys.operation, 'mails'],
    queryFn: ({ signal }) => listAll(operatedMail, '/operator/mails', { signal }),
    refetchInterval: REFRESH_MS,
  });

/** Also after a failure the lists are read again: another operator may have been first. */
function useOperation<Variables, Result>(mutationFn: (variables: Variables) => Promise<Result>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries({ queryKey: keys.operation }) });
}

export const useApprove = () =>
  useOperation((id: string) => api.post(registrationDecision, `/operator/registrations/${id}/approve`, undefined));

export const useReject = () =>
  useOperation(({ id, reason }: { id: string; reason: string | undefined }) =>
    api.post(registrationDecision, `/operator/registrations/${id}/reject`, reason === undefined ? {} : { reason }),
  );

export const useSetQuotas = (id: string) =>
  useOperation((body: z.input<typeof quotasBody>) =>
    api.put(operatedOrganization, `/operator/organizations/${id}/quotas`, body),
  );

export const useRepeatRun = () => useOperation((id: string) => api.command(`/operator/failed_runs/${id}/retry`));

export const useRepeatMail = () => useOperation((id: string) => api.command(`/operator/mails/${id}/retry`));
