import { billingApi } from '@heterosis/contracts/endpoints/people/billing';
import type { updateSubscriptionBody } from '@heterosis/contracts/people/billing';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type * as z from 'zod';
import { call } from '../../../lib/api/api-client.ts';
import { endlessList } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';

/** Plan, seats and payment of an organization; for its managers and owners. */
export const billingQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [...keys.billing(organizationId), 'overview'],
    queryFn: ({ signal }) => call(billingApi.readBilling, { organization_id: organizationId }, { signal }),
  });

export const pricesQuery = () =>
  queryOptions({
    queryKey: keys.prices,
    queryFn: async ({ signal }) => (await call(billingApi.listPrices, {}, { signal })).data,
  });

export const invoicesQuery = (organizationId: string) =>
  endlessList({
    queryKey: [...keys.billing(organizationId), 'invoices'],
    endpoint: billingApi.listInvoices,
    request: { organization_id: organizationId },
  });

export const readInvoiceDocument = async (organizationId: string, id: string): Promise<string> =>
  (await call(billingApi.readInvoiceDocument, { organization_id: organizationId, id })).text();

/** Opens a checkout and goes where it is completed: to our own page or to that of the payment service. */
export function useSubscribe(organizationId: string | undefined) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (priceId: string) => {
      const organization = organizationId === undefined ? {} : { organization_id: organizationId };
      const { url } = await call(billingApi.openCheckout, { body: { price_id: priceId, ...organization } });
      const own = /^\/checkout\/([^/]+)$/.exec(url)?.[1];
      if (own === undefined) window.location.assign(url);
      else await navigate({ to: '/checkout/$checkoutId', params: { checkoutId: own } });
    },
  });
}

export const checkoutQuery = (checkoutId: string) =>
  queryOptions({
    queryKey: [...keys.checkouts, checkoutId],
    queryFn: ({ signal }) => call(billingApi.readCheckout, { id: checkoutId }, { signal }),
  });

export function useConfirmCheckout(checkoutId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { organization_name?: string; quantity?: number }) =>
      call(billingApi.confirmCheckout, { id: checkoutId, body }),
    // The next page would ask for an organization again if it found the list still empty.
    onSuccess: () => client.invalidateQueries({ queryKey: keys.organizations, refetchType: 'all' }),
  });
}

export function useChangeSeats(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof updateSubscriptionBody>) =>
      call(billingApi.changeSeats, { organization_id: organizationId, body }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.organization(organizationId) }),
  });
}

/** Cancels the subscription at the end of the year, or takes that back. */
export function useEndOrResume(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (what: 'cancel' | 'resume') =>
      call(what === 'cancel' ? billingApi.cancelSubscription : billingApi.resumeSubscription, {
        organization_id: organizationId,
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.organization(organizationId) }),
  });
}

/** Once for each opening of the dialog: the secret is good for one card. */
export const readSetupCredit = async (organizationId: string): Promise<string> =>
  (await call(billingApi.setUpCard, { query: { organization_id: organizationId } })).client_secret;

export function useCard(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => call(billingApi.useCard, { body: { token, organization_id: organizationId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.organizations }),
  });
}
