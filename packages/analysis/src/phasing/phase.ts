import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { ProblemCollector, type ProblemReport } from '@heterosis/file-formats/problem';
import type { LinkageMap } from '@heterosis/file-formats/tables/linkage-map/linkage-map';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import { countCalls } from '@heterosis/statgen/genotypes/call-counts';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import { markerRanges } from '../inputs/open-panel.ts';
import { panelOnMap } from '../inputs/place-on-map.ts';
import { phaseByBeagle } from './phase-by-beagle.ts';
import { planMarkers } from './plan-markers.ts';
import { genotypeLines, writePhased } from './write-phased.ts';

export interface PhaseInput {
  panel: GenotypePanel;
  /** Phased VCF to write; blocked gzip (BGZF) when the name ends in `.gz`. */
  outPath: string;
  /**
   * Overrides marker positions and gives the distances for Beagle; default the panel's own positions at 1 cM per Mb.
   */
  map?: LinkageMap;
  seed?: number;
  /** Memory for Beagle in megabytes, shared by its processes; default half of the machine's. */
  memoryMb?: number;
  /** Calls above which chromosomes form a batch of their own; changes the result. */
  batchCalls?: number;
}

export interface PhaseResult {
  phasedBy: 'beagle' | 'homozygous';
  samples: number;
  /** Markers written. */
  markers: number;
  heterozygousCalls: number;
  missingCalls: number;
  /** Missing calls that were filled. */
  filledCalls: number;
  /** W-PH-DUP-POS, W-PH-NO-CALLS, W-PH-NO-POS, W-PH-SINGLE, W-PH-STILL-MISSING. */
  report: ProblemReport;
  /** Warnings and notes about the linkage map; null without one. */
  mapReport: ProblemReport | null;
}

/**
 * Phases a panel and fills its missing calls. Without a heterozygous call there is nothing to phase, and the calls are
 * written unchanged; otherwise Beagle phases them. Its input is first repaired: sorted, one marker per position,
 * without markers that lack calls, chromosome or position; a chromosome's only marker (which has no phase) is kept
 * aside. A linkage map overrides the panel's positions. Observed calls never change. The same input and seed give the
 * same bytes for any number of threads.
 *
 * @throws AnalysisError `phasing/…`; MapMismatchError when map and genotype disagree
 */
export async function phaseGenotype(input: PhaseInput, context: AnalysisContext): Promise<PhaseResult> {
  const { outPath, map, seed = 1, memoryMb, batchCalls } = input;
  const mapped = map === undefined ? null : panelOnMap(input.panel, map);
  const panel = mapped?.panel ?? input.panel;
  const scan = await scanPanel(panel, context);
  const problems = new ProblemCollector();
  const isHomozygous = scan.heterozygous === 0;
  const plan = planMarkers(panel, scan.missing, isHomozygous, problems);
  if (plan.length === 0) {
    throw new AnalysisError(
      'phasing/no-markers',
      'No marker of the genotype can be phased: each lacks calls, or chromosome and position.',
      'Give a linkage map of these markers, or add chromosome and position to the genotype.',
    );
  }
  const folder = await mkdtemp(join(tmpdir(), 'heterosis-phase-'));
  try {
    const byBeagle = plan.filter(({ source }) => source === 'beagle');
    let lines: AsyncIterator<string> | null = null;
    if (byBeagle.length > 0) {
      const positionCm = mapped?.positionCm ?? null;
      const job = { panel, markers: byBeagle, positionCm, seed, memoryMb, batchCalls, folder };
      lines = genotypeLines(await phaseByBeagle(job, context));
    }
    reportProgress(context, 'write', 0, plan.length);
    const written = await writePhased(outPath, panel, plan, lines, context);
    if (written.stillMissing > 0) {
      problems.warning('W-PH-STILL-MISSING', {
        value: String(written.stillMissing),
        message: `${groupedNumber(written.stillMissing)} missing calls stay missing: homozygous files are not imputed.`,
        suggestion: 'In a crossing, a missing call of a parent takes the commoner allele of the parents.',
      });
    }
    return {
      phasedBy: isHomozygous ? 'homozygous' : 'beagle',
      samples: panel.samples.length,
      markers: plan.length,
      heterozygousCalls: scan.heterozygous,
      missingCalls: scan.missingTotal,
      filledCalls: written.plannedMissing - written.stillMissing,
      report: problems.report(),
      mapReport: mapped?.report ?? null,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface PanelScan {
  heterozygous: number;
  missingTotal: number;
  /** Missing calls by marker. */
  missing: Int32Array;
}

async function scanPanel(panel: GenotypePanel, context: AnalysisContext): Promise<PanelScan> {
  const scan: PanelScan = { heterozygous: 0, missingTotal: 0, missing: new Int32Array(panel.markers.id.length) };
  const ranges = markerRanges(panel.markers.id.length);
  for (const [block, { first, count }] of ranges.entries()) {
    reportProgress(context, 'read', block, ranges.length);
    const counts = countCalls(await panel.readPacked(first, count), count, { panelSize: panel.samples.length });
    scan.missing.set(counts.missing, first);
    for (let k = 0; k < count; k++) {
      scan.heterozygous += counts.heterozygous[k];
      scan.missingTotal += counts.missing[k];
    }
  }
  return scan;
}
