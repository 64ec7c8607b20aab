import type { AuditAction } from '@heterosis/contracts/people/audit';
import { uuidv7 } from 'uuidv7';
import type { Queryable } from '../database/database.ts';

export interface AuditEvent {
  action: AuditAction;
  /** Who did it; undefined for the system itself. An operator at the console has an `email` only. */
  actor?: { userId?: string; email: string } | undefined;
  organizationId?: string;
  projectId?: string;
  targetType?: string;
  targetId?: string;
  details?: Record<string, unknown>;
  requestId?: string | undefined;
}

/** Writes the trail of a change of members, roles, billing or a deletion; call it in the transaction of the change. */
export async function recordAuditEvent(db: Queryable, event: AuditEvent): Promise<void> {
  await db.insertInto('audit_events').values(rowOf(event)).execute();
}

/** What a person does to the own account. */
export type AccountEvent = Omit<AuditEvent, 'actor' | 'organizationId' | 'projectId'> & {
  actor: { userId: string; email: string };
};

/**
 * Writes what a person does to the own account: a sign-in, a token. Each organization that the person has a part in
 * gets a copy, so that its managers see it, also when the person has left.
 */
export async function recordAccountEvent(db: Queryable, event: AccountEvent): Promise<void> {
  const original = rowOf(event);
  const { userId } = event.actor;
  const organizations = await db
    .selectFrom('organizations')
    .select('id')
    .where('deleted_at', 'is', null)
    .where('id', 'in', (select) =>
      select
        .selectFrom('organization_members')
        .select('organization_id')
        .where('user_id', '=', userId)
        .union(
          select
            .selectFrom('project_members')
            .innerJoin('projects', 'projects.id', 'project_members.project_id')
            .select('projects.organization_id')
            .where('project_members.user_id', '=', userId)
            .where('projects.deleted_at', 'is', null),
        ),
    )
    .execute();
  const copies = organizations.map(({ id }) => ({
    ...original,
    id: uuidv7(),
    organization_id: id,
    copy_of: original.id,
  }));
  await db
    .insertInto('audit_events')
    .values([original, ...copies])
    .execute();
}

const rowOf = (event: AuditEvent) => ({
  id: uuidv7(),
  organization_id: event.organizationId ?? null,
  project_id: event.projectId ?? null,
  actor_id: event.actor?.userId ?? null,
  actor_email: event.actor?.email ?? null,
  action: event.action,
  target_type: event.targetType ?? null,
  target_id: event.targetId ?? null,
  details: JSON.stringify(event.details ?? {}),
  request_id: event.requestId ?? null,
  copy_of: null,
});
