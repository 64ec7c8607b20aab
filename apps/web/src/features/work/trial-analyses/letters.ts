/** A mean, and the letters of the groups that it belongs to: means without a common letter differ. */
export type Letters = readonly string[];

/** More groups have no letters that anybody reads. */
const MOST_GROUPS = 26;

/**
 * Letters of means in descending order, where any two differ from a distance on: the same least significant difference
 * for all pairs. Each group is a run of means within it that no other run contains (Piepho 2004, J Comput Graph Stat
 * 13:456–466, for differences of equal precision). O(n).
 *
 * @returns letters of each mean in the order given; undefined where the groups are more than there are letters
 */
export function lettersOf(means: readonly number[], leastDifference: number): Letters[] | undefined {
  const letters: string[][] = means.map(() => []);
  let [groups, end] = [0, 0];
  for (let from = 0; from < means.length; from++) {
    let last = Math.max(end, from);
    while (last < means.length && (means[from] ?? 0) - (means[last] ?? 0) <= leastDifference) last++;
    // A run that ends where an earlier one did is part of it.
    if (last <= end) continue;
    if (groups === MOST_GROUPS) return undefined;
    const letter = String.fromCharCode(97 + groups++);
    for (let place = from; place < last; place++) letters[place]?.push(letter);
    end = last;
  }
  return letters;
}
