// Crossing at 50,000 markers and two traits. Goals: 500,000 simulated DH progeny a CPU second; the DH variance of all
// 19,900 pairs of 200 parents in 20 s on two cores.
import { crossMoments } from '../src/crossing/cross-moments.ts';
import { orderGenome, type PhasedParent, type TraitEffects } from '../src/crossing/crossing-genome.ts';
import { createMeiosisMap } from '../src/crossing/meiosis.ts';
import { POPULATIONS } from '../src/crossing/population.ts';
import { pairMoments } from '../src/crossing/rank-pairs.ts';
import { simulateCross } from '../src/crossing/simulate-cross.ts';
import { createRandomStream } from '../src/random/random-stream.ts';

const MARKERS = 50_000;
const CHROMOSOMES = 10;
const LENGTH_CM = 150;
const PARENTS = 200;

const random = createRandomStream(1, 'crossing bench');
const perChromosome = MARKERS / CHROMOSOMES;
const { genome } = orderGenome(
  Array.from({ length: MARKERS }, (_, j) => String(Math.floor(j / perChromosome))),
  Float64Array.from({ length: MARKERS }, (_, j) => ((j % perChromosome) * LENGTH_CM) / perChromosome),
);
const effects: TraitEffects[] = [0, 1].map(() => ({
  intercept: 0,
  additive: Float64Array.from({ length: MARKERS }, () => random.normal()),
  dominance: null,
}));
const parents: PhasedParent[] = Array.from({ length: PARENTS }, () => {
  const line = Uint8Array.from({ length: MARKERS }, () => random.nextInt(2));
  return { first: line, second: line };
});
const [female, male] = parents as [PhasedParent, PhasedParent];
const map = createMeiosisMap(genome);

for (const population of ['DH', 'F2', 'BC1_female', 'F6', 'RIL'] as const) {
  const progenyCount = population === 'DH' ? 1_000_000 : 100_000;
  const simulate = (count: number) =>
    simulateCross({ genome, map, effects, female, male, population, progenyCount: count, random });
  simulate(20_000);
  const seconds = cpuSeconds(() => simulate(progenyCount));
  print(`simulated ${population}`, `${Math.round(progenyCount / seconds).toLocaleString('en')} progeny a CPU second`);
}
for (const population of POPULATIONS) {
  const seconds = cpuSeconds(() => crossMoments(genome, effects, female, male, population));
  print(`exact ${population}`, `${(1000 * seconds).toFixed(0)} ms a cross`);
}
const seconds = cpuSeconds(() => pairMoments(genome, effects, parents, 'DH'));
print(`all ${(PARENTS * (PARENTS - 1)) / 2} pairs, DH`, `${seconds.toFixed(2)} CPU seconds`);
const [{ additive }] = effects as [TraitEffects];
const dominant: TraitEffects[] = [
  { intercept: 0, additive, dominance: Float64Array.from({ length: MARKERS }, () => random.normal()) },
];
for (const population of ['F2', 'F5'] as const) {
  const taken = cpuSeconds(() => pairMoments(genome, dominant, parents, population));
  print(`the same, ${population} with dominance`, `${taken.toFixed(2)} CPU seconds`);
}

function cpuSeconds(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function print(what: string, figure: string): void {
  console.log(`${what.padEnd(24)} ${figure}`);
}
