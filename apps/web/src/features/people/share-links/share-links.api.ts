import type { Paper } from '@heterosis/contracts/common';
import { shareLinksApi } from '@heterosis/contracts/endpoints/people/share-links';
import type { SharedKind } from '@heterosis/contracts/people/share-links';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/api-client.ts';
import { endlessList, listAll } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { downloadAnswer } from '../../../lib/browser/download.ts';
import type { Place } from '../../../lib/browser/place.ts';

/** What a share link is about. */
export interface SharedItem {
  projectId: string;
  kind: SharedKind;
  id: string;
}

export const shareLinksQuery = ({ kind, id }: Place) =>
  kind === 'project'
    ? endlessList({
        queryKey: keys.shareLinks({ kind, id }),
        endpoint: shareLinksApi.listShareLinks,
        request: { project_id: id },
      })
    : endlessList({
        queryKey: keys.shareLinks({ kind, id }),
        endpoint: shareLinksApi.listOrganizationShareLinks,
        request: { organization_id: id },
      });

export const shareLinksOfQuery = ({ projectId, kind, id }: SharedItem) =>
  queryOptions({
    queryKey: [...keys.shareLinks({ kind: 'project', id: projectId }), kind, id],
    queryFn: ({ signal }) =>
      listAll(
        shareLinksApi.listShareLinks,
        { project_id: projectId, query: { entity_kind: kind, entity_id: id } },
        signal,
      ),
  });

export function useCreateShareLink({ projectId, kind, id }: SharedItem) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (days: number) =>
      call(shareLinksApi.createShareLink, {
        project_id: projectId,
        body: { entity_kind: kind, entity_id: id, days },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.shareLinks({ kind: 'project', id: projectId }) }),
  });
}

export function useRevokeShareLink() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, project }: { id: string; project: { id: string } }) =>
      call(shareLinksApi.revokeShareLink, { project_id: project.id, id }),
    onSuccess: (_, { project }) =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.shareLinks({ kind: 'project', id: project.id }) }),
        client.invalidateQueries({ queryKey: keys.organizations }),
      ]),
  });
}

/** Asked for once a page: each time counts as an opening. */
export const sharedQuery = (token: string) =>
  queryOptions({
    queryKey: ['shared', token],
    queryFn: ({ signal }) => call(shareLinksApi.openShared, { body: { token } }, { signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export function usePrintShared(token: string) {
  return useMutation({
    mutationFn: async (page: Paper) =>
      downloadAnswer(await call(shareLinksApi.printShared, { body: { token, page } }), 'report.pdf'),
  });
}
