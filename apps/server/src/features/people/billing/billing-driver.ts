import type { Page } from '@heterosis/contracts/common';
import type { Billing, BillingKind, BillingState, Invoice, Price } from '@heterosis/contracts/people/billing';
import type { Queryable } from '../../../platform/database/database.ts';

/** A subscription as the driver knows it. */
export interface SubscriptionState {
  id: string;
  /** Of the payment service; null without one. */
  customerId: string | null;
  price: Pick<Price, 'id' | 'nickname' | 'unit_amount' | 'currency'>;
  quantity: number;
  state: BillingState;
  /** ISO 8601. */
  currentPeriodEnd: string;
  cancelAtPeriodEnd: boolean;
}

/** Somebody who wants to subscribe. */
export interface CheckoutRequest {
  id: string;
  price: Price;
  /** Null: a new organization, whose name is asked for during the checkout. */
  organizationName: string | null;
  /** Fewest seats that the organization needs. */
  minimumSeats: number;
  /** Of an earlier subscription of the organization. */
  customerId: string | null;
  email: string;
  /** Path of the page to return to when the checkout is given up. */
  backTo: string;
}

/** What was subscribed to. */
export interface CompletedCheckout {
  subscription: SubscriptionState;
  /** Of a new organization; null when none was asked for. */
  organizationName: string | null;
}

export interface InvoiceQuery {
  organizationId: string;
  customerId: string | null;
  limit: number;
  cursor: string | undefined;
}

/**
 * Who keeps the subscriptions: nobody but this installation (`offline`), or a payment service. A driver changes the
 * subscription and reports its state; storing that, seats and the audit trail are the service's.
 */
export interface BillingDriver {
  kind: BillingKind;
  /** In any order. */
  listPrices(): Promise<Price[]>;
  /** `url`: where the browser goes; `sessionId`: the checkout of the payment service, null for our own page. */
  openCheckout(request: CheckoutRequest): Promise<{ url: string; sessionId: string | null }>;
  /** A newer checkout of the same organization replaces it. */
  closeCheckout(sessionId: string): Promise<void>;
  /** Undefined while it is not paid. `answers` are those of our own page. */
  completeCheckout(
    checkout: { sessionId: string | null; price: Price | undefined },
    answers: { organizationName: string | undefined; quantity: number },
  ): Promise<CompletedCheckout | undefined>;
  /** Keeps a record of what has been charged for. */
  recordCharge(trx: Queryable, organizationId: string, charge: Charge): Promise<void>;
  readSubscription(known: SubscriptionState): Promise<SubscriptionState>;
  changeSeats(known: SubscriptionState, quantity: number, price: Price): Promise<SubscriptionState>;
  /** `now` pays nothing back; otherwise it ends with the year that is paid for. */
  cancel(known: SubscriptionState, when: 'now' | 'at-period-end'): Promise<SubscriptionState>;
  /** Takes back a cancellation at the end of the year. */
  resume(known: SubscriptionState): Promise<SubscriptionState>;
  /** Null: invoices are paid outside of Heterosis. */
  cards: CardDriver | null;
  readPayment(known: SubscriptionState): Promise<Pick<Billing, 'next_invoice' | 'payment_method'>>;
  listInvoices(db: Queryable, query: InvoiceQuery): Promise<Page<Invoice>>;
}

export interface CardDriver {
  /** A secret with which the browser may add a card for the customer. */
  setUp(known: SubscriptionState): Promise<string>;
  /** Charges this card from now on, and an open invoice at once. */
  use(known: SubscriptionState, token: string): Promise<SubscriptionState>;
}

/** A year of the subscription, or with `before` the rest of the year for what has changed. */
export interface Charge {
  subscription: SubscriptionState;
  before?: SubscriptionState;
}
