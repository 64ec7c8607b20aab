import type { ItemKind } from '@heterosis/contracts/people/home';
import {
  NOTIFICATIONS_SHOWN,
  type Notification,
  type NotificationKind,
  type notificationDetails,
} from '@heterosis/contracts/people/notifications';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type * as z from 'zod';
import type { Queryable } from '../../../platform/database/database.ts';
import { namedItem } from '../home/index.ts';

export interface NewNotification {
  userId: string;
  kind: NotificationKind;
  /** The run, invitation or mention: a person is told once of each, unless it is sent again. */
  sourceId: string;
  /** It is new again for who was told of it before: an invitation that is sent once more. */
  isAgain?: boolean;
  /** Who has no part in it any more does not see the notification. Null: of no project. */
  projectId: string | null;
  /** The same, for what is of no project. */
  organizationId: string | null;
  /** What it is about, where that can be deleted. */
  item: { kind: ItemKind; id: string } | null;
  path: string;
  details: z.input<typeof notificationDetails>;
}

/** False when the person does not want it, or was told before and it is not sent again. */
export async function insertNotification(db: Queryable, one: NewNotification): Promise<boolean> {
  const { userId, kind, sourceId, projectId, organizationId, item, path, details, isAgain = false } = one;
  const { rows } = await sql`
    insert into notifications (id, user_id, kind, source_id, project_id, organization_id, item_kind, item_id, path, details)
    select ${uuidv7()}::uuid, users.id, ${kind}, ${sourceId}::uuid, ${projectId}::uuid, ${organizationId}::uuid,
      ${item?.kind ?? null}, ${item?.id ?? null}::uuid, ${path}, ${JSON.stringify(details)}::jsonb
    from users where users.id = ${userId} and users.disabled_at is null and ${kind} <> all(users.muted_notifications)
    on conflict (user_id, kind, source_id) do update
      set id = excluded.id, created_at = now(), read_at = null, path = excluded.path, details = excluded.details
      where ${isAgain}
    returning id
  `.execute(db);
  return rows.length > 0;
}

/**
 * The newest of what the person may see now: of projects and organizations that he or she has a part in, of things that
 * are not deleted, of invitations that wait for an answer.
 */
export async function listVisible(
  db: Queryable,
  userId: string,
  { projectIds, organizationIds }: { projectIds: readonly string[]; organizationIds: readonly string[] },
): Promise<Notification[]> {
  const { rows } = await sql<Notification>`
    select one.id, one.kind, one.details, one.path, one.created_at, one.read_at,
      case when projects.id is not null then jsonb_build_object('id', projects.id, 'name', projects.name) end as project
    from notifications as one
    left join projects on projects.id = one.project_id
    cross join lateral (select one.item_kind as kind, one.item_id, one.project_id) as mark
    where one.user_id = ${userId}
      and (one.project_id is null or one.project_id = any(${projectIds}::uuid[]))
      and (one.organization_id is null or one.organization_id = any(${organizationIds}::uuid[]))
      and (one.item_id is null or exists ${namedItem})
      and (one.kind <> 'invitation' or exists (
        select from invitations join users on users.email = recipient and users.email_verified
        where invitations.id = one.source_id and users.id = ${userId} and invitations.expires_at > now()))
    order by one.id desc
    limit ${NOTIFICATIONS_SHOWN}
  `.execute(db);
  return rows;
}

/** `ids` undefined: all. */
export async function updateRead(db: Queryable, userId: string, ids: readonly string[] | undefined): Promise<void> {
  await db
    .updateTable('notifications')
    .set({ read_at: sql<string>`now()` })
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .$if(ids !== undefined, (query) => query.where(sql<boolean>`id = any(${ids}::uuid[])`))
    .execute();
}

const NOTIFICATIONS_LIVE_DAYS = 60;

export async function sweepNotifications(db: Queryable): Promise<void> {
  await db
    .deleteFrom('notifications')
    .where('created_at', '<', sql<string>`now() - make_interval(days => ${NOTIFICATIONS_LIVE_DAYS})`)
    .execute();
}
