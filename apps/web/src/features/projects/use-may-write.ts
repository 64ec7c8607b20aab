import { useQuery } from '@tanstack/react-query';
import { projectQuery } from './projects.api.ts';

/**
 * Whether this person may change anything in the project; true until it is known. The server decides, this only spares
 * refusals.
 */
export function useMayWrite(projectId: string): boolean {
  const { data: project } = useQuery(projectQuery(projectId));
  if (project === undefined) return true;
  return project.billing_state === 'active' && !(project.members_read_only && project.role === 'MEMBER');
}
