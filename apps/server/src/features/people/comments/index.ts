export { sweepComments } from './comments.queries.ts';
export { commentRoutes } from './comments.routes.ts';
export { sendCommentMailRegistration } from './send-comment-mail.handler.ts';
