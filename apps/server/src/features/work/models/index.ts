export { modelFeature } from './feature.ts';
export { matchModel } from './match-model.service.ts';
export type { ModelRow } from './models.queries.ts';
export { createModel } from './models.service.ts';
export {
  findModel,
  geneticCovariancesOf,
  individualsWithGebv,
  observedValues,
  requireMarkerEffects,
  requireModel,
  requireSamePloidy,
  trainedTraits,
} from './trained-models.service.ts';
