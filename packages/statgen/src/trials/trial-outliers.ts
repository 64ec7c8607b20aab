import { normalUpperTail } from '../crossing/normal-distribution.ts';

/** A residual that is too large for its trial. */
export interface TrialOutlier {
  /** Place in the residuals. */
  place: number;
  /** Residual over the rescaled median absolute deviation. */
  statistic: number;
  /** After Bonferroni–Holm, two-sided, normal. */
  p: number;
}

/** Makes the median absolute deviation a standard deviation for normal values. */
const RESCALING = 1.4826;
const LEVEL = 0.05;

/**
 * Method M4r of Bernal-Vasquez, Utz & Piepho (2016, Theor Appl Genet 129:787–804): studentised residuals are divided by
 * their rescaled median absolute deviation and tested one by one as normal, with the levels of Bonferroni–Holm.
 *
 * @param studentized NaN where a plot has no residual of its own; such plots are not tested
 */
export function trialOutliers(studentized: Float64Array): TrialOutlier[] {
  const places = [...studentized.keys()].filter((place) => Number.isFinite(studentized[place]));
  if (places.length < 3) return [];
  const center = median(places.map((place) => studentized[place]));
  const deviation = RESCALING * median(places.map((place) => Math.abs(studentized[place] - center)));
  if (!(deviation > 0)) return [];
  const tested = places
    .map((place) => ({ place, statistic: studentized[place] / deviation }))
    .sort((a, b) => Math.abs(b.statistic) - Math.abs(a.statistic));
  const outliers: TrialOutlier[] = [];
  let most = 0;
  for (const [rank, { place, statistic }] of tested.entries()) {
    most = Math.max(most, Math.min(1, (tested.length - rank) * 2 * normalUpperTail(Math.abs(statistic))));
    if (most >= LEVEL) break;
    outliers.push({ place, statistic, p: most });
  }
  return outliers;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
