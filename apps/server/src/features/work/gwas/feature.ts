import type { KindOfRun } from '../runs/kind/index.ts';
import { fineMapRegistration } from './fine-maps/fine-map.handler.ts';
import { gwas } from './gwas.kind.ts';
import { gwasRoutes } from './gwas.routes.ts';
import { gwasJobRegistrations } from './run-gwas.handler.ts';

export const gwasFeature: KindOfRun = {
  definition: gwas,
  routes: () => gwasRoutes,
  jobs: (services) => [...gwasJobRegistrations(services), fineMapRegistration(services)],
};
