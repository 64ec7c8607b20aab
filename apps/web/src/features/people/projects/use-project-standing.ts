import type { ProjectDetail } from '@heterosis/contracts/people/projects';
import { useSession } from '../../../lib/session/browser-session.ts';
import type { Standing } from '../members/index.ts';

/** My rights over the people of a project; undefined until known. */
export function useProjectStanding(project: ProjectDetail | undefined): Standing | undefined {
  const state = useSession();
  if (!project || state.status !== 'signed-in' || project.role === 'GUEST') return undefined;
  return { kind: 'project', userId: state.user.uid, role: project.role, rights: project.rights };
}
