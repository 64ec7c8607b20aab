import * as z from 'zod';
import { description, id, name, pageQuery, reference, timestamp, trait } from '../common.ts';
import { bodyShape, storedShape } from '../options/option-schemas.ts';
import { TRIAL_ANALYSIS_OPTIONS } from '../options/trials.ts';
import { byTrait, errorExtra, progress, provenance, runStatus } from './runs.ts';

const environment = z.string().min(1).max(255).describe('As the phenotype file spells it.');
const trialModel = z.enum(['blocks', 'rowcol', 'psanova', 'ar1', 'ar1-units']);

/** Most phenotype files of an analysis, and most plots of one field that a page is given. */
export const MOST_TRIAL_FILES = 50;
export const MOST_SHOWN_PLOTS = 20_000;
/** Most values of a trend drawn as a line. */
export const MOST_TREND_VALUES = 60;

/** Another model for one trial and trait than for the others. */
export const trialOverride = z.strictObject({
  environment,
  trait,
  model: z.enum(TRIAL_ANALYSIS_OPTIONS.model.choices),
  fixed: z.array(z.string().min(1).max(255)).max(20).optional(),
  random: z.array(z.string().min(1).max(255)).max(20).optional(),
});
export type TrialOverride = z.infer<typeof trialOverride>;

const coordinate = z.number().min(-1e9).max(1e9);

/** A plot whose values do not count. */
export const plotSetAside = z
  .strictObject({
    environment,
    phenotype_id: id.optional().describe('With `file_line`, where several files are analysed.'),
    file_line: z.number().int().min(1).optional().describe('Line of the phenotype file, as answers name plots.'),
    row: coordinate.optional(),
    column: coordinate.optional(),
    trait: trait.optional().describe('Absent: all traits.'),
    reason: z.string().trim().min(1, 'Give a reason').max(500),
  })
  .refine(({ file_line, row, column }) => file_line !== undefined || (row !== undefined && column !== undefined), {
    message: 'Name the plot by its line in the file, or by row and column',
  });
export type PlotSetAside = z.infer<typeof plotSetAside>;

const own = {
  overrides: z.array(trialOverride).max(1000).optional().describe(TRIAL_ANALYSIS_OPTIONS.overrides.about),
  set_aside: z.array(plotSetAside).max(1000).optional().describe(TRIAL_ANALYSIS_OPTIONS.set_aside.about),
};

/** Settings of an analysis besides its inputs. */
export const trialAnalysisParameters = z.object(storedShape(TRIAL_ANALYSIS_OPTIONS, own));

/** What came out for a trait, over all its trials. */
export const trialTraitSummary = z.object({
  sentence: z.string().describe('The main figures in one sentence.'),
  unit: z.string().nullable(),
  environments: z.number().int().describe('Trials of the trait.'),
  left_out: z.number().int().describe('Of these: those that could not be analysed; the strips say why.'),
  unmeasured: z
    .array(z.string())
    .optional()
    .describe('Environments without a plot whose value of the trait counts. Absent in older analyses.'),
  plots: z.number().int().describe('Plots with a value.'),
  lines: z.number().int(),
  outliers: z.number().int().describe('Plots that look wrong.'),
  suspicions: z.number().int().describe('Maps of fields that look wrong.'),
  h2: z
    .object({ min: z.number(), median: z.number(), max: z.number() })
    .nullable()
    .describe('Cullis, over the trials.'),
  structure: z.string().nullable().describe('Of the series; null without one.'),
  no_series: z.string().nullable().describe('Why there is no series; null where there is one.'),
  no_series_code: z
    .string()
    .nullable()
    .optional()
    .describe('What is wrong, such as `series/no-links`; null where nothing is. Absent in older analyses.'),
});
export type TrialTraitSummary = z.infer<typeof trialTraitSummary>;

