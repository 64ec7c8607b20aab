import { accountsApi } from '@heterosis/contracts/endpoints/accounts';
import { projectsApi } from '@heterosis/contracts/endpoints/projects';
import {
  accessToken,
  type changeEmailBody,
  confirmedEmail,
  type createAccessTokenBody,
  createdAccessToken,
  emailChangeSent,
  tokenInfo,
  type updateMailsBody,
  type updateProfileBody,
  userProfile,
  userSession,
} from '@heterosis/contracts/people/auth';
import { type allowConnectionBody, connectionAnswer, connectionRequest } from '@heterosis/contracts/people/connections';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { api, call } from '../../../lib/api/api-client.ts';
import { listAll, listAllAt } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { downloadAnswer } from '../../../lib/browser/download.ts';
import { guestProject, session } from '../../../lib/session/browser-session.ts';

export const profileQuery = () =>
  queryOptions({
    queryKey: keys.me,
    queryFn: ({ signal }) => call(accountsApi.readProfile, {}, { signal }),
    enabled: guestProject() === undefined,
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
    queryFn: ({ signal }) => listAllAt(accessToken, '/access_tokens', { signal }),
  });

export function useUpdateProfile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof updateProfileBody>) => call(accountsApi.updateProfile, { body }),
    onSuccess: (profile) => {
      session.updateUser({ displayName: profile.name });
      return client.invalidateQueries({ queryKey: keys.me });
    },
  });
}

export function useUpdateMails() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof updateMailsBody>) => call(accountsApi.updateMails, { body }),
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

/** The projects that a token can be limited to. */
export const tokenProjectsQuery = () =>
  queryOptions({
    queryKey: [...keys.projects, 'of-tokens'],
    queryFn: ({ signal }) => listAll(projectsApi.listProjects, {}, signal),
  });

/** An app that asks for access. Its request is read once: it lives as long as the page is open. */
export const connectionQuery = (uid: string) =>
  queryOptions({
    queryKey: [...keys.me, 'connection', uid],
    queryFn: ({ signal }) => api.get(connectionRequest, `/auth/connections/${encodeURIComponent(uid)}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

export const allowConnection = (uid: string, body: z.input<typeof allowConnectionBody>) =>
  api.post(connectionAnswer, `/auth/connections/${encodeURIComponent(uid)}`, body);

export const refuseConnection = (uid: string) =>
  api.deleteReading(connectionAnswer, `/auth/connections/${encodeURIComponent(uid)}`);

export const sessionsQuery = () =>
  queryOptions({
    queryKey: keys.sessions,
    queryFn: ({ signal }) => listAllAt(userSession, '/sessions', { signal }),
  });

/** One session, or all others when no id is given. */
export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string | undefined) => api.delete(id === undefined ? '/sessions' : `/sessions/${id}`),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.sessions }),
  });
}

export function useChangeEmail() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof changeEmailBody>) => api.post(emailChangeSent, '/users/me/email', body),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.me }),
  });
}

export function useCancelEmailChange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.delete('/users/me/email'),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.me }),
  });
}

export const confirmEmailChange = (code: string) => api.post(confirmedEmail, '/auth/email', { code });

/** A new photo, or none. */
export function useChangePhoto() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (photo: Blob | undefined) => {
      if (photo !== undefined) return api.putBytes(userProfile, '/users/me/photo', photo);
      await api.delete('/users/me/photo');
      return call(accountsApi.readProfile, {});
    },
    onSuccess: (profile) => {
      session.updateUser({ photoURL: profile.photo_url });
      client.setQueryData(keys.me, profile);
    },
  });
}

export const downloadAccountData = async (): Promise<void> =>
  downloadAnswer(await api.stream('/users/me/export'), 'heterosis-account.json');

export async function deleteAccount(confirm: string): Promise<void> {
  await call(accountsApi.deleteAccount, { query: { confirm } });
  session.forget();
}
