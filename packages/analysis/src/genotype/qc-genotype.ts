import { compareChromosomes } from '@heterosis/file-formats/genotype/panel/chromosome-order';
import { type DuplicatePair, findDuplicateGenotypes } from '@heterosis/file-formats/genotype/panel/duplicate-genotypes';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { packedLength } from '@heterosis/file-formats/genotype/panel/packed-calls';
import type { GenotypeStats } from '@heterosis/file-formats/genotype/panel/panel-writer';
import { SampleCounter } from '@heterosis/file-formats/genotype/panel/sample-counter';
import { passesFilter } from '@heterosis/statgen/genotypes/call-counts';
import { createKinshipAccumulator } from '@heterosis/statgen/kinship/accumulate-kinship';
import { createLeadingComponents } from '@heterosis/statgen/kinship/leading-components';
import { type PrincipalComponents, principalComponents } from '@heterosis/statgen/kinship/principal-components';
import { setComputeThreads } from '@heterosis/statgen/linear-algebra';
import { StatgenError } from '@heterosis/statgen/statgen-error';
import { type AnalysisContext, reportProgress } from '../context.ts';
import { type MarkerRange, markerRanges } from '../inputs/open-panel.ts';
import { clusterOrder } from './cluster-order.ts';

/** Counts in equal bins from `min` to `max`. */
export interface Histogram {
  min: number;
  max: number;
  counts: number[];
}

/** What a genotype file looks like; spelled as the API spells it. Shares are 0–1. */
export interface GenotypeQc {
  kind: 'genotype';
  samples: number;
  markers: number;
  missing_share: number;
  phased: boolean;
  /** The allele that dosages and effects count. */
  counted_allele: string;
  marker_call_rate: Histogram;
  marker_maf: Histogram;
  marker_heterozygosity: Histogram;
  sample_call_rate: Histogram;
  sample_heterozygosity: Histogram;
  /** Markers with MAF ≥ 0.05 and call rate ≥ 0.90, the defaults of a run. */
  markers_after_default_qc: number;
  contigs: { name: string; markers: number; length_bp: number; density: number[] }[];
  /** One row a sample, at most 20,000. */
  samples_table: { name: string; call_rate: number; heterozygosity: number }[];
  pca: { shares: number[]; points: { name: string; pc: number[] }[] } | null;
  /** Standardized kinship, rows and columns ordered by clustering, row-major; null above 500 individuals. */
  kinship: { names: string[]; values: number[] } | null;
  /** Pairs of samples with nearly the same calls, at most 1,000. */
  duplicates: { first: string; second: string; identity: number }[];
}

export interface QcInput {
  panel: GenotypePanel;
  /** Whether the original file has phased calls; a panel itself holds no phase. */
  isPhased?: boolean;
  /** What was counted while the panel was written; the calls are read once more when it is absent. */
  counted?: CountedPanel;
}

/** Figures of {@link importGenotype}'s reader. */
export interface CountedPanel {
  stats: GenotypeStats;
  duplicates: readonly DuplicatePair[];
}

const BINS = 20;
const DENSITY_BINS = 60;
const DEFAULT_FILTER = { maf: 0.05, callRate: 0.9 };
const MAX_TABLE_ROWS = 20_000;
const MAX_HEATMAP = 500;
/** Individuals that a scatter plot can show. */
const MAX_PCA = 10_000;
const PCA_AXES = 5;
/** Markers that structure is computed from, evenly spread over the panel: more change nothing that can be seen … */
const MAX_STRUCTURE_MARKERS = 5_000;
const MIN_STRUCTURE_MARKERS = 1_000;
/** … and fewer do for many individuals: calls held in memory at once, 8 bytes each. */
const STRUCTURE_CALLS = 2_500_000;
/** Markers side by side of these: small, so that the blocks lie close to each other on every chromosome. */
const STRUCTURE_BLOCK = 128;
const MAX_LISTED_DUPLICATES = 1000;

/**
 * Describes a panel: call rates, frequencies, heterozygosity, marker density, duplicated individuals, and the structure of
 * up to 10,000 individuals. One pass over the calls unless they were counted already, and a second one over at most 5,000
 * markers, evenly spread, for the structure.
 */
