import type { Queryable } from '../../../../platform/database/database.ts';

/** The project of the demo that was completed last, unless somebody deleted it. */
export async function findDemoProject(db: Queryable): Promise<string | undefined> {
  const row = await db
    .selectFrom('audit_events')
    .innerJoin('projects', 'projects.id', 'audit_events.project_id')
    .innerJoin('organizations', 'organizations.id', 'projects.organization_id')
    .select('projects.id')
    .where('audit_events.action', '=', 'demo.created')
    .where('projects.deleted_at', 'is', null)
    .where('organizations.deleted_at', 'is', null)
    .orderBy('audit_events.id', 'desc')
    .executeTakeFirst();
  return row?.id;
}
