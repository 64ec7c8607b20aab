import { setThreadCount } from '@heterosis/linalg/threads';
import {
  numberColumn,
  readReferenceCsv,
  readReferencePanel,
  textColumn,
  traitOfPanel,
} from '@heterosis/test-support/reference-data';
import { expect, test } from 'vitest';
import { gaussianKernel, markerDistances } from '../kernels/gaussian-kernel.ts';
import { linearKernel } from '../kernels/linear-kernel.ts';
import { createPackedMarkers } from '../marker-space/packed-markers.ts';
import { interceptOnly } from '../mixed-model/error-contrasts.ts';
import { createRandomStream } from '../random/random-stream.ts';
import { denseTraits, smallTraits } from './dense-traits.test-data.ts';
import {
  type EnvironmentModel,
  type EnvironmentVariances,
  environmentsAt,
  fitEnvironments,
  lineEffects,
} from './fit-environments.ts';
import { predictTraits } from './predict-traits.ts';
import { createTraitRecords } from './trait-records.ts';

setThreadCount(1);

const WHEAT = new URL('../../reference/wheat-cimmyt/', import.meta.url);
const file = (name: string) => readReferenceCsv(new URL(name, WHEAT));
const ENVIRONMENTS = ['GY_env1', 'GY_env2', 'GY_env4', 'GY_env5'];
const MODELS: readonly [EnvironmentModel, string][] = [
  ['mm', 'MM'],
  ['mds', 'MDs'],
  ['mde', 'MDe'],
];

const panel = readReferencePanel(new URL('genotypes.vcf.gz', WHEAT));
const n = panel.samples.length;
const builder = createPackedMarkers({ panelSize: n }, { maf: 0, callRate: 0 });
builder.add(panel.packed, panel.markerIds.length);
const linear = linearKernel(builder.finish());
const KERNELS = { GB: linear, GK: gaussianKernel(markerDistances(unscaled()), 1) };
const phenotypes = file('phenotypes.csv');
const values = ENVIRONMENTS.map((name) => traitOfPanel(phenotypes, name, panel.samples));
const varcomp = file('kernels/gxe_varcomp.csv');
const predicted = file('kernels/gxe_u.csv.gz');

/** Products of centred codes, for distances. */
function unscaled() {
  const packed = createPackedMarkers({ panelSize: n }, { maf: 0, callRate: 0 });
  packed.add(panel.packed, panel.markerIds.length);
  const markers = packed.finish();
  const tile = new Float64Array(n * markers.m);
  const coding = { centre: markers.meanDosage, scale: new Float64Array(markers.m).fill(1) };
  markers.decode(null, { first: 0, count: n }, { first: 0, count: markers.m }, coding, tile);
  const data = new Float64Array(n * n);
  for (let j = 0; j < markers.m; j++) {
    for (let a = 0; a < n; a++) {
      const own = tile[a + j * n]!;
      for (let b = 0; b < n; b++) data[b + a * n]! += own * tile[b + j * n]!;
    }
  }
  return { rows: n, columns: n, data };
}

test.for(['GB', 'GK'] as const)(
  'variances and values with the kernel %s are those of an independent program',
  (name) => {
    const kinship = KERNELS[name];
    const records = createTraitRecords({ kinship, values, designs: values.map(() => interceptOnly(n)) });
    const diagonal = Float64Array.from({ length: n }, (_, i) => kinship.data[i * (n + 1)]!);
    for (const [model, title] of MODELS) {
      const { variances, logLikelihood, point, isConverged } = fitEnvironments(records, model);
      expect(isConverged).toBe(true);
      const rows = textColumn(varcomp, 'kernel').flatMap((kernel, k) =>
        kernel === name && varcomp.get('model')![k] === title ? [k] : [],
      );
      for (const k of rows) {
        const [component = '', reference] = [varcomp.get('component')![k], numberColumn(varcomp, 'variance')[k]!];
        expect(Math.abs(logLikelihood - numberColumn(varcomp, 'logL')[k]!)).toBeLessThan(1e-6);
        const place = ENVIRONMENTS.findIndex((environment) => component.endsWith(environment));
        const own =
          component === 'main'
            ? variances.main
            : component === 'residual'
              ? variances.residual
              : variances.specific[Math.max(0, place)]!;
        // The reference does not go below 1e-8, where ours is 0.
        expect(Math.abs(own - reference)).toBeLessThan(1e-5 * reference + 1.1e-8);
      }
      const { values: own } = predictTraits(records, point, kinship, diagonal);
      for (const [t, environment] of ENVIRONMENTS.entries()) {
        const reference = numberColumn(predicted, `${name}.${title}.${environment}`);
        for (const [i, u] of own[t]!.entries()) expect(Math.abs(u - reference[i]!)).toBeLessThan(1e-5);
      }
      const again = environmentsAt(records, variances);
      expect(again.logLikelihood).toBeCloseTo(point.logLikelihood, 9);
    }
  },
);

