import type { Role } from '@heterosis/contracts/common';
import type { OutboxMail } from '@heterosis/contracts/people/auth';
import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';

const SHOWN_MAILS = 100;

/** Newest first. */
export function listOutbox(db: Queryable): Promise<OutboxMail[]> {
  return db
    .selectFrom('mail_outbox')
    .select(['to', 'subject', 'text', 'link', 'created_at'])
    .orderBy('id', 'desc')
    .limit(SHOWN_MAILS)
    .execute();
}

export function listUserOrganizations(
  db: Queryable,
  userId: string,
): Promise<{ id: string; name: string; role: Role }[]> {
  return db
    .selectFrom('organization_members')
    .innerJoin('organizations', 'organizations.id', 'organization_members.organization_id')
    .select(['organizations.id', 'organizations.name', 'organization_members.role'])
    .where('organization_members.user_id', '=', userId)
    .where('organizations.deleted_at', 'is', null)
    .orderBy('organizations.id')
    .execute();
}

/** Whether an invitation waits for somebody at this address. */
export async function isInvited(db: Queryable, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('invitations')
    .select('id')
    .where('recipient', '=', email)
    .where('expires_at', '>', sql<string>`now()`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
