import { type FileProblem, ProblemCollector } from '@heterosis/file-formats/problem';
import { WHOLE_PLOT } from '@heterosis/file-formats/tables/phenotype/phenotype-header';
import { setComputeThreads } from '@heterosis/statgen/linear-algebra';
import { analyzeTrial, type TrialAnalysis } from '@heterosis/statgen/trials/analyze-trial';
import type { SplineSegments, TrialModel } from '@heterosis/statgen/trials/trial-models';
import type { PlotFactor, TrialPlots } from '@heterosis/statgen/trials/trial-plots';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import { describeError } from '../describe-error.ts';
import { requireTraits } from '../inputs/align-phenotype.ts';
import { FileRefused } from '../inputs/open-genotype.ts';
import { checkBlocks, checkFillers, coordinatesOf, type PlotCoordinates } from './check-plots.ts';
import { covariateOfTerm, type DesignTerm, designTerms, factorOfTerm } from './design-terms.ts';
import type { PlotTable, TablePlot } from './plot-table.ts';
import { wholePlotNotes, wholePlotsOf } from './whole-plots.ts';

export interface TrialRequest {
  traits: readonly string[];
  /** Names of environments; none: all. */
  environments?: readonly string[];
  model: TrialModel | 'auto';
  /** Terms of the models of blocks, see {@link designTerms}; without any: what the design columns offer. */
  fixed?: readonly string[] | undefined;
  random?: readonly string[] | undefined;
  segments?: SplineSegments;
  lines: 'fixed' | 'random' | 'both';
  /** Lines that are fixed effects where the others are random. */
  checks?: readonly string[];
  alternatives?: boolean;
  /** Other models for single trials. */
  overrides?: readonly TrialModelChoice[];
  /** Whether the value of a plot does not count. The plot keeps its place in the field. */
  isSetAside?: (environment: string, trait: string, plot: TablePlot) => boolean;
}

/** The model of one environment and trait, where it is not that of the others. */
export interface TrialModelChoice extends Pick<TrialRequest, 'model' | 'fixed' | 'random'> {
  environment: string;
  trait: string;
}

/** What decides which trials there are, and with which terms. */
type TrialSelection = Omit<TrialRequest, 'lines' | 'segments' | 'alternatives'>;

/** The analysis of one environment and trait. */
export interface TrialResult {
  environment: string;
  trait: string;
  unit: string | null;
  /** What the models of blocks took, for display. */
  design: { fixed: string[]; random: string[] };
  /** Plots of the environment; the analysis names them by their place here. */
  plots: TablePlot[];
  values: Float64Array;
  analysis: TrialAnalysis;
}

/**
 * Analyses every environment and trait of a table of plots. All that is wrong with the plots is found before the first
 * model is fitted.
 *
 * @throws FileRefused with E-TR-… for all plots concerned; AnalysisError `trials/unknown-environment`,
 * `trials/unknown-check`, `trials/unknown-column`, `trials/covariate-not-numeric`, `trials/not-numeric`,
 * `trials/not-possible`
 */
export async function analyzeTrials(
  table: PlotTable,
  request: TrialRequest,
  context: AnalysisContext,
): Promise<{ results: TrialResult[]; warnings: FileProblem[] }> {
  setComputeThreads(context.threads);
  const { tasks, warnings } = prepareTrials(table, request);
  const results: TrialResult[] = [];
  for (const [i, task] of tasks.entries()) {
    reportProgress(context, 'fit', i, tasks.length);
    results.push(analyzeTask(task, request));
    // Between trials other work of the process gets its turn.
    await new Promise(setImmediate);
  }
  reportProgress(context, 'fit', tasks.length, tasks.length);
  return { results, warnings };
}

/**
 * The plots of every environment and trait as models take them, after all checks.
 *
 * @throws as {@link analyzeTrials}, before the first fit
 */
export function prepareTrials(
  table: PlotTable,
  request: TrialSelection,
): { tasks: TrialTask[]; warnings: FileProblem[] } {
  const problems = new ProblemCollector();
  const traits = traitsOf(table, request.traits);
  const terms = (environment: Environment, trait: string): Terms =>
    termsOf(table, environment, overrideOf(request, environment.name, trait) ?? request);
  const environments = environmentsOf(table, request.environments);
  requireChecks(
    environments.flatMap(({ plots }) => plots),
    request.checks ?? [],
  );
  const tasks = environments.flatMap((environment) => tasksOf(table, environment, traits, terms, request, problems));
  const report = problems.report();
  if (report.totals.errors > 0) throw new FileRefused(table.path, report.problems);
  return { tasks, warnings: report.problems.filter(({ severity }) => severity === 'warning') };
}

