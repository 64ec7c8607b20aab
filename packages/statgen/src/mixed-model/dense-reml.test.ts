import { createMatrix, type Matrix } from '@heterosis/linalg/matrix';
import { someOf } from '@heterosis/test-support/whole';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitAdditiveDominance } from '../genomic-prediction/additive-dominance.ts';
import { createRrblupModel } from '../genomic-prediction/rrblup.ts';
import { denseReml, goldenSection, profiledReml } from './dense-reml.test-data.ts';

/** n individuals with small whole dosages at m markers, some of them copies of others, and a trait. */
const populations = fc
  .record({ n: fc.integer({ min: 10, max: 16 }), m: fc.integer({ min: 1, max: 30 }) })
  .chain(({ n, m }) => {
    const zeros = Array.from({ length: m }, () => 0);
    const row = fc.array(fc.constantFrom(0, 0, 1, 2, 2), { minLength: m, maxLength: m });
    return fc.record({
      dosages: fc
        .array(
          fc.oneof(
            { weight: 4, arbitrary: row.map((own) => ({ own, copyOf: -1 })) },
            { weight: 1, arbitrary: fc.nat(n - 1).map((copyOf) => ({ own: zeros, copyOf })) },
          ),
          { minLength: n, maxLength: n },
        )
        .map((rows) => rows.map(({ own, copyOf }) => (copyOf >= 0 ? rows[copyOf].own : own))),
      effects: fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: m, maxLength: m }),
      noise: fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: n, maxLength: n }),
      noiseScale: fc.constantFrom(0.1, 1, 10),
      scale: fc.constantFrom(1, 1e-8, 1e12),
      offset: fc.constantFrom(0, 0, 1e9),
    });
  });

interface Population {
  dosages: number[][];
  effects: number[];
  noise: number[];
  noiseScale: number;
  scale: number;
  offset: number;
}

/** A trait without scale and offset; null when it hardly varies. */
function traitOf({ dosages, effects, noise, noiseScale }: Population): number[] | null {
  const y = dosages.map((row, i) => row.reduce((sum, g, j) => sum + g * effects[j], noiseScale * noise[i]));
  const mean = y.reduce((sum, value) => sum + value, 0) / y.length;
  const spread = Math.max(...y.map((value) => Math.abs(value - mean)));
  return spread > 1e-3 ? y : null;
}

/**
 * (dosage − 2p)(dosage − 2p)ᵀ/2Σpq and the dominance kernel, by their definitions; null without variation or
 * heterozygotes.
 */
function kernelsOf(dosages: number[][]): { additive: number[][]; dominance: number[][] } | null {
  const p = dosages[0].map((_, j) => dosages.reduce((sum, row) => sum + row[j], 0) / (2 * dosages.length));
  const kernel = (code: (g: number, frequency: number) => number, divisor: number): number[][] =>
    dosages.map((a) => dosages.map((b) => p.reduce((sum, f, j) => sum + code(a[j], f) * code(b[j], f), 0) / divisor));
  const variance = p.reduce((sum, f) => sum + 2 * f * (1 - f), 0);
  const heterozygous = dosages.some((row) => row.includes(1));
  if (variance < 1e-9 || !heterozygous) return null;
  return {
    additive: kernel((g, f) => g - 2 * f, variance),
    dominance: kernel(
      (g, f) => [-2 * f * f, 2 * f * (1 - f), -2 * (1 - f) ** 2][g],
      p.reduce((sum, f) => sum + (2 * f * (1 - f)) ** 2, 0),
    ),
  };
}

function matrixOfRows(rows: number[][]): Matrix {
  const matrix = createMatrix(rows.length, rows.length);
  for (const [i, row] of rows.entries())
    for (const [j, value] of row.entries()) matrix.data[i + j * rows.length] = value;
  return matrix;
}

const scaled = (y: number[], { scale, offset }: Population): Float64Array =>
  Float64Array.from(y, (value) => scale * (value + offset));

/**
 * Digits that are left of a trait of size 1 after an offset of 1e9 has been added: 1e-7, and as many in what is
 * fitted.
 */
const toleranceOf = ({ offset }: Population): number => (offset === 0 ? 1e-6 : 1e-4);

