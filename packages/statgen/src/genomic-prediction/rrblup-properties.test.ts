import { choleskyInPlace, choleskyInverseInPlace } from '@heterosis/linalg/cholesky';
import { type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { multiply } from '@heterosis/linalg/products';
import { largestRelativeError } from '@heterosis/test-support/reference-data';
import { expect, test } from 'vitest';
import { countCalls, frequencyA2 } from '../genotypes/call-counts.ts';
import { centredValues, decodeBlock } from '../genotypes/decode-block.ts';
import { createKinshipAccumulator } from '../kinship/accumulate-kinship.ts';
import { createRandomStream } from '../random/random-stream.ts';
import { createMarkerEffectAccumulator } from './marker-effects.ts';
import { createRrblupModel } from './rrblup.ts';

const filter = { maf: 0.02, callRate: 0.8 };

/** N individuals with missing calls; the last fifth has no phenotype. */
function simulate(size: number, markers: number, seed: number, method: 'vanraden1' | 'standardized') {
  const random = createRandomStream(seed, 'rrblup');
  const stride = (size + 3) >> 2;
  const packed = new Uint8Array(markers * stride);
  const y = new Float64Array(size);
  for (let j = 0; j < markers; j++) {
    const frequency = 0.05 + 0.9 * random.uniform();
    const effect = random.normal();
    for (let i = 0; i < size; i++) {
      const dosage = Number(random.uniform() < frequency) + Number(random.uniform() < frequency);
      const code = random.uniform() < 0.03 ? 1 : dosage === 0 ? 0 : dosage + 1;
      packed[j * stride + (i >> 2)] |= code << (2 * (i & 3));
      y[i] += effect * dosage;
    }
  }
  for (let i = 0; i < size; i++) y[i] = i % 5 === 4 ? Number.NaN : y[i] + 4 * random.normal();
  const accumulator = createKinshipAccumulator({ panelSize: size, filter, methods: [method] });
  accumulator.add(packed, markers);
  const { kernels, divisors, scan } = accumulator.finish();
  return { packed, y, scan, kinship: kernels[method] as Matrix, divisor: divisors[method] as number };
}

test('raw dosages times effects plus intercept give the GEBV of every individual, with either kinship', () => {
  for (const method of ['vanraden1', 'standardized'] as const) {
    const { packed, y, scan, kinship, divisor } = simulate(70, 700, 1, method);
    const fit = createRrblupModel(kinship).fit(y);
    const accumulator = createMarkerEffectAccumulator({
      panelSize: 70,
      method,
      kept: scan.kept,
      traits: [{ mean: fit.mean, weights: fit.weights, additiveScale: fit.varianceAdditive / divisor }],
    });
    const stride = 18;
    accumulator.add(packed.subarray(0, 33 * stride), 33);
    accumulator.add(packed.subarray(33 * stride), 667);
    const [effects] = accumulator.finish();
    const kept = Int32Array.from(scan.kept.keys()).filter((j) => scan.kept[j] === 1);
    const dosages = matrixOf(70, kept.length, new Float64Array(70 * kept.length));
    const counts = countCalls(packed, 700, { panelSize: 70 });
    decodeBlock(packed, 700, { panelSize: 70 }, kept, centredValues(counts), dosages.data);
    // The value of somebody with the mean dosage at every marker; the decoded ones are deviations from it.
    const atMean = effects.additive.reduce((sum, effect, k) => sum + 2 * frequencyA2(counts, kept[k]) * effect, 0);
    const predicted = multiply(dosages, matrixOf(kept.length, 1, effects.additive)).data.map(
      (value) => value + atMean + effects.intercept,
    );
    expect(largestRelativeError(predicted, fit.gebv, 1)).toBeLessThan(1e-10);
  }
});

test('the reliability is 1 − PEV/(σ²K) of the mixed model equations', () => {
  const { y, kinship } = simulate(30, 200, 2, 'vanraden1');
  const fit = createRrblupModel(kinship).fit(y);
  // C = [n 1ᵀ; 1 ZᵀZ + δK⁻¹]: the prediction error variance of g is σ²e times the lower right block of its inverse
  // (Henderson 1975, Biometrics 31:423). A ridge makes the centred kinship invertible.
  const ridge = 1e-7;
  const inverse = choleskyInverseInPlace(
    choleskyInPlace(
      matrixOf(
        30,
        30,
        kinship.data.map((value, i) => value + (i % 31 === 0 ? ridge : 0)),
      ),
    ),
  );
  const delta = fit.varianceResidual / fit.varianceAdditive;
  const c = matrixOf(31, 31, new Float64Array(31 * 31));
  for (let i = 0; i < 30; i++) {
    const seen = Number.isNaN(y[i]) ? 0 : 1;
    c.data[0] += seen;
    c.data[1 + i] = seen;
    c.data[(1 + i) * 31] = seen;
    for (let j = 0; j < 30; j++) c.data[1 + i + (1 + j) * 31] = delta * inverse.data[i + j * 30] + (i === j ? seen : 0);
  }
  const cInverse = choleskyInverseInPlace(choleskyInPlace(c));
  for (let i = 0; i < 30; i++) {
    const pev = cInverse.data[1 + i + (1 + i) * 31] * fit.varianceResidual;
    const expected = 1 - pev / (fit.varianceAdditive * kinship.data[i + i * 30]);
    expect(fit.reliability[i]).toBeCloseTo(expected, 4);
  }
});

test('traits are fitted alike whether they share the model or not', () => {
  const { y, kinship } = simulate(50, 300, 3, 'vanraden1');
  const other = y.map((value, i) => (i < 3 ? Number.NaN : Math.sqrt(Math.abs(value))));
  const shared = createRrblupModel(kinship);
  shared.fit(y);
  const again = shared.fit(y.map((value) => value * 2));
  expect(again.gebv[49] / shared.fit(y).gebv[49]).toBeCloseTo(2, 9);
  expect(shared.fit(other)).toEqual(createRrblupModel(kinship).fit(other));
});

test('a trait that cannot be fitted is refused with a code and leaves the model usable', () => {
  const { y, kinship } = simulate(40, 100, 4, 'vanraden1');
  const model = createRrblupModel(kinship);
  const code = (name: string) => expect.objectContaining({ code: name });
  expect(() => model.fit(y.map((_, i) => (i < 9 ? i : Number.NaN)))).toThrow(code('too-few-individuals'));
  expect(() => model.fit(y.map(() => Number.NaN))).toThrow(code('too-few-individuals'));
  expect(() => model.fit(y.map(() => 5))).toThrow(code('constant-trait'));
  expect(() => model.fit(y.map((value, i) => (i === 1 ? Number.NEGATIVE_INFINITY : value)))).toThrow(
    code('not-finite'),
  );
  expect(() => model.fit(y.subarray(2))).toThrow(code('shape-mismatch'));
  expect(model.fit(y).n).toBe(32);
});

/**
 * Whether a fit satisfies the equations of REML, written down densely: (σ²aK + σ²eI)·Py = y − mean, 1ᵀPy = 0, and at
 * an inner maximum (Py)ᵀK(Py) = tr(PK) and (Py)ᵀ(Py) = tr(P).
 */
function expectReml(kinship: Matrix, y: Float64Array, fit: ReturnType<ReturnType<typeof createRrblupModel>['fit']>) {
  const seen = [...y.keys()].filter((i) => !Number.isNaN(y[i]));
  const n = seen.length;
  const at = (a: number, b: number): number => kinship.data[seen[a] + seen[b] * kinship.rows];
  const inverse = choleskyInverseInPlace(
    choleskyInPlace(
      matrixOf(
        n,
        n,
        Float64Array.from({ length: n * n }, (_, k) => {
          const [i, j] = [k % n, Math.floor(k / n)];
          return fit.varianceAdditive * at(i, j) + (i === j ? fit.varianceResidual : 0);
        }),
      ),
    ),
  );
  const v = (i: number, j: number): number => inverse.data[Math.max(i, j) + Math.min(i, j) * n];
  const sums = seen.map((_, i) => seen.reduce((sum, _other, j) => sum + v(i, j), 0));
  const all = sums.reduce((a, b) => a + b);
  const w = seen.map((i) => fit.weights[i]);
  let traceP = 0;
  let tracePk = 0;
  let quadratic = 0;
  for (let i = 0; i < n; i++) {
    let fitted = fit.mean + fit.varianceResidual * w[i];
    for (let j = 0; j < n; j++) {
      const element = v(i, j) - (sums[i] * sums[j]) / all;
      if (i === j) traceP += element;
      tracePk += element * at(i, j);
      quadratic += w[i] * at(i, j) * w[j];
      fitted += fit.varianceAdditive * at(i, j) * w[j];
    }
    expect(fitted).toBeCloseTo(y[seen[i]], 7);
  }
  const scale = Math.max(...w.map(Math.abs));
  expect(w.reduce((a, b) => a + b) / scale).toBeCloseTo(0, 8);
  expect(quadratic / tracePk).toBeCloseTo(1, 6);
  expect(w.reduce((sum, value) => sum + value * value, 0) / traceP).toBeCloseTo(1, 6);
}

test('identical individuals, fewer markers than individuals and one marker alone are fitted as defined', () => {
  const random = createRandomStream(7, 'noise');
  const { y: quiet, ...plain } = simulate(60, 40, 7, 'vanraden1');
  const y = quiet.map((value) => value + 6 * random.normal());
  const fit = createRrblupModel(plain.kinship).fit(y);
  expect(fit.boundary).toBe('none');
  expectReml(plain.kinship, y, fit);

  const individuals = Int32Array.from({ length: 60 }, (_, i) => i % 40);
  const accumulator = createKinshipAccumulator({ panelSize: 60, individuals, filter, methods: ['vanraden1'] });
  accumulator.add(plain.packed, 40);
  const twice = accumulator.finish().kernels.vanraden1 as Matrix;
  const doubled = createRrblupModel(twice).fit(y);
  expect(doubled.boundary).toBe('none');
  expectReml(twice, y, doubled);
  // The same genotype has the same breeding value, whatever its own observation.
  for (let i = 40; i < 60; i++) expect(doubled.gebv[i]).toBeCloseTo(doubled.gebv[i - 40], 9);

  for (const markers of [8, 1]) {
    const few = simulate(60, markers, 11, 'vanraden1');
    const fitted = createRrblupModel(few.kinship).fit(few.y);
    expect(fitted.boundary).toBe('none');
    expectReml(few.kinship, few.y, fitted);
  }
});

test('calls that are all missing leave no marker to learn from', () => {
  const accumulator = createKinshipAccumulator({ panelSize: 20, filter, methods: ['vanraden1'] });
  accumulator.add(new Uint8Array(5 * 30).fill(0b01_01_01_01), 30);
  expect(() => accumulator.finish()).toThrow(expect.objectContaining({ code: 'no-markers-left' }));
});

test('marker effects must see the markers of the kinship', () => {
  const { packed, scan } = simulate(12, 20, 5, 'vanraden1');
  const options = { panelSize: 12, method: 'vanraden1' as const, kept: scan.kept };
  const source = { mean: 0, weights: new Float64Array(12), additiveScale: 1 };
  const accumulator = createMarkerEffectAccumulator({ ...options, traits: [source] });
  accumulator.add(packed.subarray(0, 30), 10);
  expect(() => accumulator.finish()).toThrow(/10 of the 20/);
  expect(() => accumulator.add(packed, 20)).toThrow(expect.objectContaining({ code: 'shape-mismatch' }));
  expect(() =>
    createMarkerEffectAccumulator({ ...options, traits: [{ ...source, weights: new Float64Array(11) }] }),
  ).toThrow(expect.objectContaining({ code: 'shape-mismatch' }));
});
