import { calledChromosomes, type GenotypeStats } from '@heterosis/file-formats/genotype/genotype-stats';
import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { csvCell } from '@heterosis/file-formats/text/csv-cell';
import { LineBuffer } from '@heterosis/file-formats/text/line-buffer';
import { type HardyWeinbergTest, hardyWeinbergTest } from '@heterosis/statgen/marker-quality/hardy-weinberg';
import { markerRanges } from '../inputs/open-panel.ts';
import type { DosageClassCounts } from './dosage-class-counts.ts';
import type { LdDecay } from './ld-decay.ts';
import type { QualityOfPanel } from './qc-genotype.ts';

/** Columns of the table of markers. */
const MARKER_COLUMNS = 'chr,pos,id,A1,A2,freqA2,maf,call_rate,het,hwe_p,hwe_neg_log10_p,n,n_A1A1,n_A1A2,n_A2A2';
/** Columns of the table of samples. */
const SAMPLE_COLUMNS = 'id,call_rate,het,F,n,n_het';

/**
 * The table of markers as CSV, block by block: memory does not grow with the number of markers. For a marker without
 * calls, cells that divide by the number of calls are empty. In polyploids the counts are those of plants without A2,
 * with both alleles and without A1, the test is χ² of the classes (`randomMatingTest`; empty where there is one
 * allele), and further columns have the gametic heterozygosity and the plants with 0, 1 … p copies of A2.
 *
 * @param classes of polyploids
 */
export async function* markerTable(
  panel: Pick<PanelBlocks, 'markerCount' | 'readMarkers' | 'samples'>,
  stats: GenotypeStats,
  classes: DosageClassCounts | null,
): AsyncGenerator<Uint8Array> {
  const lines = new LineBuffer();
  lines.text(MARKER_COLUMNS);
  if (classes !== null)
    lines.text(`,gametic_het,${Array.from({ length: classes.ploidy + 1 }, (_, k) => `n_${k}`).join(',')}`);
  lines.newLine();
  const samples = panel.samples.length;
  const { ploidy = 2 } = stats;
  const isPolyploid = ploidy > 2;
  const test: HardyWeinbergTest = { p: 1, negLog10P: 0 };
  for (const { first, count } of markerRanges(panel.markerCount)) {
    const { chromosome, positionBp, id, a1, a2 } = await panel.readMarkers(first, count);
    for (let k = 0; k < count; k++) {
      const j = first + k;
      const n = samples - stats.markerMissing[j];
      const het = stats.markerHet[j];
      const two = (stats.markerA2Copies[j] - het) / 2;
      const copies = isPolyploid && stats.markerDosage !== null ? stats.markerDosage[j] : stats.markerA2Copies[j];
      const chromosomes = calledChromosomes(stats, samples, j);
      hardyWeinbergTest(het, n - het - two, two, test);
      lines.text(`${csvCell(chromosome[k])},`);
      if (positionBp[k] > 0) lines.integer(positionBp[k]);
      lines.text(`,${csvCell(id[k])},${csvCell(a1[k])},${csvCell(a2[k])},`);
      lines.numbers([
        copies / chromosomes,
        Math.min(copies, chromosomes - copies) / chromosomes,
        samples === 0 ? 0 : n / samples,
        het / n,
        classes === null ? (n === 0 || isPolyploid ? Number.NaN : test.p) : classes.hwe.p[j],
        classes === null ? (n === 0 || isPolyploid ? Number.NaN : test.negLog10P) : classes.hwe.negLog10P[j],
        n,
        n - het - two,
        het,
        two,
      ]);
      if (classes !== null) {
        const width = classes.ploidy + 1;
        lines.comma();
        lines.numbers([classes.gameticHeterozygosity[j], ...classes.ofMarker.subarray(j * width, (j + 1) * width)]);
      }
      lines.newLine();
    }
    yield lines.take();
  }
  if (lines.length > 0) yield lines.take();
}

/** The table of samples as CSV; with their ploidy where it differs. */
export function* sampleTable(
  panel: Pick<PanelBlocks, 'markerCount' | 'samples'>,
  { stats, inbreeding }: QualityOfPanel,
): Generator<Uint8Array> {
  const lines = new LineBuffer();
  const ploidies = stats.mixed?.ploidies;
  lines.text(ploidies === undefined ? SAMPLE_COLUMNS : `${SAMPLE_COLUMNS},ploidy`);
  lines.newLine();
  for (const [i, name] of panel.samples.entries()) {
    const n = panel.markerCount - stats.sampleMissing[i];
    lines.text(`${csvCell(name)},`);
    lines.numbers([n / panel.markerCount, stats.sampleHet[i] / n, inbreeding[i], n, stats.sampleHet[i]]);
    if (ploidies !== undefined) lines.text(`,${ploidies[i]}`);
    lines.newLine();
  }
  yield lines.take();
}

/** The bins of LD decay as CSV: those of the whole panel (`all`), then those of each chromosome. */
export function* ldDecayTable(decay: LdDecay | null): Generator<string> {
  yield 'chr,unit,from,to,pairs,mean_distance,mean_r2\n';
  if (decay === null) return;
  for (const { name, bins } of [{ name: 'all', bins: decay.bins }, ...decay.chromosomes]) {
    for (const bin of bins) {
      yield `${csvCell(name)},${decay.unit},${bin.from},${bin.to},${bin.pairs},${bin.distance},${bin.r2}\n`;
    }
  }
}
