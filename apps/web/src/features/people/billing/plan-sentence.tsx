import type { Billing } from '@heterosis/contracts/people/billing';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { formatDay, formatMoney } from '../../../lib/format/format.ts';
import { billingQuery } from './billing.api.ts';

/**
 * Plan and next invoice of an organization in a sentence, with the way to the billing page. For managers and owners;
 * empty until it is known.
 */
export function PlanSentence({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation();
  const { data: billing } = useQuery(billingQuery(organizationId));
  if (!billing) return null;
  return (
    <>
      {describePlan(t, billing)}{' '}
      <Link to="/organizations/$organizationId/billing" params={{ organizationId }} className="hx-link">
        {t('billing.manage')}
      </Link>
    </>
  );
}

/** `Standard plan with 12 seats. Next invoice: $1,440 on 22 Nov 2027.` */
export function describePlan(t: TFunction, { subscription, state, seat_total, next_invoice }: Billing): string {
  if (subscription === null) return t('billing.none', { seats: t('billing.seatCount', { count: seat_total }) });
  const sentences = [
    t('billing.plan', {
      plan: subscription.plan.nickname ?? t('billing.unnamedPlan'),
      seats: t('billing.seatCount', { count: subscription.quantity }),
    }),
  ];
  if (state === 'cancelled') sentences.push(t('billing.ended'));
  else if (state === 'past_due') sentences.push(t('billing.pastDue'));
  else if (subscription.cancel_at_period_end)
    sentences.push(t('billing.endsOn', { date: formatDay(subscription.current_period_end) }));
  else if (next_invoice !== null)
    sentences.push(
      t('billing.nextInvoice', {
        amount: formatMoney(next_invoice.amount, next_invoice.currency),
        date: formatDay(next_invoice.date),
      }),
    );
  return sentences.join(' ');
}
