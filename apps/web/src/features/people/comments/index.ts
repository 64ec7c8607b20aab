export { Comments, CommentThread } from './comments.tsx';
