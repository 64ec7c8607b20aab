// Models whose marker effects are sampled: CPU time of a chain of 10,000 cycles, from CYCLES of them (200 unless told,
// with 10,000 markers five times as many) and a tenth of that, whose difference leaves out how threads begin, and three
// chains in two threads by the clock.
// `CYCLES=10000 npm run bench sampling` runs them whole (goal with 2,000 × 50,000: 300 s).

import { simulatePanel } from '@heterosis/statgen/bench/simulate-panel';
import { createPackedMarkers } from '@heterosis/statgen/marker-space/packed-markers';
import { defaultPriors, SAMPLER_MODELS } from '@heterosis/statgen/sampler/effect-priors';
import { samplerMarkers } from '@heterosis/statgen/sampler/sampler-markers';
import { runChains } from '../src/prediction/sampling/chains.ts';

const LINES = 2000;
const CHAIN = 10_000;
const CHAINS = 3;
const CYCLES = Number(process.env['CYCLES'] ?? 200);

for (const m of [10_000, 50_000]) {
  const cycles = Math.min(CHAIN, (CYCLES * 50_000) / m);
  const { packed, y } = simulatePanel(LINES, m, 51, true);
  const builder = createPackedMarkers({ panelSize: LINES }, { maf: 0, callRate: 0 });
  builder.add(packed, m);
  const started = performance.now();
  const markers = samplerMarkers(builder.finish(), Int32Array.from(y.keys()), new Int32Array(0));
  console.log(`${LINES} × ${m}, blocks in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  const mean = y.reduce((sum, value) => sum + value, 0) / LINES;
  const variance = y.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (LINES - 1);
  const markerVariance = markers.squares.reduce((sum, square) => sum + square, 0) / LINES;
  for (const model of SAMPLER_MODELS) {
    const priors = defaultPriors(model, { variance, markerVariance, m });
    const few = await timed({ markers, priors, values: y }, cycles / 10);
    const many = await timed({ markers, priors, values: y }, cycles);
    const whole = (of: 'cpu' | 'clock'): string =>
      (few[of] + ((many[of] - few[of]) * (CHAIN - cycles / 10)) / (cycles - cycles / 10)).toFixed(0);
    const { agreement } = many.pooled;
    const included = agreement.included === null ? m : Math.round(agreement.included.mean);
    console.log(
      `${model}: ${whole('cpu')} CPU s a chain, three chains ${whole('clock')} s by the clock; ${included} markers in the model`,
    );
  }
}

async function timed(task: Parameters<typeof runChains>[0], cycles: number) {
  const lengths = { chains: CHAINS, cycles, burnIn: cycles / 10, seed: 1, earlyStop: false };
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const pooled = await runChains(task, lengths, { threads: 2 });
  const clock = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { pooled, clock, cpu: (user + system) / 1e6 / CHAINS };
}
