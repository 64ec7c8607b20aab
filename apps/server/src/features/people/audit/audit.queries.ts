import {
  AUDIT_ACTIONS,
  type AuditAction,
  type AuditEntry,
  type AuditFilter,
  auditActions,
} from '@heterosis/contracts/people/audit';
import { sql } from 'kysely';
import type { Queryable } from '../../../platform/database/database.ts';

/** The events of a tenant (an organization with its projects, or one project), or those of the whole installation. */
export type AuditScope = { organization_id: string } | { project_id: string } | 'installation';

/** Newest first. */
export async function listAuditEvents(
  db: Queryable,
  scope: AuditScope,
  { person, area, action, from, to }: AuditFilter,
  { limit, before }: { limit: number; before: string | undefined },
): Promise<AuditEntry[]> {
  const actions = auditActions.filter(
    (one) => (area === undefined || AUDIT_ACTIONS[one] === area) && (action ?? one) === one,
  );
  const rows = await db
    .selectFrom('audit_events as event')
    .leftJoin('users as actor', 'actor.id', 'event.actor_id')
    .leftJoin('projects', 'projects.id', 'event.project_id')
    .select([
      'event.id',
      'event.created_at',
      'event.action',
      'event.actor_id',
      'event.actor_email',
      'actor.name as actor_name',
      'projects.id as project_id',
      'projects.name as project_name',
      'event.target_type',
      'event.target_id',
      'event.details',
    ])
    .$call((query) => {
      if (scope === 'installation') return query;
      return 'organization_id' in scope
        ? query.where('event.organization_id', '=', scope.organization_id)
        : query.where('event.project_id', '=', scope.project_id);
    })
    .$if(area !== undefined || action !== undefined, (query) =>
      query.where(sql<boolean>`event.action = any(${actions})`),
    )
    .$if(person !== undefined && person !== '', (query) =>
      query.where((where) =>
        where.or(
          (['event.actor_email', 'actor.name'] as const).map((column) =>
            where(sql<number>`strpos(lower(${sql.ref(column)}), lower(${person ?? ''}))`, '>', 0),
          ),
        ),
      ),
    )
    .$if(from !== undefined, (query) => query.where('event.created_at', '>=', from ?? ''))
    .$if(to !== undefined, (query) => query.where('event.created_at', '<', to ?? ''))
    .$if(before !== undefined, (query) => query.where('event.id', '<', before ?? ''))
    .orderBy('event.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    created_at: row.created_at,
    action: row.action,
    area: AUDIT_ACTIONS[row.action as AuditAction] ?? null,
    actor:
      row.actor_id === null && row.actor_email === null
        ? null
        : { id: row.actor_id, name: row.actor_name, email: row.actor_email },
    project:
      row.project_id === null || row.project_name === null ? null : { id: row.project_id, name: row.project_name },
    target_type: row.target_type,
    target_id: row.target_id,
    details: row.details as Record<string, unknown>,
  }));
}
