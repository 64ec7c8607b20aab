import type { ByteSource } from '@heterosis/file-formats/byte-source';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import type { FileProblem } from '@heterosis/file-formats/problem';
import type { LinkageMap } from '@heterosis/file-formats/tables/linkage-map/linkage-map';
import { csvChunks } from '@heterosis/file-formats/tables/text/csv-writer';
import type { PhasedParent } from '@heterosis/statgen/crossing/crossing-genome';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { type AnalysisContext, AnalysisError } from '../context.ts';
import { MAX_MISSING_SHARE, readParentalHaplotypes } from '../crossing/parental-haplotypes.ts';
import { matchMarkers, type NamedMarkers } from '../inputs/match-markers.ts';
import { placeOnMap } from '../inputs/place-on-map.ts';

/** Founders of a programme from a genotype file and a map. */
export interface FounderInput {
  panel: GenotypePanel;
  /** The original file, for the phase of heterozygous founders. */
  original: ByteSource | null;
  names: readonly string[];
  map: LinkageMap;
  missingMapMarkers: 'interpolate' | 'drop';
  /** Markers of the model whose effects are drawn: loci are those, under their names, and allele 1 is their A2. */
  modelMarkers: NamedMarkers | null;
  seed: number;
}

/** Founders at the loci of the map, in its order. */
export interface Founders {
  names: readonly string[];
  loci: string[];
  chromosome: string[];
  positionCm: Float64Array;
  /** 1 = the allele that effects are counted for. */
  haplotypes: PhasedParent[];
  inbred: boolean;
  /** Markers without a position, which take no part. */
  unmapped: number;
  filledCalls: number;
  unphasedFounders: number;
  unphasedCalls: number;
  /** Founders of which more than a fifth of the calls are missing. */
  gappy: string[];
  warnings: FileProblem[];
}

/**
 * Haplotypes of founders at the markers that have a place on the map. Missing calls are the commoner allele of the
 * founders. Heterozygous calls without phase are put on
 * either homolog at random, by the seed.
 *
 * @throws AnalysisError `programmes/no-shared-markers`, `programmes/no-map`;
 * MapMismatchError where map and genotype disagree
 */
export async function foundersOfPanel(input: FounderInput, context: AnalysisContext): Promise<Founders> {
  const { panel, original, names, map, modelMarkers, seed } = input;
  const randomPhase = createRandomStream(seed, 'programme phase');
  const found = await readParentalHaplotypes({ panel, original, names, randomPhase, takesGaps: true }, context);
  const { id, chromosome, positionBp, a1, a2 } = panel.markers;
  const taken = modelMarkers === null ? null : matchMarkers(modelMarkers, panel.markers);
  const loci = Array.from({ length: (modelMarkers ?? panel.markers).id.length }, (_, j) => ({
    name: (modelMarkers ?? panel.markers).id[j],
    at: taken?.panelIndex[j] ?? j,
    isSwapped: taken?.isSwapped[j] === 1,
  })).filter(({ at }) => at >= 0);
  if (loci.length === 0) {
    throw new AnalysisError(
      'programmes/no-shared-markers',
      'No marker of the model is in the genotype of the founders.',
      'Use the genotype whose marker names or positions are written as in the training file.',
    );
  }
  const placed = placeOnMap(
    map,
    {
      id: loci.map(({ at }) => id[at]),
      chromosome: loci.map(({ at }) => chromosome[at]),
      positionBp: Float64Array.from(loci, ({ at }) => positionBp[at]),
      a1: loci.map(({ at }) => a1[at]),
      a2: loci.map(({ at }) => a2[at]),
    },
    { missingMarkers: input.missingMapMarkers, partOf: panel.markers },
  );
  const mapped = Array.from(loci.keys()).filter((k) => Number.isFinite(placed.positionCm[k]));
  if (mapped.length === 0) {
    throw new AnalysisError(
      'programmes/no-map',
      'No marker of the founders has a position on the map.',
      'Use the map of these markers; the template on the page of the genotype file lists them.',
    );
  }
  const alleles = (haplotype: Uint8Array) =>
    Uint8Array.from(mapped, (k) => {
      const { at, isSwapped } = loci[k];
      return isSwapped ? 1 - haplotype[at] : haplotype[at];
    });
  const { unphasedCalls = new Int32Array(0) } = found;
  const haplotypes = found.parents.map(({ first, second }) => ({ first: alleles(first), second: alleles(second) }));
  return {
    names,
    loci: mapped.map((k) => loci[k].name),
    chromosome: mapped.map((k) => placed.chromosome[k]),
    positionCm: Float64Array.from(mapped, (k) => placed.positionCm[k]),
    haplotypes,
    inbred: haplotypes.every(({ first, second }) => first.every((allele, j) => allele === second[j])),
    unmapped: loci.length - mapped.length,
    filledCalls: found.filledCalls.reduce((sum, count) => sum + count, 0),
    unphasedFounders: unphasedCalls.filter((count) => count > 0).length,
    unphasedCalls: unphasedCalls.reduce((sum, count) => sum + count, 0),
    gappy: names.filter((_, i) => found.filledCalls[i] > MAX_MISSING_SHARE * panel.markers.id.length),
    warnings: placed.report.problems.filter(({ severity }) => severity === 'warning'),
  };
}

/** `--map` of `heterosis simulate`. */
export function founderMapCsv({ loci, chromosome, positionCm }: Founders): Iterable<string> {
  return csvChunks(
    ['locus', 'chromosome', 'position_cM'],
    loci.map((locus, j) => [locus, chromosome[j], positionCm[j]]),
  );
}

/** `--haplotypes` of `heterosis simulate`: a column for a line, two for a plant. */
export function founderHaplotypesCsv({ names, loci, haplotypes, inbred }: Founders): Iterable<string> {
  // A line of such a name would be read as half a plant.
  const isSingle = inbred && !names.some((name) => /:[12]$/.test(name));
  const columns = isSingle ? names : names.flatMap((name) => [`${name}:1`, `${name}:2`]);
  return csvChunks(['locus', ...columns], haplotypeRows());

  function* haplotypeRows(): Generator<(string | number)[]> {
    for (const [j, locus] of loci.entries()) {
      yield [locus, ...haplotypes.flatMap(({ first, second }) => (isSingle ? [first[j]] : [first[j], second[j]]))];
    }
  }
}
