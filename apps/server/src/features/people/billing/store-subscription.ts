import type { AuditAction } from '@heterosis/contracts/people/audit';
import { recordAuditEvent } from '../../../platform/audit/audit-events.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { publishOrganization } from '../../../platform/events/events.ts';
import type { Principal } from '../../../platform/http/access.ts';
import { updateOrganizationBilling } from '../organizations/index.ts';
import type { SubscriptionState } from './billing-driver.ts';
import { type StoredSubscription, upsertSubscription } from './subscriptions.queries.ts';

/** Who caused a change; undefined for the payment service and for the passing of time. */
export interface Cause {
  principal: Principal;
  requestId?: string | undefined;
}

/**
 * Stores the state of a subscription that is known already, and of its organization. Does nothing when nothing has
 * changed, so that one change leaves one line in the audit trail however often it is reported. The caller has locked
 * the subscription.
 */
export async function storeSubscription(
  trx: Queryable,
  before: StoredSubscription,
  after: SubscriptionState,
  cause?: Cause,
): Promise<void> {
  const actions = changesOf(before, after);
  if (actions.length === 0 && isSame(before, after)) return;
  const { organizationId } = before;
  await upsertSubscription(trx, organizationId, after);
  if (before.isCurrent) await applyToOrganization(trx, organizationId, after);
  for (const action of actions)
    await recordAuditEvent(trx, {
      action,
      actor: cause?.principal,
      organizationId,
      targetType: 'subscription',
      targetId: after.id,
      details: detailsOf(before, after),
      ...(cause === undefined ? {} : { requestId: cause.requestId }),
    });
}

/** The organization has the seats and the state of this subscription from now on. */
export async function applyToOrganization(
  trx: Queryable,
  organizationId: string,
  { id, quantity, state }: SubscriptionState,
): Promise<void> {
  await updateOrganizationBilling(trx, organizationId, {
    subscription_id: id,
    seat_total: quantity,
    billing_state: state,
  });
  // To all who see the organization or one of its projects: a banner appears or goes.
  await publishOrganization(trx, organizationId);
}

function changesOf(before: SubscriptionState, after: SubscriptionState): AuditAction[] {
  const actions: AuditAction[] = [];
  if (after.quantity !== before.quantity) actions.push('billing.seats-changed');
  if (after.state !== before.state)
    actions.push(
      after.state === 'past_due'
        ? 'billing.payment-failed'
        : after.state === 'cancelled'
          ? 'billing.subscription-cancelled'
          : 'billing.payment-received',
    );
  if (after.cancelAtPeriodEnd !== before.cancelAtPeriodEnd || after.price.id !== before.price.id)
    actions.push('billing.subscription-changed');
  return actions;
}

const isSame = (before: SubscriptionState, after: SubscriptionState): boolean =>
  Date.parse(before.currentPeriodEnd) === Date.parse(after.currentPeriodEnd) &&
  before.customerId === after.customerId &&
  before.price.unit_amount === after.price.unit_amount &&
  before.price.nickname === after.price.nickname;

const detailsOf = (before: SubscriptionState, after: SubscriptionState) => ({
  seats: { from: before.quantity, to: after.quantity },
  state: { from: before.state, to: after.state },
  cancel_at_period_end: after.cancelAtPeriodEnd,
  price_id: after.price.id,
});
