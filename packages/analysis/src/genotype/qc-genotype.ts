import type { GenotypeStats } from '@heterosis/file-formats/genotype/genotype-stats';
import { compareChromosomes } from '@heterosis/file-formats/genotype/panel/chromosome-order';
import {
  type DuplicateGenotypes,
  findDuplicateGenotypes,
  withinPloidy,
} from '@heterosis/file-formats/genotype/panel/duplicate-genotypes';
import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { packNearest } from '@heterosis/file-formats/genotype/panel/polyploid-file';
import { countPloidies, type PloidyCount } from '@heterosis/file-formats/genotype/ploidies';
import { type AnalysisContext, reportProgress } from '../context.ts';
import { type MarkerPlaces, readMarkerPlaces } from '../inputs/marker-places.ts';
import { markerRanges, packedRanges } from '../inputs/open-panel.ts';
import {
  createClassCounter,
  type DosageClassCounts,
  type DosageSummary,
  summarizeClasses,
} from './dosage-class-counts.ts';
import { createInbreeding } from './expected-homozygosity.ts';
import { type Histogram, histogram } from './histogram.ts';
import { createLdDecay, type LdDecay } from './ld-decay.ts';
import { countPanel, type MarkerFigures, markerFigures } from './panel-counts.ts';
import { createStructure, type PanelStructure } from './panel-structure.ts';

/** Description of a genotype file; field names as in the API. Shares are 0–1. */
export interface GenotypeQc extends PanelStructure, Partial<DosageSummary> {
  kind: 'genotype';
  /** Copies of each chromosome, the highest where plants differ; absent for diploids, as are the classes of dosage. */
  ploidy?: number;
  /**
   * Plants by ploidy where they differ, and then there are no classes of dosage, no test of Hardy–Weinberg
   * equilibrium, no structure and no decay of LD, which compare plants of one ploidy.
   */
  ploidies?: PloidyCount[];
  samples: number;
  markers: number;
  missing_share: number;
  /** Heterozygotes among all called genotypes. */
  heterozygous_share: number;
  /** Mean over individuals of the share of heterozygotes among their calls. */
  mean_individual_heterozygosity: number;
  phased: boolean;
  /** The allele counted by dosages and effects. */
  counted_allele: string;
  marker_call_rate: Histogram;
  marker_maf: Histogram;
  marker_heterozygosity: Histogram;
  /** Test of Hardy–Weinberg equilibrium of every polymorphic marker: exact, in polyploids χ² over the classes. */
  hwe: HardyWeinbergSummary;
  sample_call_rate: Histogram;
  sample_heterozygosity: Histogram;
  /** Inbreeding coefficients F by the method of moments; values below −1 are in the first bin. */
  sample_inbreeding: Histogram;
  mean_inbreeding: number | null;
  /** Individuals with a call rate below 0.8. */
  samples_below_call_rate: number;
  /** Markers with MAF ≥ 0.05 and call rate ≥ 0.90, the defaults of a run. */
  markers_after_default_qc: number;
  contigs: { name: string; markers: number; length_bp: number; density: number[] }[];
  /** One row per sample, at most 20,000. F is null where no polymorphic marker is called. */
  samples_table: {
    name: string;
    /** Where plants differ. */
    ploidy?: number;
    call_rate: number;
    heterozygosity: number;
    inbreeding: number | null;
  }[];
  /** Decay of r² with distance, of polyploids by dosages; null if there are no positions. */
  ld_decay: LdDecay | null;
  /** Pairs of samples with nearly identical calls, at most 1,000. */
  duplicates: { first: string; second: string; identity: number }[];
  duplicate_search: DuplicateSearchSummary;
}

