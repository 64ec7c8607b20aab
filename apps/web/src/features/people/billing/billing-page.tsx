import type { Billing } from '@heterosis/contracts/people/billing';
import type { OrganizationDetail } from '@heterosis/contracts/people/organizations';
import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { type Fact, FactsStrip } from '../../../components/page/facts-strip.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { Page } from '../../../components/page/page.tsx';
import { Section } from '../../../components/page/section.tsx';
import { useModal } from '../../../lib/browser/modal.ts';
import { formatCount, formatDay, formatMoney } from '../../../lib/format/format.ts';
import { billingQuery, useEndOrResume } from './billing.api.ts';
import { Invoices } from './invoices.tsx';
import { describePlan } from './plan-sentence.tsx';
import { PriceCards } from './price-cards.tsx';

/** Plan, seats, payment and invoices of an organization; its owners change them, its managers read them. */
export function BillingPage({ organization }: { organization: OrganizationDetail }) {
  const { t } = useTranslation();
  const modal = useModal();
  const organizationId = organization.id;
  const { data: billing, error, refetch } = useQuery(billingQuery(organizationId));
  const isOwner = organization.rights.includes('change_billing');
  const hasPlan = billing?.subscription != null && billing.state !== 'cancelled';
  return (
    <Page
      title={t('nav.billing')}
      crumbs={[
        { label: organization.name, link: { to: '/organizations/$organizationId', params: { organizationId } } },
        { label: t('nav.billing') },
      ]}
      action={
        isOwner &&
        hasPlan &&
        billing.state === 'active' && (
          <Button onClick={() => modal.open('update-plan', organizationId)}>{t('billing.updatePlan')}</Button>
        )
      }
    >
      {error && !billing && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!billing && !error && <SkeletonLines lines={5} />}
      {billing && (
        <>
          <p>{describePlan(t, billing)}</p>
          {hasPlan && <FactsStrip facts={factsOf(billing, t)} />}
          {hasPlan && isOwner && <PlanActions billing={billing} />}
          {!hasPlan && isOwner && (
            <Section title={t('billing.choosePlan')}>
              <PriceCards organizationId={organizationId} />
            </Section>
          )}
          {!isOwner && <p>{t('billing.ownersOnly')}</p>}
          {billing.subscription !== null && <Invoices organizationId={organizationId} />}
        </>
      )}
    </Page>
  );
}

function factsOf({ subscription, seat_total, seat_usage, payment_method: card, kind }: Billing, t: TFunction): Fact[] {
  if (subscription === null) return [];
  const { plan, current_period_end, cancel_at_period_end } = subscription;
  return [
    {
      label: t('word.seats'),
      value: t('organization.seatsUsed', { used: formatCount(seat_usage), total: formatCount(seat_total) }),
    },
    { label: t('billing.pricePerSeat'), value: formatMoney(plan.amount, plan.currency) },
    { label: t('billing.yearlyPrice'), value: formatMoney(plan.amount * subscription.quantity, plan.currency) },
    {
      label: t(cancel_at_period_end ? 'billing.endsLabel' : 'billing.renewsLabel'),
      value: formatDay(current_period_end),
    },
    {
      label: t('billing.paymentMethod'),
      value:
        card === null
          ? t(kind === 'offline' ? 'billing.byInvoice' : 'billing.noCard')
          : t('billing.card', {
              brand: card.brand.charAt(0).toUpperCase() + card.brand.slice(1),
              last4: card.last4,
              expires: `${String(card.exp_month).padStart(2, '0')}/${card.exp_year}`,
            }),
    },
  ];
}

function PlanActions({ billing }: { billing: Billing }) {
  const { t } = useTranslation();
  const modal = useModal();
  const { organization_id: id, subscription, kind, state } = billing;
  const [isCancelling, setCancelling] = useState(false);
  const change = useEndOrResume(id);
  if (subscription === null) return null;
  return (
    <>
      <Group gap="xs">
        {kind === 'stripe' && (
          <Button
            variant={state === 'past_due' ? 'filled' : 'default'}
            onClick={() => modal.open('add-credit-card', id)}
          >
            {t('billing.addCard')}
          </Button>
        )}
        {subscription.cancel_at_period_end ? (
          <Button variant="default" loading={change.isPending} onClick={() => change.mutate('resume')}>
            {t('billing.resume')}
          </Button>
        ) : (
          <Button variant="default" onClick={() => setCancelling(true)}>
            {t('billing.cancel')}
          </Button>
        )}
      </Group>
      {change.isError && !isCancelling && <ErrorNotice error={change.error} />}
      {isCancelling && (
        <ConfirmDialog
          title={t('billing.cancelTitle')}
          confirmLabel={t('billing.cancel')}
          cancelLabel={t('billing.keep')}
          onConfirm={() => change.mutateAsync('cancel')}
          onClose={() => setCancelling(false)}
        >
          {state === 'active'
            ? t('billing.cancelText', { date: formatDay(subscription.current_period_end) })
            : t('billing.cancelNowText')}
        </ConfirmDialog>
      )}
    </>
  );
}
