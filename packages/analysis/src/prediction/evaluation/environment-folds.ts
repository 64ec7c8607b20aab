import { createRandomStream } from '@heterosis/statgen/random/random-stream';

/**
 * What a cross-validation of lines in environments hides (Burgueño et al. 2012, Crop Sci 52:707; Jarquín et al. 2017,
 * Plant Genome 10):
 * - `cv1`: lines, everywhere: new lines in known environments;
 * - `cv2`: cells: known lines where they were not tested;
 * - `cv0`: an environment: known lines in a new environment;
 * - `cv00`: an environment and lines: new lines in a new environment.
 */
export type EnvironmentScheme = 'cv1' | 'cv2' | 'cv0' | 'cv00';

/** The record at a place of a trial. */
export interface Cell {
  trial: number;
  record: number;
}

export interface EnvironmentFold {
  /** 1-based. */
  repetition: number;
  fold: number;
  /** Records to train on, by trial. */
  train: number[][];
  test: Cell[];
}

export interface FoldChoice {
  scheme: EnvironmentScheme;
  nFold: number;
  nRepetition: number;
  seed: number;
}

/**
 * The folds of a scheme: as many as asked for a repetition with `cv1` and `cv2`, one an environment with `cv0`, once,
 * and as many as asked an environment with `cv00`. Random ones depend on the seed and the number of lines or cells.
 *
 * @param lines of the records of each trial
 */
export function environmentFolds(
  lines: readonly Int32Array[],
  { scheme, nFold, nRepetition, seed }: FoldChoice,
): EnvironmentFold[] {
  const cells = lines.flatMap((own, trial) => Array.from(own.keys(), (record): Cell => ({ trial, record })));
  const lineOf = ({ trial, record }: Cell): number => lines[trial][record];
  const foldOf = (repetition: number, fold: number, isTest: (cell: Cell) => boolean, isHidden = isTest) => ({
    ...{ repetition, fold, test: cells.filter(isTest) },
    train: lines.map((own, trial) => [...own.keys()].filter((record) => !isHidden({ trial, record }))),
  });
  if (scheme === 'cv0') {
    return lines.map((_, j) => {
      const known = new Set(lines.flatMap((own, trial) => (trial === j ? [] : [...own])));
      return foldOf(
        1,
        j + 1,
        (cell) => cell.trial === j && known.has(lineOf(cell)),
        ({ trial }) => trial === j,
      );
    });
  }
  const individuals = [...new Set(lines.flatMap((own) => [...own]))].sort((a, b) => a - b);
  return Array.from({ length: nRepetition }, (_, r): EnvironmentFold[] => {
    const random = createRandomStream(seed, scheme === 'cv2' ? 'cells' : 'lines', r);
    const count = scheme === 'cv2' ? cells.length : individuals.length;
    const assigned = new Int32Array(count);
    const order = random.shuffle(Int32Array.from({ length: count }, (__, i) => i));
    for (const [place, i] of order.entries()) assigned[i] = place % nFold;
    const foldOfLine = new Map(individuals.map((line, i) => [line, assigned[i]]));
    const firsts = lines.map((__, j) => lines.slice(0, j).reduce((sum, own) => sum + own.length, 0));
    const isIn = (f: number) => (cell: Cell) =>
      (scheme === 'cv2' ? assigned[firsts[cell.trial] + cell.record] : foldOfLine.get(lineOf(cell))) === f;
    const folds = Array.from({ length: nFold }, (__, f) => f);
    if (scheme !== 'cv00') return folds.map((f) => foldOf(r + 1, f + 1, isIn(f)));
    return lines.flatMap((__, j) =>
      folds.map((f) => {
        const isTest = (cell: Cell): boolean => cell.trial === j && isIn(f)(cell);
        return foldOf(r + 1, j * nFold + f + 1, isTest, (cell) => cell.trial === j || isIn(f)(cell));
      }),
    );
  }).flat();
}
