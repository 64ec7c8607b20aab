import { trialAnalysesApi } from '@heterosis/contracts/endpoints/work/trial-analyses';
import { bind } from '../../../platform/http/bind.ts';
import { runHandlers } from '../runs/kind/index.ts';
import { getSuspectPlots } from './suspect-plots.service.ts';
import { createTrialAnalysis } from './trial-analyses.service.ts';
import { trialAnalyses } from './trial-analysis.kind.ts';
import { makePhenotype } from './trial-phenotype.service.ts';
import * as results from './trial-results.service.ts';

export const trialAnalysisRoutes = bind(trialAnalysesApi, {
  ...runHandlers(trialAnalyses),
  createRun: createTrialAnalysis,
  ...results,
  getSuspectPlots,
  makePhenotype,
});
