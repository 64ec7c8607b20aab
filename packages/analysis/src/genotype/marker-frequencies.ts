import { type BlockDosages, MISSING_POLYPLOID, POLYPLOID_UNITS } from '@heterosis/file-formats/genotype/panel/dosages';
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
 * that two alleles of a plant drawn without replacement differ. Where plants differ in ploidy each counts with its own.
 * Empty where all calls are missing.
 */
export async function* frequencyTable(
  panel: Pick<PanelBlocks, 'samples' | 'markerCount' | 'readPacked' | 'readMarkers' | 'dosages'>,
  context: AnalysisContext,
): AsyncGenerator<Uint8Array> {
  const selection = { panelSize: panel.samples.length };
  const ploidies = panel.dosages?.ploidies;
  const ranges = markerRanges(panel.markerCount);
  const lines = new LineBuffer();
  lines.text(csvRow(['marker', 'frequency', 'call_rate', 'heterozygosity']));
  for (const [block, range] of ranges.entries()) {
    reportProgress(context, 'qc', block, ranges.length);
    const { packed, dosages } = await readRange(panel, range);
    const { id } = await panel.readMarkers(range.first, range.count);
    if (ploidies !== undefined && dosages !== undefined) {
      for (const [j, name] of id.entries()) {
        lines.text(csvCell(name));
        lines.comma();
        lines.numbers(figuresOfMixed(dosages, j, ploidies));
        lines.newLine();
      }
      yield lines.take();
      continue;
    }
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

/** Frequency, call rate and heterozygosity of a marker of plants that differ in ploidy. */
function figuresOfMixed({ rows, values }: BlockDosages, marker: number, ploidies: Uint8Array): number[] {
  const from = rows[marker] * ploidies.length;
  let copies = 0;
  let chromosomes = 0;
  let called = 0;
  let differing = 0;
  for (let i = 0; i < ploidies.length; i++) {
    const units = values[from + i];
    if (units === MISSING_POLYPLOID) continue;
    const x = units / POLYPLOID_UNITS;
    const ploidy = ploidies[i];
    called++;
    copies += x;
    chromosomes += ploidy;
    differing += (x * (ploidy - x)) / ((ploidy * (ploidy - 1)) / 2);
  }
  return [copies / chromosomes, called / ploidies.length, differing / called];
}
