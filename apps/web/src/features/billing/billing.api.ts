import { billing } from '@heterosis/contracts/billing';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api-client.ts';
import { keys } from '../../lib/query-keys.ts';

/** Plan, seats and payment of an organization; for its managers and owners. */
export const billingQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [...keys.billing(organizationId), 'overview'],
    queryFn: ({ signal }) => api.get(billing, `/organizations/${organizationId}/billing`, { signal }),
  });
