import type { Project } from '@heterosis/contracts/projects';
import { useQuery } from '@tanstack/react-query';
import { organizationsQuery } from '../organizations/index.ts';

/** Whether the server lets me delete a project: its owners, and managers and owners of its organization. */
export function useMayDeleteProject(): (project: Pick<Project, 'role' | 'organization'>) => boolean {
  const { data: organizations = [] } = useQuery(organizationsQuery());
  return ({ role, organization }) =>
    role === 'OWNER' ||
    organizations.some((one) => one.id === organization?.id && (one.role === 'OWNER' || one.role === 'MANAGER'));
}
