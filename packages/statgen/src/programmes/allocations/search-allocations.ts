import { createRandomStream } from '../../random/random-stream.ts';
import { meanOf } from '../statistics.ts';
import { fitSurface, type Surface, type SurfaceData, type SurfacePoint } from './gaussian-process.ts';
import { expectedGain } from './knowledge-gradient.ts';
import { drawAllocations, drawNear, isAffordable, raised, type SearchSpace, scaled } from './search-space.ts';

/** An allocation on a block of replicates. */
export interface Trial {
  /** Numbers, in the order of the space. */
  allocation: readonly number[];
  /** Replicates block·R to (block + 1)·R − 1 are simulated: all allocations meet the same. */
  block: number;
}

/** A trial that has been simulated: for each objective the values of its replicates; larger is better. */
export interface Evaluation extends Trial {
  values: readonly ArrayLike<number>[];
}

export interface SearchPlan {
  space: SearchSpace;
  /** Number of objectives: 1, or 2 with diversity. */
  objectives: number;
  /** Trials in all. */
  evaluations: number;
  /** An allocation to begin with, such as that of today; left out where it is beyond the budget. */
  own: readonly number[];
  /** Money that a step of a number is to cost at least, for what more money buys. */
  more: number;
  seed: number;
}

/** Trials of a round are simulated side by side; the next round knows them all. */
const AT_ONCE = 8;
/** Trials of the first round, for each number and at least. */
const FIRST_EACH = 3;
const FIRST_LEAST = 16;
/** Share of the trials kept for the best one and its steps. */
const LAST_SHARE = 1 / 5;
/** Candidates of a round: all over the space, and near the best. */
const ALL_OVER = 600;
const NEAR_BEST = 600;
/** So many of the best known allocations may turn out to be the best. */
const CONTENDERS = 24;
/** Weights of the gain beside diversity, in turn within a round. */
const WEIGHTS = [1, 1, 1, 0.75, 1, 0.5, 1, 0.25];

/** Trials of each round: spread over the space, then where they tell most, then the best one and its steps. */
export function roundsOf({ evaluations, space }: Pick<SearchPlan, 'evaluations' | 'space'>): number[] {
  const width = space.numbers.length;
  const last = Math.floor(evaluations * LAST_SHARE);
  const first = Math.min(Math.max(FIRST_LEAST, FIRST_EACH * width), evaluations - last);
  const middle = evaluations - last - first;
  const rounds = Array.from({ length: Math.ceil(middle / AT_ONCE) }, (_, i) => Math.min(AT_ONCE, middle - i * AT_ONCE));
  return [first, ...rounds, last].filter((size) => size > 0);
}

/**
 * The trials of the next round: a function of the plan and of the trials of earlier rounds alone. The first round is
 * spread over the space; later ones take, one after the other, the candidate of the largest knowledge gradient,
 * trials of the same round expected to come out as predicted; the last one repeats the best and its steps on further
 * replicates.
 *
 * @param known trials of the rounds before, in their order
 * @returns none when the search has ended, or no allocation can be paid
 */
export function nextTrials(plan: SearchPlan, known: readonly Evaluation[]): Trial[] {
  const rounds = roundsOf(plan);
  let before = 0;
  const round = rounds.findIndex((size) => {
    if (before === known.length) return true;
    before += size;
    return false;
  });
  if (round < 0) return [];
  const random = createRandomStream(plan.seed, 'allocations', round);
  const size = rounds[round];
  if (round === 0) return spread(plan, drawAllocations(plan.space, ALL_OVER, random), size);
  const surfaces = fitSurfaces(plan, known);
  if (round === rounds.length - 1) return bestAndSteps(plan, surfaces, known, size);
  const tried = distinct(known).filter((one) => isAffordable(plan.space, one));
  const predicted = surfaces[0].surface.predictBeside(surfacePoints(plan, tried), []);
  const centers = ranked(predicted.means)
    .slice(0, AT_ONCE)
    .map((i) => tried[i]);
  const candidates = distinct([
    ...tried,
    ...drawNear(plan.space, centers, NEAR_BEST, random),
    ...drawAllocations(plan.space, ALL_OVER, random),
  ]);
  return mostTelling(plan, { surfaces, known, candidates }, size);
}

