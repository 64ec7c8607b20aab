import { exampleApi } from '@heterosis/contracts/endpoints/operation/example';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { bind } from '../../../platform/http/bind.ts';
import * as example from './example.service.ts';

export const exampleRoutes: FeatureRoutes = bind(exampleApi, example);
