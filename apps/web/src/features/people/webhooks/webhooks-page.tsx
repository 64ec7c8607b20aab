import type { Webhook } from '@heterosis/contracts/people/webhooks';
import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { Page } from '../../../components/page/page.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { StateBadge, type StateKind } from '../../../components/table/state-badge.tsx';
import { organizationQuery, useOrganizationRights } from '../organizations/index.ts';
import { WebhookDeliveries } from './webhook-deliveries.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import { useWebhookMutations, webhooksQuery } from './webhooks.api.ts';

type WebhookState = 'on' | 'failing' | 'off' | 'gaveUp';

function stateOf({ is_active, failing_since, switched_off_at }: Webhook): WebhookState {
  if (!is_active) return switched_off_at === null ? 'off' : 'gaveUp';
  return failing_since === null ? 'on' : 'failing';
}

const BADGES: Record<WebhookState, StateKind> = { on: 'success', failing: 'warning', off: 'waiting', gaveUp: 'error' };

const rowId = (webhook: Webhook): string => webhook.id;

/** The addresses that an organization is called at, and what came of the calls. */
export function WebhooksPage({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation();
  const { data: organization } = useQuery(organizationQuery(organizationId));
  const { data: webhooks, error, isPending, refetch } = useQuery(webhooksQuery(organizationId));
  const mayEdit = useOrganizationRights(organizationId)('change_webhooks');
  const { change, remove } = useWebhookMutations(organizationId);
  const [editing, setEditing] = useState<Webhook | 'new'>();
  const [deleting, setDeleting] = useState<Webhook>();
  const [chosenId, setChosenId] = useState<string>();
  const chosen = webhooks?.find(({ id }) => id === chosenId) ?? webhooks?.[0];
  const columns: DataColumn<Webhook>[] = [
    { id: 'name', header: t('column.name'), value: ({ name }) => name, wrap: true, minWidth: 125 },
    { id: 'url', header: t('webhook.url'), value: ({ url }) => url, wrap: true, minWidth: 130 },
    {
      id: 'events',
      header: t('webhook.events'),
      value: ({ events }) => events.map((event) => t(`webhook.event.${event}`)).join(' · '),
      wrap: true,
      minWidth: 125,
    },
    {
      id: 'state',
      header: t('column.state'),
      value: stateOf,
      cell: (webhook) => (
        <StateBadge kind={BADGES[stateOf(webhook)]} label={t(`webhook.webhookState.${stateOf(webhook)}`)} />
      ),
      narrow: true,
      minWidth: 95,
    },
  ];
  return (
    <Page
      title={t('nav.webhooks')}
      crumbs={[
        {
          label: organization?.name ?? '…',
          link: { to: '/organizations/$organizationId', params: { organizationId } },
        },
        { label: t('nav.webhooks') },
      ]}
      action={mayEdit && <Button onClick={() => setEditing('new')}>{t('webhook.add')}</Button>}
    >
      <p className="hx-muted" style={{ margin: 0 }}>
        {t('webhook.note')}
      </p>
      {change.error && <ErrorNotice error={change.error} />}
      <DataTable
        id="webhooks"
        label={t('nav.webhooks')}
        columns={columns}
        rows={webhooks}
        rowId={rowId}
        isLoading={isPending}
        error={error}
        onRetry={() => void refetch()}
        hasTools={false}
        onOpen={({ id }) => setChosenId(id)}
        isMarked={({ id }) => id === chosen?.id}
        rowMenu={(webhook) => (
          <>
            {mayEdit && (
              <>
                <Menu.Item onClick={() => setEditing(webhook)}>{t('action.edit')}</Menu.Item>
                <Menu.Item onClick={() => change.mutate({ id: webhook.id, is_active: !webhook.is_active })}>
                  {t(webhook.is_active ? 'webhook.switchOff' : 'webhook.switchOn')}
                </Menu.Item>
                <Menu.Divider />
              </>
            )}
            {/* Whoever sees this page may delete, also while the organization can only be read. */}
            <Menu.Item className="hx-danger" onClick={() => setDeleting(webhook)}>
              {t('webhook.delete')}
            </Menu.Item>
          </>
        )}
        empty={<EmptyState title={t('webhook.none')}>{t('webhook.noneText')}</EmptyState>}
      />
      {chosen && (
        <WebhookDeliveries key={chosen.id} organizationId={organizationId} webhook={chosen} mayEdit={mayEdit} />
      )}
      {editing && (
        <WebhookDialog
          organizationId={organizationId}
          webhook={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
      {deleting && (
        <ConfirmDialog
          title={t('action.deleteTitle', { name: deleting.name })}
          confirmLabel={t('webhook.delete')}
          onConfirm={() => remove.mutateAsync(deleting.id)}
          onClose={() => setDeleting(undefined)}
        >
          {t('webhook.deleteText')}
        </ConfirmDialog>
      )}
    </Page>
  );
}
