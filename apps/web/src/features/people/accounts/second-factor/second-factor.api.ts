import {
  newSecondFactor,
  proofMailed,
  proofMethod,
  recoveryCodes,
  secondFactor,
} from '@heterosis/contracts/people/second-factor';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../../lib/api/api-client.ts';
import { keys } from '../../../../lib/api/query-keys.ts';

const ADDRESS = '/users/me/second_factor';

export const secondFactorQuery = () =>
  queryOptions({
    queryKey: [...keys.me, 'second-factor'],
    queryFn: ({ signal }) => api.get(secondFactor, ADDRESS, { signal }),
  });

export const beginSecondFactor = () => api.post(newSecondFactor, ADDRESS, {});

export const confirmSecondFactor = (code: string) => api.post(recoveryCodes, `${ADDRESS}/confirm`, { code });

export const renewRecoveryCodes = () => api.post(recoveryCodes, `${ADDRESS}/recovery_codes`, {});

export function useRemoveSecondFactor() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.delete(ADDRESS),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.me }),
  });
}

export const proofQuery = () =>
  queryOptions({
    queryKey: [...keys.me, 'proof'],
    queryFn: ({ signal }) => api.get(proofMethod, '/auth/proof', { signal }),
    gcTime: 0,
  });

export const mailProofCode = () => api.post(proofMailed, '/auth/proof/mail', {});

export const proveByCode = (code: string) => api.command('/auth/proof', { code });
