import { compareChromosomes } from '@heterosis/file-formats/genotype/panel/chromosome-order';
import type { BlockDosages } from '@heterosis/file-formats/genotype/panel/dosages';
import { positionsOf } from '@heterosis/statgen/kinship/accumulate-kinship';
import {
  binsOf,
  countPairs,
  type DecayBin,
  decayEdges,
  distanceAtCurve,
  distanceAtMean,
  fitHillWeir,
  hillWeir,
  type PairSums,
  sumPairs,
} from '@heterosis/statgen/linkage/ld-decay';
import { createLinkedCalls } from '@heterosis/statgen/linkage/linked-calls';
import { isKnownChromosome, type MarkerPlaces } from '../inputs/marker-places.ts';
import type { MarkerFigures } from './panel-counts.ts';

/** Decay of r² with distance; field names as in the API. */
export interface DecayCurve {
  bins: DecayBin[];
  /** Distances at which the bin means have fallen to 0.2, and to half of the first bin's; null if they do not. */
  mean: { half_distance: number | null; r2_02_distance: number | null };
  /**
   * The same for the curve of Hill & Weir (1988), and its r² at the distance of each bin; null if it cannot be fitted.
   */
  fit: { rho: number; r2: number[]; half_distance: number | null; r2_02_distance: number | null } | null;
}

export interface LdDecay extends DecayCurve {
  /** cM if a linkage map placed the markers. */
  unit: 'bp' | 'cM';
  /** Number of individuals, used as the number of gametes of the curve. */
  individuals: number;
  /** Markers used, and how many pass the default filter and have a position. */
  markers: number;
  of_markers: number;
  /** Pairs computed, and how many pairs these markers form within chromosomes. */
  pairs: number;
  of_pairs: number;
  /** In natural sort order, at most 60. */
  chromosomes: (DecayCurve & { name: string })[];
}

export interface LdDecayBuilder {
  /** Packed calls of `count` markers starting at `first`, and their dosages; all blocks of the panel in order. */
  add(packed: Uint8Array, first: number, count: number, dosages: BlockDosages | undefined): void;
  /** Null when no chromosome has two markers with positions. */
  finish(): LdDecay | null;
}

/** All markers are used if the chromosomes have at most this many pairs. */
const MOST_PAIRS_LISTED = 2_000_000;
/**
 * Otherwise, number of centres around which markers are sampled at increasing steps, shared among chromosomes by
 * marker count.
 */
const CENTRES = 48;
const MIN_CENTRES = 2;
/** Markers per centre at each step width (1, 4, 16 … markers). */
const MARKERS_PER_STEP = 16;
const STEP_FACTOR = 4;
const MAX_CHROMOSOMES = 60;
/** Maximum pairs × individuals, within these numbers of pairs. */
const MOST_WORK = 5e7;
const FEWEST_PAIRS = 20_000;
const MOST_PAIRS = 200_000;
/** The first bin edge. */
const FIRST_EDGE = { bp: 100, cM: 0.1 };
const LOW_R2 = 0.2;

/**
 * LD decay over the markers that pass the default filter, from bounded numbers of markers and pairs.
 *
 * @param positionCm cM by marker, NaN if unmapped; without it distances are base pairs
 */
export function createLdDecay(
  { individuals, ploidy }: { individuals: number; ploidy: number },
  places: MarkerPlaces,
  figures: MarkerFigures,
  positionCm?: Float64Array,
): LdDecayBuilder {
  const positions = positionCm ?? places.positionBp;
  const isLocated = (j: number): boolean => (positionCm === undefined ? positions[j] > 0 : !Number.isNaN(positions[j]));
  const chromosomes = locatedMarkers(places, figures, positions, isLocated);
  const ofMarkers = chromosomes.reduce((sum, one) => sum + one.markers.length, 0);
  const chosen = chooseMarkers(chromosomes);
  const wanted = Int32Array.from(chosen.flatMap(({ markers }) => Array.from(markers))).sort();
  const linkedCalls = createLinkedCalls(individuals, wanted.length, ploidy);
  let next = 0;
  return {
    add(packed, first, count, dosages) {
      for (; next < wanted.length && wanted[next] < first + count; next++) {
        linkedCalls.set(next, { packed, dosages }, wanted[next] - first);
      }
    },
    finish() {
      const placeOf = new Map(Array.from(wanted, (marker, place) => [marker, place]));
      const linked = chosen.map(({ markers }) => ({
        places: markers.map((marker) => placeOf.get(marker) ?? 0),
        positions: Float64Array.from(markers, (marker) => positions[marker]),
      }));
      const longest = Math.max(0, ...linked.map(({ positions }) => positions[positions.length - 1] - positions[0]));
      const edges = decayEdges(positionCm === undefined ? FIRST_EDGE.bp : FIRST_EDGE.cM, longest);
      const counts = linked.map((one) => countPairs(one, edges));
      const ofPairs = counts.reduce((pairs, one) => pairs + one.reduce((a, b) => a + b, 0), 0);
      if (ofPairs === 0) return null;
      const filledBins = counts.reduce((filled, one) => filled + one.filter((pairs) => pairs > 0).length, 0);
      const most = Math.max(FEWEST_PAIRS, Math.min(MOST_PAIRS, MOST_WORK / individuals));
      const quota = Math.ceil(most / filledBins);
      const sums = linked.map((one, k) => sumPairs(linkedCalls.r2Of, one, edges, counts[k], quota));
      const whole = curveOf(sums, edges, individuals);
      const named = chosen.map(({ name }, k) => ({ name, ...curveOf([sums[k]], edges, individuals) }));
      return {
        unit: positionCm === undefined ? 'bp' : 'cM',
        individuals,
        markers: wanted.length,
        of_markers: ofMarkers,
        pairs: whole.bins.reduce((sum, bin) => sum + bin.pairs, 0),
        of_pairs: ofPairs,
        ...whole,
        chromosomes: named.sort((a, b) => compareChromosomes(a.name, b.name)),
      };
    },
  };
}