export interface HardyWeinbergSummary {
  /** Polymorphic markers. */
  tested: number;
  /** −log₁₀ p from 0 to 20; smaller p are in the last bin. */
  neg_log10_p: Histogram;
  /** Markers with p < 1e-6, and those of them with fewer or more heterozygotes than expected. */
  below_1e_6: number;
  fewer_heterozygotes: number;
  more_heterozygotes: number;
  /** True when the mean F exceeds 0.5: inbred lines have an excess of homozygotes at every marker. */
  is_inbred_panel: boolean;
}

export interface DuplicateSearchSummary {
  /** Number of pairs found; `duplicates` lists the first 1,000. */
  pairs: number;
  /** Markers compared: polymorphic, called in at least half of the individuals. */
  markers: number;
  /** Pairs compared at only some of these markers, because there were too many candidates. */
  unverified: number;
  /** Why there was no search: fewer than 100 such markers, or more than 50,000 individuals. */
  skipped: 'few-markers' | 'many-samples' | null;
}

export interface QcInput {
  panel: Pick<PanelBlocks, 'samples' | 'markerCount' | 'readPacked' | 'readMarkers' | 'dosages'>;
  /** Whether the original file has phased calls; a panel stores no phase. */
  isPhased?: boolean;
  /** cM by marker from a linkage map, NaN if unmapped: LD is then described by cM. */
  positionCm?: Float64Array;
  /** Figures collected while the panel was written; without them the panel is read again. */
  counted?: CountedPanel;
  /** `all`: also use all markers of a large panel for principal components and kinship. Default `auto`. */
  structureMarkers?: 'auto' | 'all';
}

/** Figures from {@link importGenotype}'s reader. */
export interface CountedPanel {
  stats: GenotypeStats;
  duplicates: DuplicateGenotypes;
  places: MarkerPlaces;
}

/** The figures of a panel, and the data for its tables of markers and samples. */
export interface QualityOfPanel {
  qc: GenotypeQc;
  stats: GenotypeStats;
  /** F of every individual; NaN where no polymorphic marker is called. */
  inbreeding: Float64Array;
  /** Null for diploids. */
  classes: DosageClassCounts | null;
}

const DENSITY_BINS = 60;
const MAX_TABLE_ROWS = 20_000;
const MAX_LISTED_DUPLICATES = 1000;
const LOW_CALL_RATE = 0.8;
const HWE_LIMIT = 6;
const MAX_NEG_LOG10 = 20;
const INBRED_F = 0.5;

/**
 * Describes a panel: call rates, frequencies, heterozygosity, Hardy–Weinberg equilibrium, inbreeding, marker density,
 * LD decay, duplicated individuals, and the structure of up to 10,000 individuals. One pass over the calls unless they
 * are already counted, and a second for the figures that need the counts. Memory: about 60 bytes per marker, and the
 * kinship of up to 2,000 individuals.
 */
export async function qcGenotype(input: QcInput, context: AnalysisContext): Promise<GenotypeQc> {
  return (await qualityOfPanel(input, context)).qc;
}

