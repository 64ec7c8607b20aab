import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { someOf } from '@heterosis/test-support/whole';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countCalls } from '../genotypes/call-counts.ts';
import { centredValues, decodeBlock } from '../genotypes/decode-block.ts';
import { createKinshipAccumulator } from '../kinship/accumulate-kinship.ts';
import { denseReml } from '../mixed-model/dense-reml.test-data.ts';
import { plainTester } from './plain-association.test-data.ts';
import { prepareGwas } from './prepare-gwas.ts';
import { createMarkerTester, MARKER_TESTED } from './test-markers.ts';

const filter = { maf: 0.01, callRate: 0.5 };

/** Few individuals, some of them duplicates, one or many markers, missing calls, and a trait of any size. */
const cases = fc
  .record({ n: fc.integer({ min: 12, max: 24 }), m: fc.constantFrom(1, 2, 5, 15, 40) })
  .chain(({ n, m }) => {
    const row = fc.array(fc.constantFrom(0, 0, 2, 2, 3, 3, 1), { minLength: m, maxLength: m });
    return fc.record({
      n: fc.constant(n),
      m: fc.constant(m),
      codes: fc
        .array(fc.record({ own: row, copyOf: fc.option(fc.nat(n - 1), { freq: 5 }) }), { minLength: n, maxLength: n })
        .map((rows) => rows.map(({ own, copyOf }) => (copyOf === null ? own : rows[copyOf].own))),
      effects: fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: m, maxLength: m }),
      noise: fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: n, maxLength: n }),
      noiseScale: fc.constantFrom(0.5, 2, 20),
      components: fc.constantFrom(0, 0, 1),
    });
  });

interface Case {
  n: number;
  m: number;
  codes: number[][];
  effects: number[];
  noise: number[];
  noiseScale: number;
  components: number;
}

interface Prepared {
  packed: Uint8Array;
  kinship: Matrix;
  y: Float64Array;
}

/** Null when no marker is left, or when the trait hardly varies. */
function prepare({ n, m, codes, effects, noise, noiseScale }: Case): Prepared | null {
  const stride = (n + 3) >> 2;
  const packed = new Uint8Array(m * stride);
  const y = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < m; j++) {
      packed[j * stride + (i >> 2)] |= codes[i][j] << (2 * (i & 3));
      y[i] += effects[j] * Math.max(0, codes[i][j] - 1);
    }
    y[i] += noiseScale * noise[i];
  }
  const mean = y.reduce((sum, value) => sum + value, 0) / n;
  if (Math.max(...y.map((value) => Math.abs(value - mean))) < 0.05) return null;
  const accumulator = createKinshipAccumulator({ panelSize: n, filter, methods: ['standardized'] });
  accumulator.add(packed, m);
  try {
    return { packed, y, kinship: accumulator.finish().kernels.standardized as Matrix };
  } catch {
    return null;
  }
}

function run({ n, m, components }: Case, { packed, kinship }: Prepared, y: Float64Array) {
  const state = prepareGwas({ kinship, traits: [y], principalComponents: components });
  const tester = createMarkerTester(state, { panelSize: n, filter, tests: ['SCORE', 'WALD', 'LRT'] });
  return { state, columns: tester.test(packed, m) };
}

/**
 * Whether the analysis can answer: it refuses too few individuals for the fixed effects, and fixed effects that
 * explain the trait.
 */
function attempt<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch (error) {
    if (
      ['too-few-individuals', 'constant-trait', 'collinear-fixed-effects', 'bad-option'].includes(
        (error as { code?: string }).code ?? '',
      )
    )
      return null;
    throw error;
  }
}

test('SCORE is (gᵀPy)²/gᵀPg on dense matrices, also of copies, single markers and singular kinships', () => {
  let compared = 0;
  fc.assert(
    fc.property(cases, (one) => {
      const prepared = prepare({ ...one, components: 0 });
      fc.pre(prepared !== null);
      const { n, m } = one;
      const found = attempt(() => run({ ...one, components: 0 }, prepared, prepared.y));
      if (found === null) return;
      const { state, columns } = found;
      const { scoreH2, scoreVariance } = state.traits[0];
      // Without residual variance, V has no inverse in floating point.
      if (scoreH2 > 1 - 1e-6) return;
      const rows = Array.from({ length: n }, (_, i) =>
        Array.from({ length: n }, (__, k) => prepared.kinship.data[i + k * n]),
      );
      const { projection, weights } = denseReml([rows], [scoreH2 * scoreVariance], (1 - scoreH2) * scoreVariance, [
        ...prepared.y,
      ]);
      const selection = { panelSize: n };
      const values = centredValues(countCalls(prepared.packed, m, selection));
      const g = new Float64Array(n);
      for (let j = 0; j < m; j++) {
        if (columns.status[j] !== MARKER_TESTED) continue;
        decodeBlock(prepared.packed, m, selection, Int32Array.of(j), values, g);
        const a = weights.reduce((sum, value, i) => sum + value * g[i], 0);
        const b = projection.reduce(
          (sum, line, i) => sum + g[i] * line.reduce((part, value, k) => part + value * g[k], 0),
          0,
        );
        const score = columns.traits[0].SCORE?.statistic[j] ?? Number.NaN;
        expect(Math.abs(score - (a * a) / b)).toBeLessThan(1e-6 * (1 + score));
        compared++;
      }
    }),
    { seed: 31, numRuns: someOf(150) },
  );
  expect(compared).toBeGreaterThan(someOf(500));
});

