import { compact, connectedGroups, type Factor, fitTwoWay, type Observed, type TwoWayFit } from './two-way-fit.ts';

/** A sum of squares below this share of the total is rounding. */
const ROUNDING = 1e-20;

/**
 * H² on an entry-mean basis, 1 − MS(error)/MS(lines) (Holland, Nyquist & Cervantes-Martínez 2003, Plant Breeding
 * Reviews 22:9–112, balanced case), with checks as fixed effects: MS(lines) is the mean square among the lines that are
 * no checks, after cells and checks. Exact for balanced data, an approximation for others.
 *
 * @param fit least squares of the same observations
 * @param checks one flag per individual; null without checks
 * @returns 0–1, negative estimates are 0; null without degrees of freedom
 */
export function entryMeanHeritability(
  individual: Int32Array,
  individualCount: number,
  cells: Factor,
  value: Float64Array,
  fit: TwoWayFit,
  checks: Uint8Array | null,
): number | null {
  // The lines that are no checks become one level: what the error grows by is their sum of squares after cells and
  // checks.
  const merged = compact(individual.map((line) => (checks !== null && checks[line] === 1 ? line : individualCount)));
  const reduced = fitTwoWay(
    merged.codes,
    merged.count,
    cells,
    value,
    connectedGroups(merged.codes, merged.count, cells),
  );
  const lineDegrees = reduced.errorDegrees - fit.errorDegrees;
  if (fit.errorDegrees < 1 || lineDegrees < 1) return null;
  const total = reduced.errorSumOfSquares;
  if (!(total > 0)) return null;
  if (fit.errorSumOfSquares <= ROUNDING * total) return 1;
  const errorMeanSquare = fit.errorSumOfSquares / fit.errorDegrees;
  const lineMeanSquare = Math.max(0, total - fit.errorSumOfSquares) / lineDegrees;
  return Math.max(0, 1 - errorMeanSquare / lineMeanSquare);
}

/** Means of each individual in each environment, corrected for the effects of replicates and blocks. */
export function environmentMeans(
  observed: Observed,
  environments: Factor,
  cellEffects: Float64Array,
  environmentEffects: Float64Array,
): { individual: Int32Array; environments: Factor; value: Float64Array } {
  const sums = new Map<number, { sum: number; count: number }>();
  for (let i = 0; i < observed.value.length; i++) {
    const environment = environments.codes[i];
    const key = observed.individual[i] * environments.count + environment;
    const value = observed.value[i] - cellEffects[observed.cell[i]] + environmentEffects[environment];
    const known = sums.get(key);
    if (known === undefined) {
      sums.set(key, { sum: value, count: 1 });
    } else {
      known.sum += value;
      known.count++;
    }
  }
  const individual = new Int32Array(sums.size);
  const codes = new Int32Array(sums.size);
  const value = new Float64Array(sums.size);
  let at = 0;
  for (const [key, { sum, count }] of sums) {
    individual[at] = Math.floor(key / environments.count);
    codes[at] = key % environments.count;
    value[at++] = sum / count;
  }
  return { individual, environments: { codes, count: environments.count }, value };
}