/** Like {@link qcGenotype}, with the data for the tables of `quality-tables.ts`. */
export async function qualityOfPanel(input: QcInput, context: AnalysisContext): Promise<QualityOfPanel> {
  const { panel } = input;
  const samples = panel.samples.length;
  const markers = panel.markerCount;
  const stats = input.counted?.stats ?? (await countPanel(panel, context));
  const places = input.counted?.places ?? (await readMarkerPlaces(panel));
  const found = input.counted?.duplicates ?? (await findDuplicates(panel, stats));
  const figures = markerFigures(samples, stats);
  const { inbreeding, classes, ...structure } = await secondPass(input, stats, figures, places, context);
  const called = (i: number): number => markers - stats.sampleMissing[i];
  const sampleCallRate = perItem(samples, (i) => (markers === 0 ? 0 : called(i) / markers));
  const sampleHet = perItem(samples, (i) => stats.sampleHet[i] / called(i));
  const missing = total(stats.markerMissing);
  const heterozygous = total(stats.sampleHet);
  const calls = samples * markers - missing;
  const meanInbreeding = meanOf(inbreeding);
  const qc: GenotypeQc = {
    kind: 'genotype',
    ...(stats.ploidy === undefined ? {} : { ploidy: stats.ploidy }),
    ...(stats.mixed === undefined ? {} : { ploidies: countPloidies(stats.mixed.ploidies) }),
    ...(classes === null ? {} : summarizeClasses(samples, classes, stats)),
    samples,
    markers,
    missing_share: samples * markers === 0 ? 0 : missing / (samples * markers),
    heterozygous_share: calls === 0 ? 0 : heterozygous / calls,
    mean_individual_heterozygosity: meanOf(sampleHet) ?? 0,
    phased: input.isPhased === true || heterozygous === 0,
    counted_allele: 'A2 (ALT)',
    marker_call_rate: histogram(figures.callRate, 0, 1),
    marker_maf: histogram(figures.maf, 0, 0.5),
    marker_heterozygosity: histogram(figures.heterozygosity, 0, 1),
    hwe: describeEquilibrium(classes === null ? figures : { ...figures, ...ofClasses(classes) }, meanInbreeding),
    sample_call_rate: histogram(sampleCallRate, 0, 1),
    sample_heterozygosity: histogram(sampleHet, 0, 1),
    sample_inbreeding: histogram(inbreeding, -1, 1),
    mean_inbreeding: meanInbreeding,
    samples_below_call_rate: sampleCallRate.filter((rate) => rate < LOW_CALL_RATE).length,
    markers_after_default_qc: figures.passingCount,
    contigs: contigsOf(places),
    samples_table: panel.samples.slice(0, MAX_TABLE_ROWS).map((name, i) => ({
      name,
      ...(stats.mixed === undefined ? {} : { ploidy: stats.mixed.ploidies[i] }),
      call_rate: sampleCallRate[i],
      heterozygosity: Number.isNaN(sampleHet[i]) ? 0 : sampleHet[i],
      inbreeding: Number.isNaN(inbreeding[i]) ? null : inbreeding[i],
    })),
    ...structure,
    duplicates: found.pairs.slice(0, MAX_LISTED_DUPLICATES).map(({ first, second, identity }) => ({
      first: panel.samples[first],
      second: panel.samples[second],
      identity,
    })),
    duplicate_search: {
      pairs: found.pairs.length,
      markers: found.markers,
      unverified: found.unverified,
      skipped: found.skipped,
    },
  };
  return { qc, stats, inbreeding, classes };
}

/** Figures that need the counts of all markers first: inbreeding, structure, LD decay; and classes of dosage. */
async function secondPass(
  { panel, positionCm, structureMarkers = 'auto' }: QcInput,
  stats: GenotypeStats,
  figures: MarkerFigures,
  places: MarkerPlaces,
  context: AnalysisContext,
): Promise<PanelStructure & Pick<QualityOfPanel, 'inbreeding' | 'classes'> & { ld_decay: LdDecay | null }> {
  const inbreeding = createInbreeding(panel.samples.length, stats);
  const { ploidy, mixed } = stats;
  const isMixed = mixed !== undefined;
  const structure = isMixed ? null : createStructure(panel.samples, figures, structureMarkers, context);
  const sizes = { individuals: panel.samples.length, ploidy: ploidy ?? 2 };
  const decay = isMixed ? null : createLdDecay(sizes, places, figures, positionCm);
  const classes =
    ploidy === undefined || isMixed ? null : createClassCounter(panel.samples.length, panel.markerCount, ploidy);
  const ranges = markerRanges(panel.markerCount);
  let block = 0;
  reportProgress(context, 'kinship', block, ranges.length);
  for await (const { packed, first, count, dosages } of packedRanges(panel, ranges)) {
    inbreeding.add(packed, first, count, dosages);
    structure?.add(packed, first, count, dosages);
    decay?.add(packed, first, count, dosages);
    classes?.add(packed, first, count, dosages);
    reportProgress(context, 'kinship', ++block, ranges.length);
  }
  return {
    ...(structure?.finish() ?? { pca: null, kinship: null }),
    inbreeding: inbreeding.finish(),
    ld_decay: decay?.finish() ?? null,
    classes: classes?.finish() ?? null,
  };
}

