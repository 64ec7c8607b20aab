import * as z from 'zod';
import { id, reference, timestamp } from '../common.ts';

/** What a person may be told in the product. Each can be switched off. */
export const notificationKind = z.enum(['run', 'invitation', 'mention', 'comment']);
export type NotificationKind = z.infer<typeof notificationKind>;

/** Of these a person may be told by mail too. Mails of runs have a setting of their own. */
export const mailedKind = z.enum(['mention', 'comment']);
export type MailedKind = z.infer<typeof mailedKind>;

/** What was so when it was told. */
export const notificationDetails = z.object({
  subject: z.string().optional().describe('Begins the sentence: `Model`, `The check of the file`.'),
  name: z.string().describe('Of the thing, or of the place of an invitation.'),
  state: z.enum(['succeeded', 'failed', 'partly_failed']).optional().describe('How a run ended.'),
  by: z.string().optional().describe('Who invited, mentioned or commented.'),
  text: z.string().optional().describe('The first result or failure of a run; the words of a comment.'),
});

export const notification = z
  .object({
    id,
    kind: notificationKind,
    project: reference.nullable(),
    details: notificationDetails,
    path: z.string().describe('Page of it in the application.'),
    created_at: timestamp,
    read_at: timestamp.nullable(),
  })
  .meta({ id: 'Notification' });
export type Notification = z.infer<typeof notification>;

/** So many are listed; older ones are seen where they happened. */
export const NOTIFICATIONS_SHOWN = 50;

/** `GET /notifications`: the newest first, of what you may see now. */
export const notifications = z
  .object({ data: z.array(notification), unread: z.number().int() })
  .meta({ id: 'Notifications' });
export type Notifications = z.infer<typeof notifications>;

export const readNotificationsBody = z.object({
  ids: z.array(id).max(NOTIFICATIONS_SHOWN).optional().describe('Absent: all.'),
});

/** `PUT /users/me/notifications`. */
export const updateNotificationsBody = z.object({
  muted: z.array(notificationKind).max(notificationKind.options.length).describe('Kinds of which you are not told.'),
});
