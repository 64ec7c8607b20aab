import { describe, expect, test } from 'vitest';
import { createRandomStream } from '../random/random-stream.ts';
import { fitTrial, type TrialFit } from './fit-trial.ts';
import { simulatedField } from './simulated-field.test-data.ts';
import { TRIAL_MODELS } from './trial-models.ts';
import type { TrialPlots } from './trial-plots.ts';

const CASES = TRIAL_MODELS.flatMap((model) => (['fixed', 'random'] as const).map((lines) => ({ model, lines })));
/** A climb ends at scores of 1e-8; what it finds differs by about that much in another order of the plots. */
const TOLERANCE = 1e-6;

interface Change {
  scale?: number;
  shift?: number;
  rename?: (line: string) => string;
}

/** Asserts that a fit is that of the same trial in other words, other order, another unit. */
function expectSame(found: TrialFit, base: TrialFit, { scale = 1, shift = 0, rename = (line) => line }: Change = {}) {
  const contrasts = base.used.length - base.fixedEffects;
  expect(found.logLikelihood).toBeCloseTo(base.logLikelihood - contrasts * Math.log(Math.abs(scale)), 6);
  for (const [name, { value, atBound }] of Object.entries(base.variances)) {
    expect(found.variances[name]?.atBound).toBe(atBound);
    const unit = Math.max(value, base.variances['residual']?.value ?? 0);
    expect(Math.abs((found.variances[name]?.value ?? Number.NaN) / scale ** 2 - value) / unit).toBeLessThan(1e-5);
  }
  const compare = (
    of: { lines: string[]; values: Float64Array; errors: (i: number) => number },
    other: typeof of,
    isMean: boolean,
  ) => {
    const place = new Map(of.lines.map((line, i) => [line, i]));
    const size = Math.max(...other.lines.map((_, i) => other.errors(i)), 1e-12);
    other.lines.forEach((line, i) => {
      const at = place.get(rename(line)) ?? -1;
      const expected = scale * other.values[i] + (isMean ? shift : 0);
      expect(Math.abs(of.values[at] - expected) / (Math.abs(scale) * size)).toBeLessThan(TOLERANCE);
      expect(Math.abs(of.errors(at) / Math.abs(scale) - other.errors(i)) / size).toBeLessThan(TOLERANCE);
    });
  };
  const meansOf = ({ means }: TrialFit) => ({
    lines: means?.lines ?? [],
    values: means?.means ?? new Float64Array(0),
    errors: (i: number) => Math.sqrt(means?.covariance[i + i * (means?.lines.length ?? 0)] ?? Number.NaN),
  });
  const blupsOf = ({ blups }: TrialFit) => ({
    lines: blups?.lines ?? [],
    values: blups?.values ?? new Float64Array(0),
    errors: (i: number) => blups?.errors[i] ?? Number.NaN,
  });
  compare(meansOf(found), meansOf(base), true);
  compare(blupsOf(found), blupsOf(base), false);
}

function permuted(plots: TrialPlots, order: readonly number[]): TrialPlots {
  const pick = (values: Float64Array) => Float64Array.from(order, (plot) => values[plot]);
  const codes = (values: Int32Array) => Int32Array.from(order, (plot) => values[plot]);
  const factors = (of: TrialPlots['fixed']) => of.map((factor) => ({ ...factor, codes: codes(factor.codes) }));
  return {
    ...plots,
    line: codes(plots.line),
    values: pick(plots.values),
    places: plots.places && { rows: pick(plots.places.rows), columns: pick(plots.places.columns) },
    ...{ fixed: factors(plots.fixed), random: factors(plots.random), grid: factors(plots.grid) },
    covariates: plots.covariates.map(({ name, values }) => ({ name, values: pick(values) })),
  };
}

describe.each(CASES)('$model, lines $lines: what must not change a fit', (way) => {
  const plots = simulatedField();
  const base = fitTrial(plots, way);

  test('the order of the plots', () => {
    const random = createRandomStream(4, 'order');
    const keys = plots.values.map(() => random.uniform());
    const order = [...plots.values.keys()].sort((a, b) => keys[a] - keys[b]);
    expectSame(fitTrial(permuted(plots, order), way), base);
  });

  test('a mirrored field', () => {
    const { rows, columns } = plots.places ?? { rows: new Float64Array(0), columns: new Float64Array(0) };
    const places = { rows: rows.map((row) => 20 - row), columns };
    expectSame(fitTrial({ ...plots, places }, way), base);
  });

  test('the names of the lines', () => {
    const rename = (line: string) => `Linie ${line}`;
    expectSame(fitTrial({ ...plots, lines: plots.lines.map(rename) }, way), base, { rename });
  });

  test.each([
    [1e-4, 0],
    [-30, 17],
    [1, 1e4],
  ])('the scale of the trait: × %d + %d', (scale, shift) => {
    const values = plots.values.map((value) => scale * value + shift);
    expectSame(fitTrial({ ...plots, values }, way), base, { scale, shift });
  });

  test('a plot without a value', () => {
    const order = [...plots.values.keys(), 0];
    const more = permuted(plots, order);
    more.values[order.length - 1] = Number.NaN;
    expectSame(fitTrial(more, way), base);
  });
});

test('rows in which each line always stands are left out: nothing tells them from the lines', () => {
  const random = createRandomStream(8, 'rows of lines');
  const [lines, replicates] = [6, 3];
  const plots = Array.from({ length: lines * replicates }, (_, i) => ({
    line: i % lines,
    column: Math.floor(i / lines),
  }));
  const values = Float64Array.from(plots, ({ line, column }) => 50 + line + 2 * column + random.normal());
  const rows = { name: 'rows', codes: Int32Array.from(plots, ({ line }) => line), levels: lines };
  const columns = { name: 'columns', codes: Int32Array.from(plots, ({ column }) => column), levels: replicates };
  const trial: TrialPlots = {
    ...{ lines: Array.from({ length: lines }, (_, k) => `L${k}`), line: rows.codes, values, checks: null },
    ...{ fixed: [], random: [], covariates: [], grid: [rows, columns] },
    places: { rows: Float64Array.from(rows.codes), columns: Float64Array.from(columns.codes) },
  };
  const { means, variances, notes, converged } = fitTrial(trial, { model: 'rowcol', lines: 'fixed' });
  expect([converged, variances['rows']]).toEqual([true, { value: 0, se: null, atBound: true }]);
  expect(notes).toContain('rows cannot be told from the lines: left out');
  // Complete columns: a mean is that of its plots.
  for (const [k, mean] of (means?.means ?? []).entries()) {
    const own = plots.flatMap(({ line }, i) => (line === k ? [values[i]] : []));
    expect(mean).toBeCloseTo(own.reduce((sum, value) => sum + value, 0) / replicates, 9);
  }
  expect(means?.means).toHaveLength(lines);
});
