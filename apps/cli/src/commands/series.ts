import type { SeriesResult } from '@heterosis/analysis/trial-series/analyze-series';
import { openSeriesMeans, type SeriesMeans } from '@heterosis/analysis/trial-series/read-series';
import { recordsOfMeans, type SeriesRecords } from '@heterosis/analysis/trial-series/series-records';
import type { SeriesSources } from '@heterosis/analysis/trial-series/series-relationships';
import { type SeriesSummary, seriesCsv, seriesReport } from '@heterosis/analysis/trial-series/series-tables';
import { inputsOf } from '@heterosis/contracts/options/define-options';
import { flagsOf, optionsOfFlags } from '@heterosis/contracts/options/option-flags';
import { SERIES_OPTIONS } from '@heterosis/contracts/options/trials';
import { type Command, type CommandIo, defineCommand, inputError, type OptionValues } from '../command.ts';
import { withGenotype } from '../options/genotype-option.ts';
import {
  givenPedigree,
  PEDIGREE_COLUMNS_OPTION,
  PHENOTYPE_OPTIONS,
  phenotypeChoices,
} from '../options/model-options.ts';
import { structureOf } from '../options/structure-option.ts';
import { writeOutput } from '../write-output.ts';

const SERIES_FLAGS = flagsOf(SERIES_OPTIONS);

export const seriesCommand: Command = defineCommand({
  name: 'series',
  summary: 'analyse trials of many environments together',
  description: [
    'Fits y = environment + line in environment + error by REML to means of several environments, with the whole covariance of their errors (two stages, fully efficient: Piepho and others 2012), and predicts every line in every environment, tested there or not, and over all. The effects of lines have the covariance Σ ⊗ K: Σ between environments, K between lines.',
    'Structures of Σ: cs (one variance of lines and one of their interaction), diag (a variance an environment), fa1, fa2, … (factor-analytic, Smith and others 2001). auto takes the one with the smallest AIC; factors are added while it falls.',
    'K is the identity, or comes from markers (--genotype), a pedigree (--pedigree), both by single step, or a file. Lines with means that K lacks are left out and named; lines of the genotype without a mean are predicted.',
    'Of polyploids the relationships are those of their ploidy (--ploidy where no genotype tells it), by pedigree with --double-reduction, see heterosis pedigree.',
    'A specific variance that ends at 0 is said to be at its bound: all that lines do there is in the factors. Standard errors take the variances as known.',
  ],
  options: {
    ...SERIES_FLAGS,
    columns: PHENOTYPE_OPTIONS.columns,
    'pedigree-columns': PEDIGREE_COLUMNS_OPTION,
  },
  output: [
    'CSV with one row per line and environment: trait, line, environment (overall: the mean over all environments), value (predicted effect, a deviation from the mean of the environment), se (root of its prediction error variance), reliability.',
    'Report: series, each with structure, log_likelihood (REML with all constants), aic, environments, means, h2 (Cullis), genetic_covariance and genetic_correlation of the first kernel, loadings (rotated to principal axes), specific, explained, residual_lines, alternatives, and stability: for each line overall, performance and rmsd of the factors (Smith and Cullis 2018); and of lines with a mean everywhere mean, slope and deviations (Finlay and Wilkinson 1963), superiority (Lin and Binns 1988), variance, ecovalence (Wricke 1962), shukla (1972).',
  ],
  examples: [
    'heterosis series --means means.csv --covariance covariance.csv --trait Yield --out series.csv --report series.json',
    'heterosis series --one-stage --phenotype plots.csv --trait Yield --structure fa1 --out series.csv',
    'heterosis series --means means.csv --covariance covariance.csv --trait Yield --structure fa2 --genotype lines.vcf.gz --residual-lines --out series.csv',
  ],
  takesPolyploids: true,
  usesMatrixProducts: true,
  async run(options, io) {
    const structure = structureOf(options.structure);
    const { records, path, errors } = await readRecords(options, io);
    const sources = await readSources(options, io);
    const analyse = async (panel?: SeriesSources['panel']): Promise<SeriesResult[]> => {
      const { seriesRelationships } = await import('@heterosis/analysis/trial-series/series-relationships');
      const { analyzeSeries } = await import('@heterosis/analysis/trial-series/analyze-series');
      const lines = [...new Set(records.flatMap((own) => own.lines))];
      const relationships = await seriesRelationships(lines, { ...sources, panel }, io.context);
      const residualLines = options['residual-lines'];
      return options.trait.map((trait) =>
        analyzeSeries(records, relationships, { trait, structure, residualLines }, io.context),
      );
    };
    const results =
      options.genotype === undefined ? await analyse() : await withGenotype(options.genotype, io, analyse);
    for (const { warnings } of results) io.report(warnings, path);
    const { series } = seriesReport(results);
    if (options.report !== undefined) await writeOutput(options.report, [JSON.stringify({ series }, null, 2), '\n']);
    await writeOutput(options.out, seriesCsv(results));
    return {
      summary: { series: series.map(({ stability: _, ...figures }) => figures), errors, out: options.out },
      lines: [
        ...(errors === 'standard errors'
          ? ['errors of the means: independent, from their standard errors (no --covariance)']
          : []),
        ...series.flatMap(linesOf),
        ...(options.report === undefined ? [] : [`written: ${options.report}`]),
        `written: ${options.out}`,
      ],
    };
  },
});

