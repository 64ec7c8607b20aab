import { dataPackagesApi } from '@heterosis/contracts/endpoints/operation/data-packages';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { bind } from '../../../platform/http/bind.ts';
import * as packages from './packages.service.ts';

/** Everything of a project or an organization as one archive, and back. */
export const dataPackageRoutes: FeatureRoutes = bind(dataPackagesApi, packages);
