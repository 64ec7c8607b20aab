// A series of trials with one genomic kernel and factor-analytic covariance between environments: 884 lines in 24
// trials of 515 (goal: 10 s on two cores), 2,000 lines in 20 trials of 1,000 with two factors (90 s, 1 GB), and the
// shape of Genomes to Fields, 4,300 lines in 217 trials of 590 (5 min, 2 GB). `npm run bench series`; SERIES=3 chooses
// one of them.

import { createMatrix } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { setThreadCount } from '@heterosis/linalg/threads';
import { createRandomStream } from '../src/random/random-stream.ts';
import { fitSeries } from '../src/trial-series/fit-series.ts';
import { predictSeries } from '../src/trial-series/predict-series.ts';
import { createSeries, type SeriesData, trialMean } from '../src/trial-series/series-data.ts';
import { seriesKernel } from '../src/trial-series/series-kernel.ts';

const SHAPES = [
  { lines: 884, trials: 24, records: 515, factors: 1 },
  { lines: 2000, trials: 20, records: 1000, factors: 2 },
  { lines: 4300, trials: 217, records: 590, factors: 1 },
] as const;
type Shape = (typeof SHAPES)[number];

const MARKERS = 3000;

/** Inbred lines, effects of markers by environment, and means whose errors are correlated. */
function simulate({ lines: n, trials: e, records, factors }: Shape): SeriesData {
  const random = createRandomStream(3, 'series', n);
  const genotypes = createMatrix(n, MARKERS);
  for (let c = 0; c < MARKERS; c++) {
    const frequency = 0.1 + 0.8 * random.uniform();
    let sum = 0;
    for (let i = 0; i < n; i++) {
      const dosage = random.uniform() < frequency ? 2 : 0;
      genotypes.data[i + c * n] = dosage;
      sum += dosage;
    }
    for (let i = 0; i < n; i++) genotypes.data[i + c * n] -= sum / n;
  }
  const kernel = seriesKernel(multiply(genotypes, genotypes, { transposeB: true, alpha: 1 / MARKERS }));
  const markerEffects = createMatrix(MARKERS, factors + e);
  for (const k of markerEffects.data.keys()) markerEffects.data[k] = random.normal() / Math.sqrt(MARKERS);
  const values = multiply(genotypes, markerEffects);
  const trials = Array.from({ length: e }, (_, j) => {
    const lines = random
      .shuffle(Int32Array.from({ length: n }, (_unused, i) => i))
      .slice(0, records)
      .sort();
    const loadings = Array.from({ length: factors }, () => 0.3 + 0.6 * random.uniform());
    const omega = createMatrix(records, records);
    omega.data.fill(0.05);
    for (let i = 0; i < records; i++) omega.data[i * (records + 1)] += 0.4 + 0.2 * random.uniform();
    const y = Float64Array.from(lines, (line, i) => {
      const common = loadings.reduce((sum, loading, a) => sum + loading * values.data[line + a * n], 0);
      const error = Math.sqrt(omega.data[i * (records + 1)] - 0.05) * random.normal();
      return 5 + j + common + 0.5 * values.data[line + (factors + j) * n] + error;
    });
    return { name: `E${j + 1}`, lines, y, x: trialMean(records), omega, terms: [] };
  });
  return createSeries([kernel], trials);
}

setThreadCount(2);
const chosen = Number(process.env.SERIES ?? 0);
for (const [k, shape] of SHAPES.entries()) {
  if (chosen !== 0 && chosen !== k + 1) continue;
  const data = simulate(shape);
  const { lines, trials, records, factors } = shape;
  const before = process.cpuUsage();
  const began = performance.now();
  const fit = fitSeries(data, [{ kind: 'fa', factors }], { starts: 1 });
  const fitted = performance.now();
  predictSeries(data, fit);
  const { user, system } = process.cpuUsage(before);
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  process.stdout.write(
    `${lines} lines, ${trials} × ${records}, FA${factors}: fit ${seconds(fitted - began)} s in ${fit.iterations} steps, ` +
      `predictions ${seconds(performance.now() - fitted)} s, ${((user + system) / 1e6).toFixed(1)} CPU s, ` +
      `peak ${Math.round(process.resourceUsage().maxRSS / 1024)} MB\n`,
  );
}
