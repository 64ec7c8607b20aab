import { projectsApi } from '@heterosis/contracts/endpoints/people/projects';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { bind } from '../../../platform/http/bind.ts';
import * as overview from './overview.queries.ts';
import * as projects from './projects.service.ts';

export const projectRoutes = (kinds: readonly overview.OverviewKind[]): FeatureRoutes =>
  bind(projectsApi, { ...projects, ...overview }, { kinds });
