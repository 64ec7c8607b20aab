import * as z from 'zod';
import { meansSummary } from '../work/adjusted-means.ts';
import { phenotypeShape, ploidyCount } from './file-formats.ts';

const histogram = z
  .object({
    min: z.number(),
    max: z.number(),
    counts: z.array(z.number().int()).describe('In bins of equal width from min to max.'),
  })
  .meta({ id: 'Histogram' });
export type Histogram = z.infer<typeof histogram>;

const distance = z.number().nullable();
const decayCurve = {
  bins: z
    .array(
      z.object({
        from: z.number(),
        to: z.number(),
        pairs: z.number().int(),
        distance: z.number().describe('Mean distance of the pairs.'),
        r2: z.number().describe('Mean r² of the pairs.'),
      }),
    )
    .describe('Pairs of markers by distance: from ≤ distance < to.'),
  mean: z
    .object({ half_distance: distance, r2_02_distance: distance })
    .describe("Where the means fall to half of the first bin's and to 0.2; null where they do not."),
  fit: z
    .object({
      rho: z.number(),
      r2: z.array(z.number()).describe('The curve at the mean distance of each bin.'),
      half_distance: distance,
      r2_02_distance: distance,
    })
    .nullable()
    .describe('The curve of Hill & Weir (1988) through the bins; null where it cannot be fitted.'),
};

const ldDecay = z
  .object({
    unit: z.enum(['bp', 'cM']),
    individuals: z.number().int(),
    markers: z.number().int().describe('Markers whose pairs were considered.'),
    of_markers: z.number().int().describe('Markers that pass the default filter and have a position.'),
    pairs: z.number().int().describe('Pairs computed.'),
    of_pairs: z.number().describe('Pairs of these markers on the same chromosome.'),
    ...decayCurve,
    chromosomes: z
      .array(z.object({ name: z.string(), ...decayCurve }))
      .describe('The 60 chromosomes with the most markers.'),
  })
  .meta({ id: 'LdDecay' });
export type LdDecayBody = z.infer<typeof ldDecay>;

/**
 * `GET …/files/{id}/qc` of a genotype file. Shares are 0–1. Optional fields are absent from files that were checked by
 * a version that did not compute them yet.
 */
