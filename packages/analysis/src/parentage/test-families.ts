import type { AllelePlanes } from '@heterosis/statgen/parentage/allele-planes';
import { binomialTail } from '@heterosis/statgen/parentage/binomial-tail';
import type { DescentRule, Family } from './families.ts';

/** Markers at which a family could be contradicted, and those at which it is. */
export interface Conflicts {
  markers: number;
  conflicts: number;
}

/**
 * What the markers say of a family. CONFLICT: more conflicts than genotyping errors explain. CONFIRMED: not more, and
 * the parents are more likely than that one of them is wrong. DOUBTFUL: not more conflicts, but it is more likely that
 * one parent is wrong. PLAUSIBLE: nothing can contradict a line with one genotyped parent, and it is more like this
 * parent than individuals that do not descend from it; DOUBTFUL where it is not. UNTESTABLE: too few markers to notice
 * one wrong parent.
 */
export type Verdict = 'CONFIRMED' | 'CONFLICT' | 'PLAUSIBLE' | 'DOUBTFUL' | 'UNTESTABLE';

export interface TestedFamily extends Family, Conflicts {
  /** Share of conflicts of other individuals of the panel in the child's place; NaN when there are no markers. */
  ofOthers: number;
  /** Opposite homozygotes of the child and each genotyped parent. */
  withFemale: Conflicts | null;
  withMale: Conflicts | null;
  /** ln likelihood ratio of the genotyped parents against no relation; null where it is not known what they pass on. */
  score: number | null;
  /** ln likelihood ratio of the parents against the likeliest case of one wrong parent; null where none is tested. */
  support: number | null;
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
/** Probability with which one wrong parent must be noticed, and its quantile of the normal distribution. */
const POWER = 0.99;
const POWER_QUANTILE = 2.326347874;

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

/** The likelihood ratios of a family, by {@link likelihoodsOf}. */
export interface Likelihoods {
  score: number | null;
  /** Of the parents against one of them alone, once or twice, as `Support` of statgen has them. */
  doubts: readonly { observed: number; mean: number; variance: number }[];
}

/** Whether what a parent passes on is known: not through plants without genotype, and not whole as to a clone. */
export const hasLikelihood = ({ rule, isThrough, female, male }: Family): boolean =>
  rule !== 'clone' && !isThrough && Math.max(female, male) >= 0;

/** @param likelihoods by family; those of families without are not used */
export function testFamilies(
  planes: AllelePlanes,
  families: readonly Family[],
  likelihoods: readonly Likelihoods[],
  errorRate: number,
): TestedFamily[] {
  const testable = families.filter((family) => conflictsOf(planes, family.rule, family) !== undefined).length;
  return families.map((family, k): TestedFamily => {
    const found = conflictsOf(planes, family.rule, family);
    const tested = {
      ...family,
      ...(found ?? { markers: 0, conflicts: 0 }),
      ofOthers: found === undefined ? Number.NaN : shareOfOthers(planes, family, new Set([family.child])),
      withFemale: withParent(planes, family.child, family.female),
      withMale: withParent(planes, family.child, family.male),
      score: likelihoods[k].score,
    };
    if (found === undefined) return { ...tested, support: null, verdict: verdictByLikeness(planes, tested, families) };
    const { support, notices } = hasLikelihood(family)
      ? supportByCalls(likelihoods[k].doubts)
      : supportByConflicts(planes, family, found, errorRate);
    if (isContradicted(family, found, errorRate, testable)) return { ...tested, support, verdict: 'CONFLICT' };
    if (!notices) return { ...tested, support, verdict: 'UNTESTABLE' };
    return { ...tested, support, verdict: support > 0 ? 'CONFIRMED' : 'DOUBTFUL' };
  });
}

/** For the parents recorded against one wrong parent, and whether such a parent would be noticed. */
interface Evidence {
  support: number;
  notices: boolean;
}

/** From all calls, markers being independent: the ratio is below 0 with a wrong parent with a probability of 0.99. */
const supportByCalls = (doubts: Likelihoods['doubts']): Evidence => ({
  support: Math.min(...doubts.map(({ observed }) => observed)),
  notices: doubts.every(({ mean, variance }) => mean < 0 && -mean >= POWER_QUANTILE * Math.sqrt(variance)),
});

/**
 * From the conflicts alone, a binomial variable: at the rate of errors, or at that with other individuals of the panel
 * in the place of one parent.
 */
function supportByConflicts(
  planes: AllelePlanes,
  family: Family,
  { markers, conflicts }: Conflicts,
  errorRate: number,
): Evidence {
  const { child, female, male } = family;
  const right = mostErrors(family, errorRate);
  const isOnePlant = female === male || Math.min(female, male) < 0;
  const replaced = isOnePlant
    ? [shareOfOthers(planes, family, new Set([child]))]
    : (['female', 'male'] as const).map((parent) => shareWithOther(planes, family, parent));
  const ratio = (share: number, count: number): number =>
    count * Math.log(right / share) + (markers - count) * Math.log((1 - right) / (1 - share));
  const evidence = replaced.map((share): Evidence => {
    if (!(share > right && share < 1)) return { support: 0, notices: false };
    // The smallest number of conflicts that is likelier with a wrong parent.
    const slope = Math.log(share / right) + Math.log((1 - right) / (1 - share));
    const limit = Math.floor((markers * Math.log((1 - right) / (1 - share))) / slope) + 1;
    return { support: ratio(share, conflicts), notices: binomialTail(limit, markers, share) >= POWER };
  });
  return {
    support: Math.min(...evidence.map(({ support }) => support)),
    notices: evidence.every(({ notices }) => notices),
  };
}

function verdictByLikeness(
  planes: AllelePlanes,
  { child, female, male, withFemale, withMale }: Omit<TestedFamily, 'verdict' | 'support'>,
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
const shareOfOthers = (
  planes: AllelePlanes,
  { rule, female, male }: Pick<Family, 'rule' | 'female' | 'male'>,
  except: ReadonlySet<number>,
): number =>
  shareAmong(planes, new Set([...except, female, male]), (child) => conflictsOf(planes, rule, { child, female, male }));

/** The same of the child with other individuals in the place of one parent. */
const shareWithOther = (planes: AllelePlanes, family: Family, parent: 'female' | 'male'): number =>
  shareAmong(planes, new Set([family.child, family.female, family.male]), (other) =>
    conflictsOf(planes, family.rule, { ...family, [parent]: other }),
  );

function shareAmong(
  planes: AllelePlanes,
  except: ReadonlySet<number>,
  foundWith: (other: number) => Conflicts | undefined,
): number {
  const step = Math.max(1, Math.floor(planes.individuals / MOST_OTHERS));
  let [markers, conflicts] = [0, 0];
  for (let other = 0; other < planes.individuals; other += step) {
    if (except.has(other)) continue;
    const found = foundWith(other);
    markers += found?.markers ?? 0;
    conflicts += found?.conflicts ?? 0;
  }
  return markers === 0 ? Number.NaN : conflicts / markers;
}
