import { page, pageQuery, pathId } from '@heterosis/contracts/common';
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
  setupCredit,
  subscription,
  updateSubscriptionBody,
} from '@heterosis/contracts/people/billing';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { requireOrganizationAccess, requirePrincipal } from '../../../platform/http/access.ts';
import type { App, FeatureRoutes, Services } from '../../../platform/http/app.ts';
import {
  cancelSubscription,
  changeSeats,
  listInvoices,
  listPrices,
  readBilling,
  readInvoiceDocument,
  readSubscription,
  resumeSubscription,
  setUpCard,
  useCard,
} from './billing.service.ts';
import type { BillingDriver } from './billing-driver.ts';
import { confirmCheckout, openCheckout, readCheckout } from './checkouts.service.ts';

type Context = Services & { driver: BillingDriver };

/** Plans, checkouts, subscriptions, cards and invoices. All of them also work while an organization is unpaid. */
export const billingRoutes =
  (driver: BillingDriver): FeatureRoutes =>
  (app, services) => {
    const context = { ...services, driver };
    registerCheckouts(app, context);
    registerCards(app, context);
    registerSubscription(app, context);
    registerInvoices(app, context);
  };

const causeOf = (request: FastifyRequest) => ({ principal: requirePrincipal(request), requestId: request.id });
const organizationOf = (request: FastifyRequest) => requireOrganizationAccess(request).organizationId;
const params = z.object({ organization_id: pathId });

function registerCheckouts(app: App, context: Context): void {
  app.get(
    '/stripe/price',
    { config: { guard: 'signed-in' }, schema: { summary: 'Prices of a seat', response: { 200: priceList } } },
    async () => listPrices(context.driver),
  );
  app.post(
    '/checkout',
    {
      config: { guard: 'signed-in' },
      schema: { summary: 'Subscribe', body: checkoutBody, response: { 200: checkoutResult } },
    },
    async (request) => openCheckout(context, causeOf(request), request.body),
  );
  const one = z.object({ id: pathId });
  app.get(
    '/checkouts/:id',
    {
      config: { guard: 'signed-in' },
      schema: { summary: 'Read my checkout', params: one, response: { 200: checkout } },
    },
    async (request) => readCheckout(context, causeOf(request), request.params.id),
  );
  app.post(
    '/checkouts/:id/confirm',
    {
      config: { guard: 'signed-in' },
      schema: {
        summary: 'Complete my checkout',
        params: one,
        body: confirmCheckoutBody,
        response: { 200: confirmedCheckout },
      },
    },
    async (request) => confirmCheckout(context, causeOf(request), request.params.id, request.body),
  );
}

function registerCards(app: App, context: Context): void {
  app.get(
    '/setupcredit',
    {
      config: { guard: 'signed-in' },
      schema: { summary: 'Begin to add a card', querystring: organizationQuery, response: { 200: setupCredit } },
    },
    async (request) => setUpCard(context, causeOf(request), request.query.organization_id),
  );
  app.put(
    '/paymentmethods',
    {
      config: { guard: 'signed-in' },
      schema: { summary: 'Charge another card', body: paymentMethodBody, response: { 200: subscription } },
    },
    async (request) => useCard(context, causeOf(request), request.body),
  );
}

function registerSubscription(app: App, context: Context): void {
  app.get(
    '/subscriptions/:id',
    {
      config: { guard: 'signed-in' },
      schema: {
        summary: 'Read a subscription',
        params: z.object({ id: z.string().min(1).max(255) }),
        response: { 200: subscription },
      },
    },
    async (request) => readSubscription(context, causeOf(request), request.params.id),
  );
  app.get(
    '/organizations/:organization_id/billing',
    {
      config: { guard: { organization: 'MANAGER' } },
      schema: { summary: 'Plan, seats and payment', params, response: { 200: billing } },
    },
    async (request) => readBilling(context, organizationOf(request)),
  );
  app.put(
    '/organizations/:organization_id/subscriptions',
    {
      config: { guard: { organization: 'OWNER' }, worksUnpaid: true },
      schema: {
        summary: 'Change the seats of the subscription',
        params,
        body: updateSubscriptionBody,
        response: { 200: subscription },
      },
    },
    async (request) => changeSeats(context, causeOf(request), organizationOf(request), request.body),
  );
  app.post(
    '/organizations/:organization_id/subscriptions/cancel',
    {
      config: { guard: { organization: 'OWNER' }, worksUnpaid: true },
      schema: { summary: 'Cancel the subscription', params, response: { 200: subscription } },
    },
    async (request) => cancelSubscription(context, causeOf(request), organizationOf(request)),
  );
  app.post(
    '/organizations/:organization_id/subscriptions/resume',
    {
      config: { guard: { organization: 'OWNER' }, worksUnpaid: true },
      schema: { summary: 'Take back a cancellation', params, response: { 200: subscription } },
    },
    async (request) => resumeSubscription(context, causeOf(request), organizationOf(request)),
  );
}

function registerInvoices(app: App, context: Context): void {
  app.get(
    '/organizations/:organization_id/invoices',
    {
      config: { guard: { organization: 'MANAGER' } },
      schema: { summary: 'Invoices', params, querystring: pageQuery, response: { 200: page(invoice) } },
    },
    async (request) => listInvoices(context, organizationOf(request), request.query),
  );
  app.get(
    '/organizations/:organization_id/invoices/:id/document',
    {
      config: { guard: { organization: 'MANAGER' }, media: ['text/html'] },
      schema: {
        summary: 'An invoice to print',
        description: 'For invoices without a `download_url`.',
        params: params.extend({ id: pathId }),
      },
    },
    async (request, reply) => {
      const html = await readInvoiceDocument(context, organizationOf(request), request.params.id);
      return reply.type('text/html; charset=utf-8').header('content-disposition', 'attachment').send(html);
    },
  );
}
