import type { KindOfRun } from '../runs/kind/index.ts';
import { trialAnalysisJobRegistrations } from './run-trial-analysis.handler.ts';
import { trialAnalysisRoutes } from './trial-analyses.routes.ts';
import { trialAnalyses } from './trial-analysis.kind.ts';

export const trialAnalysisFeature: KindOfRun = {
  definition: trialAnalyses,
  routes: () => trialAnalysisRoutes,
  jobs: trialAnalysisJobRegistrations,
};
