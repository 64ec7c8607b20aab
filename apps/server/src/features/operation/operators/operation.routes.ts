import { operationApi } from '@heterosis/contracts/endpoints/operation/operation';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { bind } from '../../../platform/http/bind.ts';
import * as operation from './operation.service.ts';

/** The pages of operators. To everybody else none of these addresses exists. */
export const operationRoutes = (repeatable: operation.Repeatable): FeatureRoutes =>
  bind(operationApi, operation, { repeatable });
