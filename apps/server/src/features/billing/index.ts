export { billingRoutes } from './billing.routes.ts';
export { endSubscription, renewSubscriptions } from './billing.service.ts';
export { createBillingDriver } from './create-billing.ts';
