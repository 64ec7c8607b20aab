import type { KindOfRun } from '../runs/kind/index.ts';
import { programmes } from './programme.kind.ts';
import { programmeRoutes } from './programmes.routes.ts';
import { programmeJobRegistrations } from './run-programme.handler.ts';

export const programmeFeature: KindOfRun = {
  definition: programmes,
  routes: () => programmeRoutes,
  jobs: programmeJobRegistrations,
};
