import { organizationsApi } from '@heterosis/contracts/endpoints/people/organizations';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { bind } from '../../../platform/http/bind.ts';
import * as organizations from './organizations.service.ts';

/** `endSubscription` ends the subscription of an organization that is deleted. */
export const organizationRoutes = (endSubscription: organizations.EndSubscription): FeatureRoutes =>
  bind(organizationsApi, organizations, { endSubscription });
