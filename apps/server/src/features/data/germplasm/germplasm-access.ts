import type { Queryable } from '../../../platform/database/database.ts';
import type { OrganizationAccess, ProjectAccess } from '../../../platform/http/access.ts';
import { isAtLeast } from '../../../platform/http/access.ts';
import type { Call, Http, OrganizationCall, ProjectCall, SignedInCall } from '../../../platform/http/bind.ts';
import { notAllowed } from '../../../platform/http/guards.ts';
import { findCropOfProject } from './catalogue.queries.ts';
import type { GermplasmScope } from './germplasm-scope.ts';

/** Whose germplasm a request is about, and what the caller may do with it. */
export interface GermplasmAccess {
  scope: GermplasmScope;
  /** Null: the organization's own pages. */
  projectId: string | null;
  /** Null: nothing may be added. */
  adds: 'new names only' | 'everything' | null;
}

/** A call that an organization or a project let through, with the germplasm that it is about. */
export interface UploadCall extends Call {
  principal: Pick<SignedInCall['principal'], 'userId'>;
  germplasm: GermplasmAccess;
}

/** Functions for callers who may add germplasm, below an organization and below a project alike. */
export function forAdding<Functions extends Record<string, (call: UploadCall, input: never, http: Http) => unknown>>(
  functions: Functions,
): {
  [Name in keyof Functions]: (
    call: OrganizationCall | ProjectCall,
    input: Parameters<Functions[Name]>[1],
    http: Http,
  ) => Promise<Awaited<ReturnType<Functions[Name]>>>;
} {
  const given = Object.entries(functions).map(([name, answer]) => [
    name,
    async (call: OrganizationCall | ProjectCall, input: never, http: Http) => {
      const germplasm = await germplasmOf(call);
      requireAdding(germplasm);
      return await answer({ ...call, germplasm }, input, http);
    },
  ]);
  return Object.fromEntries(given);
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
  const cropId = await findCropOfProject(db, projectId);
  const isGuest = organizationRole === null;
  return {
    scope: {
      organizationId,
      cropId: cropId ?? NO_CROP,
      usedIn: isGuest || inProject ? projectId : undefined,
    },
    projectId,
    adds: isAtLeast(role, 'MANAGER') ? 'everything' : isGuest ? null : 'new names only',
  };
}

/** A call about the germplasm of an organization or of a project. */
export type GermplasmCall = Pick<OrganizationCall | ProjectCall, 'services' | 'access' | 'principal'>;

/** Whose germplasm a call is about. */
export const germplasmOf = async (
  { services, access }: GermplasmCall,
  { crop_id, in_project }: { crop_id?: string | undefined; in_project?: boolean | undefined } = {},
): Promise<GermplasmAccess> =>
  'projectId' in access
    ? await ofProject(services.db, access, { inProject: in_project })
    : ofOrganization(access, crop_id);

export function requireAdding({ adds }: GermplasmAccess): 'new names only' | 'everything' {
  if (adds === null) throw notAllowed('project', 'MANAGER');
  return adds;
}
