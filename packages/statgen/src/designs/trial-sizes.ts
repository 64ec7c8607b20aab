import { DesignError } from './design-error.ts';

/** Variance components of plots. */
export interface TrialVariances {
  lines: number;
  /** Lines × places. */
  interaction: number;
  residual: number;
}

export interface TrialCosts {
  plot: number;
  /** Of each place, besides its plots. */
  place: number;
}

/** One way to test lines. */
export interface TrialSize {
  /** Places of every line. */
  places: number;
  /** Plots of every line at a place. */
  replicates: number;
  /** Of all lines together. */
  plots: number;
  cost: number;
  /** Heritability of the means over places. */
  heritability: number;
  /** Correlation of the means with the genotypic values, the root of the heritability. */
  accuracy: number;
  /** Nothing that costs as much or less is as accurate. */
  isBest: boolean;
}

/**
 * Expected accuracy of line means against the cost of testing them, for every number of places and replicates up to the
 * given ones: h² = σ²g / (σ²g + σ²gp/p + σ²e/(pr)), accuracy √h² (Hallauer, Carena & Miranda 2010, chapter 2; Cochran &
 * Cox 1957, section 14.5). Rows are sorted by cost, then by accuracy.
 *
 * @throws DesignError `variances` unless the components are finite, those of lines above and the others at least 0
 */
export function trialSizes(
  { lines, interaction, residual }: TrialVariances,
  { entries, places, replicates }: { entries: number; places: number; replicates: number },
  costs: TrialCosts,
): TrialSize[] {
  if (!(lines > 0 && interaction >= 0 && residual >= 0 && lines + interaction + residual < Number.POSITIVE_INFINITY)) {
    throw new DesignError(
      'variances',
      `The variances ${lines} of lines, ${interaction} of lines × places and ${residual} of plots give no accuracy.`,
      'The variance of lines must be above 0, and the others at least 0.',
    );
  }
  const sizes = Array.from({ length: places * replicates }, (_, k) => {
    const [p, r] = [Math.floor(k / replicates) + 1, (k % replicates) + 1];
    const heritability = lines / (lines + interaction / p + residual / (p * r));
    const plots = entries * p * r;
    const cost = p * costs.place + plots * costs.plot;
    return { places: p, replicates: r, plots, cost, heritability, accuracy: Math.sqrt(heritability), isBest: false };
  }).sort((a, b) => a.cost - b.cost || b.accuracy - a.accuracy || a.places - b.places);
  let best = 0;
  for (const size of sizes) {
    size.isBest = size.accuracy > best;
    best = Math.max(best, size.accuracy);
  }
  return sizes;
}
