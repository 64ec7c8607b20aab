// Plans of crosses among 2,000 candidates: a whole plan (goal: below 1 s), and another cap, as the slider asks for it.

import { createPlanner, type Planner } from '../src/mating/plan-crosses.ts';
import { pairPlace } from '../src/mating/plan-limits.ts';
import { createRandomStream } from '../src/random/random-stream.ts';
import { secondsOf } from './simulate-panel.ts';

const MARKERS = 300;

/** Inbred lines of a few families: relationships by VanRaden's first method, and a spread within every cross. */
function material(n: number) {
  const random = createRandomStream(1, 'plan', n);
  const founders = Array.from({ length: 40 }, () =>
    Float64Array.from({ length: MARKERS }, () => 2 * random.nextInt(2)),
  );
  const lines = Array.from({ length: n }, (_, i) => {
    const [one, other] = [founders[i % 40], founders[random.nextInt(40)]];
    return Float64Array.from({ length: MARKERS }, (_, j) => (random.nextInt(2) === 0 ? one[j] : other[j]));
  });
  const frequency = Float64Array.from({ length: MARKERS }, (_, j) => lines.reduce((sum, x) => sum + x[j], 0) / (2 * n));
  const centred = lines.map((line) => line.map((dosage, j) => dosage - 2 * frequency[j]));
  const divisor = frequency.reduce((sum, p) => sum + 2 * p * (1 - p), 0);
  const product = (x: Float64Array, y: Float64Array): number => x.reduce((sum, value, j) => sum + value * y[j], 0);
  const relationship = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let k = 0; k <= i; k++)
      relationship[i * n + k] = relationship[k * n + i] = product(centred[i], centred[k]) / divisor;
  const effects = Float64Array.from({ length: MARKERS }, () => random.normal());
  const value = Float64Array.from(centred, (line) => product(line, effects));
  const spread = new Float64Array((n * (n - 1)) / 2);
  for (let i = 0; i < n; i++)
    for (let k = 0; k < i; k++)
      spread[pairPlace(i, k, n)] = Math.sqrt(
        effects.reduce((sum, effect, j) => sum + ((lines[i][j] - lines[k][j]) * effect) ** 2, 0) / 4,
      );
  return { value, relationship, spread };
}

for (const n of [500, 1000, 2000]) {
  const candidates = material(n);
  const constraints = {
    ...{ candidates: Int32Array.from({ length: n }, (_, i) => i), crosses: 50, mostUses: 4 },
    ...{ required: [], forbidden: [[0, 1]] as [number, number][], mates: 'usefulness' as const },
  };
  let planner: Planner | undefined;
  const preparing = secondsOf(() => {
    planner = createPlanner(candidates, constraints);
  });
  const made = planner as Planner;
  const planning = secondsOf(() => made.plan(made.balancedCap));
  const sliding = secondsOf(() => made.plan(made.balancedCap * 1.3));
  const { crosses, value, valueBound, aboveCap } = made.plan(made.balancedCap);
  process.stdout.write(
    `${n} candidates, 50 crosses: curve ${preparing.toFixed(3)} s   plan ${planning.toFixed(3)} s   ` +
      `another cap ${sliding.toFixed(3)} s   value ${((100 * value) / valueBound).toFixed(2)} % of its bound, ` +
      `${crosses.length} crosses${aboveCap === null ? '' : ', above the cap'}\n`,
  );
}
