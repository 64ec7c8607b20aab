export { trialAnalysisFeature } from './feature.ts';
export { newestAnalysis, readAnalysedLines } from './line-values.ts';
export {
  type FigureCounts,
  indexNewestMeans,
  listNewestAnalyses,
  type MeansIndex,
  type NewestAnalysis,
  readNewestMeans,
  type ServedMean,
} from './served-means.ts';
export { readSuspectPlots } from './suspect-plots.service.ts';
export { createTrialAnalysis } from './trial-analyses.service.ts';
