import { StatgenError } from '../statgen-error.ts';

/** A window of markers, and when two of them are too much alike. */
export interface PruningRule {
  /** Markers, or base pairs, in a window. */
  window: number;
  unit: 'markers' | 'bp';
  /** Markers from one window to the next; 1 for windows in base pairs. */
  step: number;
  /** Of two markers with a larger r² one is pruned. */
  r2: number;
}

/** Markers of a chromosome, by their places in the order of the file. */
export interface LinkedCalls {
  /** r² of two of them; NaN where either is constant. */
  r2Of(first: number, second: number): number;
  /** Frequency of the commoner allele. */
  majorFrequency(marker: number): number;
  isMonomorphic(marker: number): boolean;
}

/** A difference smaller than this share is rounding: PLINK's limit for frequencies and r². */
const ROUNDING = 2 ** -44;

/**
 * Prunes the markers of a chromosome by LD, with the result of `plink2 --indep-pairwise`: in each window every pair is
 * visited until none has an r² above the limit, and of such a pair the marker with the smaller minor allele frequency
 * goes, the later one where they are equal. Monomorphic markers go first. O(markers × window) pairs.
 *
 * @param calls of the chromosome's markers alone
 * @param positions in base pairs, ascending; used by windows in base pairs only
 * @returns 1 for each marker that is kept
 * @throws StatgenError `bad-option`
 */
export function pruneByLd(calls: LinkedCalls, positions: Float64Array, rule: PruningRule): Uint8Array {
  requireRule(rule);
  const markers = positions.length;
  const kept = new Uint8Array(markers).fill(1);
  const major = Float64Array.from(kept, (_, j) => calls.majorFrequency(j));
  for (let j = 0; j < markers; j++) if (calls.isMonomorphic(j)) kept[j] = 0;
  /** Pairs of a marker with those before its mark are known. */
  const unchecked = Int32Array.from(kept, (_, j) => j + 1);
  const limit = rule.r2 * (1 + ROUNDING);

  /** Compares `first` with the markers up to `end`, until a pair is above the limit. True if one was pruned. */
  const compare = (first: number, end: number): boolean => {
    for (let second = unchecked[first]; second < end; second++) {
      if (kept[second] === 0) continue;
      if (!(calls.r2Of(first, second) > limit)) continue;
      if (major[first] > major[second] * (1 + ROUNDING)) kept[first] = 0;
      else {
        kept[second] = 0;
        unchecked[first] = second + 1;
      }
      return true;
    }
    unchecked[first] = end;
    return false;
  };

  for (let start = 0, before = 0; start < markers; start += rule.step) {
    const end = endOfWindow(start, positions, rule);
    // A window that ends where the last one did has no new pair.
    if (end === before) continue;
    before = end;
    for (let pruned = true; pruned; ) {
      pruned = false;
      // After each pair above the limit the next marker has its turn, so that the order of visits is that of PLINK.
      for (let first = start; first < end; first++) if (kept[first] === 1 && compare(first, end)) pruned = true;
    }
    if (end === markers) break;
  }
  return kept;
}

function endOfWindow(start: number, positions: Float64Array, { window, unit }: PruningRule): number {
  if (unit === 'markers') return Math.min(positions.length, start + window);
  let end = start + 1;
  while (end < positions.length && positions[end] <= positions[start] + window) end++;
  return end;
}

function requireRule({ window, unit, step, r2 }: PruningRule): void {
  const problem = !(r2 >= 0 && r2 <= 1)
    ? `the limit of r² must be 0 to 1, not ${r2}`
    : !(Number.isInteger(step) && step >= 1)
      ? `windows must move by whole markers, not by ${step}`
      : unit === 'bp' && step !== 1
        ? `windows in base pairs move by one marker, not by ${step}`
        : !(unit === 'bp' ? window > 0 : Number.isInteger(window) && window >= 2)
          ? `a window of ${window} ${unit} has no pairs`
          : null;
  if (problem !== null) throw new StatgenError('bad-option', problem);
}
