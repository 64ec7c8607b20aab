import type { Queryable } from '../../../../platform/database/database.ts';
import type { Audience, Report } from './report.ts';

/** Where a report comes from: the head of each. Whoever holds a link does not read in which project it is. */
export async function readReportPlace(
  { db }: { db: Queryable },
  projectId: string,
  audience: Audience,
): Promise<Pick<Report, 'organization' | 'logo' | 'project'> & { created_at: string }> {
  const { project, logo, ...place } = await db
    .selectFrom('projects')
    .innerJoin('organizations', 'organizations.id', 'projects.organization_id')
    .leftJoin('organization_logos', 'organization_logos.organization_id', 'organizations.id')
    .select([
      'projects.name as project',
      'organizations.name as organization',
      'projects.created_at',
      'organization_logos.bytes as logo',
    ])
    .where('projects.id', '=', projectId)
    .executeTakeFirstOrThrow();
  return { ...place, logo, project: audience === 'members' ? project : null };
}
