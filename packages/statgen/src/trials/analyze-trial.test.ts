import { describe, expect, test } from 'vitest';
import { StatgenError } from '../statgen-error.ts';
import { analyzeTrial } from './analyze-trial.ts';
import { referenceTrial } from './reference-trials.test-data.ts';
import { simulatedField } from './simulated-field.test-data.ts';
import { trialOutliers } from './trial-outliers.ts';
import type { TrialPlots } from './trial-plots.ts';

const BOTH = { model: 'auto', lines: 'both' } as const;

/** The plots with the lines of some of them moved. */
const withLines = (plots: TrialPlots, from: (plot: number) => number): TrialPlots => ({
  ...plots,
  line: Int32Array.from(plots.line, (_, plot) => plots.line[from(plot)]),
});

describe('analyzeTrial', () => {
  test('auto takes the model with the smallest AIC of the full likelihood, and lists all', () => {
    const plots = simulatedField();
    const found = analyzeTrial(plots, BOTH);
    expect(found.alternatives.map(({ model }) => model)).toEqual(['blocks', 'rowcol', 'psanova', 'ar1', 'ar1-units']);
    const criteria = found.alternatives.map(({ fit }) => fit?.criterion.aic ?? Number.POSITIVE_INFINITY);
    expect(found.main.criterion.aic).toBe(Math.min(...criteria));
    expect(found.model).toBe(found.main.model);
    expect(found.random?.model).toBe(found.fixed?.model);
    expect(found.fixed?.means?.replicates.reduce((sum, count) => sum + count, 0)).toBe(plots.values.length);
  });

  test('the criterion is that of the full likelihood in a case worked by hand', () => {
    // Two lines, three plots each, 1 2 3 and 4 5 6: residual variance 1, full log-likelihood −½[6 ln 2π + 4].
    const plots: TrialPlots = {
      ...{ lines: ['A', 'B'], line: Int32Array.of(0, 0, 0, 1, 1, 1), values: Float64Array.of(1, 2, 3, 4, 5, 6) },
      ...{ places: null, fixed: [], covariates: [], random: [], grid: [], checks: null },
    };
    const { main } = analyzeTrial(plots, { model: 'blocks', lines: 'fixed' });
    expect(main.variances['residual']?.value).toBeCloseTo(1, 9);
    expect(main.means?.means).toEqual(Float64Array.of(2, 5));
    expect(main.means?.covariance[0]).toBeCloseTo(1 / 3, 9);
    expect(main.logLikelihood).toBeCloseTo(-0.5 * (4 * Math.log(2 * Math.PI) + 2 * Math.log(3) + 4), 9);
    expect(main.criterion.aic).toBeCloseTo(6 * Math.log(2 * Math.PI) + 4 + 2 * 3, 9);
    expect(main.criterion.bic).toBeCloseTo(6 * Math.log(2 * Math.PI) + 4 + Math.log(6) * 3, 9);
  });

  test('says why models do not apply', () => {
    const { alternatives, model } = analyzeTrial(referenceTrial('besag.elbatan'), BOTH);
    expect(alternatives.find((one) => one.model === 'psanova')?.leftOut).toContain('50 rows and 3 columns');
    expect(model).toBe('ar1-units');
    const withoutField = analyzeTrial(referenceTrial('kempton.rowcol'), BOTH);
    expect(withoutField.model).toBe('blocks');
    expect(withoutField.alternatives.slice(1).every(({ leftOut }) => leftOut?.includes('no rows and columns'))).toBe(
      true,
    );
    // Asked for, a surface over three columns is fitted.
    expect(analyzeTrial(referenceTrial('besag.elbatan'), { model: 'psanova', lines: 'fixed' }).model).toBe('psanova');
  });

  test('a trial without any repeated line has no error to estimate; autoregression can still predict', () => {
    const { plots } = single();
    const onlyBlocks = () => analyzeTrial({ ...plots, places: null, grid: [] }, BOTH);
    expect(onlyBlocks).toThrow(StatgenError);
    expect(onlyBlocks).toThrow(/every line has one plot/);
    const found = analyzeTrial(plots, BOTH);
    expect(found.model).toBe('ar1');
    expect(found.fixed).toBeNull();
    expect(found.heritability.piepho).toBeNull();
    expect(found.heritability.reasons.piepho).toContain('no line is repeated');
    expect(found.layout.reason).toBe('no line has two plots');
  });

  test('a heritability is not given where the lines do not vary', () => {
    const { heritability } = analyzeTrial(referenceTrial('burgueno.rowcol'), { model: 'blocks', lines: 'both' });
    expect(heritability).toMatchObject({ cullis: null, piepho: null, plot: null });
    expect(heritability.reasons.cullis).toBe('the variance of the lines is 0');
  });

  test('replicates that no line connects become random when nobody asked for them', () => {
    const plots = simulatedField();
    const half = plots.line.map((line, plot) => (plots.fixed[0].codes[plot] < 2 ? line : line + 21));
    const torn: TrialPlots = {
      ...plots,
      lines: [...plots.lines, ...plots.lines.map((line) => `${line} again`)],
      line: half,
    };
    expect(() => analyzeTrial(torn, { model: 'blocks', lines: 'fixed' })).toThrow(/replicates cannot be told/);
    const found = analyzeTrial(torn, { model: 'blocks', lines: 'fixed', defaultDesign: true });
    expect(found.main.variances['replicates']).toBeDefined();
    expect(found.notes.join()).toContain('replicates are random');
  });

  test('one line, and values that do not vary', () => {
    const plots = simulatedField();
    expect(() => analyzeTrial({ ...plots, line: plots.line.map(() => 0) }, BOTH)).toThrow(/1 lines to compare/);
    expect(() => analyzeTrial({ ...plots, values: plots.values.map(() => 3) }, BOTH)).toThrow(/does not vary/);
  });
});

