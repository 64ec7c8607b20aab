import type { Config } from '../../../platform/config/config.ts';
import type { BillingDriver } from './billing-driver.ts';
import { createOfflineDriver } from './offline-driver.ts';
import { createStripeClient } from './stripe-client.ts';
import { createStripeDriver } from './stripe-driver.ts';
import type { ReadEvent } from './stripe-webhook.routes.ts';

export interface BillingSetup {
  driver: BillingDriver;
  /** Undefined without Stripe. */
  readEvent: ReadEvent | undefined;
}

/** The driver that the setting BILLING names. */
export function createBilling({ billing, publicUrl }: Pick<Config, 'billing' | 'publicUrl'>): BillingSetup {
  if (billing.kind === 'offline') return { driver: createOfflineDriver(billing), readEvent: undefined };
  const { call, load } = createStripeClient(billing);
  return {
    driver: createStripeDriver({ call, publicUrl, product: billing.product }),
    readEvent: async (body, signature) =>
      (await load()).webhooks.constructEvent(body, signature, billing.webhookSecret),
  };
}
