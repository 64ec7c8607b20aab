import {
  accessToken,
  type createAccessTokenBody,
  createdAccessToken,
  tokenInfo,
  type updateMailsBody,
  type updateProfileBody,
  userProfile,
} from '@heterosis/contracts/auth';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../lib/api-client.ts';
import { session } from '../../lib/browser-session.ts';
import { listAll } from '../../lib/pages.ts';
import { keys } from '../../lib/query-keys.ts';

export const profileQuery = () =>
  queryOptions({
    queryKey: keys.me,
    queryFn: ({ signal }) => api.get(userProfile, '/users/me', { signal }),
  });

/** Where on the account page one chooses after how long a run is worth a mail. */
export const RUN_MAILS_ID = 'run-mails';

/** What the presented token is and may do. */
export const tokenInfoQuery = () =>
  queryOptions({
    queryKey: [...keys.me, 'token'],
    queryFn: ({ signal }) => api.get(tokenInfo, '/auth/token', { signal }),
  });

export const accessTokensQuery = () =>
  queryOptions({
    queryKey: keys.accessTokens,
    queryFn: ({ signal }) => listAll(accessToken, '/access_tokens', { signal }),
  });

export function useUpdateProfile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof updateProfileBody>) => api.put(userProfile, '/users/me', body),
    onSuccess: (profile) => {
      session.updateUser({ displayName: profile.name });
      return client.invalidateQueries({ queryKey: keys.me });
    },
  });
}

export function useUpdateMails() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof updateMailsBody>) => api.put(userProfile, '/users/me/mails', body),
    onSuccess: (profile) => client.setQueryData(keys.me, profile),
  });
}

export function useCreateAccessToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof createAccessTokenBody>) => api.post(createdAccessToken, '/access_tokens', body),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.accessTokens }),
  });
}

export function useRevokeAccessToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.delete(`/access_tokens/${id}`),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.accessTokens }),
  });
}