export async function qcGenotype(input: QcInput, context: AnalysisContext): Promise<GenotypeQc> {
  const { panel } = input;
  const samples = panel.samples.length;
  const markers = panel.markers.positionBp.length;
  const counts =
    input.counted === undefined ? await countPanel(panel, context) : describeCounts(panel, input.counted.stats);
  const called = (missing: number, of: number) => (of === 0 ? 0 : (of - missing) / of);
  const markerCallRate = shares(markers, (j) => called(counts.markerMissing[j], samples));
  const sampleCallRate = shares(samples, (i) => called(counts.sampleMissing[i], markers));
  const sampleHet = shares(samples, (i) => counts.sampleHet[i] / (markers - counts.sampleMissing[i]));
  const missing = counts.markerMissing.reduce((sum, value) => sum + value, 0);
  const hasHeterozygotes = counts.sampleHet.some((het) => het > 0);
  const duplicates = namedPairs(panel, input.counted?.duplicates ?? (await findDuplicates(panel, counts)));
  return {
    kind: 'genotype',
    samples,
    markers,
    missing_share: samples * markers === 0 ? 0 : missing / (samples * markers),
    phased: input.isPhased === true || !hasHeterozygotes,
    counted_allele: 'A2 (ALT)',
    marker_call_rate: histogram(markerCallRate, 0, 1),
    marker_maf: histogram(counts.markerMaf, 0, 0.5),
    marker_heterozygosity: histogram(
      shares(markers, (j) => counts.markerHet[j] / (samples - counts.markerMissing[j])),
      0,
      1,
    ),
    sample_call_rate: histogram(sampleCallRate, 0, 1),
    sample_heterozygosity: histogram(sampleHet, 0, 1),
    markers_after_default_qc: counts.passing,
    contigs: contigsOf(panel),
    samples_table: panel.samples.slice(0, MAX_TABLE_ROWS).map((name, i) => ({
      name,
      call_rate: sampleCallRate[i],
      heterozygosity: Number.isNaN(sampleHet[i]) ? 0 : sampleHet[i],
    })),
    ...(await structure(panel, context)),
    duplicates,
  };
}

interface PanelCounts extends GenotypeStats {
  /** NaN where all calls are missing. */
  markerMaf: Float64Array;
  passing: number;
}

function describeCounts(panel: GenotypePanel, stats: GenotypeStats): PanelCounts {
  const samples = panel.samples.length;
  const { markerMissing, markerHet, markerA2Copies } = stats;
  const counts = {
    individuals: samples,
    missing: markerMissing,
    heterozygous: markerHet,
    homozygousA2: markerA2Copies.map((copies, j) => (copies - markerHet[j]) / 2),
  };
  let passing = 0;
  const markerMaf = shares(markerMissing.length, (j) => {
    if (passesFilter(counts, j, DEFAULT_FILTER)) passing++;
    const p = markerA2Copies[j] / (2 * (samples - markerMissing[j]));
    return Math.min(p, 1 - p);
  });
  return { ...stats, markerMaf, passing };
}

async function countPanel(panel: GenotypePanel, context: AnalysisContext): Promise<PanelCounts> {
  const samples = panel.samples.length;
  const markers = panel.markers.positionBp.length;
  const markerMissing = new Int32Array(markers);
  const markerHet = new Int32Array(markers);
  const markerA2Copies = new Int32Array(markers);
  const counter = new SampleCounter(samples);
  const rowBytes = packedLength(samples);
  const { row } = counter;
  // The bits after the last sample are no calls, whatever stands in them.
  const usedBits = samples % 4 === 0 ? 0xff : (1 << (2 * (samples % 4))) - 1;
  const ranges = markerRanges(markers);
  for (const [block, { first, count }] of ranges.entries()) {
    reportProgress(context, 'qc', block, ranges.length);
    const packed = await panel.readPacked(first, count);
    for (let k = 0; k < count; k++) {
      row.set(packed.subarray(k * rowBytes, (k + 1) * rowBytes));
      row[rowBytes - 1] &= usedBits;
      counter.add();
      markerMissing[first + k] = counter.counts.missing;
      markerHet[first + k] = counter.counts.het;
      markerA2Copies[first + k] = counter.counts.het + 2 * counter.counts.homA2;
    }
  }
  counter.finish();
  reportProgress(context, 'qc', ranges.length, ranges.length);
  const { sampleMissing, sampleHet } = counter;
  return describeCounts(panel, { markerMissing, markerHet, markerA2Copies, sampleMissing, sampleHet });
}

async function findDuplicates(panel: GenotypePanel, counts: PanelCounts): Promise<DuplicatePair[]> {
  return findDuplicateGenotypes({
    sampleCount: panel.samples.length,
    markerMissing: counts.markerMissing,
    markerA2Copies: counts.markerA2Copies,
    readRow: async (marker, into) => {
      into.set(await panel.readPacked(marker, 1));
    },
  });
}

function namedPairs(panel: GenotypePanel, pairs: readonly DuplicatePair[]): GenotypeQc['duplicates'] {
  return pairs.slice(0, MAX_LISTED_DUPLICATES).map(({ first, second, identity }) => ({
    first: panel.samples[first],
    second: panel.samples[second],
    identity,
  }));
}

