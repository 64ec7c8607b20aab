import type { AllelePlanes } from '@heterosis/statgen/parentage/allele-planes';
import { createPairScores, createSingleScores, type ScoredPair } from '@heterosis/statgen/parentage/parent-scores';
import { type AnalysisContext, reportProgress } from '../context.ts';
import type { ComparedCalls } from './compared-calls.ts';
import type { DescentRule } from './families.ts';
import { type Conflicts, conflictsOf, isContradicted } from './test-families.ts';

/** An individual whose parents are sought among all genotyped ones. */
export interface Seeker {
  child: number;
  rule: DescentRule;
  heterozygosity: number;
  /** Samples that cannot be its parents: itself, its copies, its descendants. */
  excluded: ReadonlySet<number>;
}

/** One or two parents that the markers suggest; `male` is −1 for one. Which of two is the female is unknown. */
export interface SuggestedParents extends Conflicts {
  female: number;
  male: number;
  /** ln likelihood ratio against no relation. */
  score: number;
  /** Not more conflicts than errors explain. */
  fits: boolean;
}

export interface LikelyParents {
  child: number;
  /** The best pairs, see `byFit`. */
  pairs: SuggestedParents[];
  /** The best single parents. */
  singles: SuggestedParents[];
}

/** Children scored in one pass over the markers. */
const CHILDREN_PER_PASS = 1000;
/** Candidates whose pairs are compared: the best of all, and the best of those that the pedigree knows as parents. */
const MOST_CANDIDATES = 100;
const MOST_STRANGERS = 30;
/** Pairs that are compared at all markers. */
const MOST_PAIRS = 12;
const REPORTED = 3;

/**
 * The most likely parents of each child: first every individual as its one known parent, then all pairs of the best
 * hundred, both at a sample of 4,096 markers; then the best of these at all markers. Where the pedigree knows parents,
 * 70 of the hundred are known parents, because brothers and sisters of a line may resemble it more than its parents do.
 * O(children · individuals) for 4,096 markers, and O(children · markers).
 */
export async function findLikelyParents(
  calls: ComparedCalls,
  seekers: readonly Seeker[],
  isParent: Uint8Array,
  context: AnalysisContext,
): Promise<LikelyParents[]> {
  const found: LikelyParents[] = [];
  for (let first = 0; first < seekers.length; first += CHILDREN_PER_PASS) {
    reportProgress(context, 'fit', first, seekers.length);
    const some = seekers.slice(first, first + CHILDREN_PER_PASS);
    const candidates = await bestCandidates(calls, some, isParent);
    const parents = some.flatMap((seeker, child) => [
      ...screenedPairs(calls.planes, seeker, candidates[child], child),
      ...candidates[child].best.map((female) => ({ child, female, male: -1 })),
    ]);
    const scores = await scoresOf(calls, some, parents);
    const suggested = some.map((): SuggestedParents[] => []);
    for (const [k, pair] of parents.entries()) {
      suggested[pair.child].push(suggestion(calls, some, pair, scores[k]));
    }
    for (const [place, { child }] of some.entries()) {
      const pairs = suggested[place].filter(({ male }) => male >= 0);
      const singles = suggested[place].filter(({ male }) => male < 0);
      found.push({
        child,
        pairs: byFit(pairs, isParent).slice(0, REPORTED),
        singles: byFit(singles, isParent).slice(0, REPORTED),
      });
    }
  }
  return found;
}

/**
 * Those that fit come first, of these the ones whose conflicts are about as few as the fewest, then those that the
 * pedigree knows as parents, then by likelihood. Conflicts come before it: markers are linked, so that a sister with
 * the same long segments may well have a larger likelihood than the parents.
 */
function byFit(suggested: readonly SuggestedParents[], isParent: Uint8Array): SuggestedParents[] {
  const fewest = suggested.reduce((least, one) => Math.min(least, cautiousShare(one)), 1);
  const known = ({ female, male }: SuggestedParents): number => isParent[female] + (male < 0 ? 0 : isParent[male]);
  const rank = (one: SuggestedParents): number => (one.fits ? 6 : 0) + (isNear(one, fewest) ? 3 : 0) + known(one);
  return suggested.toSorted((a, b) => rank(b) - rank(a) || b.score - a.score || a.female - b.female || a.male - b.male);
}

/** So that no conflict at 2 markers is worth less than one at 1,000. */
const cautiousShare = ({ conflicts, markers }: Conflicts): number => (conflicts + 1) / (markers + 2);

