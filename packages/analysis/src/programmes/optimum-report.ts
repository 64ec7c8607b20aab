import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import type { SearchResult } from '@heterosis/statgen/programmes/allocations/search-allocations';
import type { Objective, ProgrammeSearch } from './optimise-programme.ts';

interface Estimate {
  mean: number;
  se: number;
}

/** What a search has found, in the signs of its quantities. */
export interface OptimumReport {
  evaluations: number;
  numbers: { name: string; own: number; best: number; low: number; high: number }[];
  allocations: {
    numbers: number[];
    cost: number;
    replicates: number;
    gain: Estimate;
    diversity: Estimate | null;
    difference: Estimate;
    may_be_best: boolean;
    on_front: boolean;
    affordable: boolean;
  }[];
  steps: { name: string; from: number; to: number; cost: number; gain: Estimate; each: Estimate }[];
}

/** @param names of the numbers, in the order of the plan */
export function optimumReport(
  { plan, objectives }: Pick<ProgrammeSearch, 'plan' | 'objectives'>,
  names: readonly string[],
  result: SearchResult,
  evaluations: number,
): OptimumReport {
  const signs = objectives.map(signOf);
  const [best] = result.allocations;
  return {
    evaluations,
    numbers: names.map((name, j) => ({
      ...{ name, own: plan.own[j], best: best.allocation[j] },
      ...result.region[j],
    })),
    allocations: result.allocations.map((one) => ({
      numbers: [...one.allocation],
      cost: one.cost,
      replicates: one.replicates,
      gain: { mean: signs[0] * one.means[0], se: one.errors[0] },
      diversity: objectives.length < 2 ? null : { mean: signs[1] * one.means[1], se: one.errors[1] },
      difference: { mean: signs[0] * one.difference, se: one.differenceError },
      may_be_best: one.maybeBest,
      on_front: one.onFront,
      affordable: one.affordable,
    })),
    steps: result.steps
      .flatMap(({ number, value, cost, gain, error }) => {
        if (value === null || cost === null || gain === null || error === null) return [];
        const share = plan.more / cost;
        return [
          {
            ...{ name: names[number], from: best.allocation[number], to: value, cost },
            gain: { mean: signs[0] * gain, se: error },
            each: { mean: signs[0] * gain * share, se: error * share },
          },
        ];
      })
      .sort((a, b) => signs[0] * (b.each.mean - a.each.mean)),
  };
}

const signOf = ({ low }: Objective): number => (low === true ? -1 : 1);

/** A row for each allocation: its numbers by name, cost, replicates, gain, diversity, difference to the best. */
export function allocationsCsv({ numbers, allocations }: OptimumReport): Iterable<string> {
  return csvChunks(
    [
      ...numbers.map(({ name }) => name),
      ...['cost', 'replicates', 'gain', 'gain_se', 'diversity', 'diversity_se', 'difference', 'difference_se'],
      ...['may_be_best', 'on_front', 'affordable'],
    ],
    allocations.map((one) => [
      ...one.numbers,
      ...[one.cost, one.replicates, one.gain.mean, one.gain.se],
      ...[one.diversity?.mean ?? null, one.diversity?.se ?? null, one.difference.mean, one.difference.se],
      ...[one.may_be_best, one.on_front, one.affordable].map((is) => (is ? 'yes' : 'no')),
    ]),
  );
}

/** A row for each number that can rise: what a step costs and gains, and the same for each step of money. */
export function stepsCsv({ steps }: OptimumReport): Iterable<string> {
  return csvChunks(
    ['number', 'from', 'to', 'cost', 'gain', 'gain_se', 'gain_each', 'gain_each_se'],
    steps.map(({ name, from, to, cost, gain, each }) => [name, from, to, cost, gain.mean, gain.se, each.mean, each.se]),
  );
}