export const trialAnalysis = z
  .object({
    id,
    name: z.string(),
    project_id: id,
    phenotype_ids: z.array(id).describe('Without those that have been deleted.'),
    phenotype_names: z.array(z.string()),
    genotype_id: id.nullable(),
    genotype_name: z.string().nullable(),
    pedigree_id: id.nullable(),
    pedigree_name: z.string().nullable(),
    traits: z.array(z.string()),
    status: byTrait(runStatus).describe('Trait → state.'),
    error_extras: byTrait(errorExtra.nullable()).describe('Trait → why it failed; null unless its state is ERROR.'),
    progress: byTrait(progress.nullable()).describe('Trait → its progress; null when it has ended.'),
    summary: byTrait(trialTraitSummary.nullable()),
    created_by: z.string().nullable(),
    created_by_id: id.nullable().describe('Id of the user; null once the account is deleted.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'TrialAnalysis' });
export type TrialAnalysis = z.infer<typeof trialAnalysis>;

const urls = (what: string) => byTrait(z.string().nullable()).describe(`Trait → signed URL: ${what}`);

export const trialAnalysisDetail = trialAnalysis
  .extend({
    description: z.string().nullable(),
    phenotypes: z.array(reference),
    genotype: reference.nullable(),
    pedigree: reference.nullable(),
    means_urls: urls('environment, trait, line, mean, se, blup, blup_se, replicates (CSV).'),
    covariance_urls: urls('environment, trait, line1, line2, covariance (CSV).'),
    plots_urls: urls('every plot with fitted value, trend and residual (CSV).'),
    report_urls: urls('all figures of the trials (JSON).'),
    series_urls: urls('trait, line, environment, value, se, reliability (CSV); null without a series.'),
    series_report_urls: urls('all figures of the series (JSON); null without a series.'),
    methods: z.string().describe('A paragraph for the methods section of a paper.'),
    provenance: provenance.extend({ parameters: trialAnalysisParameters }),
  })
  .meta({ id: 'TrialAnalysisDetail' });
export type TrialAnalysisDetail = z.infer<typeof trialAnalysisDetail>;

export const listTrialAnalysesQuery = pageQuery.extend({
  name: z.string().max(255).optional().describe('Only those whose name contains this.'),
  phenotype_id: id.optional().describe('Only those with this among their phenotype files.'),
  genotype_id: id.optional(),
  pedigree_id: id.optional(),
});

export const createTrialAnalysisBody = z.object({
  name,
  phenotype_ids: z
    .array(id)
    .max(MOST_TRIAL_FILES)
    .default([])
    .describe('Phenotype files with a row for each plot. No two of them have the same environment.'),
  trial_ids: z
    .array(id)
    .max(MOST_TRIAL_FILES)
    .default([])
    .describe('Trials, in place of files or beside them: what counts in each now is made a version of its file.'),
  genotype_id: id.nullable().optional().describe('Relationships of the lines in the series come from its markers.'),
  pedigree_id: id.nullable().optional().describe('Relationships from the pedigree; with a genotype by single step.'),
  traits: z.array(trait).min(1, 'Choose at least one trait').max(100),
  ...bodyShape(TRIAL_ANALYSIS_OPTIONS, own),
});

const figure = z.number().nullable();
const estimate = z.object({ value: z.number(), se: figure, at_bound: z.boolean() });

/** A trial and trait: what was fitted, or why it was left out. */
export const trialStrip = z
  .object({
    environment: z.string(),
    phenotype_id: id,
    state: z.enum(['ANALYSED', 'LEFT_OUT']),
    reason: z.string().nullable().describe('Why it was left out.'),
    action: z.string().nullable().describe('What to do about it.'),
    sentence: z.string().nullable(),
    model: trialModel.nullable().describe('Null where it was left out, as all figures.'),
    chosen_by: z.enum(['criterion', 'request', 'override']),
    design: z
      .object({ fixed: z.array(z.string()), random: z.array(z.string()) })
      .nullable()
      .describe('What the models of blocks took.'),
    plots: z.number().int().describe('Plots with a value that counts.'),
    lines: z.number().int(),
    set_aside: z.number().int().describe('Plots whose values do not count.'),
    log_likelihood: figure.describe('REML with all constants.'),
    aic: figure.describe('From the full likelihood at the REML estimates (Verbyla 2019).'),
    bic: figure,
    converged: z.boolean().nullable(),
    h2: z.object({ cullis: figure, piepho: figure, plot: figure }).nullable(),
    h2_reasons: z.record(z.string(), z.string()).describe('Kind of heritability → why there is none.'),
    variances: z.record(z.string(), estimate),
    correlations: z
      .object({ row: figure, column: figure, at_bound: z.array(z.string()) })
      .nullable()
      .describe('Of neighbours; null for models without them.'),
    effective_dimensions: z.record(z.string(), z.number()),
    alternatives: z.array(
      z.object({
        model: trialModel,
        log_likelihood: figure,
        parameters: z.number().int().nullable(),
        aic: figure,
        bic: figure,
        left_out: z.string().nullable().describe('Why it was not fitted.'),
      }),
    ),
    suspicions: z.array(
      z.object({
        kind: z.enum(['map', 'swap']),
        text: z.string().describe('A sentence.'),
        change: z.string().nullable().describe('Of a map.'),
        gain: z.number().describe('Of the log-likelihood.'),
        plots: z.array(
          z.object({
            file_line: z.number().int(),
            line: z.string(),
            row: z.string().nullable(),
            column: z.string().nullable(),
          }),
        ),
      }),
    ),
    outliers: z.array(
      z.object({ file_line: z.number().int(), line: z.string(), statistic: z.number(), p: z.number() }),
    ),
    trend: z
      .array(z.number())
      .max(MOST_TREND_VALUES)
      .describe('Mean trend of the field along `trend_along`; empty where the model has none.'),
    trend_along: z.enum(['rows', 'columns']).nullable(),
    mean_sed: figure.describe('Average standard error of a difference of two means.'),
    notes: z.array(z.string()),
  })
  .meta({ id: 'TrialStrip' });
export type TrialStrip = z.infer<typeof trialStrip>;

/** `GET …/trial_analyses/{id}/trials?trait=`: one row a trial, in the order of the files. */
export const trialsQuery = z.object({ trait });
export const trialStrips = z
  .object({ trait: z.string(), unit: z.string().nullable(), data: z.array(trialStrip) })
  .meta({ id: 'TrialStrips' });
export type TrialStrips = z.infer<typeof trialStrips>;

/** `GET …/trials/{id}/suspect_plots`: for each trait, what its newest analysis says of the plots. */
export const suspectPlots = z
  .object({
    data: z.array(
      z.object({
        trait: z.string(),
        analysis_id: id,
        analysis_name: z.string(),
        analysed_at: timestamp,
        environment: z.string().describe('The trial in the analysis.'),
        outliers: z
          .array(
            z.object({
              plot: z.number().int().describe('Its number in the trial.'),
              statistic: z.number().describe('The studentized residual.'),
              p: z.number().describe('Of the trial as a whole: by Holm over all its plots.'),
            }),
          )
          .describe('Values that do not fit the others.'),
        suspicions: z.array(
          z.object({
            kind: z.enum(['map', 'swap']),
            text: z.string().describe('A sentence.'),
            gain: z.number().describe('Of the log-likelihood.'),
            plots: z.array(z.number().int()).describe('Numbers in the trial; empty where the whole map is meant.'),
          }),
        ),
        set_aside: z.array(z.object({ plot: z.number().int(), reason: z.string() })),
      }),
    ),
  })
  .meta({ id: 'SuspectPlots' });
export type SuspectPlots = z.infer<typeof suspectPlots>;

/** `GET …/trial_analyses/{id}/plots` and `…/variogram`. */
export const trialFieldQuery = z.object({ environment, trait });

const byPlot = z.array(figure);
const words = z.array(z.string().nullable());

/** The plots of a field by columns: the same place of every array is one plot. */
export const trialPlots = z
  .object({
    environment: z.string(),
    trait: z.string(),
    unit: z.string().nullable(),
    phenotype_id: id,
    total: z.number().int().describe(`Plots of the field; at most ${MOST_SHOWN_PLOTS} of them are given.`),
    has_field: z
      .boolean()
      .describe('Rows and columns are those of one field; otherwise they begin anew in each replicate or are absent.'),
    file_line: z.array(z.number().int()).describe('Line of the phenotype file.'),
    row: byPlot,
    column: byPlot,
    line: z.array(z.string()),
    replicate: words,
    block: words,
    kind: z.array(z.enum(['entry', 'check', 'filler'])),
    value: byPlot.describe('As measured, also of plots set aside.'),
    fitted: byPlot,
    trend: byPlot.describe('Of the field: what neither lines nor residual explain.'),
    residual: byPlot,
    studentized: byPlot,
    outlier: z.array(z.boolean()),
    set_aside: words.describe('Why the value does not count; null where it does.'),
  })
  .meta({ id: 'TrialPlots' });
export type TrialPlots = z.infer<typeof trialPlots>;

/** Semivariances of the residuals by distance, rows × columns: place `r × columns + c` has the distance (r, c). */
export const trialVariogram = z
  .object({
    environment: z.string(),
    trait: z.string(),
    reason: z.string().nullable().describe('Why there is none.'),
    rows: z.number().int().describe('Distances along rows, from 0.'),
    columns: z.number().int(),
    semivariance: z.array(figure).describe('Null where no pair of plots has the distance.'),
    pairs: z.array(z.number().int()),
  })
  .meta({ id: 'TrialVariogram' });
export type TrialVariogram = z.infer<typeof trialVariogram>;

/** `GET …/trial_analyses/{id}/means?trait=`. */
export const trialMeansQuery = pageQuery.extend({
  trait,
  environment: environment.optional(),
  sort: z
    .string()
    .max(64)
    .optional()
    .describe('`line`, `environment`, `mean` or `blup`; a minus sorts in descending order. Default: as in the file.'),
  search: z.string().max(255).optional().describe('Only lines whose name contains this.'),
});
export const trialMeanRow = z.object({
  environment: z.string(),
  line: z.string(),
  mean: figure,
  se: figure,
  blup: figure.describe('A deviation from the mean of the environment.'),
  blup_se: figure.describe('Root of the prediction error variance.'),
  replicates: z.number().int().describe('Plots with a value.'),
});
export type TrialMeanRow = z.infer<typeof trialMeanRow>;
export const trialMeans = z
  .object({
    unit: z.string().nullable(),
    mean_sed: figure.describe('Average standard error of a difference in the environment asked for; null without one.'),
    data: z.array(trialMeanRow),
    next_cursor: z.string().nullable(),
    total: z.number().int(),
  })
  .meta({ id: 'TrialMeans' });
export type TrialMeans = z.infer<typeof trialMeans>;

const matrix = z.array(z.array(figure));

/** `GET …/trial_analyses/{id}/series?trait=`: all trials of a trait together; environments in the order of the tree. */
export const trialSeriesQuery = z.object({ trait });
export const trialSeries = z
  .object({
    trait: z.string(),
    unit: z.string().nullable(),
    structure: z.string(),
    relationships: z.string().describe('Of the lines: identity, genomic, pedigree or single-step.'),
    log_likelihood: z.number(),
    parameters: z.number().int(),
    aic: z.number(),
    converged: z.boolean(),
    environments: z.array(z.string()),
    tree: z
      .array(z.object({ left: z.number().int(), right: z.number().int(), height: z.number() }))
      .describe(
        'Average linkage of 1 − genetic correlation, in the order of joining: numbers below the count of environments are environments, the others earlier rows of the tree, counted on from it.',
      ),
    line_counts: z
      .array(z.number().int())
      .describe('Lines with a mean, by environment, as all arrays and matrices below.'),
    means: z.array(z.number()),
    mean_se: z.array(figure),
    h2: z.array(figure).describe('Of effects of lines in the environment.'),
    genetic_covariance: matrix,
    genetic_correlation: matrix,
    loadings: matrix.nullable().describe('Environments × factors, rotated to principal axes; null without factors.'),
    explained: matrix.nullable().describe('Share of the genetic variance, environments × factors.'),
    specific: z.array(z.object({ value: z.number(), at_bound: z.boolean() })),
    residual_lines: z.array(z.number()).nullable(),
    dominance: z.object({ variance: z.number(), interaction: z.number() }).nullable(),
    alternatives: z.array(
      z.object({ structure: z.string(), log_likelihood: z.number(), parameters: z.number().int(), aic: z.number() }),
    ),
    warnings: z.array(z.string()),
    lines: z
      .object({
        line: z.array(z.string()),
        overall: byPlot.describe('Predicted effect over all environments.'),
        overall_se: byPlot,
        reliability: byPlot,
        performance: byPlot.describe('Overall performance of the factors (Smith & Cullis 2018).'),
        rmsd: byPlot.describe('Root mean square deviation from the first factor: instability.'),
        mean: byPlot.describe('Of lines with a mean in every environment, as what follows.'),
        slope: byPlot.describe('Finlay & Wilkinson (1963).'),
        deviations: byPlot.describe('Mean square of the deviations from that regression.'),
        superiority: byPlot.describe('Lin & Binns (1988).'),
        variance: byPlot,
        ecovalence: byPlot.describe('Wricke (1962).'),
        shukla: byPlot.describe('Shukla (1972).'),
      })
      .describe('By columns: the same place of every array is one line.'),
  })
  .meta({ id: 'TrialSeries' });
export type TrialSeries = z.infer<typeof trialSeries>;

/** `GET …/trial_analyses/{id}/lines/{name}?trait=`: a line in every environment. */
export const trialLine = z
  .object({
    line: z.string(),
    trait: z.string(),
    unit: z.string().nullable(),
    environments: z
      .array(
        z.object({
          environment: z.string(),
          mean: figure.describe('Null where it was not tested.'),
          se: figure,
          blup: figure,
          blup_se: figure,
          replicates: z.number().int(),
          value: figure.describe('Predicted effect of the series; null without one, as what follows.'),
          value_se: figure,
          reliability: figure,
        }),
      )
      .describe('In the order of the strips.'),
    overall: z.object({ value: z.number(), se: z.number(), reliability: figure }).nullable(),
  })
  .meta({ id: 'TrialLine' });
export type TrialLine = z.infer<typeof trialLine>;

/**
 * Makes a phenotype file: for each trait a column of means, and one of the standard errors by which they weigh. Their
 * covariance comes along.
 */
export const trialPhenotypeBody = z.object({
  name,
  folder_id: id.nullable().optional(),
  environment: environment
    .optional()
    .describe('The means of one environment. Absent: those of all, joined by generalised least squares.'),
  description: description.optional(),
});