test('WALD and LRT are those of one marker at a time, also of copies, single markers and singular kinships', () => {
  let compared = 0;
  fc.assert(
    fc.property(cases, (one) => {
      const prepared = prepare(one);
      // One or two markers explain their own kinship: with the marker in the model h² is not identified, and any value
      // is correct.
      fc.pre(prepared !== null && one.m > 2);
      const { n, m, components } = one;
      const found = attempt(() => run(one, prepared, prepared.y));
      if (found === null) return;
      const { state, columns } = found;
      const x = createMatrix(n, 1 + components);
      x.data.fill(1, 0, n);
      x.data.set(state.axes.subarray(0, n * components), n);
      const plain = plainTester(prepared.kinship, prepared.y, x, state.traits[0].remlH2);
      const selection = { panelSize: n };
      const values = centredValues(countCalls(prepared.packed, m, selection));
      const g = new Float64Array(n);
      for (let j = 0; j < m; j++) {
        if (columns.status[j] !== MARKER_TESTED) continue;
        decodeBlock(prepared.packed, m, selection, Int32Array.of(j), values, g);
        const { wald, lrt } = plain(g);
        const { WALD, LRT } = columns.traits[0];
        // Such a marker leaves almost no residual, and few correct digits of it.
        if (wald.statistic > 1e6) continue;
        expect(Math.abs((WALD?.statistic[j] ?? Number.NaN) - wald.statistic)).toBeLessThan(1e-5 * (1 + wald.statistic));
        expect(Math.abs((LRT?.statistic[j] ?? Number.NaN) - lrt.statistic)).toBeLessThan(1e-5 * (1 + lrt.statistic));
        compared++;
      }
    }),
    { seed: 32, numRuns: someOf(60) },
  );
  expect(compared).toBeGreaterThan(200);
});

test('statistics do not see the scale and the level of the trait, from 1e-8 to 1e12 and at 1e9', () => {
  fc.assert(
    fc.property(cases, fc.constantFrom([1e-8, 0], [1e12, 0], [1, 1e9], [-1, 0]), (one, [scale, offset]) => {
      const prepared = prepare(one);
      fc.pre(prepared !== null);
      const plain = attempt(() => run(one, prepared, prepared.y));
      const turned = attempt(() =>
        run(
          one,
          prepared,
          prepared.y.map((value) => scale * value + offset),
        ),
      );
      expect(turned === null).toBe(plain === null);
      if (plain === null || turned === null) return;
      // An offset of 1e9 leaves seven digits of the trait.
      const tolerance = offset === 0 ? 1e-8 : 1e-4;
      for (const test of ['SCORE', 'WALD', 'LRT'] as const) {
        const before = plain.columns.traits[0][test];
        const after = turned.columns.traits[0][test];
        for (let j = 0; j < one.m; j++) {
          expect(turned.columns.status[j]).toBe(plain.columns.status[j]);
          if (plain.columns.status[j] !== MARKER_TESTED) continue;
          // Such a marker leaves almost no residual, and few correct digits of it.
          const wald = plain.columns.traits[0].WALD?.statistic[j] ?? Number.NaN;
          if (wald > (offset === 0 ? 1e6 : 1e4)) continue;
          const statistic = before?.statistic[j] ?? Number.NaN;
          expect(Math.abs((after?.statistic[j] ?? Number.NaN) - statistic)).toBeLessThan(tolerance * (1 + statistic));
          const beta = before?.beta[j] ?? Number.NaN;
          const size = before?.se[j] ?? Number.NaN;
          expect(Math.abs((after?.beta[j] ?? Number.NaN) / scale - beta)).toBeLessThan(
            tolerance * (Math.abs(beta) + size),
          );
        }
      }
    }),
    { seed: 33, numRuns: someOf(100) },
  );
});
