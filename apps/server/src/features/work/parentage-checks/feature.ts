import type { KindOfRun } from '../runs/kind/index.ts';
import { parentageChecks } from './parentage-check.kind.ts';
import { parentageCheckRoutes } from './parentage-checks.routes.ts';
import { parentageCheckJobRegistrations } from './run-parentage-check.handler.ts';

export const parentageCheckFeature: KindOfRun = {
  definition: parentageChecks,
  routes: () => parentageCheckRoutes,
  jobs: parentageCheckJobRegistrations,
};
