import { page } from '../../common.ts';
import { del, type Endpoints, get, PROJECT_MEMBER, post } from '../../endpoint.ts';
import { addCommentBody, comment, listCommentsQuery } from '../../people/comments.ts';

export const commentsApi = {
  listComments: get('/projects/:project_id/comments', PROJECT_MEMBER, {
    summary: 'Comments on a line, file, run or trial, the newest first',
    query: listCommentsQuery,
    answer: page(comment),
  }),
  addComment: post('/projects/:project_id/comments', PROJECT_MEMBER, {
    summary: 'Comment on a line, file, run or trial',
    description: 'Who is mentioned is told, and so are those who made it or have commented on it.',
    body: addCommentBody,
    answer: comment,
    status: 201,
    perMinute: 20,
  }),
  deleteComment: del('/projects/:project_id/comments/:id', PROJECT_MEMBER, {
    summary: 'Delete a comment of mine, or as a manager of anybody',
  }),
} as const satisfies Endpoints;
