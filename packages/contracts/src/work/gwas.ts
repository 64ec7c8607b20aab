import * as z from 'zod';
import { id, name, pageQuery, reference, timestamp, trait } from '../common.ts';
import { CLUMPING_OPTIONS } from '../options/clumping.ts';
import { GENE_ACTIONS, GWAS_OPTIONS } from '../options/gwas.ts';
import { bodyShape, storedShape, withoutComplaints } from '../options/option-schemas.ts';
import { MAX_COVARIATES } from '../options/shared.ts';
import { engineChoice } from './estimates.ts';
import { exclusions, leftOut, leftOutOfRun } from './exclusions.ts';
import { actionComplaint, JOINT_TRAIT } from './gwas-names.ts';
import { byTrait, errorExtra, progress, provenance, renames, runStatus } from './runs.ts';

const JOINT_TESTS = ['any', 'specific'] as const;
/** As many traits are fitted together. */
export const MOST_JOINT_TRAITS = 6;

const geneAction = z.enum(GENE_ACTIONS);
const gwasTest = z.enum(GWAS_OPTIONS.test.choices);

export const covariateKind = z.enum(['numeric', 'factor']);
export type CovariateKind = z.infer<typeof covariateKind>;

/** Covariate → its kind, for at most {@link MAX_COVARIATES} of them. */
export const covariateKinds = z
  .record(trait, covariateKind)
  .refine((kinds) => Object.keys(kinds).length <= MAX_COVARIATES, `At most ${MAX_COVARIATES} covariates`)
  .meta({ maxProperties: MAX_COVARIATES });

/**
 * `constant` and `explained` covariates (linear combinations of preceding terms of the model) add nothing and were
 * dropped.
 */
export const covariateUse = z.object({
  name: z.string(),
  use: z.enum(['used', 'constant', 'explained']),
  groups: z
    .object({
      count: z.number().int(),
      reference: z.string(),
      /** Groups of one individual. Such an individual carries no information on markers. */
      alone: z.array(z.string()),
      /** Groups that are linear combinations of preceding terms of the model. */
      explained: z.array(z.string()),
    })
    .optional()
    .describe('For columns of text and of the design: the groups that were compared with the reference.'),
});

/** How hits in LD are put together. */
export const clumpingRule = z
  .strictObject(bodyShape(CLUMPING_OPTIONS, {}))
  .meta({ id: 'ClumpingRule', description: 'How hits in LD are put together, as plink --clump does.' });

const locusModel = z
  .object({
    direction: z.enum(['forward', 'backward']).describe('While markers were taken up, or dropped again.'),
    mbic: z.number().describe('Modified Bayesian information criterion; the smaller the better.'),
    ebic: z.number().describe('Extended Bayesian information criterion.'),
    log_likelihood: z.number(),
    h2: z.number().describe('σ²g/(σ²g + σ²e) beside the markers, 0–1.'),
    pve: z.number().describe('Share of the phenotypic variance that the markers explain together, 0–1.'),
    markers: z.array(
      z.object({
        id: z.string(),
        chr: z.string(),
        pos: z.number().describe('In bp.'),
        effect: z.number().describe('Of one copy of A2 beside the other markers, in units of the trait.'),
        effect_se: z.number(),
        p: z.number().describe('Wald test beside the other markers.'),
        pve: z.number().describe('Share of the phenotypic variance that it explains beside them, 0–1.'),
      }),
    ),
  })
  .meta({ id: 'LocusModel' });

/** Whether errors of the values are known to be correlated, or only their standard errors are known. */
export const knownErrors = z.enum(['covariance', 'standard errors']);

