// What the options leave out, from its definition.
import { type DenseLeaveOut, type DensePanel, indexes, partOfPanel, UNKNOWN } from './world.test-data.ts';

const ROUNDING = 1e-12;
/** As for PLINK: windows of 50 markers, moved by 5. */
const WINDOW = 50;
const STEP = 5;
/** Calls of duplicates agree in more than this share of those compared, of so many markers with both alleles. */
const SAME_GENOTYPE = 0.99;
const ENOUGH_MARKERS = 100;

/** @throws RangeError when nothing is left */
export function leaveOut(whole: DensePanel, asked: DenseLeaveOut): DensePanel {
  let panel = whole;
  const keepIndividuals = (isKept: (i: number) => boolean): void => {
    panel = partOfPanel(panel, indexes(panel.individuals.length).filter(isKept), indexes(panel.markers.length));
  };
  const keepMarkers = (isKept: (j: number) => boolean): void => {
    panel = partOfPanel(panel, indexes(panel.individuals.length), indexes(panel.markers.length).filter(isKept));
  };
  const { onlySamples, samples, markers } = asked;
  if (onlySamples !== undefined) keepIndividuals((i) => onlySamples.includes(panel.individuals[i]));
  if (samples !== undefined) keepIndividuals((i) => !samples.includes(panel.individuals[i]));
  if (markers !== undefined) keepMarkers((j) => !markers.includes(panel.markers[j].id));
  const called = (i: number): number[] => panel.markers.flatMap(({ dosages }) => dosages[i] ?? []);
  const rate = indexes(panel.individuals.length).map((i) => called(i).length / panel.markers.length);
  const het = indexes(panel.individuals.length).map(
    (i) => called(i).filter((dosage) => dosage === 1).length / called(i).length,
  );
  const { minSampleCallRate = 0, maxSampleHeterozygosity = 1 } = asked;
  keepIndividuals((i) => rate[i] >= minSampleCallRate - ROUNDING && het[i] <= maxSampleHeterozygosity + ROUNDING);
  if (asked.duplicates === true) {
    const dropped = duplicatesOf(panel);
    keepIndividuals((i) => !dropped.has(i));
  }
  const { minMarkerCallRate = 0, minMaf = 0 } = asked;
  keepMarkers((j) => callRateOf(panel, j) >= minMarkerCallRate - ROUNDING);
  keepMarkers((j) => minMaf === 0 || mafOf(panel, j) >= minMaf - ROUNDING);
  if (asked.pruneR2 !== undefined) {
    const kept = prune(panel, asked.pruneR2);
    keepMarkers((j) => kept.has(j));
  }
  return panel;
}

export function callRateOf({ markers, individuals }: DensePanel, j: number): number {
  return markers[j].dosages.filter((dosage) => dosage !== null).length / individuals.length;
}

export function mafOf({ markers }: DensePanel, j: number): number {
  const called = markers[j].dosages.filter((dosage) => dosage !== null);
  const p = called.reduce((sum, dosage) => sum + dosage, 0) / (2 * called.length);
  return called.length === 0 ? 0 : Math.min(p, 1 - p);
}

/** Of each pair with the same genotype the one with fewer calls, or the later one. */
function duplicatesOf(panel: DensePanel): Set<number> {
  const dropped = new Set<number>();
  const { individuals } = panel;
  const markers = panel.markers.filter((_, j) => mafOf(panel, j) > 0 && callRateOf(panel, j) >= 0.5);
  if (markers.length < ENOUGH_MARKERS) return dropped;
  for (const a of individuals.keys()) {
    for (let b = a + 1; b < individuals.length; b++) {
      const both = markers.filter(({ dosages }) => dosages[a] !== null && dosages[b] !== null);
      const same = both.filter(({ dosages }) => dosages[a] === dosages[b]).length;
      if (!(same / both.length > SAME_GENOTYPE)) continue;
      const calls = (i: number): number => panel.markers.filter(({ dosages }) => dosages[i] !== null).length;
      dropped.add(calls(b) > calls(a) ? a : b);
    }
  }
  return dropped;
}

/** `plink --indep-pairwise`: of a pair above r² the one with the smaller minor allele frequency goes, by windows. */
function prune(panel: DensePanel, limit: number): Set<number> {
  const kept = new Set<number>(indexes(panel.markers.length));
  const chromosomes = new Set(panel.markers.map(({ chromosome }) => chromosome).filter((name) => name !== UNKNOWN));
  for (const chromosome of chromosomes) {
    const places = indexes(panel.markers.length).filter((j) => panel.markers[j].chromosome === chromosome);
    for (const j of places) if (mafOf(panel, j) === 0) kept.delete(j);
    for (let start = 0; start < places.length; start += STEP) {
      const window = places.slice(start, start + WINDOW);
      for (let changed = true; changed; ) {
        changed = false;
        // After each pair above the limit the next marker has its turn.
        for (const [a, one] of window.entries()) {
          if (!kept.has(one)) continue;
          const other = window.slice(a + 1).find((b) => kept.has(b) && callsR2(panel, one, b) > limit);
          if (other === undefined) continue;
          kept.delete(mafOf(panel, one) < mafOf(panel, other) - 1e-12 ? one : other);
          changed = true;
        }
      }
    }
  }
  return kept;
}

/** Squared correlation of the calls that both markers have. */
function callsR2({ markers }: DensePanel, a: number, b: number): number {
  const pairs = markers[a].dosages.flatMap((dosage, i) => {
    const other = markers[b].dosages[i];
    return dosage === null || other === null ? [] : [[dosage, other]];
  });
  const mean = (k: number): number => pairs.reduce((sum, pair) => sum + pair[k], 0) / pairs.length;
  const [ma, mb] = [mean(0), mean(1)];
  const sum = (f: (x: number, y: number) => number): number =>
    pairs.reduce((all, [x, y]) => all + f(x - ma, y - mb), 0);
  return sum((x, y) => x * y) ** 2 / (sum((x) => x * x) * sum((_, y) => y * y));
}
