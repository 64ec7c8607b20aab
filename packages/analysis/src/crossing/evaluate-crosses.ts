import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ProblemReport } from '@heterosis/file-formats/problem';
import { type Cross, parentsOfCross } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import { crossMoments } from '@heterosis/statgen/crossing/cross-moments';
import { type CrossSide, geneticValue, plantsOf } from '@heterosis/statgen/crossing/crossing-genome';
import { createMeiosisMap } from '@heterosis/statgen/crossing/meiosis';
import type { Population } from '@heterosis/statgen/crossing/population';
import { simulateCross, simulateHomologs, summarizeProgeny } from '@heterosis/statgen/crossing/simulate-cross';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import { type CrossRow, crossFigures, type SelectionInput, selectionsOf } from './cross-figures.ts';
import { type CrossingMaterial, type CrossReport, type MatchedCrossing, matchCrossing } from './match-crossing.ts';
import { requirePairwiseWork } from './pairwise-work.ts';
import type { SimulatedProgeny } from './progeny-vcf.ts';

/** Crosses to evaluate. */
export interface CrossInput extends CrossingMaterial, SelectionInput, ProgenyChoice {
  /** Parents, named as in `parents`. */
  crosses: readonly Cross[];
  /** Population grown from crosses of type `biparental`; every other type defines its own. */
  population: Population;
}

/** What is simulated, and what becomes of it. */
export interface ProgenyChoice {
  /** Progeny per cross where the crossing table gives no number; default {@link DEFAULT_PROGENY}. */
  progeny?: number;
  seed?: number;
  /** False computes the exact figures only. */
  simulate?: boolean;
  /**
   * Receives the simulated values of each cross as it finishes, progeny × traits, the traits of one progeny adjacent.
   */
  onProgeny?: (cross: Cross, values: Float64Array) => void | Promise<void>;
  /** Keeps the breakpoints of the simulated progeny, from which their genotypes are written. */
  keepProgeny?: boolean;
}

export interface CrossResult {
  traits: string[];
  rows: CrossRow[];
  /**
   * Per cross, the correlation between traits within its progeny, row-major over `traits`; null where a trait is
   * constant.
   */
  correlations: { cross: string; values: (number | null)[] }[];
  report: CrossReport;
  mapReport: ProblemReport;
  /** Null unless requested. The same seed gives the same progeny with and without it. */
  progeny: SimulatedProgeny | null;
}

/** Result of a ranking of pairs, which runs no simulation. */
export type PairRanking = Omit<CrossResult, 'correlations' | 'progeny'>;

/** Of polyploids the correlations of traits are not known. */
export type PolyploidCrossResult = Omit<CrossResult, 'correlations'>;

/** Progeny of a cross that names no number. */
export const DEFAULT_PROGENY = 1000;

/**
 * Predicts the progeny of crosses: exact mean, variance, usefulness, expected best and probability of transgression,
 * and the same figures from simulated progeny. The type of a cross defines the population; `biparental` takes that of
 * the run. Each cross has its own random stream (seed and name of the cross), so its result does not depend on the
 * other crosses, on their order, or on how they are distributed over workers.
 *
 * @throws AnalysisError `crossing/no-shared-markers`, `crossing/no-map`, `crossing/map-function`,
 * `crossing/too-many-pairs`; MapMismatchError when map and genotype disagree
 */
