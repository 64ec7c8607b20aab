import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ProblemReport } from '@heterosis/file-formats/problem';
import type { Cross } from '@heterosis/file-formats/tables/crossing-table/crossing-table';
import type { LinkageMap } from '@heterosis/file-formats/tables/linkage-map/linkage-map';
import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import {
  type Direction,
  expectedMaximum,
  transgressionProbability,
  usefulness,
} from '@heterosis/statgen/crossing/cross-criteria';
import { type CrossMoments, crossMoments } from '@heterosis/statgen/crossing/cross-moments';
import {
  type CrossingGenome,
  geneticValue,
  orderGenome,
  type PhasedParent,
  type TraitEffects,
} from '@heterosis/statgen/crossing/crossing-genome';
import { createMeiosisMap } from '@heterosis/statgen/crossing/meiosis';
import { breedingScheme, type Population } from '@heterosis/statgen/crossing/population';
import { hasPairMoments, pairIndex, pairMoments } from '@heterosis/statgen/crossing/rank-pairs';
import { simulateCross, simulateHomologs, summarizeProgeny } from '@heterosis/statgen/crossing/simulate-cross';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import { matchMarkers } from '../inputs/match-markers.ts';
import { placeOnMap } from '../inputs/place-on-map.ts';
import type { CrossingEffects } from './crossing-effects.ts';
import type { ParentalHaplotypes } from './parental-haplotypes.ts';
import { progenyName, type SimulatedProgeny } from './progeny-vcf.ts';

export interface CrossingInput {
  effects: CrossingEffects;
  parents: ParentalHaplotypes;
  map: LinkageMap;
  /** Markers with an effect that the map lacks: placed between their neighbours by base pairs (default), or counted in means only. */
  missingMapMarkers?: 'interpolate' | 'drop';
  /** How progeny would be selected; the best 5 % by their own value unless told. */
  selection?: Partial<Selection>;
  /** Traits of which low values are wanted, when they differ from the others. */
  lowTraits?: readonly string[];
}

export interface Selection {
  /** Fraction selected, 0–1. */
  fraction: number;
  /** Accuracy of selection, 0–1. */
  accuracy: number;
  direction: Direction;
}

export interface CrossInput extends CrossingInput {
  /** Parents named as in `parents`. */
  crosses: readonly Cross[];
  /** What is grown from the crosses whose type is `biparental`; the others are what their type says. */
  population: Population;
  /** Progeny a cross where the crossing table gives no number; 1,000 unless told. */
  progeny?: number;
  seed?: number;
  /** False gives the exact figures only. */
  simulate?: boolean;
  /** Receives the simulated values of each cross in turn, progeny × traits, one progeny's traits next to each other. */
  onProgeny?: (cross: Cross, values: Float64Array) => void | Promise<void>;
  /** Keeps the breakpoints of the simulated progeny, for their genotypes. */
  keepProgeny?: boolean;
}

/** One cross and trait, as `crosses.csv` has it. */
export interface CrossRow {
  cross: string;
  parent1: string;
  parent2: string;
  trait: string;
  /** What was grown; a selfing is the F1 of a plant with itself. */
  population: Population;
  /** Genetic values of the two parents. */
  parentValues: [number, number];
  mean: number;
  variance: number;
  sd: number;
  usefulness: number;
  p_transgress: number;
  expected_best: number;
  /** Null without simulation. */
  sim_mean: number | null;
  sim_variance: number | null;
}

/** What the figures rest on. */
export interface CrossReport {
  effect_markers: number;
  /** Markers with an effect that the parents' genotype has. */
  shared: number;
  swapped: number;
  mismatched: number;
  /** Of the shared: without a place on the map, so in the means but not in the variances. */
  unmapped: number;
  interpolated: number;
  /** Share of Σ 2pq·a² that the markers without place carry, the largest over the traits. */
  unmapped_variance_share: number;
  /** Missing calls of the parents that were set to the commoner allele. */
  filled_calls: number;
}

export interface CrossResult {
  traits: string[];
  rows: CrossRow[];
  /** Per cross, the correlation between traits within its progeny, row-major over `traits`; null where a trait does not vary. */
  correlations: { cross: string; values: (number | null)[] }[];
  report: CrossReport;
  mapReport: ProblemReport;
  /** Null unless it was asked for. The same seed gives the same, whether values alone or genotypes too are wanted. */
  progeny: SimulatedProgeny | null;
}

/** Of a ranking of pairs, which simulates nothing. */
export type PairRanking = Omit<CrossResult, 'correlations' | 'progeny'>;

const DEFAULT_SELECTION: Selection = { fraction: 0.05, accuracy: 1, direction: 'high' };
const DEFAULT_PROGENY = 1000;

