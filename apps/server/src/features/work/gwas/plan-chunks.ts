import { MARKERS_PER_BLOCK, type MarkerRange, markerRanges } from '@heterosis/analysis/inputs/open-panel';

/** In larger chunks, progress would stand still for too long while their bytes are read. */
const MOST_MARKERS = 256 * MARKERS_PER_BLOCK;
/** The results of a chunk are kept in memory until they are written, about 60 bytes per marker and trait. */
const MOST_RESULTS = 4 * MOST_MARKERS;

/**
 * Markers per chunk, for `gflop` of arithmetic in each chunk. Nearly all of it is the rotation of the genotypes, 2n²
 * per marker with n individuals. A chunk consists of whole blocks, so that results do not depend on the division into
 * chunks.
 */
export function markersPerChunk(n: number, traits: number, gflop: number): number {
  const affordable = Math.min(MOST_MARKERS, MOST_RESULTS / traits, (gflop * 1e9) / (2 * n * n));
  return Math.max(1, Math.floor(affordable / MARKERS_PER_BLOCK)) * MARKERS_PER_BLOCK;
}

/** The chunks of all markers of a panel. */
export const chunksOf = (markers: number, perChunk: number): MarkerRange[] => markerRanges(markers, perChunk);
