import type { Estimate, TrialFit } from './fit-trial.ts';
import { type ReferenceFit, resultTable } from './reference-trials.test-data.ts';
import { trialHeritability } from './trial-heritability.ts';

/** Names of the reference's parameters. */
const PARAMETERS: Record<string, string> = {
  lines: 'gen',
  spline_columns: 'f(col)',
  spline_rows: 'f(row)',
  spline_columns_linear_rows: 'f(col):row',
  spline_rows_linear_columns: 'col:f(row)',
  spline_interaction: 'f(col):f(row)',
};

/** Largest differences of a fit from its reference, in the units of the tolerances of the reference's README. */
export interface Differences {
  /** Positive: ours is higher. */
  logLikelihood: number;
  /** In residual variances; correlations as they are. */
  variances: number;
  /** In standard deviations of the effects. */
  effects: number;
  /** Relative, of effects. */
  standardErrors: number;
  /** Relative, of variances. */
  informationErrors: number;
  /** In standard deviations squared of the means; 0 where the reference has no covariance. */
  covariance: number;
  effectiveDimensions: number;
  heritability: number;
}

export function differencesOf(reference: ReferenceFit, fit: TrialFit, fixed: TrialFit | null): Differences {
  const { trial, name, lines } = reference;
  const isSame = ([model, way]: string[]) => model === name && way === lines;
  const parameters = new Map(
    resultTable(trial, 'variance')
      .rows.filter(isSame)
      .map((row) => [row[2], row]),
  );
  const process = parameters.get('ar1.variance');
  const residual = Number((parameters.get('residual') ?? process ?? [])[3]);
  let variances = 0;
  let informationErrors = 0;
  const compare = (parameter: string, estimate: Estimate, unit: number) => {
    const row = parameters.get(parameter) ?? [];
    variances = Math.max(variances, Math.abs(estimate.value - Number(row[3])) / unit);
    if (estimate.se !== null && row[4] !== '')
      informationErrors = Math.max(informationErrors, Math.abs(estimate.se / Number(row[4]) - 1));
  };
  for (const [parameter, estimate] of Object.entries(fit.variances))
    compare(
      process !== undefined && parameter === 'residual' ? 'ar1.variance' : (PARAMETERS[parameter] ?? parameter),
      estimate,
      residual,
    );
  if (fit.correlations?.row) compare('rho.row', fit.correlations.row, 1);
  if (fit.correlations?.column) compare('rho.col', fit.correlations.column, 1);
  const dimensions = resultTable(trial, 'ed').rows.filter(isSame);
  const effectiveDimensions = dimensions.map((row) => {
    const ours = Object.keys(fit.effectiveDimensions).find((key) => (PARAMETERS[key] ?? key) === row[2]) ?? '';
    return Math.abs((fit.effectiveDimensions[ours] ?? Number.NaN) - Number(row[3]));
  });
  return {
    logLikelihood: fit.logLikelihood - reference.logLikelihood,
    variances,
    informationErrors,
    ...effectDifferences(reference, fit),
    covariance: covarianceDifference(reference, fit),
    effectiveDimensions: Math.max(0, ...effectiveDimensions),
    heritability: heritabilityDifference(reference, fit, fixed),
  };
}

function effectDifferences(
  { trial, name, lines }: ReferenceFit,
  fit: TrialFit,
): Pick<Differences, 'effects' | 'standardErrors'> {
  const table = resultTable(trial, lines === 'fixed' ? 'blues' : 'blups');
  const rows = table.rows.filter(([model]) => model === name);
  const known = new Map(rows.map((row) => [row[1], row]));
  const values = rows.map((row) => Number(row[2]));
  const mean = values.reduce((sum, value) => sum + value / values.length, 0);
  const sd = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2 / values.length, 0)) || 1;
  const n = fit.means?.lines.length ?? 0;
  const ours = fit.means
    ? {
        lines: fit.means.lines,
        values: fit.means.means,
        errors: fit.means.means.map((_, i) => Math.sqrt(fit.means?.covariance[i + i * n] ?? 0)),
      }
    : (fit.blups ?? { lines: [], values: [], errors: [] });
  if (rows.length > 0 && ours.lines.length !== rows.length) return { effects: Number.NaN, standardErrors: Number.NaN };
  let effects = 0;
  let standardErrors = 0;
  for (const [i, line] of (rows.length === 0 ? [] : ours.lines).entries()) {
    const row = known.get(line) ?? [];
    effects = Math.max(effects, Math.abs(ours.values[i] - Number(row[2])) / sd);
    const error = Number(row[3]);
    standardErrors = Math.max(standardErrors, error === 0 ? ours.errors[i] : Math.abs(ours.errors[i] / error - 1));
  }
  return { effects, standardErrors };
}

function covarianceDifference({ trial, name }: ReferenceFit, { means }: TrialFit): number {
  const table = resultTable(trial, `blue-covariance-${name}`);
  if (means === null || table.rows.length === 0) return 0;
  const n = means.lines.length;
  const place = new Map(means.lines.map((line, i) => [line, i]));
  let largest = 0;
  for (const [i, row] of table.rows.entries()) {
    for (let j = 0; j < row.length; j++) {
      const [a, b] = [place.get(table.header[i]) ?? -1, place.get(table.header[j]) ?? -1];
      const scale = Math.sqrt(means.covariance[a + a * n] * means.covariance[b + b * n]);
      largest = Math.max(largest, Math.abs(means.covariance[a + b * n] - Number(row[j])) / scale);
    }
  }
  return largest;
}

function heritabilityDifference({ trial, name }: ReferenceFit, fit: TrialFit, fixed: TrialFit | null): number {
  if (fit.blups === null) return 0;
  const ours = trialHeritability(fit, fixed ?? 'not fitted');
  const rows = resultTable(trial, 'h2').rows.filter(([model]) => model === name);
  const of = (definition: string) => rows.find((row) => row[1] === definition)?.[2];
  const difference = (one: number | null, other: string | undefined) =>
    one === null || other === undefined ? 0 : Math.abs(one - Number(other));
  return Math.max(difference(ours.cullis, of('H2_cullis')), difference(ours.piepho, of('H2_piepho_mohring')));
}
