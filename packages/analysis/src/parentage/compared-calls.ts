import type { GenotypeStats } from '@heterosis/file-formats/genotype/genotype-stats';
import { ploidyOf } from '@heterosis/file-formats/genotype/panel/dosages';
import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { dosageClasses, NO_CLASS } from '@heterosis/statgen/genotypes/dosage-classes';
import {
  type AllelePlanes,
  createAllelePlanes,
  planeBytes,
  QUICK_MARKERS,
} from '@heterosis/statgen/parentage/allele-planes';
import { createDosagePlanes, dosagePlaneBytes } from '@heterosis/statgen/parentage/dosage-planes';
import { SCORE_BLOCK } from '@heterosis/statgen/parentage/parent-scores';
import type { Transmission } from '@heterosis/statgen/parentage/transmission';
import { type AnalysisContext, AnalysisError, reportProgress } from '../context.ts';
import { createInbreeding } from '../genotype/expected-homozygosity.ts';
import { countPanel } from '../genotype/panel-counts.ts';
import { markerRanges, packedRanges } from '../inputs/open-panel.ts';

export type ComparedPanel = Pick<PanelBlocks, 'samples' | 'markerCount' | 'readPacked' | 'dosages'>;

/** Codes of a block, individuals × markers by rows: copies of A2, k + 1 where there is no call. */
export interface CodeBlock {
  codes: Uint8Array;
  /** Frequencies of A2 by marker. */
  frequencies: Float64Array;
}

/** The calls that are compared: at markers with both alleles. */
export interface ComparedCalls {
  planes: AllelePlanes;
  transmission: Transmission;
  /** Markers with both alleles, of which `planes.markers` are compared. */
  polymorphic: number;
  /** F of each individual by the method of moments; NaN without calls. */
  inbreeding: Float64Array;
  /** Reads the compared markers again, or an even sample of {@link QUICK_MARKERS} of them. */
  blocks(isQuick: boolean): AsyncGenerator<CodeBlock>;
}

/** How alleles are passed on and calls err, but for the ploidy, which the panel has. */
export type PassedOn = Omit<Transmission, 'ploidy'>;

/** More calls are not compared: the markers are then thinned evenly. */
const MOST_BYTES = 2 ** 30;
/** The comparisons of all pairs of more individuals would take minutes. */
const MOST_INDIVIDUALS = 10_000;
/** With fewer markers strangers agree by chance. */
const FEWEST_MARKERS = 50;

/**
 * Reads a panel for comparisons of individuals: counts, then calls as bits, a quarter of a byte a call, of plants with
 * k > 2 copies (k + 1)/8, and at most 1 GB. Fractions count as the nearest number of copies.
 *
 * @throws AnalysisError `parentage/too-many-individuals`, `parentage/few-markers`
 */
export async function readComparedCalls(
  panel: ComparedPanel,
  passedOn: PassedOn,
  context: AnalysisContext,
): Promise<ComparedCalls> {
  const individuals = panel.samples.length;
  if (individuals > MOST_INDIVIDUALS) {
    throw new AnalysisError(
      'parentage/too-many-individuals',
      `The genotype has ${individuals} individuals, and at most ${MOST_INDIVIDUALS} are compared with each other.`,
      'Export the individuals in question as a genotype of their own.',
      { individuals, limit: MOST_INDIVIDUALS },
    );
  }
  const stats = await countPanel(panel, context);
  const polymorphic = polymorphicMarkers(individuals, stats);
  if (polymorphic.length < FEWEST_MARKERS) {
    throw new AnalysisError(
      'parentage/few-markers',
      `The genotype has ${polymorphic.length} markers with both alleles, too few to tell parents from strangers.`,
      `Choose a genotype with at least ${FEWEST_MARKERS} such markers.`,
      { markers: polymorphic.length, needed: FEWEST_MARKERS },
    );
  }
  const ploidy = ploidyOf(panel);
  const transmission = { ...passedOn, ploidy };
  const bytes =
    ploidy === 2
      ? planeBytes(individuals, polymorphic.length)
      : dosagePlaneBytes(individuals, polymorphic.length, ploidy);
  const most = Math.floor((polymorphic.length * MOST_BYTES) / bytes);
  const used = thinned(polymorphic, Math.min(most, polymorphic.length));
  const planes =
    ploidy === 2
      ? createAllelePlanes(individuals, used.length)
      : createDosagePlanes(individuals, used.length, transmission);
  const inbreeding = createInbreeding(individuals, stats);
  const ranges = markerRanges(panel.markerCount);
  let block = 0;
  for await (const { first, count, packed, dosages } of packedRanges(panel, ranges)) {
    reportProgress(context, 'read', block++, ranges.length);
    inbreeding.add(packed, first, count, dosages);
    // The calls of diploids with fractions are the nearest ones.
    planes.add({ packed, dosages: ploidy === 2 ? undefined : dosages }, within(used, first, count));
  }
  return {
    ...{ planes, transmission },
    polymorphic: polymorphic.length,
    inbreeding: inbreeding.finish(),
    blocks: (isQuick) => codeBlocks(panel, stats, isQuick ? thinned(used, Math.min(used.length, QUICK_MARKERS)) : used),
  };
}

function polymorphicMarkers(individuals: number, stats: GenotypeStats): Int32Array {
  const { markerMissing } = stats;
  const found = new Int32Array(markerMissing.length);
  let count = 0;
  for (let j = 0; j < markerMissing.length; j++) {
    const frequency = frequencyOf(individuals, stats, j);
    if (frequency > 0 && frequency < 1) found[count++] = j;
  }
  return found.subarray(0, count);
}

/** Of A2 at a marker; NaN without calls. */
function frequencyOf(individuals: number, stats: GenotypeStats, marker: number): number {
  const { markerMissing, markerA2Copies, markerDosage, ploidy = 2 } = stats;
  const copies = ploidy === 2 || markerDosage === null ? markerA2Copies[marker] : markerDosage[marker];
  return copies / (ploidy * (individuals - markerMissing[marker]));
}

const thinned = (markers: Int32Array, count: number): Int32Array =>
  count === markers.length
    ? markers
    : Int32Array.from({ length: count }, (_, k) => markers[Math.floor((k * markers.length) / count)]);

/** Places within a range of the markers that are in it. */
function within(used: Int32Array, first: number, count: number): Int32Array {
  const from = lowerBound(used, first);
  return used.subarray(from, lowerBound(used, first + count)).map((marker) => marker - first);
}

function lowerBound(sorted: Int32Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

async function* codeBlocks(panel: ComparedPanel, stats: GenotypeStats, used: Int32Array): AsyncGenerator<CodeBlock> {
  const individuals = panel.samples.length;
  const { ploidy = 2 } = stats;
  const classes = new Uint8Array(individuals);
  const ranges = markerRanges(panel.markerCount, SCORE_BLOCK);
  for await (const { first, count, packed, dosages } of packedRanges(panel, ranges)) {
    const places = within(used, first, count);
    if (places.length === 0) continue;
    const frequencies = new Float64Array(places.length);
    const codes = new Uint8Array(individuals * places.length);
    for (const [k, place] of places.entries()) {
      frequencies[k] = frequencyOf(individuals, stats, first + place);
      const block = { packed, dosages: ploidy === 2 ? undefined : dosages };
      dosageClasses(block, place, { panelSize: individuals }, classes);
      for (let i = 0, at = k; i < individuals; i++, at += places.length) {
        codes[at] = classes[i] === NO_CLASS ? ploidy + 1 : classes[i];
      }
    }
    yield { codes, frequencies };
  }
}
