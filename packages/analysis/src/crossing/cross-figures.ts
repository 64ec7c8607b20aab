import {
  type Direction,
  expectedMaximum,
  transgressionProbability,
  usefulness,
} from '@heterosis/statgen/crossing/cross-criteria';
import type { Population } from '@heterosis/statgen/crossing/population';

/** How progeny are selected. */
export interface Selection {
  /** Fraction selected, 0–1. */
  fraction: number;
  /** Accuracy of selection, 0–1. */
  accuracy: number;
  direction: Direction;
}

export interface SelectionInput {
  /** The default is the best 5 % by their own value. */
  selection?: Partial<Selection> | undefined;
  /** Traits for which low values are wanted, overriding `selection`. */
  lowTraits?: readonly string[] | undefined;
  /** Traits for which high values are wanted, overriding `selection`. */
  highTraits?: readonly string[] | undefined;
}

/** One cross and trait. */
export interface CrossRow {
  cross: string;
  parent1: string;
  parent2: string;
  /** Null in crosses of two parents. */
  parent3: string | null;
  /** Null in crosses of two or three parents. */
  parent4: string | null;
  trait: string;
  /** The population grown; a selfing is the F1 of a plant with itself. */
  population: Population;
  /** Genetic values of the parents, in their order. */
  parentValues: number[];
  mean: number;
  variance: number;
  sd: number;
  usefulness: number;
  /** Probability that a progeny beats the best parent. */
  pTransgress: number;
  /** Expected best of that number of progeny. */
  expectedBest: number;
  /** Null without simulation. */
  simMean: number | null;
  simVariance: number | null;
  /** Genomic relationship of the two sides of the cross; null when no marker of the genotype varies. */
  kinship: number | null;
  /** Markers with an effect at which the haplotypes of the parents differ. */
  segregatingMarkers: number;
}

const DEFAULT_SELECTION: Selection = { fraction: 0.05, accuracy: 1, direction: 'high' };

/** How each trait is selected. */
export function selectionsOf(traits: readonly { name: string }[], input: SelectionInput): Selection[] {
  const { selection, lowTraits = [], highTraits = [] } = input;
  return traits.map(({ name }) => {
    const common = { ...DEFAULT_SELECTION, ...selection };
    const direction = lowTraits.includes(name) ? 'low' : highTraits.includes(name) ? 'high' : common.direction;
    return { ...common, direction };
  });
}

/** The figures derived from mean and variance of the progeny under a normal distribution. */
export function crossFigures(
  { mean, variance }: { mean: number; variance: number },
  parentValues: readonly number[],
  progenyCount: number,
  selection: Selection,
): Pick<CrossRow, 'mean' | 'variance' | 'sd' | 'usefulness' | 'pTransgress' | 'expectedBest'> {
  const sd = Math.sqrt(variance);
  const sign = selection.direction === 'high' ? 1 : -1;
  return {
    mean,
    variance,
    sd,
    usefulness: usefulness(mean, sd, selection),
    pTransgress: transgressionProbability(mean, sd, parentValues, selection.direction),
    expectedBest: mean + sign * sd * (progenyCount >= 1 ? expectedBest(progenyCount) : 0),
  };
}

const EXPECTED_BEST = new Map<number, number>();

/** Cached, because most crosses have the same number of progeny. */
function expectedBest(n: number): number {
  const known = EXPECTED_BEST.get(n) ?? expectedMaximum(n);
  EXPECTED_BEST.set(n, known);
  return known;
}
