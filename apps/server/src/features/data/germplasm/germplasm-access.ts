import type { Queryable } from '../../../platform/database/database.ts';
import type { OrganizationAccess, ProjectAccess } from '../../../platform/http/access.ts';
import { isAtLeast } from '../../../platform/http/access.ts';
import { notAllowed } from '../../../platform/http/guards.ts';
import type { GermplasmScope } from './germplasm-scope.ts';

/** Whose germplasm a request is about, and what the caller may do with it. */
export interface GermplasmAccess {
  scope: GermplasmScope;
  /** Null: the organization's own pages. */
  projectId: string | null;
  /** Null: nothing may be added. */
  adds: 'new names only' | 'everything' | null;
}

/** No id of a crop is this one: a project without a crop has no germplasm. */
const NO_CROP = '00000000-0000-0000-0000-000000000000';

export const ofOrganization = ({ organizationId, role }: OrganizationAccess, cropId?: string): GermplasmAccess => ({
  scope: { organizationId, cropId, usedIn: undefined },
  projectId: null,
  adds: isAtLeast(role, 'MANAGER') ? 'everything' : null,
});

/** For a caller who was checked already. */
export const ofOwnOrganization = (organizationId: string): GermplasmAccess => ({
  scope: { organizationId, cropId: undefined, usedIn: undefined },
  projectId: null,
  adds: 'everything',
});

/** A project shares the list of its crop; a guest, who is in no other place of the organization, sees what it uses. */
export async function ofProject(
  db: Queryable,
  { projectId, organizationId, organizationRole, role }: ProjectAccess,
  { inProject = false }: { inProject?: boolean | undefined } = {},
): Promise<GermplasmAccess> {
  const project = await db
    .selectFrom('projects')
    .select('crop_id')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow();
  const isGuest = organizationRole === null;
  return {
    scope: {
      organizationId,
      cropId: project.crop_id ?? NO_CROP,
      usedIn: isGuest || inProject ? projectId : undefined,
    },
    projectId,
    adds: isAtLeast(role, 'MANAGER') ? 'everything' : isGuest ? null : 'new names only',
  };
}

export function requireAdding({ adds }: GermplasmAccess): 'new names only' | 'everything' {
  if (adds === null) throw notAllowed('project', 'MANAGER');
  return adds;
}
