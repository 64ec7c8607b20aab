import {
  type createWebhookBody,
  type updateWebhookBody,
  webhook,
  webhookDelivery,
  webhookWithSecret,
} from '@heterosis/contracts/webhooks';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { api } from '../../../lib/api/api-client.ts';
import { endlessList, listAll } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';

const pathOf = (organizationId: string): string => `/organizations/${organizationId}/webhooks`;

export const webhooksQuery = (organizationId: string) =>
  queryOptions({
    queryKey: keys.webhooks(organizationId),
    queryFn: ({ signal }) => listAll(webhook, pathOf(organizationId), { signal }),
  });

export const deliveriesQuery = (organizationId: string, webhookId: string) =>
  endlessList({
    queryKey: [...keys.webhooks(organizationId), webhookId],
    path: `${pathOf(organizationId)}/${webhookId}/deliveries`,
    item: webhookDelivery,
  });

export function useWebhookMutations(organizationId: string) {
  const client = useQueryClient();
  const path = pathOf(organizationId);
  const onSuccess = () => client.invalidateQueries({ queryKey: keys.webhooks(organizationId) });
  return {
    create: useMutation({
      mutationFn: (body: z.input<typeof createWebhookBody>) => api.post(webhookWithSecret, path, body),
      onSuccess,
    }),
    change: useMutation({
      mutationFn: ({ id, ...body }: z.input<typeof updateWebhookBody> & { id: string }) =>
        api.put(webhookWithSecret, `${path}/${id}`, body),
      onSuccess,
    }),
    remove: useMutation({ mutationFn: (id: string) => api.delete(`${path}/${id}`), onSuccess }),
    test: useMutation({
      mutationFn: (id: string) => api.post(webhookDelivery, `${path}/${id}/test`, undefined),
      onSuccess,
    }),
    resend: useMutation({
      mutationFn: ({ webhookId, id }: { webhookId: string; id: string }) =>
        api.post(webhookDelivery, `${path}/${webhookId}/deliveries/${id}/resend`, undefined),
      onSuccess,
    }),
  };
}