/**
 * Predicts the progeny of crosses: exact mean, variance, usefulness, expected best and chance of transgression, and the same
 * from simulated progeny. A cross is what its type says, or of the run's population when it is `biparental`. Each cross draws from its own random stream (seed and name of the cross), so the result depends
 * neither on the order of the crosses nor on how they are spread over workers.
 *
 * @throws AnalysisError `crossing/no-shared-markers`, `crossing/no-map`; MapMismatchError when map and genotype disagree
 */
export async function crossAnalysis(input: CrossInput, context: AnalysisContext): Promise<CrossResult> {
  const { crosses, seed = 1 } = input;
  reportProgress(context, 'match', 0, 1);
  const scene = prepareCrossing(input);
  const { genome, traits } = scene;
  const selections = selectionsOf(input);
  const map = createMeiosisMap(genome);
  const rows: CrossRow[] = [];
  const correlations: CrossResult['correlations'] = [];
  const progeny: SimulatedProgeny | null =
    input.keepProgeny === true && input.simulate !== false
      ? { seed, markers: input.parents.markers, markerIndex: scene.markerIndex, crosses: [] }
      : null;
  for (const [done, cross] of crosses.entries()) {
    reportProgress(context, 'cross', done, crosses.length);
    // Between crosses signals and messages get their turn.
    await nextTurn();
    const population = populationOf(cross, input.population);
    const { female, male } = parentsOf(scene, cross, population);
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
        haplotypes: [female, male].flatMap(({ first, second }) => [scene.asInFile(first), scene.asInFile(second)]),
      });
      simulated = summarizeProgeny(values, traits.length);
      await input.onProgeny?.(cross, values);
    }
    const parentValues = traits.map((trait): [number, number] => [
      geneticValue(trait, scene.parentOf(cross.female)),
      geneticValue(trait, scene.parentOf(cross.male)),
    ]);
    for (const [t, { name }] of input.effects.traits.entries()) {
      rows.push({
        cross: cross.name,
        parent1: cross.female,
        parent2: cross.male,
        trait: name,
        population,
        parentValues: parentValues[t],
        ...criteria(
          moments.mean[t],
          moments.covariance[t * (traits.length + 1)],
          parentValues[t],
          progenyCount,
          selections[t],
        ),
        sim_mean: simulated?.mean[t] ?? null,
        sim_variance: simulated?.covariance[t * (traits.length + 1)] ?? null,
      });
    }
    correlations.push({ cross: cross.name, values: correlationsOf(moments.covariance, traits.length) });
  }
  reportProgress(context, 'cross', crosses.length, crosses.length);
  return {
    traits: input.effects.traits.map(({ name }) => name),
    rows,
    correlations,
    report: scene.report,
    mapReport: scene.mapReport,
    progeny,
  };
}

/** How each trait is selected. */
function selectionsOf({ effects, selection, lowTraits }: CrossingInput): Selection[] {
  return effects.traits.map(({ name }) => ({
    ...DEFAULT_SELECTION,
    ...selection,
    ...(lowTraits?.includes(name) === true ? { direction: 'low' as const } : {}),
  }));
}

/** What is grown from a cross: its type, or the population of the run when the type leaves it open. A selfed plant is crossed with itself. */
function populationOf({ type }: Cross, population: Population): Population {
  return type === 'biparental' ? population : type === 'self' ? 'F1' : type;
}

/** The parents of a cross. Doubled haploids of a single plant come from its own gametes: it is the F1 of its two haplotypes. */
function parentsOf(
  scene: CrossingScene,
  cross: Cross,
  population: Population,
): { female: PhasedParent; male: PhasedParent } {
  const female = scene.parentOf(cross.female);
  if (cross.female !== cross.male || population !== 'DH') return { female, male: scene.parentOf(cross.male) };
  return {
    female: { first: female.first, second: female.first },
    male: { first: female.second, second: female.second },
  };
}

/**
 * Exact figures of the progeny of every pair of the parents, for ranking. What pairs can share is computed once a parent
 * (seconds for 200 parents at 50,000 markers); backcrosses take each pair on its own. The crosses are called
 * `P1_X_P2`; backcrosses stand in both directions, since they favour one parent.
 *
 * @throws AnalysisError as {@link crossAnalysis}
 */
