export { sweepComments } from './comments.queries.ts';
export { commentRoutes } from './comments.routes.ts';
export { sendCommentMailJob } from './jobs.ts';
export { sendCommentMailRegistration } from './send-comment-mail.handler.ts';
