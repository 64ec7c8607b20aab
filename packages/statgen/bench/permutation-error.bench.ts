// How often a trait without any marker effect has a marker beyond the threshold of 5 % from its permutations, and
// whether a search of all markers finds other maxima than that of the promising ones. Arguments: traits a panel,
// permutations.
import { createMatrix } from '@heterosis/linalg/matrix';
import { multiplyVector } from '@heterosis/linalg/products';
import { createPermutationScan, permutationThreshold } from '../src/association/permutation/permutation-scan.ts';
import { prepareGwas } from '../src/association/prepare-gwas.ts';
import { createMarkerTester } from '../src/association/test-markers.ts';
import { centredSquares, countCalls } from '../src/genotypes/call-counts.ts';
import { centredValues, decodeBlock } from '../src/genotypes/decode-block.ts';
import { createKinshipAccumulator } from '../src/kinship/accumulate-kinship.ts';
import { createRandomStream } from '../src/random/random-stream.ts';
import { useFullSpeed } from './bare-products.ts';
import { simulateLines } from './simulate-lines.ts';

const traits = Number(process.argv[2] ?? 400);
const permutations = Number(process.argv[3] ?? 299);
useFullSpeed();
const TESTS = ['SCORE', 'WALD', 'LRT'] as const;
const FILTER = { maf: 0.05, callRate: 0.9 };
/** Traits of one panel. */
const TOGETHER = 20;

const PANELS = [
  { n: 60, markers: 120, h2: 0.3, kind: 'mixed' },
  { n: 60, markers: 120, h2: 0.8, kind: 'inbred' },
  { n: 200, markers: 250, h2: 0.5, kind: 'mixed' },
  { n: 200, markers: 250, h2: 0.5, kind: 'inbred' },
] as const;

for (const { n, markers, h2, kind } of PANELS) {
  const beyond = { SCORE: 0, WALD: 0, LRT: 0 };
  let [searched, different] = [0, 0];
  for (let first = 0; first < traits; first += TOGETHER) {
    const { packed } = simulateLines(n, markers, kind, first);
    const selection = { panelSize: n };
    const accumulator = createKinshipAccumulator({ ...selection, filter: FILTER, methods: ['standardized'] });
    accumulator.add(packed, markers);
    const { standardized: kinship } = accumulator.finish().kernels;
    if (kinship === undefined) throw new TypeError('no kinship');
    const random = createRandomStream(first, 'null traits', n);
    const covariates = createMatrix(n, 1);
    for (let i = 0; i < n; i++) covariates.data[i] = random.normal();
    const counts = countCalls(packed, markers, selection);
    const dosages = createMatrix(n, markers);
    const every = Int32Array.from({ length: markers }, (_, j) => j);
    decodeBlock(packed, markers, selection, every, centredValues(counts), dosages.data);
    // Effects of all markers alike: the covariance of the genetic values is the kinship, of mean diagonal k.
    const scales = Float64Array.from(every, (j) => 1 / Math.sqrt(Math.max(1e-9, centredSquares(counts, j)) / n));
    const noise = () => Float64Array.from({ length: n }, () => random.normal());
    const made = Array.from({ length: TOGETHER }, () => {
      const effects = scales.map((scale) => scale * random.normal() * Math.sqrt(h2 / markers));
      const rest = noise();
      return multiplyVector(dosages, effects).map(
        (value, i) => value + Math.sqrt(1 - h2) * rest[i] + 2 * covariates.data[i],
      );
    });
    const state = prepareGwas({ kinship, traits: made, principalComponents: 0, covariates });
    const options = { ...selection, filter: FILTER, tests: TESTS, permutations, seed: first };
    const scan = createPermutationScan(state, options);
    scan.add(packed, markers);
    const found = scan.finish();
    const tests = createMarkerTester(state, options).test(packed, markers);
    for (const [t, ofTrait] of tests.traits.entries()) {
      for (const test of TESTS) {
        const largest = (ofTrait[test]?.statistic ?? new Float64Array()).reduce((a, b) => (b > a ? b : a), 0);
        if (largest >= permutationThreshold(found[t][test] ?? new Float64Array())) beyond[test]++;
      }
    }
    if (first >= TOGETHER * 3) continue;
    const all = createPermutationScan(state, { ...options, screenedShare: 0 });
    all.add(packed, markers);
    for (const [t, ofTrait] of all.finish().entries()) {
      for (const test of ['WALD', 'LRT'] as const) {
        for (const [b, statistic] of (ofTrait[test] ?? []).entries()) {
          searched++;
          if (Math.abs(statistic - (found[t][test]?.[b] ?? 0)) > 1e-9 * statistic) different++;
        }
      }
    }
  }
  const error = Math.sqrt((0.05 * 0.95) / traits);
  const shares = TESTS.map((test) => `${test} ${((100 * beyond[test]) / traits).toFixed(1)} %`).join('   ');
  process.stdout.write(
    `${kind} n = ${n}, ${markers} markers, h² ${h2}, ${traits} traits: ${shares}   (5 ± ${(100 * error).toFixed(1)} %); ${different} of ${searched} maxima missed by the screening\n`,
  );
}
