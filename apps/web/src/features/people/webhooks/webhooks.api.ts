import { webhooksApi } from '@heterosis/contracts/endpoints/people/webhooks';
import type { createWebhookBody, updateWebhookBody } from '@heterosis/contracts/people/webhooks';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type * as z from 'zod';
import { call } from '../../../lib/api/api-client.ts';
import { endlessList, listAll } from '../../../lib/api/pages.ts';
import { keys } from '../../../lib/api/query-keys.ts';

export const webhooksQuery = (organizationId: string) =>
  queryOptions({
    queryKey: keys.webhooks(organizationId),
    queryFn: ({ signal }) => listAll(webhooksApi.listOfOrganization, { organization_id: organizationId }, signal),
  });

export const deliveriesQuery = (organizationId: string, webhookId: string) =>
  endlessList({
    queryKey: [...keys.webhooks(organizationId), webhookId],
    endpoint: webhooksApi.listDeliveriesOf,
    request: { organization_id: organizationId, id: webhookId },
  });

export function useWebhookMutations(organizationId: string) {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: keys.webhooks(organizationId) });
  return {
    create: useMutation({
      mutationFn: (body: z.input<typeof createWebhookBody>) =>
        call(webhooksApi.createWebhook, { organization_id: organizationId, body }),
      onSuccess,
    }),
    change: useMutation({
      mutationFn: ({ id, ...body }: z.input<typeof updateWebhookBody> & { id: string }) =>
        call(webhooksApi.changeWebhook, { organization_id: organizationId, id, body }),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (id: string) => call(webhooksApi.removeWebhook, { organization_id: organizationId, id }),
      onSuccess,
    }),
    test: useMutation({
      mutationFn: (id: string) => call(webhooksApi.sendTest, { organization_id: organizationId, id }),
      onSuccess,
    }),
    resend: useMutation({
      mutationFn: ({ webhookId, id }: { webhookId: string; id: string }) =>
        call(webhooksApi.sendAgain, { organization_id: organizationId, webhook_id: webhookId, id }),
      onSuccess,
    }),
  };
}
