import type { ProjectDetail } from '@heterosis/contracts/projects';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../lib/browser-session.ts';
import { organizationQuery } from '../organizations/index.ts';
import type { Standing } from '../people/index.ts';

/** My rights over the people of a project; undefined until known. */
export function useProjectStanding(project: ProjectDetail | undefined): Standing | undefined {
  const state = useSession();
  const organizationId = project?.organization?.id;
  const { data: organization, isPending } = useQuery({
    ...organizationQuery(organizationId ?? ''),
    enabled: organizationId !== undefined,
  });
  if (!project || state.status !== 'signed-in' || (organizationId !== undefined && isPending)) return undefined;
  // Managers of the organization, not of the project alone, invite managers.
  const mayInviteManagers = organization?.role === 'OWNER' || organization?.role === 'MANAGER';
  return { kind: 'project', userId: state.user.uid, role: project.role, mayInviteManagers };
}
