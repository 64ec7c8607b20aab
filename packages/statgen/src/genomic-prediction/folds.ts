import { createRandomStream } from '../random/random-stream.ts';
import { StatgenError } from '../statgen-error.ts';
import { observedPositions } from './rrblup.ts';

/** Which fold each individual is in, per repetition. */
export interface Folds {
  individuals: number;
  repetitions: number;
  folds: number;
  /** individuals × repetitions, column-major: 1 … folds, 0 = takes no part. */
  assignment: Int32Array;
}

export interface FoldOptions {
  /** N values; individuals with NaN take no part. */
  y: Float64Array;
  nFold: number;
  nRepetition: number;
  seed: number | bigint;
}

/**
 * Random folds of equal size (± 1) among the individuals observed, the same for the same seed and number of
 * individuals.
 *
 * @throws StatgenError `bad-folds` when there are fewer than 2 folds or repetitions than 1, or fewer than two
 * individuals a fold
 */
export function createFolds(options: FoldOptions): Folds {
  const { y, nFold, nRepetition, seed } = options;
  const observed = observedPositions(y, y.length);
  if (!(Number.isInteger(nFold) && nFold >= 2 && Number.isInteger(nRepetition) && nRepetition >= 1)) {
    throw new StatgenError(
      'bad-folds',
      `cross-validation needs at least 2 folds and 1 repetition, not ${nFold} and ${nRepetition}`,
    );
  }
  if (observed.length < 2 * nFold) {
    throw new StatgenError(
      'bad-folds',
      `${observed.length} individuals cannot be cut into ${nFold} folds of at least two; use fewer folds`,
      { n: observed.length, folds: nFold },
    );
  }
  const assignment = new Int32Array(y.length * nRepetition);
  for (let repetition = 0; repetition < nRepetition; repetition++) {
    const order = createRandomStream(seed, 'folds', repetition).shuffle(observed.slice());
    for (let i = 0; i < order.length; i++) assignment[order[i] + repetition * y.length] = (i % nFold) + 1;
  }
  return { individuals: y.length, repetitions: nRepetition, folds: nFold, assignment };
}

/** Positions of the training and test individuals, and values of all N individuals. */
export interface Split {
  train: Int32Array;
  test: Int32Array;
  values: Float64Array;
  observed: Float64Array;
}

/** The training and test individuals of every fold. */
export interface FoldPlan {
  observed: Int32Array;
  places: { repetition: number; fold: number }[];
  splits: Split[];
}

/** @throws StatgenError `shape-mismatch`, `bad-folds`, `too-few-individuals`, `not-finite` */
export function splitFolds(y: Float64Array, folds: Folds, size: number): FoldPlan {
  const observed = observedPositions(y, size);
  requireFolds(folds, size, observed);
  const places = Array.from({ length: folds.repetitions * folds.folds }, (_, k) => ({
    repetition: 1 + Math.floor(k / folds.folds),
    fold: 1 + (k % folds.folds),
  }));
  const splits = places.map(({ repetition, fold }): Split => {
    const foldOf = (i: number): number => folds.assignment[i + (repetition - 1) * size];
    const train = observed.filter((i) => foldOf(i) !== fold && foldOf(i) !== 0);
    return { train, test: observed.filter((i) => foldOf(i) === fold), values: y, observed: y };
  });
  return { observed, places, splits };
}

function requireFolds(folds: Folds, size: number, observed: Int32Array): void {
  if (folds.individuals !== size || folds.assignment.length !== size * folds.repetitions) {
    throw new StatgenError(
      'shape-mismatch',
      `folds of ${folds.individuals} individuals (${folds.assignment.length} entries) do not fit a kinship of ${size}`,
    );
  }
  for (let repetition = 0; repetition < folds.repetitions; repetition++) {
    const counts = new Int32Array(folds.folds + 1);
    for (const i of observed) {
      const fold = folds.assignment[i + repetition * size];
      if (!(fold >= 0 && fold <= folds.folds)) {
        throw new StatgenError(
          'bad-folds',
          `individual ${i + 1} has fold ${fold}, which is not one of 0 to ${folds.folds}`,
          {
            individual: i + 1,
            fold,
          },
        );
      }
      counts[fold]++;
    }
    const empty = counts.indexOf(0, 1);
    if (empty > 0) {
      throw new StatgenError('bad-folds', `fold ${empty} of repetition ${repetition + 1} has no observed individual`, {
        fold: empty,
        repetition: repetition + 1,
      });
    }
  }
}
