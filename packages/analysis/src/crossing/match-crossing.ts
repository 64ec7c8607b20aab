import type { ProblemReport } from '@heterosis/file-formats/problem';
import type { LinkageMap } from '@heterosis/file-formats/tables/linkage-map/linkage-map';
import { groupedNumber } from '@heterosis/file-formats/text/grouped-number';
import {
  type CrossingGenome,
  orderGenome,
  type PhasedParent,
  type TraitEffects,
} from '@heterosis/statgen/crossing/crossing-genome';
import type { MapFunction } from '@heterosis/statgen/crossing/map-function';
import { AnalysisError } from '../context.ts';
import { matchMarkers } from '../inputs/match-markers.ts';
import { placeOnMap } from '../inputs/place-on-map.ts';
import { missingMarkerValue } from '../prediction/missing-marker.ts';
import type { CrossingEffects } from './crossing-effects.ts';
import type { ParentalHaplotypes } from './parental-haplotypes.ts';

/** Input of a crossing run. */
export interface CrossingMaterial {
  effects: CrossingEffects;
  parents: ParentalHaplotypes;
  map: LinkageMap;
  /**
   * Markers with an effect that the map lacks: interpolated between their neighbours by base pairs (default), or used
   * in means only.
   */
  missingMapMarkers?: 'interpolate' | 'drop';
  /** Relates recombination to map distance; default `haldane`. Simulation supports `haldane` only. */
  mapFunction?: MapFunction;
}

/** Coverage of the data behind the figures. */
export interface CrossReport {
  effect_markers: number;
  /** Markers with an effect that are in the parents' genotype. */
  shared: number;
  swapped: number;
  mismatched: number;
  /** Of the shared markers: unmapped, so in the means but not in the variances. */
  unmapped: number;
  interpolated: number;
  /** Share of Σ 2pq·a² carried by unmapped markers, the largest over the traits. */
  unmapped_variance_share: number;
  /** Missing calls of the parents, filled with the more common allele. */
  filled_calls: number;
}

/** Effects and haplotypes at the shared markers, in genome order. */
export interface MatchedCrossing {
  genome: CrossingGenome;
  traits: TraitEffects[];
  /** Haplotypes of a parent; throws RangeError for an unknown name. */
  parentOf(name: string): PhasedParent;
  /** Mean relationship between the parents of one side and those of the other; null when unknown. */
  kinshipOf(female: readonly string[], male: readonly string[]): number | null;
  /** By genome position, the marker's index in the parents' genotype. */
  markerIndex: Int32Array;
  /** The mapped part of a haplotype, coded for the allele that the parents' genotype counts. */
  asInFile(haplotype: Uint8Array): Uint8Array;
  report: CrossReport;
  mapReport: ProblemReport;
}

/**
 * Matches marker effects with the parents' haplotypes and places the markers on the map. A marker with an effect that
 * the genotype lacks adds its training mean to every progeny.
 *
 * @throws AnalysisError `crossing/no-shared-markers`, `crossing/no-map`; MapMismatchError when map and genotype
 * disagree
 */
export function matchCrossing(input: CrossingMaterial): MatchedCrossing {
  const { effects, parents, map } = input;
  const match = matchMarkers(effects.markers, parents.markers);
  if (match.shared === 0) {
    throw new AnalysisError(
      'crossing/no-shared-markers',
      `None of the ${groupedNumber(effects.markers.id.length)} markers with an effect is in the genotype of the parents.`,
      'Use the genotype whose marker names or positions are written as in the training file.',
    );
  }
  const shared = Array.from(match.panelIndex.keys()).filter((j) => match.panelIndex[j] >= 0);
  const at = shared.map((j) => match.panelIndex[j]);
  const { id, chromosome, positionBp, a1, a2 } = parents.markers;
  const placed = placeOnMap(
    map,
    {
      id: at.map((k) => id[k]),
      chromosome: at.map((k) => chromosome[k]),
      positionBp: Float64Array.from(at, (k) => positionBp[k]),
      a1: at.map((k) => a1[k]),
      a2: at.map((k) => a2[k]),
    },
    { missingMarkers: input.missingMapMarkers ?? 'interpolate', partOf: parents.markers },
  );
  const { genome, order } = orderGenome(placed.chromosome, placed.positionCm);
  if (genome.mappedCount === 0) {
    throw new AnalysisError(
      'crossing/no-map',
      'None of the markers with an effect has a position on the linkage map.',
      'Use the map of these markers; the template on the page of the genotype file lists them.',
    );
  }
  const alleles = (haplotype: Uint8Array) =>
    Uint8Array.from(order, (s) => {
      const allele = haplotype[at[s]];
      return match.isSwapped[shared[s]] === 1 ? 1 - allele : allele;
    });
  const traits = effects.traits.map((trait): TraitEffects => {
    let { intercept } = trait;
    for (let j = 0; j < match.panelIndex.length && effects.trainingMeans !== null; j++) {
      if (match.panelIndex[j] < 0) intercept += missingMarkerValue(effects.trainingMeans, trait, j);
    }
    const gather = (values: Float64Array) => Float64Array.from(order, (s) => values[shared[s]]);
    return {
      intercept,
      additive: gather(trait.additive),
      dominance: trait.dominance === null ? null : gather(trait.dominance),
    };
  });
  const haplotypes = new Map(
    parents.names.map((name, i) => [
      name,
      { first: alleles(parents.parents[i].first), second: alleles(parents.parents[i].second) },
    ]),
  );
  return {
    genome,
    traits,
    parentOf(name) {
      const found = haplotypes.get(name);
      if (found === undefined) throw new RangeError(`no haplotypes of ${name}`);
      return found;
    },
    kinshipOf: (female, male) => meanKinship(parents, female, male),
    markerIndex: Int32Array.from(order.subarray(0, genome.mappedCount), (s) => at[s]),
    asInFile: (haplotype) =>
      haplotype
        .subarray(0, genome.mappedCount)
        .map((allele, place) => (match.isSwapped[shared[order[place]]] === 1 ? 1 - allele : allele)),
    report: {
      effect_markers: effects.markers.id.length,
      shared: match.shared,
      swapped: match.swapped,
      mismatched: match.mismatched,
      unmapped: genome.markerCount - genome.mappedCount,
      interpolated: placed.interpolated,
      unmapped_variance_share: unmappedShare(genome, traits, [...haplotypes.values()]),
      filled_calls: parents.filledCalls.reduce((sum, count) => sum + count, 0),
    },
    mapReport: placed.report,
  };
}

function meanKinship(
  { names, kinship }: ParentalHaplotypes,
  female: readonly string[],
  male: readonly string[],
): number | null {
  if (kinship === null) return null;
  let sum = 0;
  for (const one of female)
    for (const other of male) sum += kinship[names.indexOf(one) * names.length + names.indexOf(other)];
  return sum / (female.length * male.length);
}

function unmappedShare(
  genome: CrossingGenome,
  traits: readonly TraitEffects[],
  parents: readonly PhasedParent[],
): number {
  let largest = 0;
  for (const { additive } of traits) {
    let total = 0;
    let unmapped = 0;
    for (let j = 0; j < genome.markerCount; j++) {
      const p = parents.reduce((sum, { first, second }) => sum + first[j] + second[j], 0) / (2 * parents.length);
      const variance = 2 * p * (1 - p) * additive[j] ** 2;
      total += variance;
      if (j >= genome.mappedCount) unmapped += variance;
    }
    if (total > 0) largest = Math.max(largest, unmapped / total);
  }
  return largest;
}