export async function rankAllPairs(
  input: CrossingInput & { population: Population; progeny?: number },
  context: AnalysisContext,
): Promise<PairRanking> {
  reportProgress(context, 'match', 0, 1);
  const scene = prepareCrossing(input);
  const { population } = input;
  const { names } = input.parents;
  const selections = selectionsOf(input);
  const parents = names.map((name) => scene.parentOf(name));
  const isSymmetric = breedingScheme(population).backcrossTo === null;
  reportProgress(context, 'cross', 0, 1);
  const shared = scene.traits.map((trait) =>
    hasPairMoments(population) ? pairMoments(scene.genome, [trait], parents, population) : null,
  );
  const values = scene.traits.map((trait) => parents.map((parent) => geneticValue(trait, parent)));
  const rows: CrossRow[] = [];
  const pairs = names.length * (names.length - 1);
  let done = 0;
  for (let i = 0; i < names.length; i++) {
    for (let j = isSymmetric ? i + 1 : 0; j < names.length; j++) {
      if (j === i) continue;
      done += isSymmetric ? 2 : 1;
      if (done % PAIRS_A_TURN === 0) {
        reportProgress(context, 'cross', done, pairs);
        if (shared.includes(null)) await nextTurn();
      }
      for (const [t, trait] of scene.traits.entries()) {
        const parentValues: [number, number] = [values[t][i], values[t][j]];
        const pair = shared[t] === null ? 0 : pairIndex(i, j, names.length);
        const { mean, variance } =
          shared[t] === null
            ? varianceOf(crossMoments(scene.genome, [trait], parents[i], parents[j], population))
            : { mean: shared[t].mean[0][pair], variance: shared[t].variance[0][pair] };
        rows.push({
          cross: `${names[i]}_X_${names[j]}`,
          parent1: names[i],
          parent2: names[j],
          trait: input.effects.traits[t].name,
          population,
          parentValues,
          ...criteria(mean, variance, parentValues, input.progeny ?? DEFAULT_PROGENY, selections[t]),
          sim_mean: null,
          sim_variance: null,
        });
      }
    }
  }
  return {
    traits: input.effects.traits.map(({ name }) => name),
    rows,
    report: scene.report,
    mapReport: scene.mapReport,
  };
}

/** Pairs between looks at the caller; each may take milliseconds where it is computed on its own. */
const PAIRS_A_TURN = 20;

/** The moments of a cross with a single trait. */
function varianceOf({ mean, covariance }: CrossMoments): { mean: number; variance: number } {
  return { mean: mean[0], variance: covariance[0] };
}

/** Effects and haplotypes in the order in which meiosis walks the genome. */
interface CrossingScene {
  genome: CrossingGenome;
  traits: TraitEffects[];
  parentOf(name: string): PhasedParent;
  /** By place on the map, the place in the parents' genotype. */
  markerIndex: Int32Array;
  /** The mapped part of a haplotype, counting the allele that the parents' genotype counts. */
  asInFile(haplotype: Uint8Array): Uint8Array;
  report: CrossReport;
  mapReport: ProblemReport;
}

function prepareCrossing(input: CrossingInput): CrossingScene {
  const { effects, parents, map } = input;
  const match = matchMarkers(effects.markers, parents.markers);
  if (match.shared === 0) {
    throw new AnalysisError(
      'crossing/no-shared-markers',
      `None of the ${groupedNumber(effects.markers.id.length)} markers with an effect is in the genotype of the parents.`,
      'Use the genotype whose marker names or positions are written as in the training file.',
    );
  }
  const shared = Array.from(match.panelIndex.keys()).filter((j) => match.panelIndex[j] >= 0);
  const at = shared.map((j) => match.panelIndex[j]);
  const { id, chromosome, positionBp, a1, a2 } = parents.markers;
  const placed = placeOnMap(
    map,
    {
      id: at.map((k) => id[k]),
      chromosome: at.map((k) => chromosome[k]),
      positionBp: Float64Array.from(at, (k) => positionBp[k]),
      a1: at.map((k) => a1[k]),
      a2: at.map((k) => a2[k]),
    },
    { missingMarkers: input.missingMapMarkers ?? 'interpolate', arePart: true },
  );
  const { genome, order } = orderGenome(placed.chromosome, placed.positionCm);
  if (genome.mappedCount === 0) {
    throw new AnalysisError(
      'crossing/no-map',
      'None of the markers with an effect has a position on the linkage map.',
      'Use the map of these markers; the template on the page of the genotype file lists them.',
    );
  }
  const alleles = (haplotype: Uint8Array) =>
    Uint8Array.from(order, (s) => {
      const allele = haplotype[at[s]];
      return match.isSwapped[shared[s]] === 1 ? 1 - allele : allele;
    });
  const traits = effects.traits.map((trait): TraitEffects => {
    let { intercept } = trait;
    for (let j = 0; j < match.panelIndex.length; j++) {
      if (match.panelIndex[j] >= 0 || effects.freqA2 === null) continue;
      const p = effects.freqA2[j];
      intercept += 2 * p * trait.additive[j] + (trait.dominance === null ? 0 : 2 * p * (1 - p) * trait.dominance[j]);
    }
    const gather = (values: Float64Array) => Float64Array.from(order, (s) => values[shared[s]]);
    return {
      intercept,
      additive: gather(trait.additive),
      dominance: trait.dominance === null ? null : gather(trait.dominance),
    };
  });
  const haplotypes = new Map(
    parents.names.map((name, i) => [
      name,
      { first: alleles(parents.parents[i].first), second: alleles(parents.parents[i].second) },
    ]),
  );
  return {
    genome,
    traits,
    parentOf(name) {
      const found = haplotypes.get(name);
      if (found === undefined) throw new RangeError(`no haplotypes of ${name}`);
      return found;
    },
    markerIndex: Int32Array.from(order.subarray(0, genome.mappedCount), (s) => at[s]),
    asInFile: (haplotype) =>
      haplotype
        .subarray(0, genome.mappedCount)
        .map((allele, place) => (match.isSwapped[shared[order[place]]] === 1 ? 1 - allele : allele)),
    report: {
      effect_markers: effects.markers.id.length,
      shared: match.shared,
      swapped: match.swapped,
      mismatched: match.mismatched,
      unmapped: genome.markerCount - genome.mappedCount,
      interpolated: placed.interpolated,
      unmapped_variance_share: unmappedShare(genome, traits, [...haplotypes.values()]),
      filled_calls: parents.filledCalls.reduce((sum, count) => sum + count, 0),
    },
    mapReport: placed.report,
  };
}

