export { trialAnalysisFeature } from './feature.ts';
export { listNewestAnalyses, type NewestAnalysis, readNewestMeans, type ServedMeans } from './served-means.ts';
export { createTrialAnalysis } from './trial-analyses.service.ts';
