import type { InputOf } from '@heterosis/contracts/endpoint';
import type { notificationsApi } from '@heterosis/contracts/endpoints/people/notifications';
import type { Notifications } from '@heterosis/contracts/people/notifications';
import type { Queryable } from '../../../platform/database/database.ts';
import { publishEvent } from '../../../platform/events/events.ts';
import type { SignedInCall } from '../../../platform/http/bind.ts';
import { listVisibleScopes } from '../projects/index.ts';
import { insertNotification, listVisible, type NewNotification, updateRead } from './notifications.queries.ts';

/** Tells a person of something, in the transaction of what it tells. */
export async function notify(trx: Queryable, notification: NewNotification): Promise<void> {
  if (await insertNotification(trx, notification)) await publishNotifications(trx, notification.userId);
}

/** The list of the person has changed. */
export const publishNotifications = (db: Queryable, userId: string): Promise<void> =>
  publishEvent(db, {
    type: 'notification',
    id: userId,
    project_id: null,
    organization_id: null,
    user_ids: [userId],
  });

export async function listNotifications({ services: { db }, principal }: SignedInCall): Promise<Notifications> {
  const data = await listVisible(db, principal.userId, await listVisibleScopes(db, principal));
  return { data, unread: data.filter(({ read_at }) => read_at === null).length };
}

export async function markNotificationsRead(
  { services: { db }, principal: { userId } }: SignedInCall,
  { body: { ids } }: InputOf<typeof notificationsApi.markNotificationsRead>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await updateRead(trx, userId, ids);
    await publishNotifications(trx, userId);
  });
}
