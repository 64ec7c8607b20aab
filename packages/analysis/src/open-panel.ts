import { openFileSource } from '@heterosis/file-formats/byte-source';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/genotype-panel';
import { openPlinkPanel } from '@heterosis/file-formats/genotype/plink-panel';

/** Opens `prefix.bed`, `prefix.bim` and `prefix.fam` on disk. Rejects with the system's error when one is missing. */
export async function openPanelFiles(prefix: string): Promise<GenotypePanel> {
  const bed = await openFileSource(`${prefix}.bed`);
  const bim = await openFileSource(`${prefix}.bim`);
  const fam = await openFileSource(`${prefix}.fam`);
  return openPlinkPanel({ bed, bim, fam });
}

/** Markers read at once: large enough for matrix products, small beside the kinship of the individuals. */
export const MARKERS_PER_BLOCK = 1024;

/** Consecutive markers of a panel. */
export interface MarkerRange {
  /** 0-based place of the first marker. */
  first: number;
  count: number;
}

/** The ranges of at most {@link MARKERS_PER_BLOCK} markers that cover a panel. */
export function markerRanges(markerCount: number, blockSize: number = MARKERS_PER_BLOCK): MarkerRange[] {
  const ranges: MarkerRange[] = [];
  for (let first = 0; first < markerCount; first += blockSize) {
    ranges.push({ first, count: Math.min(blockSize, markerCount - first) });
  }
  return ranges;
}
