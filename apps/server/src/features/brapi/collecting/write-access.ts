import type { Principal, ProjectAccess } from '../../../platform/http/access.ts';
import type { Services } from '../../../platform/http/app.ts';
import { notAllowed, requirePaid } from '../../../platform/http/guards.ts';
import { findProjectAccess } from '../../people/projects/index.ts';

/** Whoever may write to the project; the same refusals as in our own API. */
export async function requireWriting(
  { db }: Pick<Services, 'db'>,
  principal: Principal,
  projectId: string,
): Promise<ProjectAccess> {
  const access = await findProjectAccess(db, principal, projectId);
  if (access === undefined) throw notAllowed('project', 'MEMBER');
  if (access.readOnly) throw notAllowed('project', 'MANAGER');
  requirePaid(access);
  return access;
}
