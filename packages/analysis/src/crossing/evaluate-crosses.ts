import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ProblemReport } from '@heterosis/file-formats/problem';
import type { Cross } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import { crossMoments } from '@heterosis/statgen/crossing/cross-moments';
import { geneticValue, type PhasedParent } from '@heterosis/statgen/crossing/crossing-genome';
import { createMeiosisMap } from '@heterosis/statgen/crossing/meiosis';
import type { Population } from '@heterosis/statgen/crossing/population';
import { simulateCross, simulateHomologs, summarizeProgeny } from '@heterosis/statgen/crossing/simulate-cross';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { type AnalysisContext, reportProgress } from '../context.ts';
import { type CrossRow, crossFigures, type SelectionInput, selectionsOf } from './cross-figures.ts';
import { type CrossingMaterial, type CrossReport, type MatchedCrossing, matchCrossing } from './match-crossing.ts';
import type { SimulatedProgeny } from './progeny-vcf.ts';

/** Crosses to evaluate. */
export interface CrossInput extends CrossingMaterial, SelectionInput {
  /** Parents named as in `parents`. */
  crosses: readonly Cross[];
  /** What is grown from the crosses whose type is `biparental`; the others are what their type says. */
  population: Population;
  /** Progeny per cross where the crossing table gives no number; {@link DEFAULT_PROGENY} unless told. */
  progeny?: number;
  seed?: number;
  /** False gives the exact figures only. */
  simulate?: boolean;
  /** Receives the simulated values of each cross in turn, progeny × traits, one progeny's traits next to each other. */
  onProgeny?: (cross: Cross, values: Float64Array) => void | Promise<void>;
  /** Keeps the breakpoints of the simulated progeny, for their genotypes. */
  keepProgeny?: boolean;
}

export interface CrossResult {
  traits: string[];
  rows: CrossRow[];
  /** Per cross, the correlation between traits within its progeny, row-major over `traits`; null where a trait does not vary. */
  correlations: { cross: string; values: (number | null)[] }[];
  report: CrossReport;
  mapReport: ProblemReport;
  /** Null unless asked for. The same seed gives the same progeny with and without it. */
  progeny: SimulatedProgeny | null;
}

/** The result of a ranking of pairs, which simulates nothing. */
export type PairRanking = Omit<CrossResult, 'correlations' | 'progeny'>;

/** Progeny of a cross for which nobody gives a number. */
export const DEFAULT_PROGENY = 1000;

/**
 * Predicts the progeny of crosses: exact mean, variance, usefulness, expected best and chance of transgression, and the same
 * from simulated progeny. The type of a cross says what is grown; `biparental` leaves it to the population of the run. Each cross
 * draws from its own random stream (seed and name of the cross), so its result does not depend on the other crosses, on their order or
 * on how they are spread over workers.
 *
 * @throws AnalysisError `crossing/no-shared-markers`, `crossing/no-map`; MapMismatchError when map and genotype disagree
 */
export async function evaluateCrosses(input: CrossInput, context: AnalysisContext): Promise<CrossResult> {
  const { crosses, seed = 1 } = input;
  reportProgress(context, 'match', 0, 1);
  const matched = matchCrossing(input);
  const { genome, traits } = matched;
  const selections = selectionsOf(input.effects.traits, input);
  const map = createMeiosisMap(genome);
  const rows: CrossRow[] = [];
  const correlations: CrossResult['correlations'] = [];
  const progeny: SimulatedProgeny | null =
    input.keepProgeny === true && input.simulate !== false
      ? { seed, markers: input.parents.markers, markerIndex: matched.markerIndex, crosses: [] }
      : null;
  for (const [done, cross] of crosses.entries()) {
    reportProgress(context, 'cross', done, crosses.length);
    // Yields to the event loop, so that a cancellation is noticed between crosses.
    await nextTurn();
    const population = populationOf(cross, input.population);
    const { female, male } = parentsOf(matched, cross, population);
    const progenyCount = cross.progenyCount ?? input.progeny ?? DEFAULT_PROGENY;
    const moments = crossMoments(genome, traits, female, male, population);
    let simulated: ReturnType<typeof summarizeProgeny> | null = null;
    if (input.simulate !== false) {
      const random = () => createRandomStream(seed, 'cross', cross.name);
      const grown = { genome, map, female, male, population, progenyCount };
      const values = simulateCross({ ...grown, effects: traits, random: random() });
      progeny?.crosses.push({
        ...{ name: cross.name, female: cross.female, male: cross.male, population },
        homologs: simulateHomologs({ ...grown, random: random() }),
        haplotypes: [female, male].flatMap(({ first, second }) => [matched.asInFile(first), matched.asInFile(second)]),
      });
      simulated = summarizeProgeny(values, traits.length);
      await input.onProgeny?.(cross, values);
    }
    const parentValues = traits.map((trait) =>
      [cross.female, cross.male].map((name) => geneticValue(trait, matched.parentOf(name))),
    );
    for (const [t, { name }] of input.effects.traits.entries()) {
      const diagonal = t * (traits.length + 1);
      const exact = { mean: moments.mean[t], variance: moments.covariance[diagonal] };
      rows.push({
        cross: cross.name,
        parent1: cross.female,
        parent2: cross.male,
        trait: name,
        population,
        parentValues: parentValues[t],
        ...crossFigures(exact, parentValues[t], progenyCount, selections[t]),
        simMean: simulated?.mean[t] ?? null,
        simVariance: simulated?.covariance[diagonal] ?? null,
      });
    }
    correlations.push({ cross: cross.name, values: correlationsOf(moments.covariance, traits.length) });
  }
  reportProgress(context, 'cross', crosses.length, crosses.length);
  return {
    traits: input.effects.traits.map(({ name }) => name),
    rows,
    correlations,
    report: matched.report,
    mapReport: matched.mapReport,
    progeny,
  };
}

/** What is grown from a cross: its type, or the population of the run when the type leaves it open. A selfed plant is crossed with itself. */
function populationOf({ type }: Cross, population: Population): Population {
  return type === 'biparental' ? population : type === 'self' ? 'F1' : type;
}

/** The parents of a cross. Doubled haploids of a single plant come from its own gametes: it is the F1 of its two haplotypes. */
function parentsOf(
  matched: MatchedCrossing,
  cross: Cross,
  population: Population,
): { female: PhasedParent; male: PhasedParent } {
  const female = matched.parentOf(cross.female);
  if (cross.female !== cross.male || population !== 'DH') return { female, male: matched.parentOf(cross.male) };
  return {
    female: { first: female.first, second: female.first },
    male: { first: female.second, second: female.second },
  };
}

function correlationsOf(covariance: Float64Array, traits: number): (number | null)[] {
  return Array.from(covariance, (value, k) => {
    const scale = Math.sqrt(
      covariance[Math.floor(k / traits) * (traits + 1)] * covariance[(k % traits) * (traits + 1)],
    );
    return scale > 0 ? value / scale : null;
  });
}
