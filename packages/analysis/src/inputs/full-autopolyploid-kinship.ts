import {
  createFullAutopolyploidAccumulator,
  type FullAutopolyploidKinship,
} from '@heterosis/statgen/kinship/full-autopolyploid';
import { setComputeThreads } from '@heterosis/statgen/linear-algebra';
import { type AnalysisContext, reportProgress } from '../context.ts';
import { markerRanges, packedRanges } from './open-panel.ts';
import { type PanelKinshipInput, panelSelection } from './panel-kinship.ts';

/** The full autopolyploid relationship of a panel, read block by block; see `createFullAutopolyploidAccumulator`. */
export async function fullAutopolyploidKinship(
  { panel, maf, callRate }: Pick<PanelKinshipInput, 'panel' | 'maf' | 'callRate'>,
  context: AnalysisContext,
): Promise<FullAutopolyploidKinship> {
  setComputeThreads(context.threads);
  const selection = panelSelection(panel.samples.length, undefined);
  const accumulator = createFullAutopolyploidAccumulator(selection, { maf, callRate });
  const ranges = markerRanges(panel.markerCount);
  let block = 0;
  reportProgress(context, 'kinship', block, ranges.length);
  for await (const { packed, count, dosages } of packedRanges(panel, ranges)) {
    accumulator.add(packed, count, dosages);
    reportProgress(context, 'kinship', ++block, ranges.length);
  }
  return accumulator.finish();
}
