import { operationApi } from '@heterosis/contracts/endpoints/operation/operation';
import type { quotasBody } from '@heterosis/contracts/operation';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { call } from '../../../lib/api/api-client.ts';
import { listAll } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';

/** A page of an operator may stay open for hours. */
const REFRESH_MS = 30_000;

export const registrationsQuery = () =>
  queryOptions({
    queryKey: [...keys.operation, 'registrations'],
    queryFn: ({ signal }) => listAll(operationApi.listRegistrationsToDecide, {}, signal),
    refetchInterval: REFRESH_MS,
  });

export const operatedOrganizationsQuery = () =>
  queryOptions({
    queryKey: [...keys.operation, 'organizations'],
    queryFn: ({ signal }) => listAll(operationApi.listOperatedOrganizations, {}, signal),
  });

export const queueQuery = () =>
  queryOptions({
    queryKey: [...keys.operation, 'queue'],
    queryFn: ({ signal }) => call(operationApi.getQueueDepths, {}, { signal }),
    refetchInterval: REFRESH_MS,
  });

export const workersQuery = () =>
  queryOptions({
    queryKey: [...keys.operation, 'workers'],
    queryFn: ({ signal }) => call(operationApi.getWorkers, {}, { signal }),
    refetchInterval: REFRESH_MS,
  });

export const failedRunsQuery = () =>
  queryOptions({
    queryKey: [...keys.operation, 'failed-runs'],
    queryFn: ({ signal }) => listAll(operationApi.listRunsToRepeat, {}, signal),
    refetchInterval: REFRESH_MS,
  });

export const mailsQuery = () =>
  queryOptions({
    queryKey: [...keys.operation, 'mails'],
    queryFn: ({ signal }) => listAll(operationApi.listOperatedMails, {}, signal),
    refetchInterval: REFRESH_MS,
  });

/** Also after a failure the lists are read again: another operator may have been first. */
function useOperation<Variables, Result>(mutationFn: (variables: Variables) => Promise<Result>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries({ queryKey: keys.operation }) });
}

export const useApprove = () => useOperation((id: string) => call(operationApi.approveRegistration, { id }));

export const useReject = () =>
  useOperation(({ id, reason }: { id: string; reason: string | undefined }) =>
    call(operationApi.rejectRegistration, { id, body: reason === undefined ? {} : { reason } }),
  );

export const useSetQuotas = (id: string) =>
  useOperation((body: z.input<typeof quotasBody>) => call(operationApi.changeQuotas, { id, body }));

export const useRepeatRun = () => useOperation((id: string) => call(operationApi.repeatFailedRun, { id }));

export const useRepeatMail = () => useOperation((id: string) => call(operationApi.repeatFailedMail, { id }));