export const genotypeQc = z.object({
  kind: z.literal('genotype'),
  ploidy: z
    .number()
    .int()
    .optional()
    .describe('Copies of each chromosome, the most where plants differ; absent for diploids.'),
  ploidies: z
    .array(ploidyCount)
    .optional()
    .describe(
      'Plants by ploidy where they differ: then there are no classes of dosage, no structure and no decay of LD, and no marker is tested.',
    ),
  samples: z.number().int(),
  markers: z.number().int(),
  missing_share: z.number(),
  heterozygous_share: z.number().optional().describe('Heterozygotes among all called genotypes.'),
  mean_individual_heterozygosity: z
    .number()
    .optional()
    .describe('Mean over individuals of the share of heterozygotes among their calls.'),
  dosage_classes: z
    .array(z.number().int())
    .optional()
    .describe('Of polyploids: calls by copies of A2, from 0 to the ploidy; fractions count as the nearest number.'),
  expected_dosage_classes: z
    .array(z.number())
    .optional()
    .describe('As many as random mating without double reduction gives, at the frequency of each marker.'),
  expected_with_double_reduction: z
    .array(z.number())
    .nullish()
    .describe('Of tetraploids: the same with double reduction as estimated, at most 1/6.'),
  double_reduction: z
    .number()
    .nullish()
    .describe('Estimated from the mean F of the panel under random mating; relatives as parents raise it too.'),
  gametic_heterozygosity: z
    .number()
    .optional()
    .describe('Of polyploids: chance that two alleles of a plant at a marker differ, over all calls.'),
  marker_gametic_heterozygosity: histogram.optional(),
  phased: z.boolean(),
  counted_allele: z.string().describe('The allele that dosages and effects count.'),
  marker_call_rate: histogram,
  marker_maf: histogram,
  marker_heterozygosity: histogram,
  hwe: z
    .object({
      tested: z.number().int().describe('Polymorphic markers.'),
      neg_log10_p: histogram.describe('−log10 p; values above the range are counted in the last bin.'),
      below_1e_6: z.number().int().describe('Markers with p < 1e-6.'),
      fewer_heterozygotes: z.number().int().describe('Of these, markers with fewer heterozygotes than expected.'),
      more_heterozygotes: z.number().int(),
      is_inbred_panel: z
        .boolean()
        .describe('Mean F above 0.5: fewer heterozygotes are expected at every marker, and say nothing against it.'),
    })
    .optional()
    .describe('Exact test of Hardy–Weinberg equilibrium (Wigginton et al. 2005); of polyploids χ² over the classes.'),
  sample_call_rate: histogram,
  sample_heterozygosity: histogram,
  sample_inbreeding: histogram.optional().describe('Inbreeding coefficients F by the method of moments.'),
  mean_inbreeding: z.number().nullable().optional(),
  samples_below_call_rate: z.number().int().optional().describe('Individuals with a call rate below 0.8.'),
  markers_after_default_qc: z
    .number()
    .int()
    .describe('Markers that pass the defaults of a run: MAF ≥ 0.05, call rate ≥ 0.90.'),
  contigs: z.array(
    z.object({
      name: z.string(),
      markers: z.number().int(),
      length_bp: z.number(),
      density: z.array(z.number().int()),
    }),
  ),
  samples_table: z
    .array(
      z.object({
        name: z.string(),
        ploidy: z.number().int().optional().describe('Where plants differ.'),
        call_rate: z.number(),
        heterozygosity: z.number(),
        inbreeding: z.number().nullable().optional(),
      }),
    )
    .describe('One row a sample, at most 20,000.'),
  pca: z
    .object({
      shares: z.array(z.number()),
      points: z.array(z.object({ name: z.string(), pc: z.array(z.number()) })),
      eigenvalues: z.array(z.number()).optional(),
      markers: z.number().int().optional().describe('Markers used, for the kinship too.'),
      of_markers: z.number().int().optional().describe('Markers that pass the default filter.'),
      is_approximate: z.boolean().optional().describe('Not all of these markers were used.'),
    })
    .nullable(),
  kinship: z
    .object({ names: z.array(z.string()), values: z.array(z.number()) })
    .nullable()
    .describe('Kinship ordered by clustering, row-major, for at most 500 individuals; null for larger panels.'),
  ld_decay: ldDecay.nullable().optional().describe('Decay of LD with distance; null without positions.'),
  duplicates: z
    .array(z.object({ first: z.string(), second: z.string(), identity: z.number() }))
    .describe('Pairs with more than 99 % of equal calls, at most 1,000.'),
  duplicate_search: z
    .object({
      pairs: z.number().int().describe('All pairs found.'),
      markers: z.number().int().describe('Markers compared.'),
      unverified: z.number().int().describe('Similar pairs that were not compared at all of these markers.'),
      skipped: z
        .enum(['few-markers', 'many-samples'])
        .nullable()
        .describe('Why there was no search: fewer than 100 polymorphic markers, more than 50,000 individuals.'),
    })
    .optional(),
});
export type GenotypeQcBody = z.infer<typeof genotypeQc>;

