// Which numbers of a scheme may move under which budget, and towards what: the help page docs/user-guide/programmes.md.
import * as z from 'zod';
import { numbersOf, withNumber } from './programme-numbers.ts';
import type { ProgrammeScheme } from './programme-schemes.ts';
import { schemeSizes } from './programme-sizes.ts';

const objective = z.strictObject({
  stage: z.string().min(1).max(63).describe('Stage of the results.'),
  quantity: z.string().min(1).max(63),
  cycle: z.int().min(0).max(1000).optional().describe('Absent: the last that has it.'),
  low: z.boolean().optional().describe('True where low values are wanted.'),
});

const movingNumber = z.strictObject({
  name: z.string().min(1).max(63),
  paths: z
    .array(z.string().min(1).max(63))
    .min(1)
    .max(20)
    .describe('Numbers of the scheme that move together, as `cycle.2.lines`; stages are counted from 0.'),
  min: z.number().min(0).max(1e9),
  max: z.number().min(0).max(1e9),
});

export const programmeSearch = z
  .strictObject({
    budget: z.number().gt(0).max(1e15),
    budget_of: z.enum(['cycle', 'programme']).default('cycle').describe('What the budget is for: one cycle, or all.'),
    years: z.number().gt(0).max(1000).optional().describe('Most years of the whole programme. Absent: as they come.'),
    numbers: z.array(movingNumber).min(1).max(12),
    gain: objective.describe('What is to be large, as the mean over replicates.'),
    diversity: objective.optional().describe('Adds the front of gain against this.'),
    evaluations: z.int().min(20).max(1000).default(120).describe('Allocations simulated, repetitions counted.'),
    replicates: z.int().min(2).max(200).default(8).describe('Of each evaluation.'),
    step: z.number().gt(0).max(1e12).default(1000).describe('Money whose effect at each number is estimated.'),
  })
  .meta({ id: 'ProgrammeSearch' });
export type ProgrammeSearch = z.infer<typeof programmeSearch>;

/** The scheme with its moving numbers set, in their order. */
export function schemeAt(
  scheme: ProgrammeScheme,
  search: ProgrammeSearch,
  allocation: readonly number[],
): ProgrammeScheme {
  let found = scheme;
  for (const [j, { paths }] of search.numbers.entries())
    for (const path of paths) found = withNumber(found, path, allocation[j] ?? Number.NaN);
  return found;
}

/** The schemes that a run simulates year by year: those of its request, or of a search its own and the best numbers. */
export function simulatedSchemes(
  { schemes, optimise }: { schemes: readonly ProgrammeScheme[]; optimise?: ProgrammeSearch | undefined },
  best: readonly number[] | undefined,
): ProgrammeScheme[] {
  const [own] = schemes;
  if (optimise === undefined || own === undefined) return [...schemes];
  const found = best === undefined ? own : schemeAt(own, optimise, best);
  return [own, { ...found, name: `${own.name.slice(0, 235)}, best numbers` }];
}

/** Place of the best numbers among the schemes of a search. */
export const BEST_SCHEME = 1;

/**
 * What is wrong with a search of this scheme: where, and why.
 *
 * @param founders how many there are; null where that is not known, and the budget not looked at
 */
export function searchProblems(
  scheme: ProgrammeScheme,
  search: ProgrammeSearch,
  founders: number | null,
): { field: string; message: string }[] {
  const known = new Map(numbersOf(scheme).map((number) => [number.path, number]));
  const problems: { field: string; message: string }[] = [];
  const taken = new Set<string>();
  for (const [j, { name, paths, min, max }] of search.numbers.entries()) {
    const field = `numbers.${j}`;
    if (search.numbers.findIndex((one) => one.name === name) < j)
      problems.push({ field: `${field}.name`, message: `Another number is called "${name}"` });
    if (min > max) problems.push({ field: `${field}.max`, message: 'The largest value is below the smallest' });
    for (const path of paths) {
      const number = known.get(path);
      if (number === undefined)
        problems.push({ field: `${field}.paths`, message: `The scheme has no number at ${path}` });
      else if (path.startsWith('costs.') || path.startsWith('error.'))
        problems.push({ field: `${field}.paths`, message: `${path} is not for you to choose` });
      else {
        if (min < number.min) problems.push({ field: `${field}.min`, message: `${path} is at least ${number.min}` });
        if (max > number.max) problems.push({ field: `${field}.max`, message: `${path} is at most ${number.max}` });
        if (number.isWhole && !(Number.isInteger(min) && Number.isInteger(max)))
          problems.push({ field, message: `${path} is a whole number, and so are its bounds` });
      }
      if (taken.has(path)) problems.push({ field: `${field}.paths`, message: `${path} moves with another number` });
      taken.add(path);
    }
  }
  for (const what of ['gain', 'diversity'] as const) {
    const wanted = search[what];
    if (wanted !== undefined && !measures(scheme, wanted.stage))
      problems.push({ field: what, message: `No stage measures "${wanted.stage}"` });
  }
  if (problems.length === 0 && founders !== null) {
    const least = allocationCost(scheme, search, founders)(search.numbers.map(({ min }) => min));
    if (least !== null && least > search.budget)
      problems.push({ field: 'budget', message: `The smallest numbers cost ${Math.ceil(least)} already` });
  }
  return problems;
}

