import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { NoRight, useLacksRight } from '../../../components/page/no-right.tsx';
import { PageNotFound } from '../../../components/page/page-not-found.tsx';
import { isNotFound } from '../../../lib/api/problem.ts';
import { UnpaidBanner } from '../billing/index.ts';
import { organizationQuery } from './organizations.api.ts';

/** An organization that I was removed from, or that was deleted, is not found from then on. */
export function OrganizationFrame({ organizationId }: { organizationId: string }) {
  const { data: organization, error } = useQuery(organizationQuery(organizationId));
  const lacksRight = useLacksRight(organization?.rights);
  if (isNotFound(error)) return <PageNotFound />;
  return (
    <>
      {organization && (
        <UnpaidBanner organizationId={organizationId} state={organization.billing_state} role={organization.role} />
      )}
      {lacksRight ? <NoRight /> : <Outlet />}
    </>
  );
}