/** Figures of one trait. `bonferroni` and `fdr` are p-value thresholds at 5 %; `fdr` is null when no marker passes. */
export const gwasSummary = z.object({
  n: z.number().int().describe('Individuals.'),
  m: z.number().int().describe('Markers tested.'),
  lambda: z.number().describe('Genomic inflation factor: median χ² against its expectation.'),
  h2: z.number().nullable().describe('σ²g/(σ²g + σ²e) without any marker, 0–1; null of tests on several traits.'),
  h2_se: z
    .number()
    .nullish()
    .describe('Standard error of h2; null at a bound, absent from runs of versions before 1.1.'),
  kinship_pve: z.number().optional().describe('Share of the phenotypic variance that the kinship explains, 0–1.'),
  kinship_pve_se: z.number().nullish(),
  chromosomes_left_out: z
    .array(
      z.object({
        chromosome: z
          .string()
          .nullable()
          .describe('Null for the markers without a chromosome, which are tested with the kinship of all markers.'),
        markers: z.number().int().describe('Markers tested.'),
        h2: z.number().describe('h2 of the kinship that lacks these markers and those without a chromosome.'),
        kinship_pve: z.number(),
      }),
    )
    .optional()
    .describe('The null model of each chromosome with `loco`; h2 and kinship_pve are then those of all markers.'),
  bonferroni: z.number().describe('p-value threshold, 5 % over all tests.'),
  fdr: z
    .number()
    .nullable()
    .describe('Largest p-value with a false discovery rate of at most 5 %; null when nothing passes.'),
  fdr_hits: z
    .number()
    .int()
    .optional()
    .describe('Markers with p up to `fdr`; absent from runs of versions before 1.1.'),
  effective_tests: z.number().nullable().describe('Independent tests among the markers, after Li & Ji (2005).'),
  effective_tests_block: z
    .number()
    .int()
    .nullish()
    .describe('Markers in each block where chromosomes were too large to be taken whole for effective_tests.'),
  hits: z.number().int().describe('Markers below the Bonferroni threshold.'),
  permutations: z
    .object({
      count: z.number().int(),
      seed: z.number().int(),
      p: z.number().describe('p-value threshold, 5 % over all markers.'),
      hits: z.number().int().describe('Markers at or below it.'),
    })
    .optional()
    .describe('Absent where no permutations were asked for.'),
  stepwise: z
    .object({
      models: z
        .array(locusModel)
        .describe('From the model without markers on, in the order in which they were fitted.'),
      chosen: z.number().int().describe('Index of the model with the smallest mBIC.'),
    })
    .optional()
    .describe('Markers that explain the trait together (MLMM, Segura et al. 2012); absent where not asked for.'),
  clumps: z.number().int().optional().describe('Clumps of hits in LD; absent where not asked for.'),
  errors: z
    .object({
      from: knownErrors,
      residual_lines: z
        .number()
        .nullable()
        .describe('Variance of lines beyond their relationships, without marker; null where it was not asked for.'),
    })
    .optional()
    .describe('Of values with known errors; absent where all errors have one variance.'),
  at_bound: z.number().int().optional().describe('Markers whose h² ended at 0 or 0.99, the ends of its range.'),
  top: z.object({ id: z.string(), chr: z.string(), pos: z.number(), p: z.number() }).nullable(),
  engine: engineChoice.optional().describe('Absent from runs of versions before 1.2.'),
  covariates: z.array(covariateUse).optional(),
  conditioned_on: z
    .array(covariateUse.omit({ groups: true }))
    .optional()
    .describe('Markers that the tests are conditioned on; absent where there are none.'),
  without_covariate: z
    .number()
    .int()
    .optional()
    .describe('Individuals with a value of the trait that were left out because a covariate is missing.'),
  left_out: leftOut.optional().describe('Absent when nothing was to be left out.'),
  several: z
    .object({
      test: z.enum(JOINT_TESTS),
      traits: z.array(z.string()),
      records: z.array(z.number().int()).describe('Of each trait.'),
      genetic_correlation: z.array(z.array(z.object({ value: z.number(), se: z.number().nullable() }))),
      residual_correlation: z.array(z.array(z.object({ value: z.number().nullable(), se: z.number().nullable() }))),
      log_likelihood: z.number().describe('REML, without ½ log|XᵀX|, of the model without marker.'),
      converged: z.boolean(),
    })
    .optional()
    .describe('Of tests on several traits together; λ is then that of their p-values.'),
  gene_action: z
    .object({
      trait: z.string(),
      action: geneAction,
      hits_p3d: z
        .number()
        .int()
        .describe('Markers below the Bonferroni threshold with the variances of the model without marker (P3D).'),
    })
    .optional()
    .describe('Of tests under a gene action: all other figures are of the exact tests, λ that of their p-values.'),
});
export type GwasSummary = z.infer<typeof gwasSummary>;

