import { describe, expect, test } from 'vitest';
import { createRandomStream } from '../random/random-stream.ts';
import { denseTrial } from './dense-trial.test-data.ts';
import { fitLineVariances, type LineVariances } from './line-variances.ts';
import type { TrialRecords } from './trial-layout.ts';

type Plot = readonly [line: number, cell: number, value: number];

function recordsOf(plots: readonly Plot[], environmentOfCell: number[], checks: number[] = []): TrialRecords {
  const lineCount = Math.max(...plots.map(([line]) => line)) + 1;
  return {
    line: Int32Array.from(plots, ([line]) => line),
    cell: Int32Array.from(plots, ([, cell]) => cell),
    value: Float64Array.from(plots, ([, , value]) => value),
    lineCount,
    cellCount: environmentOfCell.length,
    environmentOfCell: Int32Array.from(environmentOfCell),
    isFixedLine:
      checks.length === 0 ? null : Uint8Array.from({ length: lineCount }, (_, line) => Number(checks.includes(line))),
  };
}

function fitted(records: TrialRecords): LineVariances {
  const fit = fitLineVariances(records);
  if (fit === null) throw new Error('not fitted');
  return fit;
}

const normal = (seed: number) => {
  const stream = createRandomStream(seed);
  return () => stream.normal();
};

/** Lines × environments × replicates with some plots missing; standard deviations 2, 1, 1 and effects of the cells. */
function simulate(design: { lines: number; environments: number; replicates: number; missing: number; seed: number }): {
  plots: Plot[];
  environmentOfCell: number[];
} {
  const draw = normal(design.seed);
  const stream = createRandomStream(design.seed + 1);
  const cells = design.environments * design.replicates;
  const environmentOfCell = Array.from({ length: cells }, (_, cell) => Math.floor(cell / design.replicates));
  const cellEffects = environmentOfCell.map(() => 5 * draw());
  const plots: Plot[] = [];
  for (let line = 0; line < design.lines; line++) {
    const effect = 2 * draw();
    for (let environment = 0; environment < design.environments; environment++) {
      const interaction = draw();
      for (let replicate = 0; replicate < design.replicates; replicate++) {
        const cell = environment * design.replicates + replicate;
        const value = 50 + effect + interaction + cellEffects[cell]! + draw();
        if (stream.uniform() >= design.missing) plots.push([line, cell, value]);
      }
    }
  }
  return { plots, environmentOfCell };
}