function traitsOf(table: PlotTable, names: readonly string[]): number[] {
  if (table.reading.table === null) throw new TypeError('a table that was read');
  return requireTraits(table.reading.table, names).map((name) => {
    const place = table.traits.findIndex((trait) => trait.name === name);
    if (table.traits[place]?.kind !== 'numeric') {
      throw new AnalysisError(
        'trials/not-numeric',
        `"${name}" does not hold numbers.`,
        'Code classes as ordered numbers (1, 2, 3, …).',
        { trait: name },
      );
    }
    return place;
  });
}

type Environment = PlotTable['environments'][number];

interface Terms {
  fixed: DesignTerm[];
  random: DesignTerm[];
  covariates: DesignTerm[];
  /** Nobody asked for a design: it is what the columns offer. */
  isDefault: boolean;
}

function termsOf(
  table: PlotTable,
  environment: Environment,
  { fixed, random }: Pick<TrialRequest, 'fixed' | 'random'>,
): Terms {
  const { columns } = table;
  const asked = designTerms(table, fixed ?? []);
  const covariates = asked.filter(({ isCovariate }) => isCovariate);
  const factors = asked.filter(({ isCovariate }) => !isCovariate);
  if ((random ?? []).length > 0 || factors.length > 0)
    return { fixed: factors, random: designTerms(table, random ?? []), covariates, isDefault: false };
  const offeredFixed = [
    ...(columns.replicate === undefined ? [] : ['replicate']),
    ...(wholePlotsOf(table, environment).areCrossed ? [WHOLE_PLOT] : []),
  ];
  const block = columns.replicate === undefined ? 'block' : 'replicate:block';
  const offeredRandom = columns.block === undefined ? [] : [block];
  return {
    fixed: designTerms(table, offeredFixed),
    random: designTerms(table, offeredRandom),
    covariates,
    isDefault: true,
  };
}

function environmentsOf(table: PlotTable, names: readonly string[] | undefined): PlotTable['environments'] {
  if (names === undefined || names.length === 0) return table.environments;
  return names.map((name) => {
    const found = table.environments.find((environment) => environment.name.toLowerCase() === name.toLowerCase());
    if (found !== undefined) return found;
    throw new AnalysisError(
      'trials/unknown-environment',
      `The phenotype file has no environment "${name}".`,
      `Its environments are ${table.environments.map((environment) => environment.name).join(', ')}.`,
      { environment: name },
    );
  });
}

function requireChecks(plots: readonly TablePlot[], checks: readonly string[]): void {
  const names = new Set(plots.map(({ name }) => name));
  const unknown = checks.filter((check) => !names.has(check));
  if (unknown.length === 0) return;
  throw new AnalysisError(
    'trials/unknown-check',
    `No plot has the check ${unknown.map((name) => `"${name}"`).join(', ')}.`,
    'Write checks as the column of the lines does.',
    { checks: unknown },
  );
}

/** The model of its own that a trial has. */
const overrideOf = (
  { overrides = [] }: Pick<TrialRequest, 'overrides'>,
  environment: string,
  trait: string,
): TrialModelChoice | undefined =>
  overrides.find((one) => one.trait === trait && one.environment.toLowerCase() === environment.toLowerCase());

/** One environment and trait, ready to be fitted. */
export interface TrialTask extends Omit<TrialResult, 'analysis'> {
  model: TrialModel | 'auto';
  input: TrialPlots;
  /** Nobody asked for a design: it is what the columns offer. */
  isDefault: boolean;
  /** What its plots were warned of. */
  notes: string[];
}

