import type { TrialFit } from './fit-trial.ts';

/** Three heritabilities of one trial and trait under their names; null with a reason where one has no meaning. */
export interface TrialHeritability {
  /** 1 − v̄(BLUP difference)/(2σ²_g) (Cullis, Smith & Coombes 2006, eq. 8). */
  cullis: number | null;
  /** σ²_g/(σ²_g + v̄(BLUE difference)/2) (Piepho & Möhring 2007, eq. 19). */
  piepho: number | null;
  /** σ²_g/(σ²_g + error variance of one plot). */
  plot: number | null;
  reasons: Partial<Record<'cullis' | 'piepho' | 'plot', string>>;
}

/**
 * @param random the fit with random lines, or why there is none
 * @param fixed the fit with fixed lines, whose variances are its own, or why there is none
 */
export function trialHeritability(random: TrialFit | string, fixed: TrialFit | string): TrialHeritability {
  if (typeof random === 'string') return without(random);
  const { variances, blups } = random;
  const lines = variances['lines'];
  if (lines === undefined || blups === null) return without('the lines are not random');
  if (lines.value === 0) return without('the variance of the lines is 0');
  if (blups.meanDifferenceVariance === null) return without('fewer than two lines are random');
  const error = (variances['residual']?.value ?? 0) + (variances['units']?.value ?? 0);
  const result: TrialHeritability = {
    cullis: 1 - blups.meanDifferenceVariance / (2 * lines.value),
    piepho: null,
    plot: lines.value / (lines.value + error),
    reasons: {},
  };
  const difference = typeof fixed === 'string' ? fixed : meanDifferenceVariance(fixed, blups.lines);
  if (typeof difference === 'string') result.reasons.piepho = difference;
  else result.piepho = lines.value / (lines.value + difference / 2);
  return result;
}

const without = (reason: string): TrialHeritability => ({
  cullis: null,
  piepho: null,
  plot: null,
  reasons: { cullis: reason, piepho: reason, plot: reason },
});

/** 2(tr C − 1′C1/m)/(m − 1) over the means of the random lines. */
function meanDifferenceVariance({ means }: TrialFit, lines: readonly string[]): number | string {
  if (means === null) return 'the lines are not fixed';
  const n = means.lines.length;
  const asked = new Set(lines);
  const places = [...means.lines.keys()].filter((place) => asked.has(means.lines[place]));
  const m = places.length;
  if (m < 2) return 'fewer than two lines have means';
  let trace = 0;
  let sum = 0;
  for (const i of places) {
    trace += means.covariance[i + i * n];
    for (const j of places) sum += means.covariance[i + j * n];
  }
  return (2 * (trace - sum / m)) / (m - 1);
}
