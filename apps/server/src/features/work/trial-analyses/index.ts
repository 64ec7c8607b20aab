export { trialAnalysisFeature } from './feature.ts';
export { createTrialAnalysis } from './trial-analyses.service.ts';
