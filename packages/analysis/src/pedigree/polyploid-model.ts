import {
  equilibriumInbreeding,
  type PolyploidModel,
  polyploidRelationships,
} from '@heterosis/statgen/pedigree/polyploid-relationships';
import { AnalysisError } from '../context.ts';

export { ploidyOf } from '@heterosis/file-formats/genotype/panel/dosages';
export { equilibriumInbreeding, type PolyploidModel, polyploidRelationships };

/** How polyploids descend by a pedigree: without double reduction from founders that are not inbred, unless told. */
export type PolyploidDescent = Partial<Pick<PolyploidModel, 'doubleReduction' | 'founders'>>;

/**
 * The model of a pedigree; null for diploids.
 *
 * @throws AnalysisError `pedigree/no-double-reduction` for diploids with double reduction
 */
export function polyploidModelOf(
  ploidy: number,
  { doubleReduction = 0, founders = 'non-inbred' }: PolyploidDescent,
): PolyploidModel | null {
  if (ploidy > 2) return { ploidy, doubleReduction, founders };
  if (doubleReduction === 0) return null;
  throw new AnalysisError(
    'pedigree/no-double-reduction',
    'Diploids have no double reduction.',
    'Say the ploidy, for example 4, or leave the double reduction out.',
  );
}
