import type { ProgrammePoint } from '@heterosis/contracts/work/programmes';
import { meanOf } from '@heterosis/statgen/programmes/statistics';
import type { ProgrammeKey } from '@heterosis/statgen/programmes/summarize-replicates';

export const MEAN = 'mean_gv1';
/** Mean of trait 1 less its first measurement of the replicate. */
export const GAIN = 'gain1';

/** Gain of the last stage that measures it, by replicate; null where it is measured once only. */
export function gainValues(
  keys: readonly ProgrammeKey[],
  values: readonly ArrayLike<number>[],
): { stage: string; cycle: number; values: number[] } | null {
  const first = keys.findIndex(({ quantity }) => quantity === MEAN);
  const last = keys.findLastIndex(({ quantity }) => quantity === MEAN);
  const key = keys[last];
  if (key === undefined || first === last) return null;
  return { ...key, values: values.map((one) => (one[last] ?? Number.NaN) - (one[first] ?? Number.NaN)) };
}

/** A quantity of a cycle, as differences of places among what is measured. */
export interface Wanted {
  cycle: number;
  quantity: string;
  place: number;
  /** Of what is taken off; −1 for nothing. */
  less: number;
}

/** Quantities of a stage, in the order of the cycles; all of it unless some are named. */
export function wantedOf(keys: readonly ProgrammeKey[], stage: string, quantities: readonly string[] | null): Wanted[] {
  const first = keys.findIndex(({ quantity }) => quantity === MEAN);
  const isWanted = (quantity: string) => quantities === null || quantities.includes(quantity);
  return keys.flatMap((key, place): Wanted[] => {
    if (key.stage !== stage && key.stage !== PROGRAMME) return [];
    const own = isWanted(key.quantity) ? [{ ...key, place, less: -1 }] : [];
    return key.quantity === MEAN && isWanted(GAIN) ? [...own, { ...key, quantity: GAIN, place, less: first }] : own;
  });
}

/** Stage of the results under which costs and years stand. */
export const PROGRAMME = 'programme';

/** Values of a quantity of a cycle, by replicate; NaN where it does not exist. */
export type ByReplicate = ReadonlyMap<number, number>;

/** 95 % of a normal distribution lie within so many standard deviations. */
const Z = 1.959963985;
/** Of which a decision would rather not be made. */
const MOST_MORE = 1_000_000;

/** Mean, band and difference to the first scheme; null where no replicate has the quantity. */
export function pointOf(
  { cycle, quantity, year }: { cycle: number; quantity: string; year: number | null },
  values: ByReplicate,
  first: ByReplicate | null,
): ProgrammePoint | null {
  const found = [...values.values()].filter((value) => !Number.isNaN(value));
  if (found.length === 0) return null;
  const { mean, sd, se } = momentsOf(found);
  const sorted = Float64Array.from(found).sort();
  return {
    ...{ cycle, year, quantity, mean, sd, se },
    low: quantileOf(sorted, 0.05),
    high: quantileOf(sorted, 0.95),
    replicates: found.length,
    difference: first === null ? null : differenceOf(values, first),
  };
}

function differenceOf(values: ByReplicate, first: ByReplicate): ProgrammePoint['difference'] {
  const pairs = [...values].flatMap(([replicate, value]) => {
    const difference = value - (first.get(replicate) ?? Number.NaN);
    return Number.isNaN(difference) ? [] : [difference];
  });
  if (pairs.length === 0) return null;
  const { mean, sd, se } = momentsOf(pairs);
  return { mean, se, replicates: pairs.length, more: moreReplicates(mean, sd, pairs.length) };
}

/** So many more pairs that Z·sd/√n falls below |mean|. */
function moreReplicates(mean: number, sd: number | null, n: number): number | null {
  if (sd === null) return null;
  if (sd === 0) return mean === 0 ? null : 0;
  const needed = Math.ceil((Z * sd) ** 2 / mean ** 2);
  if (!(needed - n <= MOST_MORE)) return null;
  return Math.max(0, needed - n);
}

function momentsOf(values: readonly number[]): { mean: number; sd: number | null; se: number | null } {
  const n = values.length;
  const mean = meanOf(values);
  if (n < 2) return { mean, sd: null, se: null };
  const sd = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1));
  return { mean, sd, se: sd / Math.sqrt(n) };
}

/** Linear between order statistics (Hyndman & Fan 1996, type 7). */
function quantileOf(sorted: Float64Array, p: number): number {
  const at = (sorted.length - 1) * p;
  const below = Math.floor(at);
  const low = sorted[below] ?? Number.NaN;
  return low + (at - below) * ((sorted[below + 1] ?? low) - low);
}
