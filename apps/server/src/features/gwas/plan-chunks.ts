import { MARKERS_PER_BLOCK, type MarkerRange, markerRanges } from '@heterosis/analysis/open-panel';

/** Larger ones would show no progress for too long while their bytes are read. */
const MOST_MARKERS = 256 * MARKERS_PER_BLOCK;

/**
 * Markers of one chunk of a GWAS on n individuals: `gflop` of arithmetic, of which the rotation of the genotypes, 2n² a marker, is
 * nearly all. Whole blocks, so that the numbers do not depend on where the chunks are cut.
 */
export function markersPerChunk(n: number, gflop: number): number {
  const blocks = Math.floor((gflop * 1e9) / (2 * n * n * MARKERS_PER_BLOCK));
  return Math.min(MOST_MARKERS, Math.max(1, blocks) * MARKERS_PER_BLOCK);
}

/** The chunks of all markers of a panel. */
export const chunksOf = (markers: number, perChunk: number): MarkerRange[] => markerRanges(markers, perChunk);