/** Structure from evenly spread markers: the kinship itself of a small panel, only its leading components of a large one. */
async function structure(panel: GenotypePanel, context: AnalysisContext): Promise<Pick<GenotypeQc, 'pca' | 'kinship'>> {
  const n = panel.samples.length;
  if (n < 3 || n > MAX_PCA) return { pca: null, kinship: null };
  setComputeThreads(context.threads);
  const ranges = spreadRanges(panel.markers.positionBp.length, structureMarkers(n));
  const addMarkers = async (to: { add(packed: Uint8Array, count: number): void }) => {
    for (const [block, { first, count }] of ranges.entries()) {
      reportProgress(context, 'kinship', block, ranges.length);
      to.add(await panel.readPacked(first, count), count);
    }
  };
  const options = { panelSize: n, filter: DEFAULT_FILTER };
  try {
    if (n > MAX_HEATMAP) {
      const markers = ranges.reduce((sum, range) => sum + range.count, 0);
      const leading = createLeadingComponents({ ...options, count: PCA_AXES, markers });
      await addMarkers(leading);
      return { pca: describeAxes(panel, leading.finish()), kinship: null };
    }
    const accumulator = createKinshipAccumulator({ ...options, methods: ['standardized'] });
    await addMarkers(accumulator);
    const { standardized } = accumulator.finish().kernels;
    if (standardized === undefined) return { pca: null, kinship: null };
    const axes = principalComponents(standardized, Math.min(PCA_AXES, n));
    return { pca: describeAxes(panel, axes), kinship: heatMap(panel, standardized.data) };
  } catch (error) {
    // Too few good markers to show a structure; the figures above say so already.
    if (error instanceof StatgenError && error.code === 'no-markers-left') return { pca: null, kinship: null };
    throw error;
  }
}

function describeAxes(panel: GenotypePanel, { axes, eigenvalues, shares }: PrincipalComponents): GenotypeQc['pca'] {
  const n = panel.samples.length;
  const scales = eigenvalues.map((value) => Math.sqrt(Math.max(0, value)));
  const points = panel.samples.map((name, i) => ({
    name,
    pc: Array.from(scales, (scale, axis) => axes.data[axis * n + i] * scale),
  }));
  return { shares: Array.from(shares), points };
}

function heatMap(panel: GenotypePanel, kernel: Float64Array): GenotypeQc['kinship'] {
  const n = panel.samples.length;
  const order = clusterOrder(kernel, n);
  // Four digits are more than a colour shows; adding 0 makes −0 a 0, as it comes back from JSON.
  const values = order.flatMap((i) => order.map((j) => Number(kernel[i * n + j].toFixed(4)) + 0));
  return { names: order.map((i) => panel.samples[i]), values };
}

function structureMarkers(individuals: number): number {
  return Math.max(MIN_STRUCTURE_MARKERS, Math.min(MAX_STRUCTURE_MARKERS, STRUCTURE_CALLS / individuals));
}

/** All blocks of a small panel, evenly spread ones of a large panel. */
function spreadRanges(markers: number, wantedMarkers: number): MarkerRange[] {
  const ranges = markerRanges(markers, STRUCTURE_BLOCK);
  const wanted = Math.ceil((ranges.length * wantedMarkers) / Math.max(markers, wantedMarkers));
  return Array.from({ length: wanted }, (_, k) => ranges[Math.floor((k * ranges.length) / wanted)]);
}

function contigsOf(panel: GenotypePanel): GenotypeQc['contigs'] {
  const { chromosome, positionBp } = panel.markers;
  const contigs = new Map<string, { name: string; markers: number; length_bp: number; density: number[] }>();
  for (let j = 0; j < chromosome.length; j++) {
    const name = chromosome[j];
    const contig = contigs.get(name) ?? {
      name,
      markers: 0,
      length_bp: 0,
      density: Array<number>(DENSITY_BINS).fill(0),
    };
    contigs.set(name, contig);
    contig.markers++;
    contig.length_bp = Math.max(contig.length_bp, positionBp[j]);
  }
  for (let j = 0; j < chromosome.length; j++) {
    const contig = contigs.get(chromosome[j]);
    if (contig === undefined || contig.length_bp === 0) continue;
    contig.density[Math.min(DENSITY_BINS - 1, Math.floor((DENSITY_BINS * positionBp[j]) / contig.length_bp))]++;
  }
  return [...contigs.values()].sort((a, b) => compareChromosomes(a.name, b.name));
}

/** One value a marker or sample; a plain loop, because `Float64Array.from` takes ten times as long for a million markers. */
function shares(count: number, shareOf: (index: number) => number): Float64Array {
  const values = new Float64Array(count);
  for (let i = 0; i < count; i++) values[i] = shareOf(i);
  return values;
}

/** Values outside the range go to the outer bins, NaN nowhere. */
function histogram(values: Float64Array, min: number, max: number): Histogram {
  const counts = Array<number>(BINS).fill(0);
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    counts[Math.max(0, Math.min(BINS - 1, Math.floor(((value - min) / (max - min)) * BINS)))]++;
  }
  return { min, max, counts };
}