export const gwas = z
  .object({
    id,
    name: z.string(),
    project_id: id,
    genotype_id: id.nullable(),
    phenotype_id: id.nullable(),
    genotype_name: z.string().nullable(),
    phenotype_name: z.string().nullable(),
    traits: z.array(z.string()),
    status: byTrait(runStatus).describe('Trait → state.'),
    error_extras: byTrait(errorExtra.nullable()).describe('Trait → why it failed; null unless its state is ERROR.'),
    progress: byTrait(progress.nullable()).describe('Trait → its progress; null when it has ended.'),
    result_urls: byTrait(z.string().nullable()).describe('Trait → signed URL of all results as CSV.'),
    image_urls: byTrait(z.string().nullable()).describe('Trait → signed URL of the Manhattan plot (SVG).'),
    summary: byTrait(gwasSummary.nullable()),
    fixed: z.number().describe('Principal components taken as fixed effects.'),
    covariates: z.array(z.string()).describe('Columns of the phenotype file taken as fixed effects.'),
    condition_on: z.array(z.string()).describe('Markers taken as fixed effects: every other one is tested given them.'),
    dominance: z.boolean().describe('Whether the dominance deviation of each marker was tested too.'),
    gene_action: z
      .array(geneAction)
      .describe('Gene actions tested beside; results of a trait under one have the name "trait · action".'),
    multi_trait: z
      .enum(JOINT_TESTS)
      .nullable()
      .describe(`How markers were tested on the traits together, under the name "${JOINT_TRAIT}"; null where not.`),
    loco: z
      .boolean()
      .describe(
        'Whether each marker was tested with the kinship of the other chromosomes, in a null model of its own.',
      ),
    thresh_maf: z.number(),
    thresh_callrate: z.number(),
    test: gwasTest,
    created_by: z.string().nullable(),
    created_by_id: id.nullable().describe('Id of the user; null once the account is deleted.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Gwas' });
export type Gwas = z.infer<typeof gwas>;

/** Options of a GWAS that are more than numbers, choices and lists of names. */
const own = {
  covariate_kinds: covariateKinds.optional().describe(GWAS_OPTIONS.covariate_kinds.about),
  clumps: clumpingRule.optional().describe(GWAS_OPTIONS.clumps.about),
  exclusions: exclusions.optional(),
};

/** Settings of a GWAS besides its inputs: enough to start it again. */
export const gwasParameters = z.object({ ...storedShape(GWAS_OPTIONS, own), renames: renames.optional() });

export const gwasDetail = gwas
  .extend({
    description: z.string().nullable(),
    genotype: reference.nullable(),
    phenotype: reference.nullable(),
    model: z.string().describe('The model in words, for example "y = Xb + gβ + u + e, 3 PCs, K standardized".'),
    image: z.string().nullable().describe('Signed URL of the Manhattan plot of the first trait (SVG).'),
    chromosomes: byTrait(z.array(z.string())).describe('Chromosomes in natural order, per trait.'),
    methods: z.string().describe('A paragraph for the methods section of a paper.'),
    ...leftOutOfRun,
    provenance: provenance.extend({ parameters: gwasParameters }),
  })
  .meta({ id: 'GwasDetail' });
export type GwasDetail = z.infer<typeof gwasDetail>;

export const createGwasBody = z
  .object({
    name,
    genotype_id: id,
    phenotype_id: id,
    traits: z.array(trait).min(1, 'Choose at least one trait').max(1000),
    ...bodyShape(GWAS_OPTIONS, own),
    renames: renames.optional(),
  })
  .superRefine(withoutComplaints(GWAS_OPTIONS))
  .superRefine((body, context) => {
    const message = actionComplaint(body);
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['gene_action'], message });
  })
  .superRefine(({ multi_trait, traits }, context) => {
    if (multi_trait === 'none') return;
    const message =
      traits.length < 2 || traits.length > MOST_JOINT_TRAITS
        ? `Two to ${MOST_JOINT_TRAITS} traits are tested together, and ${traits.length} ${traits.length === 1 ? 'is' : 'are'} chosen.`
        : traits.includes(JOINT_TRAIT)
          ? `Results of all traits have the name "${JOINT_TRAIT}"; rename that trait.`
          : undefined;
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['multi_trait'], message });
  });

/** Longer than any genome: the largest known one has 1.6 × 10¹¹ bp. */
const MAX_POSITION_BP = 1e12;
const positionBp = z.coerce.number().nonnegative().max(MAX_POSITION_BP);