/** What stands in polyploids for the test of diploids and for the share of heterozygotes. */
const ofClasses = ({ hwe, gameticHeterozygosity }: DosageClassCounts) => ({
  hweNegLog10P: hwe.negLog10P,
  heterozygosity: gameticHeterozygosity,
});

function describeEquilibrium(
  { hweNegLog10P, maf, heterozygosity }: Pick<MarkerFigures, 'hweNegLog10P' | 'maf' | 'heterozygosity'>,
  meanInbreeding: number | null,
): HardyWeinbergSummary {
  let tested = 0;
  let below = 0;
  let fewer = 0;
  for (let j = 0; j < hweNegLog10P.length; j++) {
    if (Number.isNaN(hweNegLog10P[j])) continue;
    tested++;
    if (hweNegLog10P[j] <= HWE_LIMIT) continue;
    below++;
    if (heterozygosity[j] < 2 * maf[j] * (1 - maf[j])) fewer++;
  }
  return {
    tested,
    neg_log10_p: histogram(hweNegLog10P, 0, MAX_NEG_LOG10),
    below_1e_6: below,
    fewer_heterozygotes: fewer,
    more_heterozygotes: below - fewer,
    is_inbred_panel: (meanInbreeding ?? 0) > INBRED_F,
  };
}

/** Duplicates of a panel whose calls are counted. */
export async function findDuplicates(panel: QcInput['panel'], stats: GenotypeStats): Promise<DuplicateGenotypes> {
  const sampleCount = panel.samples.length;
  const { markerMissing, markerA2Copies } = stats;
  const counts = { sampleCount, markerMissing, markerA2Copies };
  const { dosages } = panel;
  if (stats.ploidy !== undefined && dosages !== undefined) {
    const readRows = async (marker: number, count: number, into: Uint8Array): Promise<void> => {
      const block = await dosages.read(marker, count);
      if (block !== undefined) packNearest(block, sampleCount, into);
    };
    return withinPloidy(await findDuplicateGenotypes({ ...counts, bits: 4, readRows }), dosages.ploidies);
  }
  return findDuplicateGenotypes({
    ...counts,
    readRows: async (marker, count, into) => {
      into.set(await panel.readPacked(marker, count));
    },
  });
}

function contigsOf({ chromosomes, chromosomeOf, positionBp }: MarkerPlaces): GenotypeQc['contigs'] {
  const contigs = chromosomes.map((name) => ({
    name,
    markers: 0,
    length_bp: 0,
    density: Array<number>(DENSITY_BINS).fill(0),
  }));
  for (let j = 0; j < chromosomeOf.length; j++) {
    const contig = contigs[chromosomeOf[j]];
    contig.markers++;
    contig.length_bp = Math.max(contig.length_bp, positionBp[j]);
  }
  for (let j = 0; j < chromosomeOf.length; j++) {
    const contig = contigs[chromosomeOf[j]];
    if (contig.length_bp === 0) continue;
    contig.density[Math.min(DENSITY_BINS - 1, Math.floor((DENSITY_BINS * positionBp[j]) / contig.length_bp))]++;
  }
  return contigs.sort((a, b) => compareChromosomes(a.name, b.name));
}

/** A plain loop, because `Float64Array.from` takes ten times as long for a million markers. */
function perItem(count: number, valueOf: (index: number) => number): Float64Array {
  const values = new Float64Array(count);
  for (let i = 0; i < count; i++) values[i] = valueOf(i);
  return values;
}

function total(values: Int32Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum;
}

/** Mean of the values that are not NaN; null if there are none. */
function meanOf(values: Float64Array): number | null {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i])) continue;
    sum += values[i];
    count++;
  }
  return count === 0 ? null : sum / count;
}
