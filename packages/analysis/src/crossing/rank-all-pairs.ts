import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CrossMoments, crossMoments } from '@heterosis/statgen/crossing/cross-moments';
import { geneticValue } from '@heterosis/statgen/crossing/crossing-genome';
import { breedingScheme, type Population } from '@heterosis/statgen/crossing/population';
import { hasPairMoments, pairIndex, pairMoments } from '@heterosis/statgen/crossing/rank-pairs';
import { countSegregatingMarkers } from '@heterosis/statgen/crossing/segregating-pairs';
import { type AnalysisContext, reportProgress } from '../context.ts';
import { type CrossRow, crossFigures, type SelectionInput, selectionsOf } from './cross-figures.ts';
import { DEFAULT_PROGENY, type PairRanking } from './evaluate-crosses.ts';
import { type CrossingMaterial, matchCrossing } from './match-crossing.ts';
import { requirePairwiseWork } from './pairwise-work.ts';

/** Pairs to rank: all pairs of the given parents. */
export interface PairRankingInput extends CrossingMaterial, SelectionInput {
  population: Population;
  /** Progeny for the expected best; default 1,000. */
  progeny?: number;
}

/**
 * Exact figures of the progeny of every pair of parents, for ranking. Whatever pairs share is computed once per parent
 * (seconds for 200 parents at 50,000 markers); backcrosses are computed pair by pair. Crosses are named `P1_X_P2`;
 * backcrosses are listed in both directions, because they favour one parent.
 *
 * @throws AnalysisError like `matchCrossing`, and `crossing/too-many-pairs`
 */
export async function rankAllPairs(input: PairRankingInput, context: AnalysisContext): Promise<PairRanking> {
  reportProgress(context, 'match', 0, 1);
  const matched = matchCrossing(input);
  const { population } = input;
  const { names } = input.parents;
  const isSymmetric = breedingScheme(population).backcrossTo === null;
  requirePairwiseWork(matched.genome, {
    mapFunction: input.mapFunction,
    crosses: (names.length * (names.length - 1)) / (isSymmetric ? 2 : 1),
    traits: matched.traits.length,
  });
  const selections = selectionsOf(input.effects.traits, input);
  const parents = names.map((name) => matched.parentOf(name));
  // Sharing sums between pairs requires a map function that is multiplicative along the chromosome.
  const isShared = hasPairMoments(population) && (input.mapFunction ?? 'haldane') === 'haldane';
  const segregating = countSegregatingMarkers(parents);
  reportProgress(context, 'cross', 0, 1);
  const shared = matched.traits.map((trait) =>
    isShared ? pairMoments(matched.genome, [trait], parents, population) : null,
  );
  const values = matched.traits.map((trait) => parents.map((parent) => geneticValue(trait, parent)));
  const rows: CrossRow[] = [];
  const pairs = names.length * (names.length - 1);
  let done = 0;
  for (let i = 0; i < names.length; i++) {
    for (let j = isSymmetric ? i + 1 : 0; j < names.length; j++) {
      if (j === i) continue;
      done += isSymmetric ? 2 : 1;
      if (done % PAIRS_PER_TURN === 0) {
        reportProgress(context, 'cross', done, pairs);
        if (shared.includes(null)) await nextTurn();
      }
      const kinship = input.parents.kinship?.[i * names.length + j] ?? null;
      const segregatingMarkers = segregating(i, j);
      for (const [t, trait] of matched.traits.entries()) {
        const parentValues = [values[t][i], values[t][j]];
        const pair = shared[t] === null ? 0 : pairIndex(i, j, names.length);
        const exact =
          shared[t] === null
            ? varianceOf(crossMoments(matched.genome, [trait], parents[i], parents[j], population, input.mapFunction))
            : { mean: shared[t].mean[0][pair], variance: shared[t].variance[0][pair] };
        rows.push({
          cross: `${names[i]}_X_${names[j]}`,
          parent1: names[i],
          parent2: names[j],
          parent3: null,
          parent4: null,
          trait: input.effects.traits[t].name,
          population,
          parentValues,
          ...crossFigures(exact, parentValues, input.progeny ?? DEFAULT_PROGENY, selections[t]),
          simMean: null,
          simVariance: null,
          kinship,
          segregatingMarkers,
        });
      }
    }
  }
  return {
    traits: input.effects.traits.map(({ name }) => name),
    rows,
    report: matched.report,
    mapReport: matched.mapReport,
  };
}

/** Pairs between progress reports; a pair computed on its own may take milliseconds. */
const PAIRS_PER_TURN = 20;

/** The moments of a cross with a single trait. */
function varianceOf({ mean, covariance }: CrossMoments): { mean: number; variance: number } {
  return { mean: mean[0], variance: covariance[0] };
}
