import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import { packedLength, unpackCalls } from '@heterosis/file-formats/genotype/panel/packed-calls';
import { markerRanges } from '../inputs/open-panel.ts';

/**
 * Reads the calls of single markers (one code per individual) through blocks: in marker order the panel is read once.
 * The next call reuses the array.
 */
export function createCodeReader(panel: GenotypePanel): (marker: number) => Promise<Uint8Array> {
  const rowBytes = packedLength(panel.samples.length);
  const codes = new Uint8Array(panel.samples.length);
  const ranges = markerRanges(panel.markers.id.length);
  const size = ranges.at(0)?.count ?? 1;
  let loaded = -1;
  let packed = new Uint8Array(0);
  return async (marker) => {
    const block = Math.floor(marker / size);
    if (block !== loaded) {
      const { first, count } = ranges[block];
      packed = new Uint8Array(await panel.readPacked(first, count));
      loaded = block;
    }
    unpackCalls(packed, codes, (marker - block * size) * rowBytes);
    return codes;
  };
}