/** The simulated field with another line on every plot. */
function single(): { plots: TrialPlots } {
  const plots = simulatedField();
  const n = plots.line.length;
  return {
    plots: {
      ...plots,
      lines: Array.from({ length: n }, (_, i) => `S${i}`),
      line: Int32Array.from({ length: n }, (_, i) => i),
    },
  };
}

describe('layout', () => {
  const plots = simulatedField();
  const layoutOf = (changed: TrialPlots) => analyzeTrial(changed, { model: 'blocks', lines: 'random' }).layout;

  test('a right map raises no suspicion', () => {
    for (const seed of [1, 2, 3, 4]) expect(layoutOf(simulatedField(seed)).suspicions).toEqual([]);
  });

  test('lines listed by rows against values listed by columns', () => {
    const { rows, columns } = plots.places ?? { rows: [], columns: [] };
    const byRow = [...plots.line.keys()].sort((a, b) => rows[a] - rows[b] || columns[a] - columns[b]);
    const byColumn = [...plots.line.keys()].sort((a, b) => columns[a] - columns[b] || rows[a] - rows[b]);
    const from = new Int32Array(plots.line.length);
    byRow.forEach((plot, k) => {
      from[plot] = byColumn[k];
    });
    const { suspicions } = layoutOf(withLines(plots, (plot) => from[plot]));
    expect(suspicions[0]).toMatchObject({ kind: 'map', change: 'rows-and-columns-exchanged' });
  });

  test('a field that was read from its other end, where the map has no holes', () => {
    const whole = referenceTrial('durban.rowcol');
    const { rows, columns } = whole.places ?? { rows: [], columns: [] };
    const at = new Map(Array.from(whole.line, (_, plot) => [`${rows[plot]} ${columns[plot]}`, plot]));
    const top = Math.max(...rows) + 1;
    const reversed = withLines(whole, (plot) => at.get(`${top - rows[plot]} ${columns[plot]}`) ?? -1);
    expect(layoutOf(reversed).suspicions).toMatchObject([{ kind: 'map', change: 'rows-reversed' }]);
  });

  test('two plots exchanged', () => {
    const values = plots.values.map((value, plot) => value + 4 * (plots.line[plot] % 5));
    const [a, b] = [20, 21];
    expect(plots.line[a] % 5).not.toBe(plots.line[b] % 5);
    const swapped = withLines({ ...plots, values }, (plot) => (plot === a ? b : plot === b ? a : plot));
    const { suspicions } = layoutOf(swapped);
    expect(suspicions).toHaveLength(1);
    expect(suspicions[0]).toMatchObject({ kind: 'swap', plots: [a, b] });
  });
});

describe('outliers', () => {
  test('a plot far from what its neighbours and its line say is marked', () => {
    const plots = simulatedField();
    const values = plots.values.slice();
    values[40] += 12;
    const { outliers, main } = analyzeTrial({ ...plots, values }, { model: 'ar1-units', lines: 'both' });
    expect(main.used[outliers[0].place]).toBe(40);
    expect(analyzeTrial(plots, { model: 'ar1-units', lines: 'both' }).outliers).toEqual([]);
  });

  test('levels of Bonferroni–Holm, in a case worked by hand', () => {
    // Median 0, median absolute deviation 1: residuals are divided by 1.4826. 9 plots, so the first level is 0.05/9.
    const residuals = Float64Array.of(-1, 1, -0.5, 0.5, 0, 1.5, -1.5, 6, Number.NaN, -6.5);
    const found = trialOutliers(residuals);
    expect(found.map(({ place }) => place)).toEqual([9, 7]);
    expect(found[0].statistic).toBeCloseTo(-6.5 / 1.4826 / 1, 9);
    // 9 · 2 · P(Z > 4.3842) = 9 · 1.164e-5
    expect(found[0].p).toBeCloseTo(9 * 1.164e-5, 7);
    expect(trialOutliers(new Float64Array(5))).toEqual([]);
  });
});