test('one variance: the fit is the highest point that golden section finds on dense matrices, whatever scale and offset', () => {
  fc.assert(
    fc.property(populations, (population) => {
      const y = traitOf(population);
      const kernels = kernelsOf(population.dosages);
      fc.pre(y !== null && kernels !== null);
      const { additive } = kernels;
      const { scale, offset } = population;
      const n = y.length;
      const fit = createRrblupModel(matrixOfRows(additive)).fit(scaled(y, population));
      const inside = goldenSection((logDelta) => profiledReml([additive], [1 / (1 + Math.exp(logDelta))], y), -18, 15);
      const best = Math.max(inside.value, profiledReml([additive], [0], y));
      const tolerance = toleranceOf(population);
      const logLikelihood = fit.logLikelihood + (n - 1) * Math.log(scale);
      // At the lower end of δ, 1e-9, dense matrices have lost their digits: the height is compared, the rest is not.
      const isAtEnd = fit.varianceResidual < 1e-7 * fit.varianceAdditive;
      expect(logLikelihood).toBeGreaterThan(best - (isAtEnd ? 0.05 : 100 * tolerance));
      if (isAtEnd) return;
      expect(Math.abs(logLikelihood - best)).toBeLessThan(100 * tolerance);
      // The rest at the variances of the fit, by definition.
      const genetic = fit.varianceAdditive / scale ** 2;
      const residual = fit.varianceResidual / scale ** 2;
      const dense = denseReml([additive], [genetic], residual, y);
      const size = Math.max(...y.map((value) => Math.abs(value - dense.mean)));
      expect(Math.abs(fit.mean / scale - offset - dense.mean)).toBeLessThan(
        tolerance * size + 1e-6 * (offset > 0 ? 1 : 0),
      );
      for (let i = 0; i < n; i++) {
        const covariance = additive[i].map((value) => genetic * value);
        const g = covariance.reduce((sum, value, k) => sum + value * dense.weights[k], dense.mean);
        expect(Math.abs(fit.gebv[i] / scale - offset - g)).toBeLessThan(tolerance * size + (offset > 0 ? 1e-6 : 0));
        const explained = covariance.reduce(
          (sum, value, k) => sum + value * dense.projection[k].reduce((part, w, l) => part + w * covariance[l], 0),
          0,
        );
        const own = genetic * additive[i][i];
        const reliability = own > 0 ? Math.min(1, Math.max(0, explained / own)) : 0;
        expect(Math.abs(fit.reliability[i] - reliability)).toBeLessThan(tolerance);
      }
    }),
    { seed: 21, numRuns: someOf(120) },
  );
});

test('two variances: no point of a fine grid on dense matrices is higher, whatever scale and offset', () => {
  fc.assert(
    fc.property(populations, (population) => {
      const y = traitOf(population);
      const kernels = kernelsOf(population.dosages);
      fc.pre(y !== null && kernels !== null);
      const { additive, dominance } = kernels;
      const n = y.length;
      const fit = fitAdditiveDominance({
        additive: matrixOfRows(additive),
        dominance: matrixOfRows(dominance),
        y: scaled(y, population),
      });
      const logLikelihood = fit.logLikelihood + (n - 1) * Math.log(population.scale);
      const steps = 12;
      let best = Number.NEGATIVE_INFINITY;
      for (let a = 0; a <= steps; a++) {
        for (let d = 0; a + d <= steps; d++) {
          const shares = [(a / steps) * 0.999, (d / steps) * 0.999];
          best = Math.max(best, profiledReml([additive, dominance], shares, y));
        }
      }
      expect(logLikelihood).toBeGreaterThan(best - 100 * toleranceOf(population));
      if (fit.boundary.includes('residual-zero')) return;
      const variances = [fit.varianceAdditive, fit.varianceDominance].map((value) => value / population.scale ** 2);
      const dense = denseReml([additive, dominance], variances, fit.varianceResidual / population.scale ** 2, y);
      expect(Math.abs(dense.logLikelihood - logLikelihood)).toBeLessThan(100 * toleranceOf(population));
    }),
    { seed: 22, numRuns: someOf(120) },
  );
});

test('observed individuals of one genotype tell nothing of its variance, and nothing is predicted from rounding', () => {
  // Twelve copies with a phenotype, three others without: the kinship of the observed is one number throughout.
  const copy = [0, 1, 2, 2, 0, 1, 0, 2, 1, 1, 0];
  const dosages = [
    ...Array.from({ length: 12 }, () => copy),
    copy.map((g) => 2 - g),
    copy.map((g) => (g + 1) % 3),
    copy.toReversed(),
  ];
  const y = Float64Array.from(dosages, (_, i) => (i < 12 ? 3 + Math.sin(7 * i) : Number.NaN));
  const { additive, dominance } = kernelsOf(dosages)!;
  const one = createRrblupModel(matrixOfRows(additive)).fit(y);
  expect(one.varianceAdditive).toBe(0);
  expect(one.boundary).toBe('genetic-zero');
  const two = fitAdditiveDominance({ additive: matrixOfRows(additive), dominance: matrixOfRows(dominance), y });
  expect([two.varianceAdditive, two.varianceDominance]).toEqual([0, 0]);
  for (const [fit, values] of [
    [one, one.gebv],
    [two, two.genotypicValue],
  ] as const) {
    for (const value of values) expect(value).toBeCloseTo(fit.mean, 12);
  }
});
