import { analyzeTrials, type TrialModelChoice, type TrialResult } from '@heterosis/analysis/trials/analyze-trials';
import { openPlotTable, type PlotTable, type TablePlot } from '@heterosis/analysis/trials/plot-table';
import {
  type TrialSummary,
  trialCovarianceCsv,
  trialMeansCsv,
  trialPlotsCsv,
  trialReport,
} from '@heterosis/analysis/trials/trial-tables';
import { suspicionInWords } from '@heterosis/analysis/trials/trial-words';
import { inputsOf } from '@heterosis/contracts/options/define-options';
import { flagsOf, optionsOfFlags } from '@heterosis/contracts/options/option-flags';
import { TRIAL_OPTIONS } from '@heterosis/contracts/options/trials';
import { type Command, defineCommand, inputError } from '../command.ts';
import { PHENOTYPE_OPTIONS, phenotypeChoices } from '../options/model-options.ts';
import { writeOutput } from '../write-output.ts';

export const trialCommand: Command = defineCommand({
  name: 'trial',
  summary: 'analyse field trials: blocks, rows and columns, splines, autoregression',
  description: [
    'Fits each environment and trait by REML and writes means (BLUE) with their whole covariance, BLUPs, variance components and heritabilities. Columns named row, column, replicate and block are the design, kind (entry, check, filler) tells plots apart, and environment, location and year make environments.',
    'Models: blocks (replicates fixed, blocks within replicates random, or what --fixed and --random say), rowcol (the same, and random rows and columns), psanova (P-spline surface of five terms with fixed linear trends, and random rows and columns), ar1 (first-order autoregression along rows and columns), ar1-units (the same with a nugget). auto fits all that apply and takes the one with the smallest AIC of the full likelihood (Verbyla 2019).',
    '--fixed and --random name columns of the file, a:b a combination of two; they are the terms of blocks and rowcol. covariate:NAME is a column of numbers and belongs to every model.',
    'The lines are fixed for means and random for variances, BLUPs and heritability. --checks names lines that are fixed in both. Heritability is given after Cullis and others (2006), after Piepho and Möhring (2007), and on the basis of one plot; the report says why one is missing.',
    'Plots whose residuals are too large (Bernal-Vasquez and others 2016, method M4r) are marked, and maps that the values contradict are named: reversed, filled in another order, two plots swapped. Nothing is set aside.',
  ],
  options: { ...flagsOf(TRIAL_OPTIONS), columns: PHENOTYPE_OPTIONS.columns },
  output: [
    'Means: environment, trait, line, mean, se, blup (deviation), blup_se (root of the prediction error variance), replicates (plots with a value).',
    'Covariance: environment, trait, line1, line2, covariance; lower triangle with the diagonal.',
    'Plots: environment, trait, row, column, line, value, fitted, trend, residual, studentized, outlier (1 or 0); of the fit with random lines, if there is one.',
    'Report: trials, each with model, log_likelihood (REML with all constants), criterion, variances with standard errors of the average information, correlations, effective_dimensions, h2, alternatives, outliers, layout, notes. Figures at the top level are those of the fit with random lines, if there is one; fits has both.',
  ],
  examples: [
    'heterosis trial --phenotype plots.csv --trait Yield --out means.csv --covariance covariance.csv --report trial.json',
    'heterosis trial --phenotype plots.csv --trait Yield --model blocks --fixed replicate --random replicate:block --out means.csv',
    'heterosis trial --phenotype plots.csv --trait Yield --model psanova --fixed covariate:weed --checks CK1,CK2 --out means.csv',
  ],
  usesMatrixProducts: true,
  async run(options, io) {
    if (options.covariance !== undefined && options.lines === 'random') {
      throw inputError(
        'E-CLI-VALUE',
        '--covariance is that of the means, which --lines random does not give.',
        'Leave it out, or choose --lines fixed or both.',
      );
    }
    const segments = options.segments === undefined ? {} : { segments: segmentsOf(options.segments) };
    const table = await openPlotTable(options.phenotype, io.context, phenotypeChoices(options));
    io.report(
      table.reading.report.problems.filter(({ severity }) => severity === 'warning'),
      options.phenotype,
    );
    const { results, warnings } = await analyzeTrials(
      table,
      {
        ...{ ...inputsOf(TRIAL_OPTIONS, optionsOfFlags(TRIAL_OPTIONS, options)), ...segments },
        overrides: overridesOf(options.override ?? [], options.trait, table),
        isSetAside: setAsideOf(options['set-aside'] ?? [], table),
      },
      io.context,
    );
    io.report(warnings, options.phenotype);
    const written = await writeAll(results, options);
    const { trials } = trialReport(results);
    return {
      summary: { trials, ...written },
      lines: [...trials.flatMap(linesOf), ...Object.values(written).map((path) => `written: ${path}`)],
    };
  },
});

