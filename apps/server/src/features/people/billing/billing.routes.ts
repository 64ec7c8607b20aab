import { billingApi } from '@heterosis/contracts/endpoints/people/billing';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { bind } from '../../../platform/http/bind.ts';
import * as billing from './billing.service.ts';
import type { BillingDriver } from './billing-driver.ts';
import * as checkouts from './checkouts.service.ts';

export const billingRoutes = (driver: BillingDriver): FeatureRoutes =>
  bind(
    billingApi,
    {
      ...billing,
      ...checkouts,
      readInvoiceDocument: (call, input, { reply }) => {
        reply.header('content-disposition', 'attachment');
        return billing.readInvoiceDocument(call, input);
      },
    },
    { driver },
  );
