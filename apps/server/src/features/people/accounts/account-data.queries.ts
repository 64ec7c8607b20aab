import { RUN_KINDS, runKinds } from '@heterosis/contracts/work/run-kinds';
import { sql } from 'kysely';
import type { DatabaseTransaction, Queryable } from '../../../platform/database/database.ts';

/** Locks the organizations that a user owns, and returns those without another owner. */
export async function lockSoleOwned(trx: DatabaseTransaction, userId: string): Promise<{ id: string; name: string }[]> {
  // In one order everywhere, and before counting: two owners who leave at once must not both see the other.
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from organizations
    where deleted_at is null
      and id in (select organization_id from organization_members where user_id = ${userId} and role = 'OWNER')
    order by id for update
  `.execute(trx);
  const shared = await trx
    .selectFrom('organization_members')
    .select('organization_id')
    .where('role', '=', 'OWNER')
    .where('user_id', '!=', userId)
    .where(sql<boolean>`organization_id = any(${rows.map(({ id }) => id)})`)
    .execute();
  const isShared = new Set(shared.map((one) => one.organization_id));
  return rows.filter(({ id }) => !isShared.has(id));
}

/** Where the user has a part: those whose lists of people change when the user goes. */
export async function listPlaces(
  db: Queryable,
  userId: string,
): Promise<{ organization_id: string; project_id: string | null }[]> {
  const { rows } = await sql<{ organization_id: string; project_id: string | null }>`
    select organization_id, null as project_id from organization_members where user_id = ${userId}
    union all
    select projects.organization_id, projects.id from project_members
      join projects on projects.id = project_members.project_id where user_id = ${userId}
  `.execute(db);
  return rows;
}

/**
 * Deletes a person: sessions, tokens, memberships, photo and own events go with the row. What he or she created stays
 * without its creator, and organizations keep their copies of events.
 */
export async function deleteUser(
  trx: DatabaseTransaction,
  { id, email }: { id: string; email: string },
): Promise<void> {
  await trx.deleteFrom('audit_events').where('actor_id', '=', id).where('organization_id', 'is', null).execute();
  await trx.deleteFrom('registrations').where('email', '=', email).execute();
  await trx.deleteFrom('users').where('id', '=', id).execute();
}

/** Everything that is stored about a person, by table. No secret is among it: those are stored as hashes only. */
export async function readAccountData(db: Queryable, userId: string): Promise<Record<string, unknown>> {
  const rows = async (query: ReturnType<typeof sql>): Promise<unknown[]> => (await query.execute(db)).rows;
  const email = sql`(select email from users where id = ${userId})`;
  const created: Record<string, unknown> = {};
  for (const path of ['folders', 'files', 'decisions', ...runKinds.map((kind) => RUN_KINDS[kind].path)])
    created[path] = await rows(sql`
      select one.id, one.name, one.project_id, projects.name as project, one.created_at, one.updated_at, one.deleted_at
      from ${sql.table(path)} one join projects on projects.id = one.project_id
      where one.created_by = ${userId} order by one.id`);
  return {
    profile: (
      await rows(sql`select id, name, email, email_verified, run_mail_minutes, paper, muted_notifications,
        mailed_notifications, created_at, updated_at
        from users where id = ${userId}`)
    )[0],
    pending_email: await rows(sql`select email, created_at, expires_at from email_changes where user_id = ${userId}`),
    organizations: await rows(sql`select organization_id as id, organizations.name, role, member.created_at
      from organization_members member join organizations on organizations.id = organization_id
      where user_id = ${userId} order by member.id`),
    projects: await rows(sql`select project_id as id, projects.name, role, member.created_at
      from project_members member join projects on projects.id = project_id
      where user_id = ${userId} order by member.id`),
    invitations_received: await rows(sql`select id, organization_id, project_id, role, created_at, expires_at
      from invitations where recipient = ${email} order by id`),
    invitations_sent: await rows(sql`select id, organization_id, project_id, recipient, role, created_at, expires_at
      from invitations where sender_id = ${userId} order by id`),
    registrations: await rows(sql`select status, created_at, decided_at from registrations
      where email = ${email} order by id`),
    sessions: await rows(sql`select id, user_agent, created_at, last_used_at, expires_at, revoked_at
      from sessions where user_id = ${userId} order by id`),
    sign_in_links: await rows(sql`select created_at, expires_at, used_at, return_to
      from sign_in_codes where user_id = ${userId} order by id`),
    access_tokens: await rows(sql`select id, name, scopes, project_ids, created_at, expires_at, last_used_at, revoked_at
      from access_tokens where user_id = ${userId} order by id`),
    created,
    uploads: await rows(sql`select id, project_id, name, size_bytes, expires_at
      from uploads where created_by = ${userId} order by id`),
    opened_and_favourites: await rows(sql`select project_id, kind, item_id, opened_at, favourite_at
      from personal_items where user_id = ${userId} order by project_id, kind, item_id`),
    views_of_tables: await rows(sql`select id, project_id, table_name, name, content, is_default, created_at, updated_at
      from table_views where owner_id = ${userId} or created_by = ${userId} order by id`),
    marks_of_decisions: await rows(sql`select decision_id, line, mark, reason, settles, marked_at
      from decision_marks where person_id = ${userId} order by decision_id, place`),
    notifications: await rows(sql`select kind, project_id, organization_id, path, details, created_at, read_at
      from notifications where user_id = ${userId} order by id`),
    comments: await rows(sql`select id, project_id, entity_kind, entity_id, part, text, created_at
      from comments where created_by = ${userId} order by id`),
    mentions: await rows(
      sql`select comment_id, name from comment_mentions where user_id = ${userId} order by comment_id`,
    ),
    mails_of_comments: await rows(sql`select comment_id, is_mentioned, sent_at
      from comment_mails where user_id = ${userId} order by id`),
    mails_of_runs: await rows(sql`select project_id, subject, text, created_at, sent_at
      from run_mails where user_id = ${userId} order by created_at`),
    events: await rows(sql`select created_at, action, organization_id, project_id, target_type, target_id, details
      from audit_events where actor_id = ${userId} and copy_of is null order by id`),
  };
}
