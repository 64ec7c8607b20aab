import type { ProjectRight } from '@heterosis/contracts/people/rights';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../../lib/session/browser-session.ts';
import { projectQuery } from './projects.api.ts';

/** A file, folder or run; members change and delete their own. */
interface Entry {
  created_by_id: string | null;
}

interface ProjectRights {
  may: (right: ProjectRight) => boolean;
  mayChange: (entry: Entry) => boolean;
  mayDelete: (entry: Entry) => boolean;
}

/** What the server lets me do in a project now; nothing until it is known. */
export function useProjectRights(projectId: string): ProjectRights {
  const { data: project } = useQuery(projectQuery(projectId));
  const state = useSession();
  const isMine = ({ created_by_id: creator }: Entry): boolean =>
    state.status === 'signed-in' && creator === state.user.uid;
  // Guests of the demo see what members can do; when they do it they are asked to sign in.
  const may = (right: ProjectRight): boolean =>
    (project?.rights.includes(right) ?? false) || (right === 'write' && project?.role === 'GUEST');
  return {
    may,
    mayChange: (entry) => may('change_others') || (may('write') && isMine(entry)),
    mayDelete: (entry) => may('delete_others') || (may('delete_own') && isMine(entry)),
  };
}

/** Whether I may add anything to a project. */
export const useMayWrite = (projectId: string): boolean => useProjectRights(projectId).may('write');
