import type { AuditAction } from '@heterosis/contracts/audit';
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
  requestId?: string;
}

/** Writes the trail of a change of members, roles, billing or a deletion; call it in the transaction of the change. */
export async function recordAuditEvent(db: Queryable, event: AuditEvent): Promise<void> {
  await db
    .insertInto('audit_events')
    .values({
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
    })
    .execute();
}
