export { announce } from './announce.ts';
export { deliverWebhookRegistration, sendWebhookMailRegistration } from './deliver-webhook.handler.ts';
export { sweepDeliveries } from './webhooks.queries.ts';
export { webhookRoutes } from './webhooks.routes.ts';
