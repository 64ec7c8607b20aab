import { accountsApi, photosApi } from '@heterosis/contracts/endpoints/people/accounts';
import { authApi, connectionsApi } from '@heterosis/contracts/endpoints/people/auth';
import { ownSessionsApi } from '@heterosis/contracts/endpoints/people/own-sessions';
import { projectsApi } from '@heterosis/contracts/endpoints/people/projects';
import type {
  changeEmailBody,
  createAccessTokenBody,
  updateMailsBody,
  updateProfileBody,
} from '@heterosis/contracts/people/auth';
import type { allowConnectionBody } from '@heterosis/contracts/people/connections';
import type { updateNotificationsBody } from '@heterosis/contracts/people/notifications';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { call } from '../../../lib/api/api-client.ts';
import { listAll } from '../../../lib/api/pages.ts';
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
    queryFn: ({ signal }) => call(authApi.readTokenInfo, {}, { signal }),
  });

export const accessTokensQuery = () =>
  queryOptions({
    queryKey: keys.accessTokens,
    queryFn: ({ signal }) => listAll(authApi.listOwnAccessTokens, {}, signal),
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

export function useUpdateNotifications() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof updateNotificationsBody>) => call(accountsApi.updateNotifications, { body }),
    onSuccess: (profile) => client.setQueryData(keys.me, profile),
  });
}

export function useCreateAccessToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof createAccessTokenBody>) => call(authApi.createAccessToken, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.accessTokens }),
  });
}

export function useRevokeAccessToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(authApi.deleteAccessToken, { id }),
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
    queryFn: ({ signal }) => call(connectionsApi.findConnectionRequest, { uid }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

export const allowConnection = (uid: string, body: z.input<typeof allowConnectionBody>) =>
  call(connectionsApi.allowConnection, { uid, body });

export const refuseConnection = (uid: string) => call(connectionsApi.refuseConnection, { uid });

export const sessionsQuery = () =>
  queryOptions({
    queryKey: keys.sessions,
    queryFn: ({ signal }) => listAll(ownSessionsApi.listOwnSessions, {}, signal),
  });

/** One session, or all others when no id is given. */
export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string | undefined) =>
      id === undefined ? call(ownSessionsApi.endOtherSessions, {}) : call(ownSessionsApi.endOwnSession, { id }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.sessions }),
  });
}

export function useChangeEmail() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof changeEmailBody>) => call(ownSessionsApi.requestEmailChange, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.me }),
  });
}

export function useCancelEmailChange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(ownSessionsApi.cancelEmailChange, {}),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.me }),
  });
}

export const confirmEmailChange = (code: string) => call(ownSessionsApi.confirmEmailChange, { body: { code } });

/** A new photo, or none. */
export function useChangePhoto() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (photo: Blob | undefined) =>
      photo === undefined ? call(photosApi.removePhoto, {}) : call(photosApi.changePhoto, { body: photo }),
    onSuccess: (profile) => {
      session.updateUser({ photoURL: profile.photo_url });
      client.setQueryData(keys.me, profile);
    },
  });
}

export const downloadAccountData = async (): Promise<void> =>
  downloadAnswer(await call(accountsApi.exportAccount, {}), 'heterosis-account.json');

export async function deleteAccount(confirm: string): Promise<void> {
  await call(accountsApi.deleteAccount, { query: { confirm } });
  session.forget();
}
