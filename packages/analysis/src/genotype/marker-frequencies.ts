import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { csvRow } from '@heterosis/file-formats/tables/text/csv-writer';
import { csvCell } from '@heterosis/file-formats/text/csv-cell';
import { LineBuffer } from '@heterosis/file-formats/text/line-buffer';
import { callRate, countCalls, frequencyA2, heterozygotes } from '@heterosis/statgen/genotypes/call-counts';
import { type AnalysisContext, reportProgress } from '../context.ts';
import { markerRanges, readRange } from '../inputs/open-panel.ts';

/**
 * Frequencies of a panel as CSV: marker, frequency of A2 among the calls, call_rate, and heterozygosity, the share of
 * heterozygotes among the calls; in polyploids of ploidy p the mean over plants of x(p − x)/(p choose 2), the chance
 * that two alleles of a plant drawn without replacement differ. Empty where all calls are missing.
 */
export async function* frequencyTable(
  panel: Pick<PanelBlocks, 'samples' | 'markerCount' | 'readPacked' | 'readMarkers' | 'dosages'>,
  context: AnalysisContext,
): AsyncGenerator<Uint8Array> {
  const selection = { panelSize: panel.samples.length };
  const ranges = markerRanges(panel.markerCount);
  const lines = new LineBuffer();
  lines.text(csvRow(['marker', 'frequency', 'call_rate', 'heterozygosity']));
  for (const [block, range] of ranges.entries()) {
    reportProgress(context, 'qc', block, ranges.length);
    const { packed, dosages } = await readRange(panel, range);
    const { id } = await panel.readMarkers(range.first, range.count);
    const counts = countCalls(packed, range.count, selection, dosages);
    for (const [j, name] of id.entries()) {
      const called = counts.individuals - (counts.missing[j] ?? 0);
      lines.text(csvCell(name));
      lines.comma();
      lines.numbers([frequencyA2(counts, j), callRate(counts, j), heterozygotes(counts, j) / called]);
      lines.newLine();
    }
    yield lines.take();
  }
}
