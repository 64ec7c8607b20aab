import * as z from 'zod';
import { page, pageQuery } from '../../common.ts';
import { type Endpoints, get, post, put } from '../../endpoint.ts';
import {
  billing,
  checkout,
  checkoutBody,
  checkoutResult,
  confirmCheckoutBody,
  confirmedCheckout,
  invoice,
  organizationQuery,
  paymentMethodBody,
  priceList,
  receivedEvent,
  setupCredit,
  subscription,
  updateSubscriptionBody,
} from '../../people/billing.ts';

const OWNER = { organization: 'OWNER' } as const;
const MANAGER = { organization: 'MANAGER' } as const;

/** Plans, checkouts, cards, subscriptions and invoices. All of them also work while an organization is unpaid. */
export const billingApi = {
  listPrices: get('/stripe/price', 'signed-in', { summary: 'Prices of a seat', answer: priceList }),
  openCheckout: post('/checkout', 'signed-in', { summary: 'Subscribe', body: checkoutBody, answer: checkoutResult }),
  readCheckout: get('/checkouts/:id', 'signed-in', { summary: 'Read my checkout', answer: checkout }),
  confirmCheckout: post('/checkouts/:id/confirm', 'signed-in', {
    summary: 'Complete my checkout',
    body: confirmCheckoutBody,
    answer: confirmedCheckout,
  }),
  setUpCard: get('/setupcredit', 'signed-in', {
    summary: 'Begin to add a card',
    query: organizationQuery,
    answer: setupCredit,
  }),
  useCard: put('/paymentmethods', 'signed-in', {
    summary: 'Charge another card',
    body: paymentMethodBody,
    answer: subscription,
  }),
  readSubscription: get('/subscriptions/:id', 'signed-in', {
    summary: 'Read a subscription',
    params: { id: z.string().min(1).max(255) },
    answer: subscription,
  }),
  readBilling: get('/organizations/:organization_id/billing', MANAGER, {
    summary: 'Plan, seats and payment',
    answer: billing,
  }),
  changeSeats: put('/organizations/:organization_id/subscriptions', OWNER, {
    summary: 'Change the seats of the subscription',
    body: updateSubscriptionBody,
    answer: subscription,
    worksUnpaid: true,
  }),
  cancelSubscription: post('/organizations/:organization_id/subscriptions/cancel', OWNER, {
    summary: 'Cancel the subscription',
    answer: subscription,
    worksUnpaid: true,
  }),
  resumeSubscription: post('/organizations/:organization_id/subscriptions/resume', OWNER, {
    summary: 'Take back a cancellation',
    answer: subscription,
    worksUnpaid: true,
  }),
  listInvoices: get('/organizations/:organization_id/invoices', MANAGER, {
    summary: 'Invoices',
    query: pageQuery,
    answer: page(invoice),
  }),
  readInvoiceDocument: get('/organizations/:organization_id/invoices/:id/document', MANAGER, {
    summary: 'An invoice to print',
    description: 'For invoices without a `download_url`.',
    media: ['text/html'],
  }),
} as const satisfies Endpoints;

/** Where the payment service reports what has happened. */
export const stripeApi = {
  followStripe: post('/stripe/webhook', 'public', { summary: 'Events of Stripe', answer: receivedEvent }),
} as const satisfies Endpoints;
