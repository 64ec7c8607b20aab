import {
  billing,
  checkout,
  checkoutResult,
  confirmedCheckout,
  invoice,
  priceList,
  setupCredit,
  subscription,
  type updateSubscriptionBody,
} from '@heterosis/contracts/people/billing';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type * as z from 'zod';
import { api } from '../../../lib/api/api-client.ts';
import { endlessListAt } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';

/** Plan, seats and payment of an organization; for its managers and owners. */
export const billingQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [...keys.billing(organizationId), 'overview'],
    queryFn: ({ signal }) => api.get(billing, `/organizations/${organizationId}/billing`, { signal }),
  });

export const pricesQuery = () =>
  queryOptions({
    queryKey: keys.prices,
    queryFn: async ({ signal }) => (await api.get(priceList, '/stripe/price', { signal })).data,
  });

export const invoicesQuery = (organizationId: string) =>
  endlessListAt({
    queryKey: [...keys.billing(organizationId), 'invoices'],
    path: `/organizations/${organizationId}/invoices`,
    item: invoice,
  });

export const readInvoiceDocument = (organizationId: string, id: string): Promise<string> =>
  api.text(`/organizations/${organizationId}/invoices/${id}/document`);

/** Opens a checkout and goes where it is completed: to our own page or to that of the payment service. */
export function useSubscribe(organizationId: string | undefined) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (priceId: string) => {
      const organization = organizationId === undefined ? {} : { organization_id: organizationId };
      const { url } = await api.post(checkoutResult, '/checkout', { price_id: priceId, ...organization });
      const own = /^\/checkout\/([^/]+)$/.exec(url)?.[1];
      if (own === undefined) window.location.assign(url);
      else await navigate({ to: '/checkout/$checkoutId', params: { checkoutId: own } });
    },
  });
}

export const checkoutQuery = (checkoutId: string) =>
  queryOptions({
    queryKey: [...keys.checkouts, checkoutId],
    queryFn: ({ signal }) => api.get(checkout, `/checkouts/${checkoutId}`, { signal }),
  });

export function useConfirmCheckout(checkoutId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { organization_name?: string; quantity?: number }) =>
      api.post(confirmedCheckout, `/checkouts/${checkoutId}/confirm`, body),
    // The next page would ask for an organization again if it found the list still empty.
    onSuccess: () => client.invalidateQueries({ queryKey: keys.organizations, refetchType: 'all' }),
  });
}

export function useChangeSeats(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof updateSubscriptionBody>) =>
      api.put(subscription, `/organizations/${organizationId}/subscriptions`, body),
    onSettled: () => client.invalidateQueries({ queryKey: keys.organization(organizationId) }),
  });
}

/** Cancels the subscription at the end of the year, or takes that back. */
export function useEndOrResume(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (what: 'cancel' | 'resume') =>
      api.post(subscription, `/organizations/${organizationId}/subscriptions/${what}`, undefined),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.organization(organizationId) }),
  });
}

/** Once for each opening of the dialog: the secret is good for one card. */
export const readSetupCredit = async (organizationId: string): Promise<string> =>
  (await api.get(setupCredit, '/setupcredit', { query: { organization_id: organizationId } })).client_secret;

export function useCard(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => api.put(subscription, '/paymentmethods', { token, organization_id: organizationId }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.organizations }),
  });
}
