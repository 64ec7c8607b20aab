import { homeApi } from '@heterosis/contracts/endpoints/people/home';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { bind } from '../../../platform/http/bind.ts';
import type { OverviewKind } from '../projects/index.ts';
import * as home from './home.service.ts';

export const homeRoutes = (kinds: readonly OverviewKind[]): FeatureRoutes => bind(homeApi, home, { kinds });