/** Own numbers, then each time the allocation that is farthest from all before. */
function spread({ space, own }: SearchPlan, candidates: number[][], size: number): Trial[] {
  const chosen: (readonly number[])[] = isAffordable(space, own) ? [own] : candidates.slice(0, 1);
  const places = candidates.map((one) => scaled(space, one));
  const nearest = candidates.map(() => Number.POSITIVE_INFINITY);
  while (chosen.length > 0 && chosen.length < Math.min(size, candidates.length)) {
    const last = scaled(space, chosen[chosen.length - 1]);
    let farthest = 0;
    for (const [i, place] of places.entries()) {
      nearest[i] = Math.min(
        nearest[i],
        place.reduce((sum, x, j) => sum + (x - last[j]) ** 2, 0),
      );
      if (nearest[i] > nearest[farthest]) farthest = i;
    }
    chosen.push(candidates[farthest]);
  }
  // A space of few allocations is repeated on further replicates.
  return Array.from({ length: chosen.length === 0 ? 0 : size }, (_, i) => ({
    allocation: chosen[i % chosen.length],
    block: Math.floor(i / chosen.length),
  }));
}

/** A fitted surface of an objective. */
export interface ObjectiveSurface {
  surface: Surface;
  /** Error variance of a mean of R replicates, given its block, and of a block. */
  noise: number;
  blockVariance: number;
  /** Spread of the predicted means of the trials. */
  scale: number;
}

function fitSurfaces({ space, objectives }: SearchPlan, known: readonly Evaluation[]): ObjectiveSurface[] {
  const points = known.map(({ allocation, block }): SurfacePoint => ({ at: scaled(space, allocation), block }));
  return Array.from({ length: objectives }, (_, objective) => {
    const y = known.map(({ values }) => meanOf(values[objective]));
    const errors = errorsOf(known, objective);
    const data: SurfaceData = { points, y, noise: errors.noise, blockVariance: errors.blockVariance };
    const surface = fitSurface(data);
    const { means } = surface.predictBeside(
      points.map(({ at }) => ({ at, block: -1 })),
      [],
    );
    const scale =
      means.reduce((most, x) => Math.max(most, x), -Infinity) - means.reduce((a, x) => Math.min(a, x), Infinity);
    return { surface, noise: errors.pooled, blockVariance: errors.blockVariance, scale: Math.max(scale, 1e-12) };
  });
}

/** Degrees of freedom that the pooled variance of errors counts for beside that of a trial. */
const POOLED_FREEDOM = 8;

/**
 * Variances of means of replicates: of each given its block, and of blocks, by the analysis of variance of trials ×
 * replicates in each block. Those of single trials are drawn to the pooled one.
 */
function errorsOf(
  known: readonly Evaluation[],
  objective: number,
): { noise: Float64Array; pooled: number; blockVariance: number } {
  const replicates = known[0].values[objective].length;
  const squares = new Float64Array(known.length);
  let all = 0;
  let freedom = 0;
  let common = 0;
  let share = 0;
  let commonFreedom = 0;
  const byBlock = Map.groupBy(known.keys(), (i) => known[i].block);
  for (const members of byBlock.values()) {
    if (members.length < 2) continue;
    const means = members.map((i) => meanOf(known[i].values[objective]));
    const mean = meanOf(means);
    const ofReplicates = Array.from({ length: replicates }, (_, r) =>
      meanOf(members.map((i) => known[i].values[objective][r])),
    );
    const unbiased = members.length / (members.length - 1);
    for (const [k, i] of members.entries()) {
      for (let r = 0; r < replicates; r++)
        squares[i] += unbiased * (known[i].values[objective][r] - means[k] - ofReplicates[r] + mean) ** 2;
      all += squares[i] / unbiased;
    }
    freedom += (members.length - 1) * (replicates - 1);
    common += ofReplicates.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    share += (replicates - 1) / members.length;
    commonFreedom += replicates - 1;
  }
  const pooled = freedom > 0 ? all / freedom : 0;
  // Means over trials vary by what they have in common and their share of the errors.
  const ofReplicate = commonFreedom > 0 ? Math.max(0, (common - pooled * share) / commonFreedom) : 0;
  return {
    noise: Float64Array.from(
      squares,
      (square) =>
        (POOLED_FREEDOM * pooled + (square > 0 ? square : (replicates - 1) * pooled)) /
        (POOLED_FREEDOM + replicates - 1) /
        replicates,
    ),
    pooled: pooled / replicates,
    blockVariance: ofReplicate / replicates,
  };
}

