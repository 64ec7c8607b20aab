import { webhooksApi } from '@heterosis/contracts/endpoints/people/webhooks';
import { bind } from '../../../platform/http/bind.ts';
import * as webhooks from './webhooks.service.ts';

/** Addresses that an organization has changes told to. */
export const webhookRoutes = bind(webhooksApi, webhooks);
