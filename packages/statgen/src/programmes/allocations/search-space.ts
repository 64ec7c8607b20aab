import type { RandomStream } from '../../random/random-stream.ts';

/** A number of a scheme that may move. */
export interface MovingNumber {
  min: number;
  max: number;
  isWhole: boolean;
}

/** Numbers that may move, and what they cost. */
export interface SearchSpace {
  numbers: readonly MovingNumber[];
  budget: number;
  /** Of an allocation of the numbers, in their order; null where it cannot be. It rises with every number. */
  costOf(allocation: readonly number[]): number | null;
}

/** From this ratio of its bounds on a number is looked at by its logarithm. */
const RATIO_OF_LOGS = 4;

/** Numbers on [0, 1]: by their logarithms where the bounds are far apart. */
export function scaled({ numbers }: Pick<SearchSpace, 'numbers'>, allocation: readonly number[]): Float64Array {
  return Float64Array.from(allocation, (value, j) => {
    const { min, max } = numbers[j];
    if (max === min) return 0;
    return min > 0 && max / min >= RATIO_OF_LOGS
      ? Math.log(value / min) / Math.log(max / min)
      : (value - min) / (max - min);
  });
}

function unscaled({ min, max, isWhole }: MovingNumber, at: number): number {
  const inside = Math.min(1, Math.max(0, at));
  const value = min > 0 && max / min >= RATIO_OF_LOGS ? min * (max / min) ** inside : min + inside * (max - min);
  return isWhole ? Math.min(max, Math.max(min, Math.round(value))) : value;
}

export function isAffordable({ costOf, budget }: SearchSpace, allocation: readonly number[]): boolean {
  const cost = costOf(allocation);
  return cost !== null && cost <= budget;
}

/** Steps of a number that is not whole. */
const PARTS = 64;

/** The number's place among those that it can have, and back. */
const stepsOf = ({ min, max, isWhole }: MovingNumber) => (isWhole ? max - min : PARTS);
const atStep = ({ min, max, isWhole }: MovingNumber, step: number) =>
  isWhole ? min + step : min + (step / PARTS) * (max - min);

/** The allocation with number j as large as the budget allows, from a step on; null where not even that can be. */
function filled(space: SearchSpace, allocation: readonly number[], j: number, from = 0): number[] | null {
  const number = space.numbers[j];
  let low = from;
  let high = stepsOf(number);
  const at = (step: number) => allocation.with(j, atStep(number, step));
  if (!isAffordable(space, at(low))) return null;
  if (isAffordable(space, at(high))) return at(high);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (isAffordable(space, at(middle))) low = middle;
    else high = middle;
  }
  return at(low);
}

/**
 * Brings an allocation to the border of the budget: numbers in random order are made smaller until it can be paid, and
 * then one after the other as large as it allows. Null where it cannot be.
 */
function toTheBorder(space: SearchSpace, allocation: number[], random: RandomStream): number[] | null {
  const order = shuffled(space.numbers.length, random);
  let now = isAffordable(space, allocation) ? allocation : smaller(space, allocation, order);
  if (now === null) return null;
  for (const j of order) {
    const { min, max, isWhole } = space.numbers[j];
    const step = isWhole ? now[j] - min : Math.floor((PARTS * (now[j] - min)) / Math.max(max - min, Number.MIN_VALUE));
    const more = filled(space, now, j, step);
    if (more !== null && more[j] > now[j]) now = more;
  }
  return now;
}

/** By one number alone where that will do, otherwise by one after the other. */
function smaller(space: SearchSpace, allocation: readonly number[], order: readonly number[]): number[] | null {
  let now = [...allocation];
  for (const next of [null, ...order]) {
    if (next !== null) now = now.with(next, space.numbers[next].min);
    for (const j of order) {
      const paid = filled(space, now, j);
      if (paid !== null) return paid;
    }
  }
  return null;
}

function shuffled(size: number, random: RandomStream): number[] {
  const order = Array.from({ length: size }, (_, i) => i);
  for (let i = size - 1; i > 0; i--) {
    const k = random.nextInt(i + 1);
    [order[i], order[k]] = [order[k], order[i]];
  }
  return order;
}

/** How often an allocation that cannot be is drawn anew, for each one that is wanted. */
const MOST_DRAWS = 4;

/** Allocations all over the space, at the border of the budget. */
export function drawAllocations(space: SearchSpace, count: number, random: RandomStream): number[][] {
  const found = new Map<string, number[]>();
  for (let draw = 0; draw < MOST_DRAWS * count && found.size < count; draw++) {
    const drawn = space.numbers.map((number) => unscaled(number, random.uniform()));
    const allocation = toTheBorder(space, drawn, random);
    if (allocation !== null) found.set(allocation.join(' '), allocation);
  }
  return [...found.values()];
}

/** Near steps, of the width of a number's range. */
const NEAR = 0.12;

/** Allocations near some: one to three of their numbers moved, at the border of the budget. */
export function drawNear(
  space: SearchSpace,
  centers: readonly (readonly number[])[],
  count: number,
  random: RandomStream,
): number[][] {
  const found = new Map<string, number[]>();
  for (let draw = 0; draw < count; draw++) {
    const center = centers[draw % centers.length];
    const at = scaled(space, center);
    const moved = shuffled(space.numbers.length, random).slice(0, 1 + random.nextInt(3));
    const near = center.map((value, j) => {
      if (!moved.includes(j)) return value;
      const drawn = unscaled(space.numbers[j], at[j] + NEAR * random.normal());
      if (drawn !== value || !space.numbers[j].isWhole) return drawn;
      const { min, max } = space.numbers[j];
      return Math.min(max, Math.max(min, value + (random.uniform() < 0.5 ? -1 : 1)));
    });
    const allocation = toTheBorder(space, near, random);
    if (allocation !== null) found.set(allocation.join(' '), allocation);
  }
  return [...found.values()];
}

/**
 * The allocation with number j raised by the least that costs at least `more`, whatever the budget; as far as its bound
 * where that is nearer. Null where it cannot rise.
 */
export function raised(
  space: SearchSpace,
  allocation: readonly number[],
  j: number,
  more: number,
): { allocation: number[]; cost: number } | null {
  const number = space.numbers[j];
  const before = space.costOf(allocation);
  if (before === null) return null;
  let found: { allocation: number[]; cost: number } | null = null;
  const first = number.isWhole ? allocation[j] - number.min + 1 : 0;
  for (let step = first; step <= stepsOf(number); step++) {
    const value = atStep(number, step);
    if (value <= allocation[j]) continue;
    const next = allocation.with(j, value);
    const cost = space.costOf(next);
    if (cost === null) break;
    found = { allocation: next, cost: cost - before };
    if (found.cost >= more) break;
  }
  return found;
}