/** A part of one chromosome; `start` and `end` in bp, inclusive. */
const region = {
  chr: z.string().max(255).optional().describe('Only this chromosome.'),
  start: positionBp.optional().describe('In bp, inclusive.'),
  end: positionBp.optional().describe('In bp, inclusive.'),
};

/** As many names as a page keeps in its address. */
const MOST_IDS = 400;
const LONGEST_IDS = 8000;

/** `max_p`: only markers with a p-value up to this. Sort: `p` (default) or `position`. */
export const gwasResultsQuery = pageQuery.extend({
  trait,
  ...region,
  to_chr: z
    .string()
    .max(255)
    .optional()
    .describe('With `chr`: all chromosomes from `chr` to this one, in natural order; `start` and `end` do not apply.'),
  max_p: z.coerce.number().positive().max(1).optional().describe('Only markers with a p-value up to this.'),
  min_p: z.coerce.number().min(0).max(1).optional().describe('Only markers with a p-value from this on.'),
  ids: z
    .string()
    .max(LONGEST_IDS)
    .transform((text) => text.split('\n').filter((id) => id !== ''))
    .refine((ids) => ids.length <= MOST_IDS, `At most ${MOST_IDS} names.`)
    .optional()
    .describe(`Only markers of these names, one to a line, at most ${MOST_IDS}.`),
  clump: z.string().max(255).optional().describe('Only markers of the clump named after this one.'),
  search: z.string().max(255).optional().describe('Only markers whose name contains this.'),
  sort: z.enum(['p', 'position']).default('p'),
});
/** score and LRT are 0 if another test was run. Effects per copy of A2. */
export const gwasRow = z
  .object({
    id: z.string(),
    chr: z.string(),
    pos: z.number().describe('In bp.'),
    A1: z.string().describe('The other allele (REF of a VCF).'),
    A2: z.string().describe('The counted allele (ALT of a VCF).'),
    freqA2: z.number().describe('Frequency of A2, 0–1.'),
    n: z.number().int().describe('Individuals.'),
    score: z.number().describe('Statistic of SCORE; 0 where another test was run.'),
    LRT: z.number().describe('Statistic of LRT; 0 where another test was run.'),
    beta: z
      .number()
      .nullable()
      .describe(
        'Effect of a copy of A2, in units of the trait; null with LRT and SCORE in runs of versions before 1.1.',
      ),
    sd: z.number().nullable().describe('Standard error of beta.'),
    h2: z.number().nullable().describe('Heritability with this marker in the model.'),
    p: z.number(),
    neg_log10_p: z.number().describe('−log10 p, exact where p is too small for a number.'),
    q: z.number().nullable().describe('False discovery rate (Benjamini & Hochberg 1995).'),
    pve: z.number().nullable().describe('Share of the phenotypic variance explained: beta²/(beta² + n·sd²).'),
    at_bound: z.boolean().describe('Whether h2 ended at 0 or 0.99, the ends of its range.'),
    dom_effect: z
      .number()
      .nullish()
      .describe('Heterozygote above the middle of the homozygotes; absent without dominance, null where undefined.'),
    dom_se: z.number().nullish(),
    dom_p: z.number().nullish(),
    clump: z
      .string()
      .nullish()
      .describe('First marker of the clump that it is in; absent where hits were not put together, null outside.'),
  })
  .extend({
    joint: z
      .object({
        chi2: z.number(),
        df: z.number().int(),
        main: z
          .object({ effect: z.number(), se: z.number(), p: z.number() })
          .nullable()
          .describe('The same effect on all traits, in their units; null unless that was the question.'),
        effects: z
          .array(
            z.object({
              trait: z.string(),
              effect: z.number().nullable().describe('Of a copy of A2; null where it cannot be estimated.'),
              se: z.number().nullable(),
              p: z.number().nullable().describe('Beside the effects on the other traits.'),
            }),
          )
          .describe('In the order of the traits.'),
      })
      .optional()
      .describe('Of tests on several traits together; absent otherwise.'),
    gene_action: z
      .object({
        action: geneAction,
        df: z.number().int().describe('Effects tested: classes present less one, or 1.'),
        df2: z.number().int().describe('Degrees of freedom of the residual.'),
        f: z.number().describe('F with variances estimated with the marker; beta, sd, h2, p and q are of it.'),
        p3d: z
          .object({
            beta: z.number().nullable(),
            sd: z.number().nullable(),
            f: z.number(),
            h2: z.number(),
            p: z.number(),
            neg_log10_p: z.number(),
          })
          .describe('With the variances of the model without marker.'),
      })
      .optional()
      .describe('Of tests under a gene action, where beta is that of its one column, null with several; else absent.'),
  })
  .meta({ id: 'GwasRow' });
