export { useAddComment } from './comments.api.ts';
export { Comments, CommentThread } from './comments.tsx';
export { MentionField, useDraft } from './mention-field.tsx';