export const traitSummary = z.object({
  name: z.string(),
  unit: z.string().nullable(),
  kind: z.enum(['numeric', 'categorical']),
  is_covariate: z
    .boolean()
    .optional()
    .describe('The file gives it as a covariate of its traits. Absent in older files.'),
  n: z.number().int(),
  mean: z.number().nullable(),
  sd: z.number().nullable(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  h2: z
    .number()
    .nullable()
    .describe('H² on an entry-mean basis, 1 − MS(error)/MS(lines); null where it cannot be estimated.'),
  histogram: histogram.nullable(),
  outliers: z.array(z.object({ individual: z.string(), value: z.number(), line: z.number().int().nullable() })),
});
export type TraitSummaryBody = z.infer<typeof traitSummary>;

/** `GET …/files/{id}/markers/{marker}` of a genotype: the plants by their copies of A2. */
export const markerClasses = z
  .object({
    id: z.string(),
    chromosome: z.string(),
    position_bp: z.number(),
    a1: z.string(),
    a2: z.string().describe('The allele that is counted.'),
    ploidy: z.number().int(),
    missing: z.number().int().describe('Plants without a call.'),
    counts: z.array(z.number().int()).describe('Plants with 0 copies, 1 … all; fractions count as the nearest number.'),
    expected: z.array(z.number()).describe('As many as random mating without double reduction gives.'),
    expected_with_double_reduction: z
      .array(z.number())
      .nullable()
      .describe('Of tetraploids: the same with `double_reduction`, at most 1/6.'),
    double_reduction: z.number().nullable().describe('Estimated from the whole panel; null for diploids.'),
    neg_log10_p: z
      .number()
      .nullable()
      .describe('χ² of the classes against random mating without double reduction; null for a single allele.'),
  })
  .meta({ id: 'MarkerClasses' });
export type MarkerClasses = z.infer<typeof markerClasses>;

export const phenotypeQc = z.object({
  kind: z.literal('phenotype'),
  shape: phenotypeShape,
  individuals: z.number().int(),
  traits: z.array(traitSummary),
  correlations: z
    .object({ names: z.array(z.string()), values: z.array(z.number().nullable()) })
    .describe('Pearson correlations of the numeric traits, row-major over `names`; null where fewer than 3 pairs.'),
  environments: z
    .array(
      z.object({ name: z.string(), observations: z.array(z.number().int()), individuals: z.array(z.number().int()) }),
    )
    .optional()
    .describe(
      'How many values of how many individuals an environment holds, by trait in the order of `traits`; absent without design columns.',
    ),
  means: z
    .array(meansSummary)
    .optional()
    .describe('One entry per numeric trait; absent when no individual has several observations of any trait.'),
});
export type PhenotypeQcBody = z.infer<typeof phenotypeQc>;

export const linkageMapQc = z.object({
  kind: z.literal('linkage_map'),
  markers: z.number().int(),
  chromosomes: z.array(z.object({ name: z.string(), markers: z.number().int(), length_cm: z.number().nullable() })),
});
/** `type` as in `CrossType` of file-formats; absent in files checked by an older version. */
export const crossingTableQc = z.object({
  kind: z.literal('crossing_table'),
  crosses: z.array(
    z.object({
      name: z.string(),
      female: z.string(),
      male: z.string(),
      progeny_count: z.number().int().nullable(),
      type: z.string().optional(),
    }),
  ),
});
export const pedigreeQc = z.object({
  kind: z.literal('pedigree'),
  individuals: z.number().int(),
  founders: z.number().int().describe('Individuals without known parents.'),
  added_founders: z.number().int().describe('Founders that are named only as parents.'),
  added_crosses: z.number().int().describe('Crosses in between that were created from pedigree strings.'),
  generations: z
    .array(z.number().int())
    .describe('Individuals by the longest way down from a founder, founders first.'),
  one_parent: z.number().int().describe('Individuals with one unknown parent.'),
  selfed: z.number().int().describe('Individuals of one plant: selfed, doubled haploid or cloned.'),
  mean_inbreeding: z.number(),
  mean_coancestry: z.number().describe('Of all pairs, each with itself included.'),
  inbreeding: histogram,
  most_inbred: z
    .array(z.object({ name: z.string(), inbreeding: z.number(), mean_coancestry: z.number() }))
    .describe('Highest inbreeding, at most 100; fully inbred lines are left out.'),
});
export type PedigreeQcBody = z.infer<typeof pedigreeQc>;

export const genesQc = z.object({
  kind: z.literal('genes'),
  genes: z.number().int(),
  named: z.number().int().describe('Genes with a name besides their id.'),
  chromosomes: z.array(z.object({ name: z.string(), genes: z.number().int(), length_bp: z.number() })),
});

export const fileQc = z
  .discriminatedUnion('kind', [genotypeQc, phenotypeQc, linkageMapQc, crossingTableQc, pedigreeQc, genesQc])
  .meta({ id: 'FileQc' });
export type FileQc = z.infer<typeof fileQc>;