const measures = ({ start, cycle, end = [] }: ProgrammeScheme, stage: string): boolean =>
  [...start, ...cycle, ...end].some(
    (one) =>
      (one.do === 'measure' && one.stage === stage) ||
      (one.do === 'release' && (one.stage ?? 'release') === stage) ||
      (one.do === 'train' && one.stage === stage),
  );

/**
 * What an allocation costs of the budget; null where it asks for more than there is, or takes too many years.
 *
 * @param founders how many there are
 */
export function allocationCost(
  scheme: ProgrammeScheme,
  search: ProgrammeSearch,
  founders: number,
): (allocation: readonly number[]) => number | null {
  const known = new Map<string, number | null>();
  return (allocation) => {
    const key = allocation.join(' ');
    const before = known.get(key);
    if (before !== undefined) return before;
    const sizes = schemeSizes(schemeAt(scheme, search, allocation), founders);
    const cost = search.budget_of === 'cycle' ? sizes.cost.cycle : sizes.totalCost;
    const isPossible = sizes.problems.length === 0 && sizes.totalYears <= (search.years ?? Number.POSITIVE_INFINITY);
    known.set(key, isPossible ? cost : null);
    return isPossible ? cost : null;
  };
}

/** The plan of the search, as the library takes it. */
export function searchPlan(
  scheme: ProgrammeScheme,
  search: ProgrammeSearch,
  { founders, seed }: { founders: number; seed: number },
) {
  const known = new Map(numbersOf(scheme).map((number) => [number.path, number]));
  return {
    space: {
      numbers: search.numbers.map(({ paths, min, max }) => ({
        ...{ min, max },
        isWhole: paths.some((path) => known.get(path)?.isWhole === true),
      })),
      budget: search.budget,
      costOf: allocationCost(scheme, search, founders),
    },
    objectives: search.diversity === undefined ? 1 : 2,
    evaluations: search.evaluations,
    own: search.numbers.map(({ paths, min, max }) =>
      Math.min(max, Math.max(min, known.get(paths[0] ?? '')?.value ?? min)),
    ),
    more: search.step,
    seed,
  };
}

const estimate = z.object({ mean: z.number(), se: z.number() });

/** What a search has found. */
export const programmeOptimum = z
  .object({
    evaluations: z.number().int().describe('Done so far.'),
    numbers: z
      .array(
        z.object({
          name: z.string(),
          own: z.number().describe('In the scheme, within the bounds.'),
          best: z.number(),
          low: z.number().describe('The smallest among allocations that cannot be told from the best.'),
          high: z.number(),
        }),
      )
      .describe('In the order of the request.'),
    allocations: z
      .array(
        z.object({
          numbers: z.array(z.number()),
          cost: z.number(),
          replicates: z.number().int(),
          gain: estimate.describe('Posterior mean, and its standard error.'),
          diversity: estimate.nullable(),
          difference: estimate.describe('Gain less that of the best.'),
          may_be_best: z.boolean().describe('The 95 % interval of the difference holds zero.'),
          on_front: z.boolean().describe('No other within the budget has more gain and more diversity.'),
          affordable: z.boolean().describe('Steps of the last round are beyond the budget.'),
        }),
      )
      .describe('All that were simulated, the best first, then what is beyond the budget.'),
    steps: z
      .array(
        z.object({
          name: z.string(),
          from: z.number(),
          to: z.number(),
          cost: z.number().describe('More than the best costs.'),
          gain: estimate.describe('More than the best gains.'),
          each: estimate.describe('The same for each `step` of money.'),
        }),
      )
      .describe('What more money buys at each number, the most first; without those that cannot rise.'),
  })
  .meta({ id: 'ProgrammeOptimum' });
export type ProgrammeOptimum = z.infer<typeof programmeOptimum>;
