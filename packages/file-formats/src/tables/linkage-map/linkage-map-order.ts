import type { ProblemCollector } from '../../problem.ts';
import type { LinkageMap } from './linkage-map.ts';
import { roundedCm } from './linkage-map-summary.ts';

/** Longer stretches without a marker are reported. */
const GAP_CM = 50;

/** Reports W-LM-ORDER once per chromosome and W-LM-GAP once per gap. */
export function reportOrder(map: LinkageMap, lines: Int32Array, problems: ProblemCollector): void {
  const byChromosome = new Map<string, number[]>();
  map.chromosome.forEach((name, index) => {
    if (Number.isNaN(map.positionCm[index])) return;
    const members = byChromosome.get(name);
    if (members === undefined) byChromosome.set(name, [index]);
    else members.push(index);
  });
  for (const [name, members] of byChromosome) {
    members.sort((a, b) => map.positionCm[a] - map.positionCm[b]);
    for (let i = 1; i < members.length; i++) {
      const gap = map.positionCm[members[i]] - map.positionCm[members[i - 1]];
      if (gap <= GAP_CM) continue;
      problems.warning('W-LM-GAP', {
        line: lines[members[i]],
        value: String(roundedCm(gap)),
        message: `Between "${map.markerId[members[i - 1]]}" and "${map.markerId[members[i]]}" on chromosome ${name} lie ${roundedCm(gap)} cM without a marker.`,
        suggestion: 'Check the positions; confirm when the map has this gap.',
      });
    }
    const swap = firstDisorder(
      members.filter((index) => !Number.isNaN(map.positionBp[index])),
      map.positionBp,
      map.positionCm,
    );
    if (swap === null) continue;
    problems.warning('W-LM-ORDER', {
      line: lines[swap[1]],
      value: map.markerId[swap[1]],
      message: `On chromosome ${name} the order by map position differs from the order by base pairs, first at "${map.markerId[swap[0]]}" and "${map.markerId[swap[1]]}".`,
      suggestion: 'Check the positions; confirm when the map is right.',
    });
  }
}

/** The first two markers (given in map order) whose base pairs decrease; equal map positions may be in any order. */
export function firstDisorder(
  members: readonly number[],
  positionBp: ArrayLike<number>,
  positionCm: ArrayLike<number>,
): [number, number] | null {
  // Markers at one map position may have any order of base pairs: compare with the maximum over the previous
  // positions.
  let furthest: number | null = null;
  let pending: number | null = null;
  for (let i = 0; i < members.length; i++) {
    const index = members[i];
    if (pending !== null && positionCm[index] > positionCm[members[i - 1]]) {
      furthest = pending;
    }
    if (furthest !== null && positionBp[index] < positionBp[furthest]) return [furthest, index];
    if (pending === null || positionBp[index] > positionBp[pending]) pending = index;
  }
  return null;
}
