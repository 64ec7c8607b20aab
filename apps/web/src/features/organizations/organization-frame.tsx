import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { PageNotFound } from '../../components/page-not-found.tsx';
import { isNotFound } from '../../lib/problem.ts';
import { organizationQuery } from './organizations.api.ts';

/** An organization that I was removed from, or that was deleted, is not found from then on. */
export function OrganizationFrame({ organizationId }: { organizationId: string }) {
  const { error } = useQuery(organizationQuery(organizationId));
  return isNotFound(error) ? <PageNotFound /> : <Outlet />;
}
