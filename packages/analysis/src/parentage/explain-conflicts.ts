import type { AllelePlanes } from '@heterosis/statgen/parentage/allele-planes';
import type { Family } from './families.ts';
import { conflictsOf, isContradicted, type TestedFamily } from './test-families.ts';

/** Two samples whose exchange removes all conflicts of their families. */
export interface Swap {
  first: number;
  second: number;
  /** Families of the two in conflict as they are; after the exchange none is. */
  families: number;
}

/** A sample that the conflicts point to. */
export interface Suspect {
  sample: number;
  /** Its families in conflict, and those that could be tested. */
  conflicts: number;
  tested: number;
  /** Individuals in whose place the sample causes no conflict, those with the most families first. */
  fits: number[];
}

/** Samples that are exchanged with each other to see whether conflicts vanish, the most suspicious first. */
const MOST_EXCHANGED = 300;
const MOST_FITS = 5;

interface Individuals {
  /** Tested families by individual: as child and as parent. */
  familiesOf: TestedFamily[][];
  conflictsOf: Int32Array;
}

/**
 * Explains conflicts by mistaken samples. Suspects are found one after another: the sample with the most families in
 * conflict, weighed with their share of its families; its families then count as explained. Samples are swapped if
 * exchanging them leaves none of their families in conflict.
 */
export function explainConflicts(
  planes: AllelePlanes,
  families: readonly TestedFamily[],
  errorRate: number,
): { suspects: Suspect[]; swaps: Swap[] } {
  const tested = families.filter(({ verdict, support }) => verdict !== 'UNTESTABLE' && support !== null);
  const individuals = byIndividual(planes.individuals, tested);
  const isConflict = createJudge(planes, errorRate, tested.length);
  const swaps = findSwaps(individuals, isConflict);
  const suspects = findSuspects(individuals).map(({ sample, conflicts }) => ({
    ...{ sample, conflicts },
    tested: individuals.familiesOf[sample].length,
    fits: placesOf(sample, individuals, isConflict),
  }));
  return { suspects, swaps };
}

function byIndividual(count: number, families: readonly TestedFamily[]): Individuals {
  const familiesOf = Array.from({ length: count }, (): TestedFamily[] => []);
  const conflicts = new Int32Array(count);
  for (const family of families) {
    for (const one of membersOf(family)) {
      familiesOf[one].push(family);
      if (family.verdict === 'CONFLICT') conflicts[one]++;
    }
  }
  return { familiesOf, conflictsOf: conflicts };
}

const membersOf = ({ child, female, male }: Family): Set<number> =>
  new Set([child, female, male].filter((one) => one >= 0));

/** Whether a family has too many conflicts, with other samples in the places of some individuals. */
type Judge = (family: Family, sampleOf: (individual: number) => number) => boolean;

function createJudge(planes: AllelePlanes, errorRate: number, tests: number): Judge {
  return (family, sampleOf) => {
    const place = (individual: number): number => (individual < 0 ? -1 : sampleOf(individual));
    const { child, female, male } = family;
    const found = conflictsOf(planes, family.rule, { child: place(child), female: place(female), male: place(male) });
    return found !== undefined && isContradicted(family, found, errorRate, tests);
  };
}

function findSuspects({ familiesOf, conflictsOf: counts }: Individuals): { sample: number; conflicts: number }[] {
  const left = Int32Array.from(counts);
  const explained = new Set<Family>();
  const suspects: { sample: number; conflicts: number }[] = [];
  for (;;) {
    let best = -1;
    let most = 0;
    for (let i = 0; i < left.length; i++) {
      const weight = left[i] ** 2 / Math.max(1, familiesOf[i].length);
      // Of equals the child comes before its parents: a family names it first.
      if (weight > most || (weight === most && weight > 0 && isChildOf(i, best, familiesOf)))
        [best, most] = [i, weight];
    }
    if (best < 0) return suspects;
    suspects.push({ sample: best, conflicts: counts[best] });
    for (const family of familiesOf[best]) {
      if (family.verdict !== 'CONFLICT' || explained.has(family)) continue;
      explained.add(family);
      for (const one of membersOf(family)) left[one]--;
    }
  }
}

const isChildOf = (child: number, parent: number, familiesOf: readonly TestedFamily[][]): boolean =>
  familiesOf[child].some((one) => one.child === child && (one.female === parent || one.male === parent));

function findSwaps({ familiesOf, conflictsOf: counts }: Individuals, isConflict: Judge): Swap[] {
  const involved = Array.from(counts.keys())
    .filter((i) => 2 * counts[i] >= familiesOf[i].length && counts[i] > 0)
    .sort((a, b) => counts[b] - counts[a] || a - b)
    .slice(0, MOST_EXCHANGED)
    .sort((a, b) => a - b);
  const swaps: Swap[] = [];
  for (const [k, first] of involved.entries()) {
    for (const second of involved.slice(k + 1)) {
      const affected = [...new Set([...familiesOf[first], ...familiesOf[second]])];
      const exchanged = (i: number): number => (i === first ? second : i === second ? first : i);
      if (affected.some((family) => isConflict(family, exchanged))) continue;
      swaps.push({ first, second, families: affected.filter(({ verdict }) => verdict === 'CONFLICT').length });
    }
  }
  return swaps.sort((a, b) => b.families - a.families || a.first - b.first || a.second - b.second);
}

/** Other individuals whose families the sample suits. */
function placesOf(sample: number, { familiesOf }: Individuals, isConflict: Judge): number[] {
  const places: number[] = [];
  for (const [individual, families] of familiesOf.entries()) {
    if (individual === sample || families.length === 0) continue;
    // In its own families the sample would stand twice.
    if (families.some((family) => membersOf(family).has(sample))) continue;
    const placed = (i: number): number => (i === individual ? sample : i);
    if (!families.some((family) => isConflict(family, placed))) places.push(individual);
  }
  return places.sort((a, b) => familiesOf[b].length - familiesOf[a].length || a - b).slice(0, MOST_FITS);
}
