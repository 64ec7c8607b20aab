export { requireExclusions, requireMarkers } from './exclusions.service.ts';
export {
  MAX_LISTED,
  type MatchModel,
  markerCounts,
  noCross,
  renamesOf,
  requireCommonNames,
  requireTraits,
  verdict,
} from './match-files.service.ts';
export { matchingRoutes } from './matching.routes.ts';
export { readCovariates, readGroupColumn } from './read-covariates.ts';
export { needsOf, type RunSizes, weightsOf } from './run-needs.ts';
export { requireTraitInputs } from './trait-inputs.service.ts';
