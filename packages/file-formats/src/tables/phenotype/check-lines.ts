/** A check has at least this many times the plots of any other line. */
const CHECK_RATIO = 3;
/** Checks are few: at most one line in five. */
const MOST_CHECKS = 0.2;

/**
 * Finds the checks of a trial by their replication: the lines with at least 3 times as many observations as any other
 * line, when they are at most a fifth of the lines. An augmented design shows such a gap; a trial with missing plots,
 * or one whose better lines were carried on for more years, does not.
 *
 * @param observations number of observations of each line; lines with none are not counted
 * @returns one flag per line, 1 = check; null when there are no checks
 */
export function findChecks(observations: Int32Array): Uint8Array | null {
  const counts = observations.filter((count) => count > 0).sort();
  for (let above = 1; above < counts.length; above++) {
    if (counts[above] < CHECK_RATIO * counts[above - 1]) continue;
    if (counts.length - above > MOST_CHECKS * counts.length) continue;
    return Uint8Array.from(observations, (count) => Number(count >= counts[above]));
  }
  return null;
}
