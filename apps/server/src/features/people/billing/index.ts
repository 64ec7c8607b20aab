export { billingRoutes } from './billing.routes.ts';
export { endSubscription, renewSubscriptions } from './billing.service.ts';
export { createBilling } from './create-billing.ts';
export { stripeWebhookRoutes } from './stripe-webhook.routes.ts';