export type GwasRow = z.infer<typeof gwasRow>;

const clumpedMarker = z.object({
  id: z.string(),
  chr: z.string(),
  pos: z.number().describe('In bp.'),
  p: z.number(),
});

/** `GET …/gwas/{id}/clumps?trait=`: hits in LD, each clump under its strongest marker. */
export const gwasClumps = z
  .object({
    rule: clumpingRule,
    data: z
      .array(clumpedMarker.extend({ members: z.array(clumpedMarker).describe('The others, by position.') }))
      .describe('By ascending p.'),
  })
  .meta({ id: 'GwasClumps' });
export type GwasClumps = z.infer<typeof gwasClumps>;

/** `lead` names the marker that r² is computed with; absent, or outside of the region: the strongest one there. */
export const gwasRegionQuery = z.object({
  trait,
  chr: z.string().max(255),
  start: positionBp,
  end: positionBp,
  lead: z.string().max(255).optional(),
});

/** `GET …/gwas/{id}/region`: what a part of a chromosome holds, for a view of candidate genes. */
export const gwasRegion = z
  .object({
    lead: z.string().nullable().describe('The marker that r² is computed with; null when there is no marker.'),
    total: z.number().int().describe('Markers in the region.'),
    markers: z
      .array(
        gwasRow
          .pick({ id: true, pos: true, p: true, neg_log10_p: true, beta: true, sd: true })
          .extend({ r2: z.number().nullable().describe('With the lead, over the individuals of the run.') }),
      )
      .describe('By position; of more than 5,000 those around the lead.'),
    genes: z
      .object({
        file: reference,
        total: z.number().int(),
        data: z
          .array(
            z.object({
              id: z.string(),
              name: z.string(),
              start: z.number(),
              end: z.number(),
              strand: z.number().int().describe('1 forward, −1 reverse, 0 not given.'),
              description: z.string(),
            }),
          )
          .describe('By position, at most 400.'),
      })
      .nullable()
      .describe('From the newest gene annotation of the project; null without one.'),
    recombination: z
      .object({
        file: reference,
        data: z.array(z.object({ start: z.number(), end: z.number(), cm_per_mb: z.number() })),
      })
      .nullable()
      .describe('From the newest linkage map of the project; null without one.'),
  })
  .meta({ id: 'GwasRegion' });
export type GwasRegion = z.infer<typeof gwasRegion>;

/**
 * `GET …/gwas/{id}/plot?trait=`: little-endian Float32 triples (index of the chromosome in `chromosomes`, position in
 * bp, −log10 p) of the whole genome or of a region. With more than 50,000 markers, overlapping points are thinned;
 * every marker with p below 1e-3 is kept. `application/octet-stream`.
 */
export const gwasPlotQuery = z.object({ trait, ...region });

/** `GET …/gwas/{id}/qq?trait=`: expected against observed −log10 p, thinned in the dense part. */
export const gwasQq = z
  .object({
    lambda: z.number(),
    m: z.number().int(),
    points: z.array(z.tuple([z.number(), z.number()])).describe('Expected and observed −log10 p.'),
  })
  .meta({ id: 'GwasQq' });
export type GwasQq = z.infer<typeof gwasQq>;

/** `GET …/gwas/{id}/markers/{marker}?trait=`: phenotype by genotype class and LD with the neighbours. */
export const gwasMarker = z
  .object({
    row: gwasRow,
    classes: z
      .array(z.object({ dosage: z.number().int(), genotype: z.string(), values: z.array(z.number()) }))
      .describe('Phenotypes of the individuals with 0, 1 and 2 copies of A2.'),
    neighbours: z
      .array(z.object({ id: z.string(), pos: z.number(), p: z.number(), neg_log10_p: z.number(), r2: z.number() }))
      .describe('r² with markers within the window, by position.'),
  })
  .meta({ id: 'GwasMarker' });
export type GwasMarker = z.infer<typeof gwasMarker>;
