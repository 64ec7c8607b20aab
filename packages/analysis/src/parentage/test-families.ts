import type { AllelePlanes } from '@heterosis/statgen/parentage/allele-planes';
import { binomialTail, smallestSignificant } from '@heterosis/statgen/parentage/binomial-tail';
import type { DescentRule, Family } from './families.ts';

/** Markers at which a family could be contradicted, and those at which it is. */
export interface Conflicts {
  markers: number;
  conflicts: number;
}

/**
 * What the markers say of a family. CONFIRMED: not more conflicts than genotyping errors explain. CONFLICT: more.
 * PLAUSIBLE and DOUBTFUL: nothing can contradict a line with one genotyped parent; it is more like this parent than
 * individuals that do not descend from it, or it is not. UNTESTABLE: too few markers, or strangers would fit as well.
 */
export type Verdict = 'CONFIRMED' | 'CONFLICT' | 'PLAUSIBLE' | 'DOUBTFUL' | 'UNTESTABLE';

export interface TestedFamily extends Family, Conflicts {
  /** Share of conflicts of other individuals of the panel in the child's place; NaN when there are no markers. */
  ofOthers: number;
  /** Opposite homozygotes of the child and each genotyped parent. */
  withFemale: Conflicts | null;
  withMale: Conflicts | null;
  /** ln likelihood ratio of the genotyped parents against no relation. */
  score: number;
  verdict: Verdict;
}

/** Others that are put in the child's place, evenly spread over the panel. */
const MOST_OTHERS = 100;
/** Probability that a panel without errors in its pedigree has any conflict. */
const FALSE_ALARMS = 0.01;
/**
 * A line has half of its genome of each parent, give or take a tenth, and half of the opposite homozygotes with it that
 * a stranger has. From this share on it is doubtful.
 */
const UNLIKE = 0.8;
/** Probability with which a family must refuse a stranger in place of the child. */
const POWER = 0.99;

/**
 * Counts the conflicts of a family, with any samples in the places of child and parents. Undefined when nothing can
 * contradict it: without a genotyped parent, or a line with only one of two.
 */
export function conflictsOf(
  planes: AllelePlanes,
  rule: DescentRule,
  { child, female, male }: { child: number; female: number; male: number },
): Conflicts | undefined {
  if (female >= 0 && male >= 0 && rule !== 'clone') {
    const counts = planes.compareTrio(child, female, male);
    return rule === 'cross'
      ? { markers: counts.called, conflicts: counts.crossConflicts }
      : { markers: counts.fixed, conflicts: counts.lineConflicts };
  }
  const parent = Math.max(female, male);
  if (parent < 0 || rule === 'line') return undefined;
  const { called, opposing, different } = planes.comparePairs(child, parent, 1);
  return { markers: called[0], conflicts: rule === 'clone' ? different[0] : opposing[0] };
}

/** Probability that any of the calls compared at a marker is wrong: what a true family shows at most. */
function mostErrors({ rule, female, male }: Family, errorRate: number): number {
  const calls = rule !== 'clone' && female >= 0 && male >= 0 && female !== male ? 3 : 2;
  return 1 - (1 - errorRate) ** calls;
}

/** The level of each of several tests (Bonferroni). */
const levelOf = (tests: number): number => FALSE_ALARMS / Math.max(1, tests);

/** Whether a family among `tests` has more conflicts than errors explain: an exact binomial test, at 0.01 for all. */
export const isContradicted = (family: Family, found: Conflicts, errorRate: number, tests: number): boolean =>
  binomialTail(found.conflicts, found.markers, mostErrors(family, errorRate)) < levelOf(tests);

/** Tests families, all but their scores: those are 0. */
export function testFamilies(planes: AllelePlanes, families: readonly Family[], errorRate: number): TestedFamily[] {
  const testable = families.filter((family) => conflictsOf(planes, family.rule, family) !== undefined).length;
  return families.map((family) => {
    const found = conflictsOf(planes, family.rule, family);
    const tested = {
      ...family,
      ...(found ?? { markers: 0, conflicts: 0 }),
      ofOthers: found === undefined ? Number.NaN : shareOfOthers(planes, family, new Set([family.child])),
      withFemale: withParent(planes, family.child, family.female),
      withMale: withParent(planes, family.child, family.male),
      score: 0,
    };
    return {
      ...tested,
      verdict:
        found === undefined ? verdictByLikeness(planes, tested, families) : verdictOf(tested, errorRate, testable),
    };
  });
}

function verdictOf(tested: Omit<TestedFamily, 'verdict'>, errorRate: number, tests: number): Verdict {
  const limit = smallestSignificant(tested.markers, mostErrors(tested, errorRate), levelOf(tests));
  if (!(binomialTail(limit, tested.markers, tested.ofOthers) >= POWER)) return 'UNTESTABLE';
  return tested.conflicts < limit ? 'CONFIRMED' : 'CONFLICT';
}

function verdictByLikeness(
  planes: AllelePlanes,
  { child, female, male, withFemale, withMale }: Omit<TestedFamily, 'verdict'>,
  families: readonly Family[],
): Verdict {
  const parent = Math.max(female, male);
  const found = withFemale ?? withMale;
  if (parent < 0 || found === null || found.markers === 0) return 'UNTESTABLE';
  const progeny = families.filter((one) => one.female === parent || one.male === parent);
  const except = new Set([child, ...progeny.map((one) => one.child)]);
  const ofOthers = shareOfOthers(planes, { rule: 'cross', female: parent, male: -1 }, except);
  if (!(ofOthers > 0)) return 'UNTESTABLE';
  return found.conflicts / found.markers < UNLIKE * ofOthers ? 'PLAUSIBLE' : 'DOUBTFUL';
}

function withParent(planes: AllelePlanes, child: number, parent: number): Conflicts | null {
  if (parent < 0) return null;
  const { called, opposing } = planes.comparePairs(child, parent, 1);
  return { markers: called[0], conflicts: opposing[0] };
}

/** The share of conflicts of other individuals, all but some, in the place of the child. */
function shareOfOthers(
  planes: AllelePlanes,
  { rule, female, male }: Pick<Family, 'rule' | 'female' | 'male'>,
  except: ReadonlySet<number>,
): number {
  const step = Math.max(1, Math.floor(planes.individuals / MOST_OTHERS));
  let [markers, conflicts] = [0, 0];
  for (let other = 0; other < planes.individuals; other += step) {
    if (other === female || other === male || except.has(other)) continue;
    const found = conflictsOf(planes, rule, { child: other, female, male });
    markers += found?.markers ?? 0;
    conflicts += found?.conflicts ?? 0;
  }
  return markers === 0 ? Number.NaN : conflicts / markers;
}
