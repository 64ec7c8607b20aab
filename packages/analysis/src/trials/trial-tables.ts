import { type CsvValue, csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import type { Estimate, TrialFit } from '@heterosis/statgen/trials/fit-trial';
import type { LayoutSuspicion } from '@heterosis/statgen/trials/layout-suspicions';
import type { TrialResult } from './analyze-trials.ts';

const MEANS = ['environment', 'trait', 'line', 'mean', 'se', 'blup', 'blup_se', 'replicates'] as const;
/** Columns of the covariance of means. */
export const COVARIANCE_COLUMNS = ['environment', 'trait', 'line1', 'line2', 'covariance'] as const;
const PLOTS = [
  'environment',
  'trait',
  'row',
  'column',
  'line',
  'value',
  'fitted',
  'trend',
  'residual',
  'studentized',
  'outlier',
] as const;

/** One row a line with a value: its BLUE and its BLUP as a deviation, each where it was asked for. */
export const trialMeansCsv = (results: readonly TrialResult[]): Generator<string> =>
  csvChunks(
    MEANS,
    results.flatMap((result) =>
      meanRows(result).map(({ line, mean, se, blup, blup_se, replicates }): CsvValue[] => [
        ...[result.environment, result.trait, line, mean, se, blup, blup_se, replicates],
      ]),
    ),
  );

/** A line of a trial; null for what was not asked for or is not estimable. */
export interface MeanRow {
  line: string;
  mean: number | null;
  se: number | null;
  blup: number | null;
  blup_se: number | null;
  /** Plots with a value. */
  replicates: number;
}

/** The lines of a trial with a value, in the order in which they stand in the file. */
export function meanRows({ plots, analysis }: TrialResult): MeanRow[] {
  const { fixed, random, main } = analysis;
  const replicates = new Map<string, number>();
  for (const plot of main.used) {
    const name = plots[plot]?.name ?? '';
    replicates.set(name, (replicates.get(name) ?? 0) + 1);
  }
  const means = new Map(fixed?.means?.lines.map((name, i) => [name, i]));
  const blups = new Map(random?.blups?.lines.map((name, i) => [name, i]));
  return [...replicates].map(([line, count]) => {
    const [mean, blup] = [means.get(line), blups.get(line)];
    const variance = mean === undefined ? undefined : fixed?.means?.covariance[mean * (means.size + 1)];
    return {
      line,
      mean: mean === undefined ? null : (fixed?.means?.means[mean] ?? null),
      se: variance === undefined ? null : Math.sqrt(variance),
      blup: blup === undefined ? null : (random?.blups?.values[blup] ?? null),
      blup_se: blup === undefined ? null : (random?.blups?.errors[blup] ?? null),
      replicates: count,
    };
  });
}

/** The covariance of the means, lower triangle with the diagonal. */
export function trialCovarianceCsv(results: readonly TrialResult[]): Generator<string> {
  return csvChunks(COVARIANCE_COLUMNS, rows());
  function* rows(): Generator<CsvValue[]> {
    for (const { environment, trait, analysis } of results) {
      const means = analysis.fixed?.means;
      if (means === undefined || means === null) continue;
      const n = means.lines.length;
      for (let i = 0; i < n; i++)
        for (let j = 0; j <= i; j++)
          yield [environment, trait, means.lines[i], means.lines[j], means.covariance[i + j * n]];
    }
  }
}

/** Every plot of the field; without a value it has only its place and line. */
export function trialPlotsCsv(results: readonly TrialResult[]): Generator<string> {
  return csvChunks(PLOTS, rows());
  function* rows(): Generator<CsvValue[]> {
    for (const { environment, trait, plots, values, analysis } of results) {
      const { main, outliers } = analysis;
      const places = new Map(Array.from(main.used, (plot, i) => [plot, i]));
      const marked = new Set(outliers.map(({ place }) => place));
      for (const [plot, { name, design }] of plots.entries()) {
        const at = places.get(plot);
        const place = [environment, trait, design.row ?? null, design.column ?? null, name, values[plot]];
        yield at === undefined
          ? [...place, null, null, null, null, null]
          : [
              ...place,
              ...[main.fitted[at], main.trend[at], main.residual[at], main.studentized[at]],
              marked.has(at) ? 1 : 0,
            ];
      }
    }
  }
}

/** The figures of every trial as JSON; at the top level those of the fit with random lines, if there is one. */
export function trialReport(results: readonly TrialResult[]): { trials: TrialSummary[] } {
  return { trials: results.map(summaryOf) };
}

export interface FitSummary {
  log_likelihood: number;
  criterion: { aic: number; bic: number };
  fixed_effects: number;
  variance_parameters: number;
  variances: Record<string, EstimateSummary>;
  correlations: { row: number | null; column: number | null; at_bound: string[] } | null;
  effective_dimensions: Record<string, number>;
  converged: boolean;
}

interface EstimateSummary {
  value: number;
  se: number | null;
  at_bound: boolean;
}

export interface TrialSummary extends FitSummary {
  environment: string;
  trait: string;
  unit: string | null;
  model: string;
  /** How the lines enter the fit of these figures. */
  lines: 'fixed' | 'random';
  /** Where the standard errors of variances come from. */
  information: 'average';
  n: number;
  line_count: number;
  design: { fixed: string[]; random: string[] };
  h2: { cullis: number | null; piepho: number | null; plot: number | null };
  h2_reasons: Record<string, string>;
  /** Both fits, where both were asked for. */
  fits: { fixed: FitSummary | null; random: FitSummary | null };
  alternatives: {
    model: string;
    log_likelihood: number | null;
    parameters: number | null;
    aic: number | null;
    bic: number | null;
    left_out: string | null;
  }[];
  outliers: { file_line: number; line: string; statistic: number; p: number }[];
  layout: { suspicions: Record<string, unknown>[]; reason: string | null };
  notes: string[];
}

function summaryOf({ environment, trait, unit, plots, design, analysis }: TrialResult): TrialSummary {
  const { main, fixed, random, heritability } = analysis;
  const { cullis, piepho, plot, reasons } = heritability;
  return {
    ...{ environment, trait, unit, model: analysis.model, lines: main.lines, information: 'average' },
    ...{ n: main.used.length, line_count: new Set(Array.from(main.used, (place) => plots[place]?.name)).size, design },
    ...fitSummary(main),
    h2: { cullis, piepho, plot },
    h2_reasons: { ...reasons },
    fits: { fixed: fixed && fitSummary(fixed), random: random && fitSummary(random) },
    alternatives: analysis.alternatives.map(({ model, fit, leftOut }) => ({
      model,
      log_likelihood: fit?.logLikelihood ?? null,
      parameters: fit === null ? null : fit.fixedEffects + fit.varianceParameters,
      aic: fit?.criterion.aic ?? null,
      bic: fit?.criterion.bic ?? null,
      left_out: leftOut,
    })),
    outliers: analysis.outliers.map(({ place, statistic, p }) => {
      const of = plots[main.used[place] ?? -1];
      return { file_line: of?.line ?? 0, line: of?.name ?? '', statistic, p };
    }),
    layout: {
      suspicions: analysis.layout.suspicions.map((suspicion) => suspicionOf(suspicion, plots)),
      reason: analysis.layout.reason,
    },
    notes: analysis.notes,
  };
}

function fitSummary(fit: TrialFit): FitSummary {
  const { correlations } = fit;
  return {
    log_likelihood: fit.logLikelihood,
    criterion: fit.criterion,
    fixed_effects: fit.fixedEffects,
    variance_parameters: fit.varianceParameters,
    variances: Object.fromEntries(
      Object.entries(fit.variances).map(([name, estimate]) => [name, estimateOf(estimate)]),
    ),
    correlations: correlations && {
      row: correlations.row?.value ?? null,
      column: correlations.column?.value ?? null,
      at_bound: (['row', 'column'] as const).filter((axis) => correlations[axis]?.atBound === true),
    },
    effective_dimensions: fit.effectiveDimensions,
    converged: fit.converged,
  };
}

const estimateOf = ({ value, se, atBound }: Estimate): EstimateSummary => ({ value, se, at_bound: atBound });

function suspicionOf(suspicion: LayoutSuspicion, plots: TrialResult['plots']): Record<string, unknown> {
  if (suspicion.kind === 'map') return { kind: 'map', change: suspicion.change, gain: suspicion.gain };
  const described = suspicion.plots.map((place) => {
    const plot = plots[place];
    return { file_line: plot?.line, line: plot?.name, row: plot?.design.row, column: plot?.design.column };
  });
  return { kind: 'swap', plots: described, gain: suspicion.gain };
}
