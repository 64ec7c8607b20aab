import type { Webhook, WebhookDelivery } from '@heterosis/contracts/people/webhooks';
import { Button, Code } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { Section } from '../../../components/page/section.tsx';
import { type DataColumn, DataTable } from '../../../components/table/data-table.tsx';
import { RelativeTime } from '../../../components/table/relative-time.tsx';
import { endlessRowsOf } from '../../../components/table/rows-of.ts';
import { StateBadge, type StateKind } from '../../../components/table/state-badge.tsx';
import { deliveriesQuery, useWebhookMutations } from './webhooks.api.ts';

const rowId = (delivery: WebhookDelivery): string => delivery.id;
/** Deliveries have no events, so they are asked for every so many milliseconds. */
const POLL_MS = 3_000;
const KINDS: Record<WebhookDelivery['state'], StateKind> = {
  WAITING: 'waiting',
  DELIVERED: 'success',
  FAILED: 'error',
};

/** What a webhook was told, newest first; what has ended can be sent again. */
export function WebhookDeliveries({
  organizationId,
  webhook,
  mayEdit,
}: {
  organizationId: string;
  webhook: Webhook;
  mayEdit: boolean;
}) {
  const { t } = useTranslation();
  const list = useInfiniteQuery({
    ...deliveriesQuery(organizationId, webhook.id),
    refetchInterval: POLL_MS,
  });
  const { test, resend } = useWebhookMutations(organizationId);
  const [shown, setShown] = useState<WebhookDelivery>();
  const columns: DataColumn<WebhookDelivery>[] = [
    {
      id: 'event',
      header: t('webhook.what'),
      value: ({ event }) => (event === 'test' ? t('webhook.testEvent') : t(`webhook.event.${event}`)),
      sortable: false,
      wrap: true,
      width: 130,
    },
    {
      id: 'created_at',
      header: t('audit.when'),
      value: ({ created_at }) => created_at,
      cell: ({ created_at }) => <RelativeTime date={created_at} />,
      sortable: false,
      width: 100,
    },
    {
      id: 'state',
      header: t('column.state'),
      value: ({ state }) => state,
      cell: ({ state }) => <StateBadge kind={KINDS[state]} label={t(`webhook.state.${state}`)} />,
      sortable: false,
      narrow: true,
      width: 110,
    },
    {
      id: 'answer',
      header: t('webhook.answer'),
      value: ({ status, error, took_ms }) =>
        error ?? (status === null ? null : t('webhook.answered', { status, ms: took_ms ?? 0 })),
      sortable: false,
      wrap: true,
      minWidth: 120,
    },
    {
      id: 'attempts',
      header: t('word.attempts'),
      value: ({ attempts }) => attempts,
      numeric: true,
      sortable: false,
      width: 90,
    },
    {
      id: 'actions',
      header: t('table.actions'),
      value: () => null,
      sortable: false,
      minWidth: 105,
      cell: (delivery) => (
        <span style={{ display: 'inline-flex', flexWrap: 'wrap', gap: '0.25rem' }}>
          <Button size="compact-xs" variant="default" onClick={() => setShown(delivery)}>
            {t('webhook.show')}
          </Button>
          {mayEdit && delivery.state !== 'WAITING' && (
            <Button
              size="compact-xs"
              variant="default"
              loading={resend.isPending && resend.variables.id === delivery.id}
              onClick={() => resend.mutate({ webhookId: webhook.id, id: delivery.id })}
            >
              {t('word.sendAgain')}
            </Button>
          )}
        </span>
      ),
    },
  ];
  return (
    <Section
      title={t('webhook.deliveriesOf', { name: webhook.name })}
      note={t('webhook.deliveriesNote')}
      action={
        mayEdit && (
          <Button size="xs" variant="default" loading={test.isPending} onClick={() => test.mutate(webhook.id)}>
            {t('webhook.test')}
          </Button>
        )
      }
    >
      {(test.error ?? resend.error) && <ErrorNotice error={test.error ?? resend.error} />}
      <DataTable
        id="webhook-deliveries"
        label={t('webhook.deliveriesOf', { name: webhook.name })}
        columns={columns}
        {...endlessRowsOf(list)}
        rowId={rowId}
        hasTools={false}
        empty={<p className="hx-muted">{t('webhook.noDeliveries')}</p>}
      />
      {shown && (
        <ModalFrame title={t('webhook.bodyTitle')} onClose={() => setShown(undefined)}>
          <Code block style={{ maxHeight: '60vh', overflow: 'auto' }}>
            {JSON.stringify(JSON.parse(shown.body), null, 2)}
          </Code>
        </ModalFrame>
      )}
    </Section>
  );
}
