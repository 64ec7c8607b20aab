import { proofsApi, secondFactorApi } from '@heterosis/contracts/endpoints/people/second-factor';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../../lib/api/api-client.ts';
import { keys } from '../../../../lib/api/query-keys.ts';

export const secondFactorQuery = () =>
  queryOptions({
    queryKey: [...keys.me, 'second-factor'],
    queryFn: ({ signal }) => call(secondFactorApi.readSecondFactor, {}, { signal }),
  });

export const beginSecondFactor = () => call(secondFactorApi.beginSecondFactor, {});

export const confirmSecondFactor = (code: string) => call(secondFactorApi.confirmSecondFactor, { body: { code } });

export const renewRecoveryCodes = () => call(secondFactorApi.renewRecoveryCodes, {});

export function useRemoveSecondFactor() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(secondFactorApi.removeSecondFactor, {}),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.me }),
  });
}

export const proofQuery = () =>
  queryOptions({
    queryKey: [...keys.me, 'proof'],
    queryFn: ({ signal }) => call(proofsApi.readProofMethod, {}, { signal }),
    gcTime: 0,
  });

export const mailProofCode = () => call(proofsApi.mailProofCode, {});

export const proveByCode = (code: string) => call(proofsApi.proveAgain, { body: { code } });
