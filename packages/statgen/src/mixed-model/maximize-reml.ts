/** The restricted likelihood at one point, with what a step from there needs. */
export interface RemlPoint {
  logLikelihood: number;
  /** Exact first derivatives, one a parameter. */
  score: Float64Array;
  /** Average information, q × q (Gilmour, Thompson & Cullis 1995, eq. 6). */
  information: Float64Array;
}

/** A likelihood whose derivatives are computed when they are asked for, once, before the next evaluation. */
export interface RemlEvaluation {
  logLikelihood: number;
  derivatives(): Omit<RemlPoint, 'logLikelihood'>;
}

/** A restricted likelihood as a function of q bounded parameters that are 1 in size. */
export interface RemlProblem {
  lower: Float64Array;
  upper: Float64Array;
  /** Null where the covariance is not positive definite. */
  evaluate(parameters: Float64Array): RemlEvaluation | null;
}

export interface RemlMaximum {
  parameters: Float64Array;
  point: RemlPoint;
  /** 1 where a parameter ended at one of its bounds and the likelihood falls from there. */
  atBound: Uint8Array;
  iterations: number;
  converged: boolean;
}

/** Largest score × size of a parameter at the end. */
const TOLERANCE = 1e-8;
/** Size given to a parameter smaller than this when its score is judged. */
const SMALLEST_SIZE = 1e-3;
const MOST_ITERATIONS = 200;
const MOST_HALVINGS = 40;
/** Least share of the predicted gain that a step must bring (Armijo). */
const LEAST_GAIN = 1e-4;
/** Rounding of a log-likelihood, relative. */
const ROUNDING = 1e-12;

interface ClimbOptions {
  mostIterations?: number;
  /** Goes on to scores below this while they fall; what has converged is judged as ever. */
  tolerance?: number;
  /** A maximum found before: a climb that comes close to it ends. */
  known?: RemlMaximum | undefined;
}

/**
 * Climbs from a start to a maximum by projected steps of average information. The difference between the average and
 * the observed information is learned from the scores by symmetric rank-one updates (as Dennis, Gay & Welsch 1981 do
 * for least squares), so that the end of the climb is Newton's without second derivatives. Parameters at a bound from
 * which the likelihood falls rest there (Bertsekas 1982), and are released when it rises.
 *
 * @returns null when the likelihood does not exist at the start
 */
function maximizeReml(
  problem: RemlProblem,
  start: Float64Array,
  { mostIterations = MOST_ITERATIONS, tolerance = TOLERANCE, known }: ClimbOptions = {},
): RemlMaximum | null {
  const q = start.length;
  let parameters = clipped(problem, start);
  const first = problem.evaluate(parameters);
  if (first === null) return null;
  let point = pointOf(first);
  let correction = new Float64Array(q * q);
  let iterations = 0;
  for (; iterations < mostIterations; iterations++) {
    const free = freeParameters(problem, parameters, point);
    const isEnd = largestScore(parameters, point, free) < tolerance;
    if (isEnd || (known !== undefined && isSame({ parameters, point }, known))) break;
    let next = climb(problem, parameters, point, free, correction);
    if (next === null && correction.some((value) => value !== 0)) {
      correction = new Float64Array(q * q);
      next = climb(problem, parameters, point, free, correction);
    }
    if (next === null) break;
    learn(correction, parameters, point, next);
    ({ parameters, point } = next);
  }
  const free = freeParameters(problem, parameters, point);
  const converged = largestScore(parameters, point, free) < TOLERANCE;
  return { parameters, point, atBound: free.map((isFree) => 1 - isFree), iterations, converged };
}

interface Place {
  parameters: Float64Array;
  point: RemlPoint;
}

/** A step that raises the likelihood, or null when no step does. */
function climb(
  problem: RemlProblem,
  parameters: Float64Array,
  point: RemlPoint,
  free: Uint8Array,
  correction: Float64Array,
): Place | null {
  const direction = directionOf(point, free, correction);
  const before = largestScore(parameters, point, free);
  const rounding = ROUNDING * Math.max(1, Math.abs(point.logLikelihood));
  let length = 1;
  for (let halving = 0; halving < MOST_HALVINGS; halving++, length /= 2) {
    const tried = clipped(
      problem,
      parameters.map((value, k) => value + length * direction[k]),
    );
    const predicted = tried.reduce((sum, value, k) => sum + point.score[k] * (value - parameters[k]), 0);
    if (!(predicted > 0)) continue;
    const found = problem.evaluate(tried);
    if (found === null) continue;
    const gain = found.logLikelihood - point.logLikelihood;
    const isEnd = Math.abs(gain) <= rounding;
    if (!isEnd && gain < LEAST_GAIN * predicted) continue;
    const next = { parameters: tried, point: pointOf(found) };
    // At the end likelihoods cannot tell points apart; the scores can.
    if (!isEnd || largestScore(tried, next.point, freeParameters(problem, tried, next.point)) < before) return next;
  }
  return null;
}

const pointOf = (evaluation: RemlEvaluation): RemlPoint => ({
  logLikelihood: evaluation.logLikelihood,
  ...evaluation.derivatives(),
});

/** Iterations after which climbs from several starts are compared, and how many of them go on to the end. */
const TRIAL_ITERATIONS = 6;
const LAST_CLIMBS = 3;
/** Two climbs are one when their likelihoods and parameters are this close. */
const SAME = 1e-3;

/**
 * Climbs from several starts: some steps from each, then to the end from the best three that are apart.
 *
 * @returns the higher of their ends; null when the likelihood exists at none of the starts
 */
