import type { RandomStream } from '../random/random-stream.ts';
import type { PackedPopulation } from './packed-population.ts';
import { columnOf, type ProgrammeWorld } from './programme-world.ts';
import type { SelectStage } from './scheme.ts';

/** Columns that need not exist. */
const RANDOM = 'random';
const ORDER = 'order';

/**
 * Places of the selected, best first. Equal candidates keep their order. At most `per_family` of a family are taken;
 * candidates that meet `require` come first, and others only when none does.
 */
export function selectIndividuals(
  world: ProgrammeWorld,
  from: PackedPopulation,
  rule: Pick<SelectStage, 'by' | 'count' | 'low' | 'per_family' | 'require'>,
  random: RandomStream,
): Int32Array {
  const criteria = [rule.by].flat().map((name) => {
    if (name === RANDOM) return Float64Array.from({ length: from.size }, () => random.uniform());
    if (name === ORDER) return new Float64Array(from.size);
    return columnOf(world, from, name).values;
  });
  const sign = rule.low === true ? -1 : 1;
  const limits = Object.entries(rule.require ?? {}).map(([name, least]) => ({
    values: columnOf(world, from, name).values,
    least,
  }));
  const everyone = Array.from({ length: from.size }, (_, i) => i);
  const meeting = everyone.filter((i) => limits.every(({ values, least }) => values[i] >= least));
  const candidates = meeting.length > 0 ? meeting : everyone;
  candidates.sort((a, b) => {
    for (const values of criteria) if (values[a] !== values[b]) return sign * (values[b] - values[a]);
    return a - b;
  });
  const taken = new Map<number, number>();
  const chosen: number[] = [];
  for (const i of candidates) {
    if (chosen.length === rule.count) break;
    const before = taken.get(from.family[i]) ?? 0;
    if (before >= (rule.per_family ?? Number.POSITIVE_INFINITY)) continue;
    taken.set(from.family[i], before + 1);
    chosen.push(i);
  }
  return Int32Array.from(chosen);
}
