import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { createPackedMarkers, type PackedMarkers } from '@heterosis/statgen/marker-space/packed-markers';
import { type AnalysisContext, reportProgress } from '../context.ts';
import { markerRanges, packedRanges } from './open-panel.ts';
import { panelSelection } from './panel-kinship.ts';

export interface PanelMarkersInput {
  panel: Pick<PanelBlocks, 'samples' | 'markerCount' | 'readPacked' | 'dosages'>;
  maf: number;
  callRate: number;
  /** Panel positions of the individuals that filters and frequencies refer to; default all. */
  individuals?: Int32Array;
}

/**
 * The markers of a panel that pass the filters, packed in memory for the equations of the markers: n·m/4 bytes.
 *
 * @throws StatgenError `no-markers-left`
 */
export async function panelMarkers(input: PanelMarkersInput, context: AnalysisContext): Promise<PackedMarkers> {
  const { panel, maf, callRate, individuals } = input;
  const builder = createPackedMarkers(panelSelection(panel.samples.length, individuals), { maf, callRate });
  const ranges = markerRanges(panel.markerCount);
  let block = 0;
  reportProgress(context, 'kinship', block, ranges.length);
  for await (const { packed, count, dosages } of packedRanges(panel, ranges)) {
    builder.add(packed, count, dosages);
    reportProgress(context, 'kinship', ++block, ranges.length);
  }
  return builder.finish();
}