export function maximizeFromStarts(
  problem: RemlProblem,
  starts: readonly Float64Array[],
  options: Pick<ClimbOptions, 'tolerance'> = {},
): RemlMaximum | null {
  const first = starts.length > 1 ? { ...options, mostIterations: TRIAL_ITERATIONS } : options;
  const climbs = starts
    .map((start) => maximizeReml(problem, start, first))
    .filter((climbed) => climbed !== null)
    .sort((a, b) => b.point.logLikelihood - a.point.logLikelihood);
  const apart = climbs.filter((one, i) => climbs.slice(0, i).every((other) => !isSame(one, other)));
  let best: RemlMaximum | null = null;
  for (const one of apart.slice(0, LAST_CLIMBS)) {
    const isEnd = (one.converged && options.tolerance === undefined) || starts.length === 1;
    const further = { ...options, known: best ?? undefined };
    const end: RemlMaximum = isEnd ? one : (maximizeReml(problem, one.parameters, further) ?? one);
    // A climb that ended close to the best one is not nearer to its maximum, whatever rounding says.
    const isRepeated = best?.converged === true && isSame(end, best);
    if (best === null || (!isRepeated && end.point.logLikelihood > best.point.logLikelihood)) best = end;
  }
  return best;
}

function isSame(a: Place, b: Place): boolean {
  return (
    Math.abs(a.point.logLikelihood - b.point.logLikelihood) < SAME &&
    a.parameters.every((value, k) => Math.abs(value - b.parameters[k]) < 10 * SAME * Math.max(1, Math.abs(value)))
  );
}

/** Information⁻¹ · score among the free parameters; 0 for the others. */
function directionOf({ score, information }: RemlPoint, free: Uint8Array, correction: Float64Array): Float64Array {
  const places = [...free.keys()].filter((k) => free[k] === 1);
  const q = score.length;
  const matrixOf = (share: number, ridge: number) =>
    places.map((k) =>
      places.map((l) => {
        const value = information[k + l * q] + share * correction[k + l * q];
        return k === l ? value + ridge * Math.max(information[k + k * q], 1e-8) : value;
      }),
    );
  const right = places.map((k) => score[k]);
  for (const [share, ridge] of [
    [1, 0],
    [0, 0],
    [0, 1e-6],
    [0, 1e-3],
    [0, 1],
  ] as const) {
    const solution = solvePositive(matrixOf(share, ridge), right);
    if (solution === null) continue;
    const direction = new Float64Array(q);
    places.forEach((k, i) => {
      direction[k] = solution[i];
    });
    return direction;
  }
  return score.map((value, k) => value * free[k]);
}

/** Solves a small positive definite system; null when it is not positive definite. */
export function solvePositive(matrix: readonly number[][], right: readonly number[]): number[] | null {
  const q = right.length;
  const lower = matrix.map((row) => [...row]);
  for (let j = 0; j < q; j++) {
    for (let i = j; i < q; i++) {
      let sum = lower[i][j];
      for (let k = 0; k < j; k++) sum -= lower[i][k] * lower[j][k];
      if (i > j) lower[i][j] = sum / lower[j][j];
      else if (sum > 1e-13 * Math.abs(matrix[j][j])) lower[j][j] = Math.sqrt(sum);
      else return null;
    }
  }
  const solution = [...right];
  for (let i = 0; i < q; i++) {
    for (let k = 0; k < i; k++) solution[i] -= lower[i][k] * solution[k];
    solution[i] /= lower[i][i];
  }
  for (let i = q - 1; i >= 0; i--) {
    for (let k = i + 1; k < q; k++) solution[i] -= lower[k][i] * solution[k];
    solution[i] /= lower[i][i];
  }
  return solution;
}

/** Rank-one update of what the average information lacks of the observed one. */
function learn(correction: Float64Array, from: Float64Array, before: RemlPoint, { parameters, point }: Place): void {
  const q = from.length;
  const step = parameters.map((value, k) => value - from[k]);
  const missing = before.score.map((value, k) => value - point.score[k]);
  for (let k = 0; k < q; k++) {
    for (let l = 0; l < q; l++) missing[k] -= (point.information[k + l * q] + correction[k + l * q]) * step[l];
  }
  const along = missing.reduce((sum, value, k) => sum + value * step[k], 0);
  if (Math.abs(along) <= 1e-8 * Math.hypot(...missing) * Math.hypot(...step)) return;
  for (let k = 0; k < q; k++) {
    for (let l = 0; l < q; l++) correction[k + l * q] += (missing[k] * missing[l]) / along;
  }
}

function freeParameters({ lower, upper }: RemlProblem, parameters: Float64Array, { score }: RemlPoint): Uint8Array {
  return Uint8Array.from(parameters, (value, k) =>
    Number(!((value <= lower[k] && score[k] <= 0) || (value >= upper[k] && score[k] >= 0))),
  );
}

function largestScore(parameters: Float64Array, { score }: RemlPoint, free: Uint8Array): number {
  return score.reduce(
    (most, value, k) =>
      free[k] === 1
        ? Math.max(most, Math.abs(value) * Math.min(1, Math.max(SMALLEST_SIZE, Math.abs(parameters[k]))))
        : most,
    0,
  );
}

function clipped({ lower, upper }: RemlProblem, parameters: Float64Array): Float64Array {
  return parameters.map((value, k) => Math.min(upper[k], Math.max(lower[k], value)));
}
