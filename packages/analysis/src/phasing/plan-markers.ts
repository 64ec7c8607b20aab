import { compareChromosomes } from '@heterosis/file-formats/genotype/panel/chromosome-order';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import type { ProblemCollector } from '@heterosis/file-formats/problem';
import { isKnownChromosome } from '@heterosis/file-formats/tables/linkage-map/chromosome-name';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';

/** Source of a marker's phased genotypes: Beagle's output, or the panel itself. */
type Source = 'beagle' | 'panel';

export interface PlannedMarker {
  /** Panel index. */
  index: number;
  source: Source;
}

const SHOWN_MARKERS = 5;

/**
 * Markers to write, sorted by chromosome and position, and the source of each. Beagle needs one marker per position,
 * on a known chromosome, with at least one call; others are dropped with a warning. A chromosome's only marker has no
 * phase.
 *
 * @param missing missing calls by marker
 * @param isHomozygous whether the panel has no heterozygous call: then every marker is written unchanged
 */
export function planMarkers(
  panel: GenotypePanel,
  missing: Int32Array,
  isHomozygous: boolean,
  problems: ProblemCollector,
): PlannedMarker[] {
  const { chromosome, positionBp, id } = panel.markers;
  const sorted = Array.from(id.keys()).sort(
    (a, b) => compareChromosomes(chromosome[a], chromosome[b]) || positionBp[a] - positionBp[b] || a - b,
  );
  if (isHomozygous) return sorted.map((index) => ({ index, source: 'panel' }));
  const isLocated = (j: number) => positionBp[j] > 0 && isKnownChromosome(chromosome[j]);
  const noPosition = sorted.filter((j) => !isLocated(j));
  const empty = sorted.filter((j) => isLocated(j) && missing[j] === panel.samples.length);
  const usable = sorted.filter((j) => isLocated(j) && missing[j] < panel.samples.length);
  const isRepeat = (k: number) =>
    k > 0 && chromosome[usable[k]] === chromosome[usable[k - 1]] && positionBp[usable[k]] === positionBp[usable[k - 1]];
  const repeated = usable.filter((_, k) => isRepeat(k));
  const kept = usable.filter((_, k) => !isRepeat(k));
  const markersOn = new Map<string, number>();
  for (const j of kept) markersOn.set(chromosome[j], (markersOn.get(chromosome[j]) ?? 0) + 1);
  const single = kept.filter((j) => markersOn.get(chromosome[j]) === 1);

  const warn = (code: string, markers: number[], what: string, suggestion: string) => {
    if (markers.length === 0) return;
    problems.warning(code, {
      value: markers
        .slice(0, SHOWN_MARKERS)
        .map((j) => id[j])
        .join(', '),
      message: `${groupedNumber(markers.length)} ${markers.length === 1 ? 'marker' : 'markers'} ${what}`,
      suggestion,
    });
  };
  warn(
    'W-PH-NO-POS',
    noPosition,
    'without chromosome or position left out.',
    'Give a linkage map that has them, or add chromosome and position to the genotype.',
  );
  warn('W-PH-NO-CALLS', empty, 'without any call left out.', 'A marker without calls carries no information.');
  warn(
    'W-PH-DUP-POS',
    repeated,
    'at the position of another marker left out.',
    'Keep the better marker of each position.',
  );
  warn('W-PH-SINGLE', single, 'alone on a chromosome kept without phasing.', 'A single marker has no phase to find.');
  return kept.map((index) => ({ index, source: markersOn.get(chromosome[index]) === 1 ? 'panel' : 'beagle' }));
}
