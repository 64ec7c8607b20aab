import { type Endpoints, get, put } from '../../endpoint.ts';
import { notifications, readNotificationsBody } from '../../people/notifications.ts';

export const notificationsApi = {
  listNotifications: get('/notifications', 'signed-in', {
    summary: 'What I was told lately',
    answer: notifications,
  }),
  markNotificationsRead: put('/notifications/read', 'signed-in', {
    summary: 'Mark what I was told as read',
    body: readNotificationsBody,
  }),
} as const satisfies Endpoints;