export async function evaluateCrosses(input: CrossInput, context: AnalysisContext): Promise<CrossResult> {
  const { crosses, seed = 1 } = input;
  if (input.simulate !== false && (input.mapFunction ?? 'haldane') !== 'haldane') {
    throw new AnalysisError(
      'crossing/map-function',
      `Progeny cannot be simulated by the ${input.mapFunction} map function: it tells the recombination of pairs of loci, which is all that exact figures need, and not how crossovers lie along a chromosome.`,
      'Ask for the exact figures only, or use the Haldane map function.',
    );
  }
  reportProgress(context, 'match', 0, 1);
  const matched = matchCrossing(input);
  const { genome, traits } = matched;
  requirePairwiseWork(genome, { mapFunction: input.mapFunction, crosses: crosses.length, traits: traits.length });
  const selections = selectionsOf(input.effects.traits, input);
  const map = createMeiosisMap(genome);
  const rows: CrossRow[] = [];
  const correlations: CrossResult['correlations'] = [];
  const progeny: SimulatedProgeny | null =
    input.keepProgeny === true && input.simulate !== false
      ? { seed, ploidy: 2, markers: input.parents.markers, markerIndex: matched.markerIndex, crosses: [] }
      : null;
  for (const [done, cross] of crosses.entries()) {
    reportProgress(context, 'cross', done, crosses.length);
    // Yield to the event loop so cancellation is handled between crosses.
    await nextTurn();
    const population = populationOf(cross, input.population);
    const parents = parentsOfCross(cross);
    const [femaleSide, maleSide] = sidesOf(cross);
    const { female, male } = plantsToCross(matched, cross, population);
    const progenyCount = cross.progenyCount ?? input.progeny ?? DEFAULT_PROGENY;
    const moments = crossMoments(genome, traits, female, male, population, input.mapFunction);
    let simulated: ReturnType<typeof summarizeProgeny> | null = null;
    if (input.simulate !== false) {
      const random = () => createRandomStream(seed, 'cross', cross.name);
      const grown = { genome, map, female, male, population, progenyCount };
      const values = simulateCross({ ...grown, effects: traits, random: random() });
      progeny?.crosses.push({
        ...{ name: cross.name, parents, population },
        homologs: simulateHomologs({ ...grown, random: random() }),
        haplotypes: [female, male]
          .flatMap(plantsOf)
          .flatMap(({ first, second }) => [matched.asInFile(first), matched.asInFile(second)]),
      });
      simulated = summarizeProgeny(values, traits.length);
      await input.onProgeny?.(cross, values);
    }
    const parentValues = traits.map((trait) => parents.map((name) => geneticValue(trait, matched.parentOf(name))));
    for (const [t, { name }] of input.effects.traits.entries()) {
      const diagonal = t * (traits.length + 1);
      const exact = { mean: moments.mean[t], variance: moments.covariance[diagonal] };
      rows.push({
        cross: cross.name,
        parent1: cross.female,
        parent2: cross.male,
        parent3: cross.parent3 ?? null,
        parent4: cross.parent4 ?? null,
        trait: name,
        population,
        parentValues: parentValues[t],
        ...crossFigures(exact, parentValues[t], progenyCount, selections[t]),
        simMean: simulated?.mean[t] ?? null,
        simVariance: simulated?.covariance[diagonal] ?? null,
        kinship: matched.kinshipOf(femaleSide, maleSide),
        segregatingMarkers: moments.segregatingMarkers,
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

/**
 * The population of a cross: by its type, or that of the run when the type leaves it open. A selfed plant is crossed
 * with itself.
 */
function populationOf({ type }: Cross, population: Population): Population {
  return type === 'biparental' ? population : type === 'self' ? 'F1' : type;
}

/** Names of the parents on the two sides of a cross: A and B, A and B against C, or A and B against C and D. */
function sidesOf({ female, male, parent3, parent4 }: Cross): [string[], string[]] {
  if (parent3 === undefined) return [[female], [male]];
  return [[female, male], parent4 === undefined ? [parent3] : [parent3, parent4]];
}

/**
 * The two sides of the cross. Doubled haploids of a single plant come from its own gametes: it is the F1 of its two
 * haplotypes.
 */
function plantsToCross(
  matched: MatchedCrossing,
  cross: Cross,
  population: Population,
): { female: CrossSide; male: CrossSide } {
  if (cross.parent3 === undefined && cross.female === cross.male && population === 'DH') {
    const { first, second } = matched.parentOf(cross.female);
    return { female: { first, second: first }, male: { first: second, second } };
  }
  const [female, male] = sidesOf(cross).map(([one, other]): CrossSide => {
    const plant = matched.parentOf(one);
    return other === undefined ? plant : [plant, matched.parentOf(other)];
  });
  return { female, male };
}

function correlationsOf(covariance: Float64Array, traits: number): (number | null)[] {
  return Array.from(covariance, (value, k) => {
    const scale = Math.sqrt(
      covariance[Math.floor(k / traits) * (traits + 1)] * covariance[(k % traits) * (traits + 1)],
    );
    return scale > 0 ? value / scale : null;
  });
}
