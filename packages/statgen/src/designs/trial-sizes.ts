import { DesignError } from './design-error.ts';

/** Variance components of plots. */
export interface TrialVariances {
  lines: number;
  /** Lines × places. */
  interaction: number;
  residual: number;
}

/** What an analysis of one trial has estimated: variance components by name. */
export type EstimatedVariances = Readonly<Record<string, { value: number }>>;

/**
 * Variance components of plots from earlier analyses of a trait. Of lines and lines × places: the mean genetic
 * covariance of two environments, and what the mean variance within environments exceeds it by, at least 0. Of plots:
 * the mean over trials of the residual variance, with the nugget (`units`) where there is one. Without a series (null)
 * the variance of lines is the mean over the trials that have one, and interaction, which is in it, is not told apart.
 * What no analysis tells is absent.
 *
 * @param geneticCovariance of a series, environments × environments; null where not estimated
 */
export function estimatedVariances(
  trials: readonly EstimatedVariances[],
  geneticCovariance: readonly (readonly (number | null)[])[] | null,
): Partial<TrialVariances> {
  const residual = mean(trials.map(varianceOfPlots));
  const plots = residual === undefined ? {} : { residual };
  const within = mean((geneticCovariance ?? []).map((row, i) => row[i] ?? null));
  if (geneticCovariance === null || within === undefined) {
    const lines = mean(trials.flatMap((variances) => variances['lines']?.value ?? []));
    return { ...plots, ...(lines === undefined ? {} : { lines }) };
  }
  const between = mean(geneticCovariance.flatMap((row, i) => row.filter((_, j) => j < i)));
  return between === undefined
    ? { ...plots, lines: within }
    : { ...plots, lines: between, interaction: Math.max(0, within - between) };
}

/** With the nugget, where the model has one. */
const varianceOfPlots = (variances: EstimatedVariances): number =>
  (variances['residual']?.value ?? 0) + (variances['units']?.value ?? 0);

/** The variance of plots in each environment; undefined where it has no trial. */
export function variancesOfPlots(
  environments: readonly string[],
  trials: readonly { environment?: string; variances: EstimatedVariances }[],
): (number | undefined)[] {
  const found = new Map(trials.map(({ environment, variances }) => [environment, varianceOfPlots(variances)]));
  return environments.map((environment) => found.get(environment));
}

function mean(values: readonly (number | null)[]): number | undefined {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length;
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
