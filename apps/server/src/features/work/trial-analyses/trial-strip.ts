import type { TrialResult } from '@heterosis/analysis/trials/analyze-trials';
import { meanStandardErrorOfDifference, trendLine } from '@heterosis/analysis/trials/field-of-trial';
import type { TrialSummary } from '@heterosis/analysis/trials/trial-tables';
import { suspicionInWords } from '@heterosis/analysis/trials/trial-words';
import { MOST_TREND_VALUES, type TrialStrip } from '@heterosis/contracts/work/trial-analyses';
import type { TrialOfRun } from './plots-of-run.ts';
import type { TrialAnalysisParameters } from './trial-analyses.queries.ts';
import { sentenceOfTrial } from './trial-sentences.ts';

/** What the page shows of a trial that was analysed. */
export function stripOf(
  trial: TrialOfRun,
  { result, summary }: { result: TrialResult; summary: TrialSummary },
  parameters: TrialAnalysisParameters,
): TrialStrip {
  const trend = trendLine(trial.task, result.analysis.main, MOST_TREND_VALUES);
  const suspicions = summary.layout.suspicions.map(suspicionOf);
  const model = result.analysis.model;
  return {
    ...startOf(trial, parameters),
    ...{ state: 'ANALYSED', reason: null, action: null, model, suspicions, outliers: summary.outliers },
    sentence: sentenceOfTrial({ h2: summary.h2, model, suspicions, outliers: summary.outliers }),
    ...{ design: summary.design, plots: summary.n, lines: summary.line_count },
    ...{ log_likelihood: summary.log_likelihood, ...summary.criterion, converged: summary.converged },
    ...{ h2: summary.h2, h2_reasons: summary.h2_reasons, variances: summary.variances },
    ...{ correlations: summary.correlations, effective_dimensions: summary.effective_dimensions },
    alternatives: summary.alternatives.map((one) => ({ ...one, model: one.model as TrialStrip['model'] & string })),
    ...{ trend: trend.values, trend_along: trend.along, notes: [...trial.task.notes, ...summary.notes] },
    mean_sed: meanStandardErrorOfDifference(result),
  };
}

/** What the page shows of a trial that could not be analysed. */
export const stripOfFailure = (
  trial: TrialOfRun,
  { message, action }: { message: string; action: string },
  parameters: TrialAnalysisParameters,
): TrialStrip => ({
  ...startOf(trial, parameters),
  ...{ state: 'LEFT_OUT', reason: message, action, sentence: null, model: null, design: null },
  plots: trial.task.values.filter(Number.isFinite).length,
  lines: new Set(trial.task.plots.filter((_, i) => Number.isFinite(trial.task.values[i])).map(({ name }) => name)).size,
  ...{ log_likelihood: null, aic: null, bic: null, converged: null, h2: null, h2_reasons: {}, variances: {} },
  ...{ correlations: null, effective_dimensions: {}, alternatives: [], suspicions: [], outliers: [] },
  ...{ trend: [], trend_along: null, mean_sed: null, notes: trial.task.notes },
});

function startOf(
  { task: { environment, trait, model }, file, setAside }: TrialOfRun,
  { overrides = [] }: TrialAnalysisParameters,
): Pick<TrialStrip, 'environment' | 'phenotype_id' | 'chosen_by' | 'set_aside'> {
  const isOverridden = overrides.some(
    (one) => one.trait === trait && one.environment.toLowerCase() === environment.toLowerCase(),
  );
  return {
    ...{ environment, phenotype_id: file.id, set_aside: setAside.size },
    chosen_by: isOverridden ? 'override' : model === 'auto' ? 'criterion' : 'request',
  };
}

function suspicionOf(suspicion: Record<string, unknown>): TrialStrip['suspicions'][number] {
  type Plot = { file_line?: number; line?: string; row?: string; column?: string };
  const plots = (suspicion['plots'] ?? []) as Plot[];
  return {
    kind: suspicion['kind'] === 'map' ? 'map' : 'swap',
    text: suspicionInWords(suspicion),
    change: typeof suspicion['change'] === 'string' ? suspicion['change'] : null,
    gain: Number(suspicion['gain']),
    plots: plots.map(({ file_line = 0, line = '', row = null, column = null }) => ({ file_line, line, row, column })),
  };
}
