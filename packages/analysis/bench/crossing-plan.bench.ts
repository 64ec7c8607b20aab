// A crossing plan from the packed calls on: haplotypes and relationships of the candidates, the covariances of two
// traits within the doubled haploids of every pair, and the plan itself. The goal is seconds for 2,000 candidates.

import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { readParentalHaplotypes } from '../src/crossing/parental-haplotypes.ts';
import { planCrosses } from '../src/planning/plan.ts';
import { planTables } from '../src/planning/plan-tables.ts';

const n = Number(process.argv[2] ?? 2000);
const m = Number(process.argv[3] ?? 10_000);
const CHROMOSOMES = 10;
const FOUNDERS = 40;
const CONTEXT = { threads: 1 };

/** Inbred lines, each of two of the founders, in pieces of 100 markers; one call in 1,000 is missing. */
function panelOfLines() {
  const random = createRandomStream(1, 'crossing plan', n, m);
  const founders = Array.from({ length: FOUNDERS }, () => Uint8Array.from({ length: m }, () => random.nextInt(2)));
  const rowBytes = (n + 3) >> 2;
  const packed = new Uint8Array(m * rowBytes);
  for (let i = 0; i < n; i++) {
    const parents = [founders[i % FOUNDERS], founders[random.nextInt(FOUNDERS)]];
    let from = parents[0];
    for (let j = 0; j < m; j++) {
      if (j % 100 === 0) from = parents[random.nextInt(2)];
      const code = random.nextInt(1000) === 0 ? 1 : from[j] === 1 ? 3 : 0;
      packed[j * rowBytes + (i >> 2)] |= code << (2 * (i & 3));
    }
  }
  const each = Math.ceil(m / CHROMOSOMES);
  const markers = {
    id: Array.from({ length: m }, (_, j) => `m${j}`),
    chromosome: Array.from({ length: m }, (_, j) => String(1 + Math.floor(j / each))),
    positionBp: Float64Array.from({ length: m }, (_, j) => 1 + (j % each) * Math.floor(200e6 / each)),
    a1: Array.from({ length: m }, () => 'A'),
    a2: Array.from({ length: m }, () => 'C'),
  };
  const samples = Array.from({ length: n }, (_, i) => `Line ${i}`);
  return {
    ...{ samples, markers },
    readPacked: (first: number, count: number) =>
      Promise.resolve(packed.subarray(first * rowBytes, (first + count) * rowBytes)),
    close: () => Promise.resolve(),
  };
}

async function timed<Result>(name: string, action: () => Result | Promise<Result>): Promise<Result> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const result = await action();
  const { user, system } = process.cpuUsage(cpu);
  const clock = (performance.now() - start) / 1000;
  process.stdout.write(
    `${name.padEnd(40)} ${((user + system) / 1e6).toFixed(2)} s CPU   ${clock.toFixed(2)} s clock   ` +
      `${Math.round(process.memoryUsage().rss / 2 ** 20)} MB\n`,
  );
  return result;
}

const panel = panelOfLines();
const random = createRandomStream(1, 'effects');
const traits = ['yield', 'height'].map((name) => ({
  ...{ name, intercept: 0, dominance: null },
  additive: Float64Array.from({ length: m }, () => random.normal()),
}));
const effects = { markers: panel.markers, trainingMeans: null, traits };

process.stdout.write(`${n} candidates, ${m} markers, two traits, 50 crosses\n`);
await timed('the whole plan', async () => {
  const parents = await timed('haplotypes and relationships', () =>
    readParentalHaplotypes({ panel, original: null, names: panel.samples }, CONTEXT),
  );
  const { tables } = await timed('values and covariances of all pairs', () =>
    planTables({ effects, parents, map: { bpPerCm: 1_000_000 }, population: 'DH' }, CONTEXT),
  );
  await timed('curve, plan and ranking', () =>
    planCrosses(tables, {
      index: { method: 'base', weights: [1, 0.5], isLow: [false, true], isKept: [false, false], accuracy: [1, 1] },
      ...{ candidates: null, crosses: 50, mostUses: 4, required: [], forbidden: [], allowMade: false },
      ...{ mates: 'usefulness', cap: null, fraction: 0.05, accuracy: 1 },
    }),
  );
});
