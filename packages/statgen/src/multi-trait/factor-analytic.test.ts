import { setThreadCount } from '@heterosis/linalg/threads';
import { expect, test } from 'vitest';
import { type SmallTraits, smallTraits } from './dense-traits.test-data.ts';
import { fitTraits, scaling, type TraitsFit, traitsAt } from './fit-traits.ts';
import { createTraitRecords } from './trait-records.ts';

setThreadCount(1);

const fit = (traits: SmallTraits, factors?: number): TraitsFit =>
  fitTraits(createTraitRecords(traits), factors === undefined ? {} : { factors });

const largestDifference = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((worst, value, k) => Math.max(worst, Math.abs(value - b[k])), 0);

test('one factor of three traits has as many parameters as their covariances, and is the same model', () => {
  const traits = smallTraits(3, { lines: 120, holes: 0.1 });
  const [free, one] = [fit(traits), fit(traits, 1)];
  expect(free.isConverged && one.isConverged).toBe(true);
  expect(one.logLikelihood).toBeCloseTo(free.logLikelihood, 8);
  expect(largestDifference(one.genetic.flat(), free.genetic.flat())).toBeLessThan(1e-5);
  const errors = (of: TraitsFit) => of.standardErrors?.genetic.flat() ?? [];
  expect(errors(one)).toHaveLength(9);
  expect(largestDifference(errors(one), errors(free))).toBeLessThan(1e-5);
  const correlations = (of: TraitsFit) => of.geneticCorrelation.flat().map(({ se }) => se ?? 0);
  expect(largestDifference(correlations(one), correlations(free))).toBeLessThan(1e-5);
  const { loadings, specific } = one.factors!;
  for (const [s, row] of one.genetic.entries())
    for (const [r, value] of row.entries())
      expect(loadings[s][0] * loadings[r][0] + (s === r ? specific[s] : 0)).toBeCloseTo(value, 10);
});

test('two factors fit better than one, and each is a maximum of its own', () => {
  const traits = smallTraits(4, { lines: 90, traits: 7, holes: 0.1 });
  const records = createTraitRecords(traits);
  const [one, two] = [fit(traits, 1), fit(traits, 2)];
  expect(one.isConverged && two.isConverged).toBe(true);
  expect(two.logLikelihood).toBeGreaterThanOrEqual(one.logLikelihood - 1e-8);
  for (const found of [one, two]) {
    const { loadings, specific } = found.factors!;
    const at = (moved: number[][], own: number[]): number => {
      const genetic = moved.map((row, s) =>
        moved.map((other, r) => row.reduce((sum, value, f) => sum + value * other[f], s === r ? own[s] : 0)),
      );
      return (traitsAt(records, genetic, found.residual)?.logLikelihood ?? Number.NaN) - scaling(records);
    };
    expect(at(loadings, specific)).toBeCloseTo(found.logLikelihood, 8);
    for (const [s, row] of loadings.entries()) {
      for (const [f, loading] of row.entries()) {
        if (f > s) expect(loading).toBe(0);
        for (const step of [-1e-3, 1e-3]) {
          const moved = loadings.map((own, r) => own.map((value, g) => value + (r === s && g === f ? step : 0)));
          expect(at(moved, specific)).toBeLessThan(found.logLikelihood);
        }
      }
      for (const step of [-1e-3, 1e-3]) {
        const own = specific.map((value, r) => Math.max(0, value + (r === s ? step : 0)));
        if (own[s] !== specific[s]) expect(at(loadings, own)).toBeLessThan(found.logLikelihood);
      }
    }
  }
});

test('order, scale and sign of traits change nothing else', () => {
  const traits = smallTraits(5, { lines: 80, traits: 5, holes: 0.15 });
  const order = [3, 0, 4, 2, 1];
  const units = [1, -2, 10, 0.1, 3];
  const turned: SmallTraits = {
    ...traits,
    values: order.map((t) => traits.values[t].map((value) => units[t] * value)),
    designs: order.map((t) => traits.designs[t]),
  };
  const [first, second] = [fit(traits, 1), fit(turned, 1)];
  expect(second.logLikelihood + scalingOf(units, turned)).toBeCloseTo(first.logLikelihood, 6);
  for (const [a, s] of order.entries())
    for (const [b, r] of order.entries())
      expect(second.genetic[a][b] / (units[s] * units[r])).toBeCloseTo(first.genetic[s][r], 4);
});

/** What units add to the log-likelihood: a log of the unit for each record beyond the fixed effects. */
function scalingOf(units: readonly number[], { values, designs }: SmallTraits): number {
  const order = [3, 0, 4, 2, 1];
  return values.reduce((sum, own, a) => {
    const count = own.reduce((n, value) => n + Number(!Number.isNaN(value)), 0);
    return sum + (count - designs[a].columns) * Math.log(Math.abs(units[order[a]]));
  }, 0);
}

test('traits have fewer factors than covariances', () => {
  expect(() => fit(smallTraits(6), 2)).toThrow('3 traits have no 2 factors');
});
