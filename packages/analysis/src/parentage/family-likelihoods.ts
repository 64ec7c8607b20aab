import { createSupport, type DoubtedParents } from '@heterosis/statgen/parentage/wrong-parent';
import type { ComparedCalls } from './compared-calls.ts';
import type { Family } from './families.ts';
import { scoresOf } from './likely-parents.ts';
import { hasLikelihood, type Likelihoods } from './test-families.ts';

/**
 * Likelihood ratios of the parents of each family: against no relation, and against the cases that one of them is
 * wrong. Two passes over the markers.
 */
export async function likelihoodsOf(calls: ComparedCalls, families: readonly Family[]): Promise<Likelihoods[]> {
  const doubted = families.flatMap((family, child): DoubtedParents[] => {
    if (!hasLikelihood(family)) return [];
    const [female = -1, male = -1] = [family.female, family.male].filter((one) => one >= 0);
    // One plant, known or twice a parent, is right or not; of two either may be right.
    const rights = male < 0 || male === female ? [-1] : [female, male];
    return rights.map((right) => ({ child, female, male, right }));
  });
  const children = families.map(({ child, heterozygosity }) => ({ individual: child, heterozygosity }));
  const support = createSupport(children, doubted, calls.transmission);
  for await (const { codes, frequencies } of calls.blocks(false)) support.add(codes, frequencies);
  const pairs = [...new Map(doubted.map((pair) => [pair.child, pair])).values()];
  const scores = await scoresOf(calls, families, pairs);
  const found = families.map((): Likelihoods & { doubts: Likelihoods['doubts'][number][] } => ({
    score: null,
    doubts: [],
  }));
  for (const [k, { child }] of pairs.entries()) found[child].score = scores[k];
  for (const [k, { child }] of doubted.entries()) {
    const { observed, mean, variance } = support;
    found[child].doubts.push({ observed: observed[k], mean: mean[k], variance: variance[k] });
  }
  return found;
}