function curveOf(sums: PairSums[], edges: number[], individuals: number): DecayCurve {
  const bins = binsOf(sums, edges);
  const rho = fitHillWeir(bins, individuals);
  const first = bins[0];
  return {
    bins,
    mean: {
      half_distance: first === undefined ? null : distanceAtMean(bins, first.r2 / 2),
      r2_02_distance: distanceAtMean(bins, LOW_R2),
    },
    fit:
      rho === null
        ? null
        : {
            rho,
            r2: bins.map((bin) => hillWeir(rho * bin.distance, individuals)),
            half_distance: distanceAtCurve(rho, individuals, hillWeir(0, individuals) / 2),
            r2_02_distance: distanceAtCurve(rho, individuals, LOW_R2),
          },
  };
}

interface Located {
  name: string;
  /** Markers of the panel by position. */
  markers: Int32Array;
}

/** The markers used, by chromosome and in order of position. */
function locatedMarkers(
  { chromosomes, chromosomeOf }: MarkerPlaces,
  { passing }: MarkerFigures,
  positions: Float64Array,
  isLocated: (marker: number) => boolean,
): Located[] {
  const counts = new Int32Array(chromosomes.length);
  const isKnown = chromosomes.map(isKnownChromosome);
  const isUsed = (j: number): boolean => passing[j] === 1 && isKnown[chromosomeOf[j]] && isLocated(j);
  for (let j = 0; j < chromosomeOf.length; j++) if (isUsed(j)) counts[chromosomeOf[j]]++;
  const located = chromosomes.map((name, c) => ({ name, markers: new Int32Array(counts[c]) }));
  counts.fill(0);
  for (let j = 0; j < chromosomeOf.length; j++) {
    if (isUsed(j)) located[chromosomeOf[j]].markers[counts[chromosomeOf[j]]++] = j;
  }
  for (const { markers } of located) markers.sort((a, b) => positions[a] - positions[b] || a - b);
  return located
    .filter(({ markers }) => markers.length > 1)
    .sort((a, b) => b.markers.length - a.markers.length || compareChromosomes(a.name, b.name))
    .slice(0, MAX_CHROMOSOMES);
}

/**
 * All markers for panels of moderate size. Otherwise samples markers around evenly spread centres at steps of 1, 4, 16
 * … markers, so that every distance, from nearest neighbours to the whole chromosome, has pairs.
 */
function chooseMarkers(chromosomes: Located[]): Located[] {
  const pairs = chromosomes.reduce((sum, { markers }) => sum + (markers.length * (markers.length - 1)) / 2, 0);
  if (pairs <= MOST_PAIRS_LISTED) return chromosomes;
  const total = chromosomes.reduce((sum, { markers }) => sum + markers.length, 0);
  return chromosomes.map(({ name, markers }) => {
    const centres = Math.max(MIN_CENTRES, Math.round((CENTRES * markers.length) / total));
    const taken = new Uint8Array(markers.length);
    for (let c = 0; c < centres; c++) {
      const centre = Math.floor(((c + 0.5) * markers.length) / centres);
      for (let step = 1; step < markers.length; step *= STEP_FACTOR) {
        const first = centre - (step * MARKERS_PER_STEP) / 2;
        for (let k = 0; k < MARKERS_PER_STEP; k++) {
          const place = Math.round(first + k * step);
          if (place >= 0 && place < markers.length) taken[place] = 1;
        }
      }
    }
    return { name, markers: positionsOf(taken).map((place) => markers[place]) };
  });
}
