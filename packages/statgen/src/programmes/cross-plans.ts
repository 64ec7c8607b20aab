import type { RandomStream } from '../random/random-stream.ts';
import { StatgenError } from '../statgen-error.ts';
import type { PackedPopulation, Pair } from './packed-population.ts';
import type { StageRun } from './programme-state.ts';
import type { CrossStage } from './scheme.ts';

/** The crosses of a stage, as places of their parents. @throws StatgenError `bad-option` */
export function planPairs(
  stage: CrossStage,
  { female, male }: { female: PackedPopulation; male: PackedPopulation },
  { random }: StageRun,
): Pair[] {
  const [f, m] = [female.size, male.size];
  const isOne = female === male;
  if (isOne && f < 2) throw new StatgenError('bad-option', `crosses need two parents, and there is ${f}`);
  switch (stage.plan) {
    case 'circular':
      return Array.from({ length: f }, (_, i) => [i, (i + 1) % m]);
    case 'random':
      return randomPairs(stage.crosses ?? f, { f, m, isOne }, random);
    case 'paired':
      return Array.from({ length: Math.min(f, m) }, (_, i) => [i, i]);
    default:
      return Array.from({ length: f }, (_, i) => i).flatMap((i) =>
        Array.from({ length: isOne ? m - i - 1 : m }, (_, k): Pair => [i, isOne ? i + 1 + k : k]),
      );
  }
}

/** Partners drawn uniformly and anew for each cross; within one population two different plants. */
function randomPairs(
  crosses: number,
  { f, m, isOne }: { f: number; m: number; isOne: boolean },
  random: RandomStream,
): Pair[] {
  return Array.from({ length: crosses }, () => {
    const i = random.nextInt(f);
    if (!isOne) return [i, random.nextInt(m)];
    const k = random.nextInt(m - 1);
    return [i, k < i ? k : k + 1];
  });
}