function unmappedShare(
  genome: CrossingGenome,
  traits: readonly TraitEffects[],
  parents: readonly PhasedParent[],
): number {
  let largest = 0;
  for (const { additive } of traits) {
    let total = 0;
    let unmapped = 0;
    for (let j = 0; j < genome.markerCount; j++) {
      const p = parents.reduce((sum, { first, second }) => sum + first[j] + second[j], 0) / (2 * parents.length);
      const variance = 2 * p * (1 - p) * additive[j] ** 2;
      total += variance;
      if (j >= genome.mappedCount) unmapped += variance;
    }
    if (total > 0) largest = Math.max(largest, unmapped / total);
  }
  return largest;
}

function criteria(
  mean: number,
  variance: number,
  parents: [number, number],
  progenyCount: number,
  selection: Selection,
): Pick<CrossRow, 'mean' | 'variance' | 'sd' | 'usefulness' | 'p_transgress' | 'expected_best'> {
  const sd = Math.sqrt(variance);
  const sign = selection.direction === 'high' ? 1 : -1;
  return {
    mean,
    variance,
    sd,
    usefulness: usefulness(mean, sd, selection),
    p_transgress: transgressionProbability(mean, sd, parents, selection.direction),
    expected_best: mean + sign * sd * (progenyCount >= 1 ? expectedBest(progenyCount) : 0),
  };
}

const EXPECTED_BEST = new Map<number, number>();

/** Expected maxima are asked for again and again with the same number of progeny. */
function expectedBest(n: number): number {
  const known = EXPECTED_BEST.get(n) ?? expectedMaximum(n);
  EXPECTED_BEST.set(n, known);
  return known;
}

function correlationsOf(covariance: Float64Array, traits: number): (number | null)[] {
  return Array.from(covariance, (value, k) => {
    const scale = Math.sqrt(
      covariance[Math.floor(k / traits) * (traits + 1)] * covariance[(k % traits) * (traits + 1)],
    );
    return scale > 0 ? value / scale : null;
  });
}

const ROW_COLUMNS = [
  'cross',
  'parent1',
  'parent2',
  'trait',
  'mean',
  'variance',
  'sd',
  'usefulness',
  'p_transgress',
  'expected_best',
  'sim_mean',
  'sim_variance',
  'population',
] as const;

/** The rows as CSV: cross,parent1,parent2,trait,mean,variance,sd,usefulness,p_transgress,expected_best,sim_mean,sim_variance,population. */
export function crossesCsv(rows: readonly CrossRow[]): Iterable<string> {
  return csvChunks(ROW_COLUMNS, crossCells(rows));
}

function* crossCells(rows: readonly CrossRow[]): Generator<(string | number | null)[]> {
  for (const row of rows) yield ROW_COLUMNS.map((column) => row[column]);
}

/** Header of the progeny table: cross,id,value_T for each trait T. */
export function progenyHeader(traits: readonly string[]): string[] {
  return ['cross', 'id', ...traits.map((trait) => `value_${trait}`)];
}

/** Rows of the progeny table for the simulated values of one cross; individuals are called `CROSS-1`, `CROSS-2` … */
export function* progenyRows(cross: string, values: Float64Array, traits: number): Generator<(string | number)[]> {
  for (let i = 0; (i + 1) * traits <= values.length; i++) {
    yield [cross, progenyName(cross, i), ...values.subarray(i * traits, (i + 1) * traits)];
  }
}
