import * as z from 'zod';
import { id, isVisible, pageQuery, timestamp } from '../common.ts';
import { runKinds } from '../work/run-kinds.ts';

/** What people talk about: a line, a file, a run, a trial, a decision. */
export const commentedKind = z.enum(['germplasm', 'file', ...runKinds, 'trial', 'decision']);
export type CommentedKind = z.infer<typeof commentedKind>;

/** A part of a file or trial that has comments of its own. */
export const COMMENTED_PARTS = { file: 'marker', trial: 'plot' } as const satisfies Partial<
  Record<CommentedKind, string>
>;

export const MAX_COMMENT_LENGTH = 4000;
export const MAX_MENTIONS = 20;

const part = z.string().trim().min(1).max(255).describe('Name of a marker of a file, or number of a plot of a trial.');

/** Plain text of several lines. */
const text = z
  .string()
  .transform((given) => given.replaceAll('\r\n', '\n').trim())
  .pipe(
    z
      .string()
      .min(1, 'A comment is required')
      .max(MAX_COMMENT_LENGTH, `A comment has at most ${MAX_COMMENT_LENGTH.toLocaleString('en')} characters`)
      .refine((given) => !/[^\P{Cc}\n\t]/u.test(given), 'Control characters are not allowed')
      .refine(isVisible, 'Only invisible characters'),
  );

export const comment = z
  .object({
    id,
    entity_kind: commentedKind,
    entity_id: id,
    part: part.nullable(),
    text: z.string().describe('Plain text.'),
    author: z.object({ id, name: z.string() }).nullable().describe('Null once the account is deleted.'),
    mentions: z.array(z.object({ user_id: id, name: z.string() })).describe('`@name` stands in the text.'),
    created_at: timestamp,
  })
  .meta({ id: 'Comment' });
export type Comment = z.infer<typeof comment>;

const about = {
  entity_kind: commentedKind,
  entity_id: id.describe('Of a line that was merged into another, also the comments on the other.'),
};

/** `GET /projects/{p}/comments`: the newest first. */
export const listCommentsQuery = pageQuery.extend({
  ...about,
  part: part.optional().describe('Absent: the comments on the file or trial, and on all its markers or plots.'),
});

export const addCommentBody = z.object({
  entity_kind: commentedKind,
  entity_id: id,
  part: part.optional(),
  text,
  mentions: z
    .array(id)
    .max(MAX_MENTIONS)
    .default([])
    .describe('Ids of members of the project (`user_id`). `@` and the name of each stand in the text.'),
});
export type AddCommentBody = z.input<typeof addCommentBody>;