/** Means with their errors, or the plots of one stage. */
async function readRecords(
  options: OptionValues<typeof SERIES_FLAGS>,
  io: CommandIo,
): Promise<{ records: SeriesRecords[]; path: string; errors: SeriesMeans['from'] | 'plots' }> {
  const { means, covariance, phenotype } = options;
  if (options['one-stage'] ? phenotype === undefined || means !== undefined : means === undefined) {
    throw inputError(
      'E-CLI-VALUE',
      options['one-stage'] ? '--one-stage takes --phenotype, and no --means.' : '--means is missing.',
      'Give --means with --covariance for two stages, or --one-stage with --phenotype.',
    );
  }
  if (means !== undefined) {
    const read = await openSeriesMeans({ means, covariance }, io.context);
    io.report(
      read.problems.filter(({ severity }) => severity === 'warning'),
      means,
    );
    return { records: read.means.map(recordsOfMeans), path: means, errors: read.from };
  }
  const path = phenotype ?? '';
  const { openPlotTable } = await import('@heterosis/analysis/trials/plot-table');
  const { prepareTrials } = await import('@heterosis/analysis/trials/analyze-trials');
  const { recordsOfPlots } = await import('@heterosis/analysis/trial-series/records-of-plots');
  const table = await openPlotTable(path, io.context, phenotypeChoices(options));
  const { tasks, warnings } = prepareTrials(table, { traits: options.trait, model: 'auto' });
  io.report([...table.reading.report.problems.filter(({ severity }) => severity === 'warning'), ...warnings], path);
  return { records: tasks.map(recordsOfPlots), path, errors: 'plots' };
}

async function readSources(options: OptionValues<typeof SERIES_FLAGS>, io: CommandIo): Promise<SeriesSources> {
  const asked = inputsOf(SERIES_OPTIONS, optionsOfFlags(SERIES_OPTIONS, options));
  const { method, maf, callRate, dominance, doubleReduction, founders } = asked;
  const { ploidy } = io.context.genotypes ?? {};
  const pedigree = await givenPedigree(options, io);
  const path = options['kinship-file'];
  const kinship = path === undefined ? undefined : await readKinship(path, io);
  return { pedigree, kinship, ploidy, method, maf, callRate, dominance, doubleReduction, founders };
}

async function readKinship(path: string, io: CommandIo): Promise<SeriesSources['kinship']> {
  const { openKinship } = await import('@heterosis/analysis/inputs/read-kinship');
  const { table, problems } = await openKinship(path, io.context);
  io.report(problems, path);
  return table;
}

function linesOf(summary: SeriesSummary): string[] {
  const { trait, structure, environments, lines, h2, converged, aic, log_likelihood: logLikelihood } = summary;
  const bound = summary.specific.flatMap(({ at_bound: isAtBound }, j) => (isAtBound ? [environments[j]] : []));
  return [
    `${trait}: ${structure} over ${environments.length} environments, log-likelihood ${logLikelihood.toFixed(4)}, AIC ${aic.toFixed(2)}${converged ? '' : '; not converged'}`,
    ...environments.map((name, j) => `  ${name}: ${lines[j]} lines, H² ${h2[j]?.toFixed(3) ?? 'none'}`),
    ...(bound.length === 0 ? [] : [`  specific variance at its bound, 0: ${bound.join(', ')}`]),
    ...(summary.alternatives.length === 0
      ? []
      : [`  AIC ${summary.alternatives.map((one) => `${one.structure} ${one.aic.toFixed(2)}`).join(', ')}`]),
  ];
}
