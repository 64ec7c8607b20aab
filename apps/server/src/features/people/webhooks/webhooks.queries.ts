import {
  KEPT_DELIVERIES,
  KEPT_DELIVERY_DAYS,
  type Webhook,
  type WebhookEvent,
} from '@heterosis/contracts/people/webhooks';
import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';

export type WebhookRow = Webhook & { secret: string };

const selectWebhooks = (db: Queryable, organizationId: string) =>
  db
    .selectFrom('webhooks as w')
    .leftJoin('users', 'users.id', 'w.created_by')
    .where('w.organization_id', '=', organizationId)
    .select([
      'w.id',
      'w.name',
      'w.url',
      'w.secret',
      'w.is_active',
      'w.failing_since',
      'w.switched_off_at',
      'w.created_at',
    ])
    .select(sql<WebhookEvent[]>`w.events`.as('events'))
    .select(sql<string | null>`coalesce(users.name, users.email)`.as('created_by'));

/** In the order in which they were made. */
export async function listWebhooks(
  db: Queryable,
  organizationId: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<WebhookRow[]> {
  return await selectWebhooks(db, organizationId)
    .$if(after !== undefined, (query) => query.where('w.id', '>', after ?? ''))
    .orderBy('w.id')
    .limit(limit + 1)
    .execute();
}

export async function findWebhook(db: Queryable, organizationId: string, id: string): Promise<WebhookRow | undefined> {
  return await selectWebhooks(db, organizationId).where('w.id', '=', id).executeTakeFirst();
}

/** Locks the organization's row, so that two requests at once do not exceed the limit. */
export async function countWebhooks(db: Queryable, organizationId: string): Promise<number> {
  await db.selectFrom('organizations').select('id').where('id', '=', organizationId).forUpdate().execute();
  const { count } = await db
    .selectFrom('webhooks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertWebhook(
  db: Queryable,
  row: { id: string; organization_id: string; created_by: string } & Pick<
    WebhookRow,
    'name' | 'url' | 'events' | 'secret'
  >,
): Promise<void> {
  await db.insertInto('webhooks').values(row).execute();
}

export async function updateWebhook(
  db: Queryable,
  organizationId: string,
  id: string,
  change: Partial<
    Pick<WebhookRow, 'name' | 'url' | 'events' | 'secret' | 'is_active' | 'failing_since' | 'switched_off_at'>
  >,
): Promise<void> {
  if (Object.keys(change).length === 0) return;
  await db
    .updateTable('webhooks')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/** False if there is none. */
export async function deleteWebhook(db: Queryable, organizationId: string, id: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('webhooks')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return deleted !== undefined;
}

/** The webhooks that are to be told of an event, none of a deleted organization. */
export async function listListening(
  db: Queryable,
  organizationId: string,
  event: WebhookEvent,
): Promise<{ id: string }[]> {
  return await db
    .selectFrom('webhooks as w')
    .innerJoin('organizations', 'organizations.id', 'w.organization_id')
    .select('w.id')
    .where('w.organization_id', '=', organizationId)
    .where('w.is_active', '=', true)
    .where('organizations.deleted_at', 'is', null)
    .where(sql<boolean>`${event} = any(w.events)`)
    .execute();
}

export interface ProjectNames {
  project: { id: string; name: string };
  organization: { id: string; name: string };
}

export async function findProjectNames(
  db: Queryable,
  organizationId: string,
  projectId: string,
): Promise<ProjectNames | undefined> {
  const row = await db
    .selectFrom('projects')
    .innerJoin('organizations', 'organizations.id', 'projects.organization_id')
    .select(['projects.name as project_name', 'organizations.name as organization_name'])
    .where('projects.organization_id', '=', organizationId)
    .where('projects.id', '=', projectId)
    .executeTakeFirst();
  return (
    row && {
      project: { id: projectId, name: row.project_name },
      organization: { id: organizationId, name: row.organization_name },
    }
  );
}

/** Who made a webhook that was switched off, unless that person has left the organization. */
export async function findOffMailReceiver(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<{ email: string; name: string; url: string; organization_name: string } | undefined> {
  return await db
    .selectFrom('webhooks as w')
    .innerJoin('users', 'users.id', 'w.created_by')
    .innerJoin('organizations', 'organizations.id', 'w.organization_id')
    .innerJoin('organization_members as m', (join) =>
      join.onRef('m.organization_id', '=', 'w.organization_id').onRef('m.user_id', '=', 'users.id'),
    )
    .select(['users.email', 'w.name', 'w.url', 'organizations.name as organization_name'])
    .where('w.organization_id', '=', organizationId)
    .where('w.id', '=', id)
    .where('w.switched_off_at', 'is not', null)
    .where('users.disabled_at', 'is', null)
    .where('organizations.deleted_at', 'is', null)
    .executeTakeFirst();
}

/**
 * Keeps the log short: neither old deliveries nor more than some hundreds for each webhook. Ends what has waited in
 * vain for a day: a restored database has no jobs.
 */
export async function sweepDeliveries(db: Queryable): Promise<void> {
  await sql`
    update webhook_deliveries
    set state = 'FAILED', error = 'It was lost while it waited. Send it again.', next_try_at = null
    where state = 'WAITING' and next_try_at < now() - interval '1 day'
  `.execute(db);
  await sql`
    delete from webhook_deliveries where state <> 'WAITING' and (
      created_at < now() - make_interval(days => ${KEPT_DELIVERY_DAYS}) or id in (
        select id from (
          select id, row_number() over (partition by webhook_id order by id desc) as place from webhook_deliveries
        ) as ranked where place > ${KEPT_DELIVERIES}
      )
    )
  `.execute(db);
}
