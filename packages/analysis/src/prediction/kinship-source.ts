import type { KinshipResult } from '@heterosis/statgen/kinship/accumulate-kinship';
import type { AnalysisContext } from '../context.ts';
import type { TraitVariances } from './fit-trait.ts';
import type { SingleStepFigures, TrainedModel } from './trained-model.ts';

/** Source of the individuals of a model and their kinships. */
export interface KinshipSource {
  /** Individuals of the model: those genotyped in panel order, then those that only the pedigree has. */
  individuals: string[];
  from: TrainedModel['kinshipFrom'];
  /** What a fit says of the markers; null where the kinships have none. */
  onMarkers: ((variances: TraitVariances) => MarkerVariances) | null;
  /** Of single-step prediction, after the kernels were computed. */
  singleStep?: () => SingleStepFigures;
  /** The kernels of a model; allele frequencies come from `frequenciesOf` if given. */
  kernels(frequenciesOf: { frequenciesOf?: Int32Array }, context: AnalysisContext): Promise<KinshipResult>;
}

/** The parts of a fit from which marker effects are built; `weights` by the individuals of the panel. */
export type MarkerVariances = Pick<TraitVariances, 'mean' | 'weights' | 'additive' | 'dominance' | 'structure'>;