/** Different allocations, in their order. */
function distinct(all: readonly (readonly number[] | Evaluation)[]): (readonly number[])[] {
  const found = new Map<string, readonly number[]>();
  for (const one of all) {
    const allocation = 'allocation' in one ? one.allocation : one;
    if (!found.has(keyOf(allocation))) found.set(keyOf(allocation), allocation);
  }
  return [...found.values()];
}

/** Weights of the objectives on the scale of their surfaces. */
const weights = (surfaces: readonly ObjectiveSurface[], first: number): number[] =>
  surfaces.map(({ scale }, o) => (surfaces.length === 1 ? 1 : o === 0 ? first : 1 - first) / scale);

/** Places of the values, the largest first. */
const ranked = (values: ArrayLike<number>): number[] =>
  Array.from({ length: values.length }, (_, i) => i).sort((i, k) => values[k] - values[i] || i - k);

const surfacePoints = ({ space }: SearchPlan, allocations: readonly (readonly number[])[]): SurfacePoint[] =>
  allocations.map((allocation) => ({ at: scaled(space, allocation), block: -1 }));

interface Choice {
  surfaces: readonly ObjectiveSurface[];
  known: readonly Evaluation[];
  candidates: readonly (readonly number[])[];
}

/** What an objective's surface says of candidates, updated as trials are chosen. */
interface Outlook {
  objective: ObjectiveSurface;
  /** Of the means of trials of the candidates, without their errors. */
  variances: Float64Array;
  /** Contenders × trials of the candidates. */
  covariance: Float64Array;
  /** Chosen trials: their covariances with all trials of the candidates, and their own variance. */
  chosen: { with: Float64Array; variance: number }[];
}

/**
 * One trial after the other by the knowledge gradient: what it is expected to add to the predicted value of the best
 * contender. Trials chosen before are expected to come out as predicted, so that they change variances only.
 */
function mostTelling(plan: SearchPlan, { surfaces, known, candidates }: Choice, size: number): Trial[] {
  const blocks = repetitions(known);
  const surfaceAt = surfacePoints(plan, candidates);
  const trialAt = surfaceAt.map(({ at }, i): SurfacePoint => ({ at, block: blocks.get(keyOf(candidates[i])) ?? 0 }));
  const means = surfaces.map(({ surface }) => surface.predictBeside(surfaceAt, []).means);
  const weightsOf = (place: number) => weights(surfaces, plan.objectives === 1 ? 1 : WEIGHTS[place % WEIGHTS.length]);
  const valueAt = (place: number) => {
    const of = weightsOf(place);
    return Float64Array.from(candidates, (_, i) => of.reduce((sum, weight, o) => sum + weight * means[o][i], 0));
  };
  const slots = Array.from({ length: size }, (_, place) => {
    const values = valueAt(place);
    return { weights: weightsOf(place), values, best: ranked(values).slice(0, CONTENDERS) };
  });
  const contenders = [...new Set(slots.flatMap(({ best }) => best))];
  const rowOf = new Map(contenders.map((i, row) => [i, row]));
  const outlooks = surfaces.map((objective): Outlook => {
    const found = objective.surface.predictBeside(
      trialAt,
      contenders.map((i) => surfaceAt[i]),
    );
    return { objective, variances: found.variances, covariance: found.covariance.data, chosen: [] };
  });
  const chosen: number[] = [];
  for (const { weights: shares, values, best } of slots) {
    if (chosen.length === candidates.length) break;
    const a = Float64Array.from(best, (i) => values[i]);
    const rows = best.map((i) => rowOf.get(i) ?? 0);
    const noise = shares.reduce((sum, weight, o) => sum + weight ** 2 * surfaces[o].noise, 0);
    const b = new Float64Array(best.length);
    const gains = candidates.map((_, i) => {
      if (chosen.includes(i)) return Number.NEGATIVE_INFINITY;
      const variance = outlooks.reduce((sum, one, o) => sum + shares[o] ** 2 * one.variances[i], noise);
      for (const [c, row] of rows.entries()) {
        b[c] = 0;
        for (const [o, { covariance }] of outlooks.entries())
          b[c] += (shares[o] ** 2 * covariance[row + i * contenders.length]) / Math.sqrt(variance);
      }
      return expectedGain(a, b);
    });
    const [most] = ranked(gains);
    chosen.push(most);
    for (const outlook of outlooks) expectTrial(outlook, { trialAt, most, height: contenders.length });
  }
  // A space of few allocations is repeated on further replicates.
  return Array.from({ length: size }, (_, place) => {
    const i = chosen[place % chosen.length];
    return { allocation: candidates[i], block: trialAt[i].block + Math.floor(place / chosen.length) };
  });
}