/** One task a trait, after all checks of the environment. */
function tasksOf(
  table: PlotTable,
  environment: Environment,
  traits: readonly number[],
  termsFor: (environment: Environment, trait: string) => Terms,
  request: TrialSelection,
  problems: ProblemCollector,
): TrialTask[] {
  const notes = checkFillers(environment, problems);
  checkBlocks(environment, table.columns, problems);
  const coordinates = coordinatesOf(environment, table.columns, problems);
  const { plots } = environment;
  const order = new Map<string, number>();
  const line = Int32Array.from(plots, ({ name }) => {
    const code = order.get(name) ?? order.size;
    order.set(name, code);
    return code;
  });
  const lines = [...order.keys()];
  const checks = new Set(request.checks ?? []);
  const shared: Omit<TrialPlots, 'values' | 'fixed' | 'random' | 'covariates'> = {
    lines,
    line,
    places: null,
    grid: [],
    checks: checks.size === 0 ? null : Uint8Array.from(lines, (name) => Number(checks.has(name))),
  };
  if (coordinates !== null) {
    shared.grid = gridOf(coordinates, plots);
    if (coordinates.restart === null) shared.places = { rows: coordinates.rows, columns: coordinates.columns };
  }
  const tasks: TrialTask[] = [];
  for (const trait of traits) {
    const name = table.traits[trait]?.name ?? '';
    const isOut = (plot: TablePlot): boolean => request.isSetAside?.(environment.name, name, plot) ?? false;
    // Fillers stand in the field without being compared.
    const values = Float64Array.from(plots, (plot) =>
      plot.kind === 'filler' || isOut(plot) ? Number.NaN : Number(plot.values.get(trait) ?? Number.NaN),
    );
    if (!isAnalysable({ environment: environment.name, trait: name, plots, values }, problems)) continue;
    const terms = termsFor(environment, name);
    tasks.push({
      environment: environment.name,
      trait: name,
      unit: table.traits[trait]?.unit ?? null,
      design: { fixed: terms.fixed.map(({ text }) => text), random: terms.random.map(({ text }) => text) },
      plots,
      values,
      input: {
        ...shared,
        values,
        fixed: terms.fixed.map((term) => factorOfTerm(term, plots)),
        random: terms.random.map((term) => factorOfTerm(term, plots)),
        covariates: terms.covariates.map((term) => covariateOfTerm(term, plots)),
      },
      model: (overrideOf(request, environment.name, name) ?? request).model,
      isDefault: terms.isDefault,
      notes: [...notes, ...wholePlotNotes(table, environment, terms)],
    });
  }
  return tasks;
}

/** Rows and columns as factors, of each replicate where they start again. */
function gridOf({ restart }: PlotCoordinates, plots: readonly TablePlot[]): PlotFactor[] {
  const within = restart === null ? [] : [{ role: restart }];
  return [
    factorOfTerm({ name: 'rows', columns: [...within, { role: 'row' }] }, plots),
    factorOfTerm({ name: 'columns', columns: [...within, { role: 'column' }] }, plots),
  ];
}

/**
 * False, with E-TR-ONE-LINE or E-TR-CONSTANT, when there is nothing to compare; also for a trait that nobody measured.
 */
function isAnalysable(
  {
    environment,
    trait,
    plots,
    values,
  }: { environment: string; trait: string; plots: readonly TablePlot[]; values: Float64Array },
  problems: ProblemCollector,
): boolean {
  const measured = plots.filter((_, i) => Number.isFinite(values[i]));
  const names = new Set(measured.map(({ name }) => name));
  const [first] = measured;
  if (first === undefined) {
    problems.warning('W-TR-EMPTY', {
      value: environment,
      column: trait,
      message: `${trait} was not measured in ${environment}.`,
      suggestion: 'Nothing to do if this is right.',
    });
    return false;
  }
  if (names.size < 2) {
    problems.error('E-TR-ONE-LINE', {
      line: first.line,
      column: trait,
      value: first.name,
      message: `Only "${first.name}" has values of ${trait} in ${environment}: there is nothing to compare.`,
      suggestion: 'Leave the environment out (--environment names the others), or add its other lines.',
    });
    return false;
  }
  const finite = values.filter(Number.isFinite);
  if (finite.some((value) => value !== finite[0])) return true;
  problems.error('E-TR-CONSTANT', {
    line: first.line,
    column: trait,
    value: String(finite[0]),
    message: `All ${measured.length} plots of ${environment} have the value ${finite[0]} of ${trait}.`,
    suggestion: 'Leave the environment or the trait out, or check the export.',
  });
  return false;
}

/**
 * Fits one trial.
 *
 * @throws AnalysisError `trials/not-possible`
 */
export function analyzeTask(
  { input, isDefault, model, notes: _notes, ...task }: TrialTask,
  request: Pick<TrialRequest, 'lines' | 'segments' | 'alternatives'>,
): TrialResult {
  try {
    const analysis = analyzeTrial(input, {
      model,
      lines: request.lines,
      defaultDesign: isDefault,
      ...(request.segments === undefined ? {} : { segments: request.segments }),
      ...(request.alternatives === undefined ? {} : { alternatives: request.alternatives }),
    });
    return { ...task, analysis };
  } catch (error) {
    throw inTrial(error, task);
  }
}

/** An expected failure with the trial that it happened in. */
function inTrial(error: unknown, { environment, trait }: Pick<TrialResult, 'environment' | 'trait'>): unknown {
  const described = describeError(error);
  if (described === null) return error;
  return new AnalysisError(
    'trials/not-possible',
    `${trait} in ${environment} cannot be analysed. ${described.message}`,
    described.action,
    { environment, trait, code: described.code },
  );
}