/** Not more conflicts than chance makes of this share: three standard deviations of a Poisson variable, and one. */
const isNear = ({ conflicts, markers }: Conflicts, share: number): boolean =>
  conflicts <= share * markers + 3 * Math.sqrt(share * markers) + 1;

/** ln likelihood ratios of chosen parents, in one pass over the markers. */
export async function scoresOf(
  calls: ComparedCalls,
  children: readonly { child: number; heterozygosity: number }[],
  pairs: readonly ScoredPair[],
): Promise<Float64Array> {
  const sums = createPairScores(scored(children), pairs, calls.transmission);
  for await (const { codes, frequencies } of calls.blocks(false)) sums.add(codes, frequencies);
  return sums.scores;
}

const scored = (children: readonly { child: number; heterozygosity: number }[]) =>
  children.map(({ child, heterozygosity }) => ({ individual: child, heterozygosity }));

/** Individuals that may be the parents of a child. */
interface Candidates {
  ids: number[];
  /** The likeliest of all. */
  best: number[];
  /** ln likelihood ratio as its one known parent, at a sample of the markers. */
  score(individual: number): number;
}

async function bestCandidates(
  calls: ComparedCalls,
  seekers: readonly Seeker[],
  isParent: Uint8Array,
): Promise<Candidates[]> {
  const singles = createSingleScores(scored(seekers), calls.planes.individuals, calls.transmission);
  for await (const { codes, frequencies } of calls.blocks(true)) singles.add(codes, frequencies);
  const { rows, data } = singles.scores;
  return seekers.map(({ excluded }, child) => {
    const score = (i: number): number => data[child + i * rows];
    const ranked = Array.from(isParent.keys())
      .filter((i) => !excluded.has(i))
      .sort((a, b) => score(b) - score(a) || a - b);
    const known = ranked.filter((i) => isParent[i] === 1).slice(0, MOST_CANDIDATES - MOST_STRANGERS);
    const ids = [...new Set([...ranked.slice(0, MOST_STRANGERS), ...known, ...ranked])].slice(0, MOST_CANDIDATES);
    return { ids: ids.sort((a, b) => a - b), best: ranked.slice(0, REPORTED), score };
  });
}

/**
 * Pairs of candidates that are worth a look at all markers: with about as few conflicts as any, at a sample of the
 * markers, and of these the ones that are likely as single parents.
 */
function screenedPairs(
  planes: AllelePlanes,
  { child, rule }: Seeker,
  { ids, score }: Candidates,
  place: number,
): ScoredPair[] {
  const count = (ids.length * (ids.length + 1)) / 2;
  const [female, male] = [new Int32Array(count), new Int32Array(count)];
  const [conflicts, markers] = [new Int32Array(count), new Int32Array(count)];
  let fewest = 1;
  let k = 0;
  for (const [a, one] of ids.entries()) {
    for (let b = a; b < ids.length; b++, k++) {
      [female[k], male[k]] = [one, ids[b]];
      const counts = planes.compareTrio(child, one, ids[b], true);
      markers[k] = rule === 'line' ? counts.fixed : counts.called;
      conflicts[k] = rule === 'line' ? counts.lineConflicts : counts.crossConflicts;
      fewest = Math.min(fewest, cautiousShare({ conflicts: conflicts[k], markers: markers[k] }));
    }
  }
  const sum = (pair: number): number => score(female[pair]) + score(male[pair]);
  return Array.from(conflicts.keys())
    .filter((pair) => isNear({ conflicts: conflicts[pair], markers: markers[pair] }, fewest))
    .sort((a, b) => sum(b) - sum(a) || a - b)
    .slice(0, MOST_PAIRS)
    .map((pair) => ({ child: place, female: female[pair], male: male[pair] }));
}

function suggestion(
  { planes, transmission: { errorRate } }: ComparedCalls,
  seekers: readonly Seeker[],
  { child, female, male }: ScoredPair,
  score: number,
): SuggestedParents {
  const seeker = seekers[child];
  const family = { ...seeker, female, male, femaleName: null, maleName: null, isThrough: false };
  const found = conflictsOf(planes, seeker.rule, family) ?? { markers: 0, conflicts: 0 };
  const fits = found.markers > 0 && !isContradicted(family, found, errorRate, seekers.length);
  return { female, male, ...found, score, fits };
}
