// Several traits with unstructured genetic and residual covariances: 2,000 lines × 4 traits, complete (goal: 30 s on
// two cores) and with 30 % of the records missing (120 s). Then 10 traits with genetic covariances of one factor.
// `npm run bench multi-trait`.

import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { setThreadCount } from '@heterosis/linalg/threads';
import { interceptOnly } from '../src/mixed-model/error-contrasts.ts';
import { fitTraits } from '../src/multi-trait/fit-traits.ts';
import { predictTraits } from '../src/multi-trait/predict-traits.ts';
import { createTraitRecords } from '../src/multi-trait/trait-records.ts';
import { createRandomStream } from '../src/random/random-stream.ts';

const LINES = 2000;
const MARKERS = 5000;
const TRAITS = 4;
const MANY_TRAITS = 10;

/** Inbred lines, and traits whose marker effects and errors share a part. */
function simulate(): { kinship: Matrix; values: Float64Array[] } {
  const random = createRandomStream(31, 'multi-trait', LINES);
  const genotypes = createMatrix(LINES, MARKERS);
  for (let c = 0; c < MARKERS; c++) {
    const frequency = 0.1 + 0.8 * random.uniform();
    let sum = 0;
    for (let i = 0; i < LINES; i++) {
      const dosage = random.uniform() < frequency ? 2 : 0;
      genotypes.data[i + c * LINES] = dosage;
      sum += dosage;
    }
    for (let i = 0; i < LINES; i++) genotypes.data[i + c * LINES] -= sum / LINES;
  }
  const kinship = multiply(genotypes, genotypes, { transposeB: true, alpha: 1 / MARKERS });
  const effects = createMatrix(MARKERS, MANY_TRAITS + 1);
  for (const k of effects.data.keys()) effects.data[k] = random.normal() / Math.sqrt(MARKERS);
  const genetic = multiply(genotypes, effects).data;
  const shared = Float64Array.from({ length: LINES }, () => random.normal());
  const values = Array.from({ length: MANY_TRAITS }, (_, t) =>
    Float64Array.from(
      { length: LINES },
      (__, i) =>
        0.7 * genetic[i + MANY_TRAITS * LINES] + 0.7 * genetic[i + t * LINES] + 0.5 * shared[i] + 0.9 * random.normal(),
    ),
  );
  return { kinship, values };
}

setThreadCount(2);
const { kinship, values: many } = simulate();
const values = many.slice(0, TRAITS);
const holes = createRandomStream(32, 'holes', LINES);
const withHoles = values.map((own) => own.map((value) => (holes.uniform() < 0.3 ? Number.NaN : value)));
// No line without any record.
for (let i = 0; i < LINES; i++)
  if (withHoles.every((own) => Number.isNaN(own[i]))) withHoles[i % TRAITS][i] = values[i % TRAITS][i];
const own = Float64Array.from({ length: LINES }, (_, i) => kinship.data[i * (LINES + 1)]);
console.log(`${LINES} lines`);
for (const [what, traits, options] of [
  [`${TRAITS} traits, complete`, values, {}],
  [`${TRAITS} traits, 30 % missing`, withHoles, {}],
  [`${MANY_TRAITS} traits of one factor, complete`, many, { factors: 1 }],
] as const) {
  const cpu = process.cpuUsage();
  const started = performance.now();
  const records = createTraitRecords({ kinship, values: traits, designs: traits.map(() => interceptOnly(LINES)) });
  const prepared = performance.now();
  const fit = fitTraits(records, options);
  const fitted = performance.now();
  predictTraits(records, fit.point, kinship, own);
  const done = performance.now();
  const seconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(1)} s`;
  const { user, system } = process.cpuUsage(cpu);
  console.log(
    `${what}: ${seconds(started, done)} (eigenvectors ${seconds(started, prepared)}, ${fit.iterations} iterations ${seconds(prepared, fitted)}, values and reliabilities ${seconds(fitted, done)}), ${((user + system) / 1e6).toFixed(0)} CPU s, ${Math.round(process.resourceUsage().maxRSS / 1024)} MB, ${fit.isConverged ? 'converged' : 'not converged'}`,
  );
}
