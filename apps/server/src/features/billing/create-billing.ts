import type { Config } from '../../platform/config/config.ts';
import type { BillingDriver } from './billing-driver.ts';
import { createOfflineDriver } from './offline-driver.ts';

/** The driver that the setting BILLING names. */
export function createBillingDriver({ billing }: Pick<Config, 'billing'>): BillingDriver {
  if (billing.kind === 'offline') return createOfflineDriver(billing);
  throw new Error('not yet');
}