describe('fitLineVariances', () => {
  test.each([
    ['balanced', { lines: 8, environments: 3, replicates: 2, missing: 0, seed: 1 }],
    ['a third of the plots missing', { lines: 12, environments: 3, replicates: 2, missing: 0.33, seed: 5 }],
    ['half of the plots missing', { lines: 16, environments: 4, replicates: 2, missing: 0.5, seed: 7 }],
  ])('equals the dense definition with interaction: %s', (_, design) => {
    const { plots, environmentOfCell } = simulate(design);
    const records = recordsOf(plots, environmentOfCell);
    const dense = denseTrial(records, true);
    const fit = fitted(records);
    const components = [fit.line, fit.lineByEnvironment!, fit.residual];
    expect(fit.converged).toBe(true);
    components.forEach(({ variance, standardError }, k) => {
      expect(variance / dense.theta[k]!).toBeCloseTo(1, 8);
      expect(standardError! / dense.standardErrors[k]!).toBeCloseTo(1, 7);
    });
    expect(fit.meanDifferenceVariance / dense.meanDifferenceVariance).toBeCloseTo(1, 8);
    expect(fit.cullisH2).toBeCloseTo(1 - dense.meanDifferenceVariance / (2 * dense.theta[0]!), 8);
  });

  test('equals the dense definition with checks fixed, plots repeated in a cell and a cell of checks alone', () => {
    const { plots, environmentOfCell } = simulate({
      lines: 14,
      environments: 3,
      replicates: 2,
      missing: 0.4,
      seed: 11,
    });
    const draw = normal(12);
    const own = environmentOfCell.length;
    const all: Plot[] = [
      ...plots.map(([line, cell, value]): Plot => [line, cell, line < 2 ? value + 40 * (line + 1) : value]),
      [3, 0, 51 + draw()],
      [3, 0, 51 + draw()],
      // A cell of checks 0 and 1, and one of two other checks that stand nowhere else.
      [0, own, 90 + draw()],
      [1, own, 130 + draw()],
      [14, own + 1, 10 + draw()],
      [15, own + 1, 20 + draw()],
      [14, own + 1, 10 + draw()],
    ];
    const records = recordsOf(all, [...environmentOfCell, 0, 3], [0, 1, 14, 15]);
    const dense = denseTrial(records, true);
    const fit = fitted(records);
    expect(fit.lines).toBe(12);
    [fit.line, fit.lineByEnvironment!, fit.residual].forEach(({ variance }, k) =>
      expect(variance / dense.theta[k]!).toBeCloseTo(1, 8),
    );
    expect(fit.meanDifferenceVariance / dense.meanDifferenceVariance).toBeCloseTo(1, 8);
  });

  test('balanced data gives the estimators of the analysis of variance', () => {
    const design = { lines: 10, environments: 4, replicates: 3, missing: 0, seed: 3 };
    const { plots, environmentOfCell } = simulate(design);
    const { lines, environments, replicates } = design;
    const mean = (chosen: (plot: Plot) => boolean) => {
      const values = plots.filter(chosen).map(([, , value]) => value);
      return values.reduce((a, b) => a + b, 0) / values.length;
    };
    const grand = mean(() => true);
    let msLines = 0;
    let msInteraction = 0;
    let error = 0;
    for (let line = 0; line < lines; line++) {
      const ofLine = mean(([of]) => of === line);
      msLines += (environments * replicates * (ofLine - grand) ** 2) / (lines - 1);
      for (let environment = 0; environment < environments; environment++) {
        const inEnvironment = ([, cell]: Plot) => environmentOfCell[cell] === environment;
        const both = mean((plot) => plot[0] === line && inEnvironment(plot));
        const ofEnvironment = mean(inEnvironment);
        msInteraction += (replicates * (both - ofLine - ofEnvironment + grand) ** 2) / (lines - 1) / (environments - 1);
        for (const plot of plots.filter((one) => one[0] === line && inEnvironment(one)))
          error += (plot[2] - both - mean(([, cell]) => cell === plot[1]) + ofEnvironment) ** 2;
      }
    }
    const msError = error / (environments * (replicates - 1) * (lines - 1));
    const fit = fitted(recordsOf(plots, environmentOfCell));
    expect(fit.residual.variance).toBeCloseTo(msError, 9);
    expect(fit.lineByEnvironment!.variance).toBeCloseTo((msInteraction - msError) / replicates, 9);
    expect(fit.line.variance).toBeCloseTo((msLines - msInteraction) / environments / replicates, 9);
    // Then Cullis' H² is the entry-mean one.
    expect(fit.cullisH2).toBeCloseTo(1 - msInteraction / msLines, 9);
  });

  test('one environment: two components, as by hand', () => {
    // 3 lines × 2 replicates: line means 2, 5, 8, MS(lines) 18, MS(error) 1.5 after the replicates.
    const plots: Plot[] = [
      [0, 0, 1],
      [0, 1, 3],
      [1, 0, 5],
      [1, 1, 5],
      [2, 0, 6],
      [2, 1, 10],
    ];
    const fit = fitted(recordsOf(plots, [0, 0]));
    const errors = [1, 3, 5, 5, 6, 10].map((y, i) => y - [2, 5, 8][i >> 1]! - [4, 6][i % 2]! + 5);
    const msError = errors.reduce((sum, value) => sum + value ** 2, 0) / 2;
    expect(fit.lineByEnvironment).toBeNull();
    expect(fit.residual.variance).toBeCloseTo(msError, 10);
    expect(fit.line.variance).toBeCloseTo((18 - msError) / 2, 10);
    expect(fit.cullisH2).toBeCloseTo(1 - msError / 18, 10);
  });

  test('a component that would be negative is 0 and says so', () => {
    const draw = normal(40);
    const plots: Plot[] = [];
    // Lines 0 … 7 on two plots each, whose values go against each other: less alike than two plots at random.
    for (let line = 0; line < 8; line++) {
      const part = draw();
      plots.push([line, 0, 10 + part], [line, 1, 12 - part + 0.1 * draw()]);
    }
    const fit = fitted(recordsOf(plots, [0, 0]));
    expect(fit).toMatchObject({ cullisH2: 0, line: { variance: 0, standardError: null, isAtBound: true } });
    const ordinary = plots.map(([, , value]) => value);
    const means = [0, 1].map((cell) => ordinary.filter((__, i) => i % 2 === cell).reduce((a, b) => a + b, 0) / 8);
    const pooled = ordinary.reduce((sum, value, i) => sum + (value - means[i % 2]!) ** 2, 0) / 14;
    expect(fit.residual.variance).toBeCloseTo(pooled, 9);
  });

  test('scale, shift, effects of cells and order of the rows do not matter', () => {
    const { plots, environmentOfCell } = simulate({
      lines: 15,
      environments: 3,
      replicates: 2,
      missing: 0.3,
      seed: 21,
    });
    const fit = fitted(recordsOf(plots, environmentOfCell));
    for (const scale of [1e-100, 1e-6, 1e6, 1e100]) {
      const changed = plots.map(([line, cell, value]): Plot => [line, cell, scale * (value + 3 * cell - 20)]).reverse();
      const other = fitted(recordsOf(changed, environmentOfCell));
      expect(other.line.variance / scale / scale / fit.line.variance).toBeCloseTo(1, 8);
      expect(other.residual.standardError! / scale / scale / fit.residual.standardError!).toBeCloseTo(1, 7);
      expect(other.cullisH2).toBeCloseTo(fit.cullisH2, 8);
    }
    const renamed = plots.map(([line, cell, value]): Plot => [14 - line, environmentOfCell.length - 1 - cell, value]);
    const other = fitted(recordsOf(renamed, environmentOfCell.toReversed()));
    expect(other.cullisH2).toBeCloseTo(fit.cullisH2, 9);
    expect(other.logLikelihood).toBeCloseTo(fit.logLikelihood, 8);
  });

  test('nothing is estimated where nothing can be', () => {
    const single: Plot[] = [0, 1, 2, 3].map((line): Plot => [line, 0, line * line]);
    expect(fitLineVariances(recordsOf(single, [0]))).toBeNull();
    const exact: Plot[] = [0, 1, 2].flatMap((line): Plot[] => [
      [line, 0, line],
      [line, 1, line + 1],
    ]);
    expect(fitLineVariances(recordsOf(exact, [0, 0]))).toBeNull();
    const constant: Plot[] = exact.map(([line, cell]): Plot => [line, cell, 7]);
    expect(fitLineVariances(recordsOf(constant, [0, 0]))).toBeNull();
  });

  test('thousands of lines in many environments take no dense matrix of lines', () => {
    const { plots, environmentOfCell } = simulate({
      lines: 3000,
      environments: 20,
      replicates: 2,
      missing: 0.6,
      seed: 9,
    });
    const fit = fitted(recordsOf(plots, environmentOfCell));
    expect(fit.converged).toBe(true);
    // True values 4, 1 and 1; standard errors of 3,000 lines are below 0.12.
    expect(Math.abs(fit.line.variance - 4)).toBeLessThan(4 * fit.line.standardError!);
    expect(fit.line.standardError!).toBeLessThan(0.12);
    expect(Math.abs(fit.lineByEnvironment!.variance - 1)).toBeLessThan(4 * fit.lineByEnvironment!.standardError!);
    expect(Math.abs(fit.residual.variance - 1)).toBeLessThan(4 * fit.residual.standardError!);
  });
});