/** Variances after a trial that comes out as predicted. */
function expectTrial(
  { objective, variances, covariance, chosen }: Outlook,
  { trialAt, most, height }: { trialAt: readonly SurfacePoint[]; most: number; height: number },
): void {
  const beside = objective.surface.predictBeside(trialAt, [trialAt[most]]).covariance.data;
  for (const before of chosen) {
    const share = before.with[most] / before.variance;
    for (let i = 0; i < beside.length; i++) beside[i] -= share * before.with[i];
  }
  const variance = variances[most] + objective.noise;
  const own = covariance.slice(most * height, (most + 1) * height);
  for (let i = 0; i < variances.length; i++) {
    const share = beside[i] / variance;
    variances[i] = Math.max(0, variances[i] - share * beside[i]);
    for (let c = 0; c < height; c++) covariance[c + i * height] -= share * own[c];
  }
  chosen.push({ with: beside, variance });
}

const keyOf = (allocation: readonly number[]): string => allocation.join(' ');

/** How often each allocation has been simulated: the block that comes next. */
function repetitions(known: readonly Evaluation[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const { allocation } of known) found.set(keyOf(allocation), (found.get(keyOf(allocation)) ?? 0) + 1);
  return found;
}

/** The best trial and, beyond the budget, its steps of each number, on the same replicates. */
function bestAndSteps(
  plan: SearchPlan,
  surfaces: readonly ObjectiveSurface[],
  known: readonly Evaluation[],
  size: number,
): Trial[] {
  const { space, more } = plan;
  const best = bestOf(plan, surfaces, known);
  const steps = space.numbers.map((_, j) => raised(space, best, j, more)?.allocation);
  const wanted = [best, ...steps.filter((one) => one !== undefined)];
  const blocks = repetitions(known);
  return Array.from({ length: size }, (_, i) => {
    const allocation = wanted[i % wanted.length];
    const block = blocks.get(keyOf(allocation)) ?? 0;
    blocks.set(keyOf(allocation), block + 1);
    return { allocation, block };
  });
}

/** The trial within the budget with the largest predicted gain. */
function bestOf(
  plan: SearchPlan,
  surfaces: readonly ObjectiveSurface[],
  known: readonly Evaluation[],
): readonly number[] {
  const trials = distinct(known).filter((one) => isAffordable(plan.space, one));
  const { means } = surfaces[0].surface.predictBeside(surfacePoints(plan, trials), []);
  return trials[ranked(means)[0]];
}

/** An allocation, and what the surfaces say of it. */
export interface AllocationResult {
  allocation: readonly number[];
  cost: number;
  /** Replicates simulated of it. */
  replicates: number;
  /** Of each objective: posterior mean, and its standard error with that of the replicates all have in common. */
  means: number[];
  errors: number[];
  /** Gain less that of the best, and its standard error. */
  difference: number;
  differenceError: number;
  /** Whether its gain may be that of the best: the 95 % interval of the difference holds 0. */
  maybeBest: boolean;
  /** No other has both more gain and more diversity, by their means. */
  onFront: boolean;
  /** Within the budget. */
  affordable: boolean;
}

