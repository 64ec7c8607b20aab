import { estimateBody, runEstimate } from '@heterosis/contracts/estimates';
import { matchBody, matchResult } from '@heterosis/contracts/match';
import { requireProjectAccess } from '../../../platform/http/access.ts';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { inProject } from '../../../platform/http/project-routes.ts';
import { estimateRun } from './estimate-run.service.ts';
import { type MatchModel, matchInputs } from './match-files.service.ts';

export const matchingRoutes =
  (matchModel: MatchModel): FeatureRoutes =>
  (app, services) => {
    app.post(
      '/projects/:project_id/match',
      {
        // The dialogs send this request again after every choice.
        config: { guard: { project: 'MEMBER' }, readOnly: true, rateLimit: { max: 300, timeWindow: '1 minute' } },
        schema: {
          summary: 'What the chosen inputs have in common, before a run is started',
          params: inProject,
          body: matchBody,
          response: { 200: matchResult },
        },
      },
      async (request) => matchInputs(services, requireProjectAccess(request), request.body, matchModel),
    );
    app.post(
      '/projects/:project_id/estimate',
      {
        config: { guard: { project: 'MEMBER' }, readOnly: true, rateLimit: { max: 300, timeWindow: '1 minute' } },
        schema: {
          summary: 'Time, memory and disk of a run, before it is started',
          params: inProject,
          body: estimateBody,
          response: { 200: runEstimate },
        },
      },
      async (request) => estimateRun(services, requireProjectAccess(request), request.body),
    );
  };
