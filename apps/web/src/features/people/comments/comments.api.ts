import { commentsApi } from '@heterosis/contracts/endpoints/people/comments';
import type { AddCommentBody, CommentedKind } from '@heterosis/contracts/people/comments';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/api-client.ts';
import { endlessList } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';

/** What is talked about. */
export interface About {
  projectId: string;
  entityKind: CommentedKind;
  entityId: string;
  /** A marker of the file, or a plot of the trial. */
  part?: string | undefined;
}

const entityOf = ({ entityKind, entityId, part }: About) => ({
  entity_kind: entityKind,
  entity_id: entityId,
  ...(part === undefined ? {} : { part }),
});

export const commentsQuery = (about: About) =>
  endlessList({
    queryKey: keys.comments(about.projectId),
    endpoint: commentsApi.listComments,
    request: { project_id: about.projectId, query: entityOf(about) },
    pageSize: 30,
  });

export function useAddComment(about: About) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (said: Pick<AddCommentBody, 'text' | 'mentions'>) =>
      call(commentsApi.addComment, { project_id: about.projectId, body: { ...entityOf(about), ...said } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.comments(about.projectId) }),
  });
}

export function useDeleteComment(projectId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(commentsApi.deleteComment, { project_id: projectId, id }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.comments(projectId) }),
  });
}
