import * as z from 'zod';
import { id, name, pageQuery, reference, timestamp, trait } from './common.ts';
import { runStatus } from './predictions.ts';
import { byTrait, errorExtra, progress, provenance, renames } from './runs.ts';

export const gwasTest = z.enum(['LRT', 'WALD', 'SCORE']);

/** `constant` and `explained` covariates (combinations of what is in the model before them) add nothing and were left out. */
export const covariateUse = z.object({
  name: z.string(),
  use: z.enum(['used', 'constant', 'explained']),
  /** Of a column of words or of the design: how its groups were compared with the reference. */
  groups: z
    .object({
      count: z.number().int(),
      reference: z.string(),
      /** Groups of one individual, which then says nothing about markers. */
      alone: z.array(z.string()),
      /** Groups that follow from what is in the model before them. */
      explained: z.array(z.string()),
    })
    .optional(),
});
export type CovariateUse = z.infer<typeof covariateUse>;

/** Figures of one trait. `bonferroni` and `fdr` are p-value thresholds at 5 %; `fdr` is null when nothing passes. */
export const gwasSummary = z.object({
  n: z.number().int(),
  m: z.number().int(),
  lambda: z.number(),
  h2: z.number(),
  bonferroni: z.number(),
  fdr: z.number().nullable(),
  effective_tests: z.number().nullable(),
  hits: z.number().int(),
  top: z.object({ id: z.string(), chr: z.string(), pos: z.number(), p: z.number() }).nullable(),
  covariates: z.array(covariateUse).optional(),
  /** Individuals with a value of the trait that were left out for want of a covariate. */
  without_covariate: z.number().int().optional(),
});

export const gwas = z.object({
  id,
  name: z.string(),
  project_id: id,
  genotype_id: id.nullable(),
  phenotype_id: id.nullable(),
  genotype_name: z.string().nullable(),
  phenotype_name: z.string().nullable(),
  traits: z.array(z.string()),
  status: byTrait(runStatus),
  error_extras: byTrait(errorExtra.nullable()),
  progress: byTrait(progress.nullable()),
  result_urls: byTrait(z.string().nullable()),
  image_urls: byTrait(z.string().nullable()),
  summary: byTrait(gwasSummary.nullable()),
  fixed: z.number(),
  /** Columns of the phenotype file taken as fixed effects. */
  covariates: z.array(z.string()),
  thresh_maf: z.number(),
  thresh_callrate: z.number(),
  test: gwasTest,
  created_by: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Gwas = z.infer<typeof gwas>;

/** What a GWAS was started with besides its inputs: enough to start it again. */
export const gwasParameters = z.object({
  test: gwasTest,
  fixed: z.number(),
  thresh_maf: z.number(),
  thresh_callrate: z.number(),
  covariates: z.array(z.string()).optional(),
  renames: renames.optional(),
});

export const gwasDetail = gwas.extend({
  description: z.string().nullable(),
  genotype: reference.nullable(),
  phenotype: reference.nullable(),
  /** The model in words, for example "y = Xb + gβ + u + e, 3 PCs, K standardized". */
  model: z.string(),
  /** Signed url of the first trait's Manhattan plot (SVG). */
  image: z.string().nullable(),
  /** Chromosomes in natural order, per trait. */
  chromosomes: byTrait(z.array(z.string())),
  /** A paragraph for the methods section of a paper. */
  methods: z.string(),
  provenance: provenance.extend({ parameters: gwasParameters }),
});
export type GwasDetail = z.infer<typeof gwasDetail>;

export const createGwasBody = z.object({
  name,
  genotype_id: id,
  phenotype_id: id,
  traits: z.array(trait).min(1, 'Choose at least one trait').max(1000),
  test: gwasTest.default('LRT'),
  /** Principal components of the kinship as fixed effects. */
  fixed: z.number().int().min(0).max(20).default(0),
  /** Columns of the phenotype file as further fixed effects, numbers or groups; none of them one of the traits. */
  covariates: z.array(trait).max(50).default([]),
  thresh_maf: z.number().min(0).max(0.5).default(0.05),
  thresh_callrate: z.number().min(0).max(1).default(0.9),
  renames: renames.optional(),
});

/** Beyond any genome: the largest known has 1.6 × 10¹¹ bp. */
const MAX_POSITION_BP = 1e12;
const positionBp = z.coerce.number().nonnegative().max(MAX_POSITION_BP);

/** A part of one chromosome; `start` and `end` in bp, inclusive. */
const region = {
  chr: z.string().max(255).optional(),
  start: positionBp.optional(),
  end: positionBp.optional(),
};

/** `max_p`: only markers with a p-value up to this. Sort: `p` (default) or `position`. */
export const gwasResultsQuery = pageQuery.extend({
  trait,
  ...region,
  max_p: z.coerce.number().positive().max(1).optional(),
  search: z.string().max(255).optional(),
  sort: z.enum(['p', 'position']).default('p'),
});
/** SPEC §3: score and LRT are 0 where another test was run. Effects per copy of A2. */
export const gwasRow = z.object({
  id: z.string(),
  chr: z.string(),
  pos: z.number(),
  A1: z.string(),
  A2: z.string(),
  freqA2: z.number(),
  n: z.number().int(),
  score: z.number(),
  LRT: z.number(),
  beta: z.number().nullable(),
  sd: z.number().nullable(),
  h2: z.number().nullable(),
  p: z.number(),
  neg_log10_p: z.number(),
  q: z.number().nullable(),
});
export type GwasRow = z.infer<typeof gwasRow>;

/**
 * `GET …/gwas/{id}/plot?trait=`: little-endian Float32 triples (index of the chromosome in `chromosomes`, position in bp, −log10 p)
 * of the whole genome or of a region. Above 50,000 markers those that cover each other are thinned; every marker with p below
 * 1e-3 is kept. `application/octet-stream`.
 */
export const gwasPlotQuery = z.object({ trait, ...region });

/** `GET …/gwas/{id}/qq?trait=`: expected against observed −log10 p, thinned in the dense part. */
export const gwasQq = z.object({
  lambda: z.number(),
  m: z.number().int(),
  points: z.array(z.tuple([z.number(), z.number()])),
});
export type GwasQq = z.infer<typeof gwasQq>;

/** `GET …/gwas/{id}/markers/{marker}?trait=`: phenotype by genotype class and LD with the neighbours. */
export const gwasMarker = z.object({
  row: gwasRow,
  /** Phenotypes of the individuals with 0, 1 and 2 copies of A2. */
  classes: z.array(z.object({ dosage: z.number().int(), genotype: z.string(), values: z.array(z.number()) })),
  /** r² with markers within the window, by position. */
  neighbours: z.array(
    z.object({ id: z.string(), pos: z.number(), p: z.number(), neg_log10_p: z.number(), r2: z.number() }),
  ),
});
export type GwasMarker = z.infer<typeof gwasMarker>;