/** What a step of a number beyond the best would bring. */
export interface StepResult {
  /** Place of the number. */
  number: number;
  /** Its value after the step, what that costs, and the gain; nulls where it cannot rise. */
  value: number | null;
  cost: number | null;
  gain: number | null;
  error: number | null;
}

export interface SearchResult {
  /** All that were simulated, the best first. */
  allocations: AllocationResult[];
  /** Smallest and largest value of each number among all allocations at the budget that may be the best. */
  region: { low: number; high: number }[];
  steps: StepResult[];
}

const Z = 1.959963985;

/** What a search has found so far. */
export function summarizeSearch(plan: SearchPlan, known: readonly Evaluation[]): SearchResult {
  const { space, objectives, more, seed } = plan;
  const surfaces = fitSurfaces(plan, known);
  const trials = distinct(known);
  const best = bestOf(plan, surfaces, known);
  const counts = repetitions(known);
  const each = known[0].values[0].length;
  const gain = differencesTo(plan, surfaces[0], best, trials);
  const predicted = surfaces.map(({ surface }) => surface.predictBeside(surfacePoints(plan, trials), []));
  const affordable = trials.map((one) => isAffordable(space, one));
  const allocations = trials.map((allocation, i): AllocationResult => {
    const beats = (k: number) =>
      affordable[k] &&
      predicted.every(({ means }) => means[k] >= means[i]) &&
      predicted.some(({ means }) => means[k] > means[i]);
    return {
      allocation,
      cost: space.costOf(allocation) ?? Number.NaN,
      replicates: each * (counts.get(keyOf(allocation)) ?? 0),
      means: predicted.map(({ means }) => means[i]),
      errors: predicted.map(({ variances }) => Math.sqrt(variances[i])),
      difference: gain.differences[i],
      differenceError: gain.errors[i],
      maybeBest: affordable[i] && gain.differences[i] + Z * gain.errors[i] >= 0,
      onFront: affordable[i] && (objectives === 1 ? allocation === best : !trials.some((_, k) => beats(k))),
      affordable: affordable[i],
    };
  });
  const random = createRandomStream(seed, 'allocations', 'region');
  const all = distinct([
    ...trials.filter((_, i) => affordable[i]),
    ...drawNear(space, [best], NEAR_BEST, random),
    ...drawAllocations(space, ALL_OVER, random),
  ]);
  const inAll = differencesTo(plan, surfaces[0], best, all);
  const maybe = all.filter((_, i) => inAll.differences[i] + Z * inAll.errors[i] >= 0);
  return {
    allocations: ranked(
      allocations.map(({ means, affordable: paid }) => (paid ? means[0] : Number.NEGATIVE_INFINITY)),
    ).map((i) => allocations[i]),
    region: space.numbers.map((_, j) => ({
      low: maybe.reduce((least, one) => Math.min(least, one[j]), Number.POSITIVE_INFINITY),
      high: maybe.reduce((most, one) => Math.max(most, one[j]), Number.NEGATIVE_INFINITY),
    })),
    steps: space.numbers.map((_, number): StepResult => {
      const step = raised(space, best, number, more);
      if (step === null || step.cost <= 0) return { number, value: null, cost: null, gain: null, error: null };
      const found = differencesTo(plan, surfaces[0], best, [step.allocation]);
      return {
        number,
        value: step.allocation[number],
        cost: step.cost,
        gain: found.differences[0],
        error: found.errors[0],
      };
    }),
  };
}

/** Differences of an objective to that of one allocation, with their standard errors. */
function differencesTo(
  plan: SearchPlan,
  { surface }: ObjectiveSurface,
  to: readonly number[],
  allocations: readonly (readonly number[])[],
): { differences: Float64Array; errors: Float64Array } {
  const [own] = surfacePoints(plan, [to]);
  const { means, variances, covariance } = surface.predictBeside(surfacePoints(plan, allocations), [own]);
  const at = surface.predict([own]);
  return {
    differences: means.map((mean) => mean - at.means[0]),
    errors: means.map((_, i) => Math.sqrt(Math.max(0, variances[i] + at.covariance.data[0] - 2 * covariance.data[i]))),
  };
}
