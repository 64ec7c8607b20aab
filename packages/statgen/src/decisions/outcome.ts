/** A line of a closed decision: what was predicted then, and what is known since. */
export interface DecidedLine {
  isAdvanced: boolean;
  /** On the scale of the comparison (index or trait), high is better; NaN: unknown. */
  predicted: number;
  since: number;
}

export interface Outcome {
  /** Lines of each group with a value since. */
  advanced: number;
  others: number;
  /** Mean of the advanced less mean of all, as predicted then; null where a group is empty. */
  expectedGain: number | null;
  /** The same of the values since, over the lines that have one. */
  realizedGain: number | null;
  /** Pearson correlation of predicted and later values over all lines with both; null below 3 lines. */
  accuracy: number | null;
  /** Places of lines not advanced whose value since is above the check's. */
  regretted: number[];
  /** Best mean that as many lines could have had, less the mean of the advanced, of the values since. */
  regret: number | null;
}

/**
 * What came of a decision. Gains compare the same lines then and now: only those with both values count. Advanced lines
 * are often tested better than dropped ones, so that a group without values since makes the gains unknown (null).
 *
 * @param check value of the check since; NaN: unknown, and nothing is regretted
 */
export function outcomeOf(lines: readonly DecidedLine[], check: number): Outcome {
  const places = Array.from(lines.keys()).filter((i) => Number.isFinite(lines[i].predicted + lines[i].since));
  const advanced = places.filter((i) => lines[i].isAdvanced);
  const others = places.filter((i) => !lines[i].isAdvanced);
  const mean = (of: readonly number[], value: 'predicted' | 'since'): number =>
    of.reduce((sum, i) => sum + lines[i][value], 0) / of.length;
  const isCompared = advanced.length > 0 && others.length > 0;
  const gain = (value: 'predicted' | 'since') => (isCompared ? mean(advanced, value) - mean(places, value) : null);
  const best = [...places].sort((a, b) => lines[b].since - lines[a].since).slice(0, advanced.length);
  return {
    ...{ advanced: advanced.length, others: others.length },
    ...{ expectedGain: gain('predicted'), realizedGain: gain('since') },
    accuracy: correlation(
      places.map((i) => lines[i].predicted),
      places.map((i) => lines[i].since),
    ),
    regretted: Array.from(lines.keys()).filter((i) => !lines[i].isAdvanced && lines[i].since > check),
    regret: isCompared ? mean(best, 'since') - mean(advanced, 'since') : null,
  };
}

/** Null below three pairs and where one side does not vary. */
export function correlation(x: readonly number[], y: readonly number[]): number | null {
  const n = x.length;
  if (n < 3) return null;
  const mx = x.reduce((sum, one) => sum + one, 0) / n;
  const my = y.reduce((sum, one) => sum + one, 0) / n;
  let [xx, xy, yy] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    xx += (x[i] - mx) ** 2;
    xy += (x[i] - mx) * (y[i] - my);
    yy += (y[i] - my) ** 2;
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : null;
}