test.for([0, 0.2])(
  'with a variance of lines the likelihood is that of the definition, and highest, with %s missing',
  (holes) => {
    const small = smallTraits(5, { lines: 40, traits: 3, holes, isWeighed: false });
    // Lines that relationships do not explain.
    const random = createRandomStream(6);
    const shifts = Array.from({ length: 40 }, () => 1.5 * random.normal());
    const shifted = { ...small, values: small.values.map((own) => own.map((y, i) => y + shifts[i]!)) };
    const { errorWeights: _, ...options } = shifted;
    const records = createTraitRecords(options);
    const { variances, logLikelihood, point, isConverged } = fitEnvironments(records, 'mde', { residualLines: true });
    expect(isConverged).toBe(true);
    expect(variances.lines).toBeGreaterThan(0.5);
    const dense = ({ main, specific, lines, residual }: EnvironmentVariances) =>
      denseTraits(
        shifted,
        specific.map((own, s) => specific.map((__, r) => main + (s === r ? own : 0))),
        specific.map((__, s) => specific.map((___, r) => lines + (s === r ? residual : 0))),
      );
    expect(dense(variances).logLikelihood).toBeCloseTo(logLikelihood, 8);
    for (const change of [0.98, 1.02]) {
      const changed: EnvironmentVariances[] = [
        { ...variances, main: variances.main * change },
        { ...variances, lines: variances.lines * change },
        { ...variances, residual: variances.residual * change },
      ];
      for (const one of changed) expect(dense(one).logLikelihood).toBeLessThanOrEqual(logLikelihood + 1e-10);
    }
    // The effects that were put in, shrunk by what is not known of them.
    expect(correlate(lineEffects(records, point, variances), shifts)).toBeGreaterThan(0.6);
  },
);

function correlate(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const mean = (values: ArrayLike<number>) => Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  let [product, ofA, ofB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    product += (a[i]! - meanA) * (b[i]! - meanB);
    ofA += (a[i]! - meanA) ** 2;
    ofB += (b[i]! - meanB) ** 2;
  }
  return product / Math.sqrt(ofA * ofB);
}

test('order and scale of environments and kernel change nothing', () => {
  const kinship = KERNELS.GK;
  const some = values.slice(0, 3);
  const designs = some.map(() => interceptOnly(n));
  const fit = fitEnvironments(createTraitRecords({ kinship, values: some, designs }), 'mde');
  const turned = some.map((own) => own.map((value) => 10 - 4 * value)).reverse();
  const doubled = { ...kinship, data: kinship.data.map((value) => 2 * value) };
  const other = fitEnvironments(createTraitRecords({ kinship: doubled, values: turned, designs }), 'mde');
  expect(other.variances.main / (8 * fit.variances.main)).toBeCloseTo(1, 7);
  expect(other.variances.residual / (16 * fit.variances.residual)).toBeCloseTo(1, 7);
  for (const [s, variance] of fit.variances.specific.entries()) {
    expect(other.variances.specific[2 - s]! / 8).toBeCloseTo(variance, 6);
  }
});