/** Writes what was asked for; the file of means comes last, so that it is there only when all others are. */
async function writeAll(
  results: readonly TrialResult[],
  {
    out,
    covariance,
    plots,
    report,
  }: { out: string; covariance?: string | undefined; plots?: string | undefined; report?: string | undefined },
): Promise<Record<string, string>> {
  if (covariance !== undefined) await writeOutput(covariance, trialCovarianceCsv(results));
  if (plots !== undefined) await writeOutput(plots, trialPlotsCsv(results));
  if (report !== undefined) await writeOutput(report, [`${JSON.stringify(trialReport(results), null, 2)}\n`]);
  await writeOutput(out, trialMeansCsv(results));
  const paths = { covariance, plots, report, out };
  return Object.fromEntries(Object.entries(paths).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** `Kiel=rowcol`: a model for one environment, of all traits. */
function overridesOf(texts: readonly string[], traits: readonly string[], table: PlotTable): TrialModelChoice[] {
  const { choices } = TRIAL_OPTIONS.model;
  return texts.flatMap((text) => {
    const at = text.lastIndexOf('=');
    const model = choices.find((one) => one === text.slice(at + 1));
    if (at < 1 || model === undefined) {
      throw inputError(
        'E-CLI-VALUE',
        `--override takes an environment and a model, not "${text}".`,
        `Write --override Kiel=rowcol; the models are ${choices.join(', ')}.`,
      );
    }
    const { name } = environmentOf(text.slice(0, at), table);
    return traits.map((trait) => ({ environment: name, trait, model }));
  });
}

/** `Kiel:17`: the plot on line 17 of the file. */
function setAsideOf(
  texts: readonly string[],
  table: PlotTable,
): (environment: string, trait: string, plot: TablePlot) => boolean {
  const aside = new Set(
    texts.map((text) => {
      const [, named = '', line] = /^(.+):(\d+)$/.exec(text) ?? [];
      const found = line === undefined ? undefined : environmentOf(named, table);
      if (found?.plots.some((plot) => plot.line === Number(line))) return `${found.name}:${line}`;
      throw inputError(
        'E-CLI-VALUE',
        found === undefined
          ? `--set-aside takes an environment and a line of the file, not "${text}".`
          : `${found.name} has no plot on line ${line} of the file.`,
        'Write --set-aside Kiel:17; the first line of the file, its header, is 1.',
      );
    }),
  );
  return (environment, _, plot) => aside.has(`${environment}:${plot.line}`);
}

function environmentOf(name: string, { environments }: PlotTable): PlotTable['environments'][number] {
  const found = environments.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  const names = environments.map((one) => one.name).join(', ');
  throw inputError('E-CLI-VALUE', `The file has no environment "${name}".`, `Its environments are ${names}.`);
}

const MOST_SEGMENTS = 200;

function segmentsOf(texts: readonly string[]): { rows: number; columns: number } {
  // Equal numbers are one item of a list.
  const [rows, columns = rows] = texts.map(Number);
  const isCount = (value: number | undefined) =>
    value !== undefined && Number.isInteger(value) && value >= 2 && value <= MOST_SEGMENTS;
  if (texts.length > 2 || !isCount(rows) || !isCount(columns)) {
    throw inputError(
      'E-CLI-VALUE',
      `--segments must be two whole numbers from 2 to ${MOST_SEGMENTS}, not "${texts.join(',')}".`,
      'Write --segments 12,8 for twelve along rows and eight along columns.',
    );
  }
  return { rows: rows ?? 2, columns: columns ?? 2 };
}

function linesOf(trial: TrialSummary): string[] {
  const variances = Object.entries(trial.variances).map(
    ([name, { value, se, at_bound }]) =>
      `${name} ${figure(value)}${at_bound ? ' (at its bound)' : se === null ? '' : ` ± ${figure(se)}`}`,
  );
  const correlations =
    trial.correlations === null
      ? []
      : Object.entries(trial.correlations).flatMap(([axis, value]) =>
          typeof value === 'number' ? [`${axis} ${value.toFixed(3)}`] : [],
        );
  const others = trial.alternatives.map(({ model, aic, left_out }) =>
    left_out === null ? `${model} ${aic?.toFixed(2)}` : `${model} left out (${left_out})`,
  );
  const { cullis, piepho, plot } = trial.h2;
  const reason = trial.h2_reasons['cullis'] ?? trial.h2_reasons['piepho'];
  return [
    `${trial.trait}, ${trial.environment}: ${trial.model}, ${trial.n} plots, ${trial.line_count} lines; log-likelihood ${trial.log_likelihood.toFixed(4)} (lines ${trial.lines})`,
    `  variance (REML): ${variances.join(', ')}`,
    ...(correlations.length === 0 ? [] : [`  correlations of neighbours: ${correlations.join(', ')}`]),
    `  H² Cullis ${share(cullis)}, Piepho and Möhring ${share(piepho)}, plot ${share(plot)}${reason === undefined ? '' : ` (${reason})`}`,
    ...(others.length < 2 ? [] : [`  AIC: ${others.join(', ')}`]),
    ...(trial.design.fixed.length + trial.design.random.length === 0
      ? []
      : [
          `  terms of blocks: fixed ${trial.design.fixed.join(', ') || 'none'}; random ${trial.design.random.join(', ') || 'none'}`,
        ]),
    ...trial.outliers.map(
      ({ file_line, line }) => `  looks wrong: the plot of "${line}" on line ${file_line} of the file`,
    ),
    ...trial.layout.suspicions.map((suspicion) => `  the map looks wrong: ${suspicionInWords(suspicion)}`),
    ...trial.notes.map((note) => `  note: ${note}`),
  ];
}

const figure = (value: number): string => String(Number(value.toPrecision(4)));
const share = (value: number | null): string => (value === null ? 'none' : value.toFixed(3));
