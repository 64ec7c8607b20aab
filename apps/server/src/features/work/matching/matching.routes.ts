import { matchingApi } from '@heterosis/contracts/endpoints/work/matching';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { bind } from '../../../platform/http/bind.ts';
import * as estimate from './estimate-run.service.ts';
import * as match from './match-files.service.ts';

export const matchingRoutes = (matchModel: match.MatchModel): FeatureRoutes =>
  bind(matchingApi, { ...match, ...estimate }, { matchModel });
