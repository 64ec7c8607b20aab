import { existsSync } from 'node:fs';
import { openFileSource } from '@heterosis/file-formats/byte-source';
import type { BlockDosages } from '@heterosis/file-formats/genotype/panel/dosages';
import type { GenotypePanel } from '@heterosis/file-formats/genotype/panel/genotype-panel';
import type { AlleleOrder } from '@heterosis/file-formats/genotype/panel/packed-calls';
import type { PanelBlocks } from '@heterosis/file-formats/genotype/panel/panel-blocks';
import { openPlinkBlocks } from '@heterosis/file-formats/genotype/panel/plink-blocks';
import { openPlinkPanel, type PlinkSources } from '@heterosis/file-formats/genotype/panel/plink-panel';

/** Opens `prefix.bed`, `prefix.bim` and `prefix.fam` on disk. Rejects with the system's error when one is missing. */
export async function openPanelFiles(prefix: string, order: AlleleOrder = 'alt-first'): Promise<GenotypePanel> {
  return openPlinkPanel(await openSources(prefix), order);
}

/**
 * Like {@link openPanelFiles}, for analyses that also read markers by blocks: memory does not grow with their number.
 */
export async function openPanelBlocks(prefix: string, order: AlleleOrder = 'alt-first'): Promise<PanelBlocks> {
  return openPlinkBlocks(await openSources(prefix), { order });
}

async function openSources(prefix: string): Promise<PlinkSources> {
  const bed = await openFileSource(`${prefix}.bed`);
  const bim = await openFileSource(`${prefix}.bim`);
  const fam = await openFileSource(`${prefix}.fam`);
  const dosage = existsSync(`${prefix}.dosage`) ? await openFileSource(`${prefix}.dosage`) : undefined;
  return { bed, bim, fam, dosage };
}

/** Markers read at once: enough for fast matrix products, yet small relative to the kinship of the individuals. */
export const MARKERS_PER_BLOCK = 1024;

/** Consecutive markers of a panel. */
export interface MarkerRange {
  /** 0-based index of the first marker. */
  first: number;
  count: number;
}

/** Ranges of at most {@link MARKERS_PER_BLOCK} markers that together cover a panel. */
export function markerRanges(markerCount: number, blockSize: number = MARKERS_PER_BLOCK): MarkerRange[] {
  const ranges: MarkerRange[] = [];
  for (let first = 0; first < markerCount; first += blockSize) {
    ranges.push({ first, count: Math.min(blockSize, markerCount - first) });
  }
  return ranges;
}

/** Packed calls of some markers, and their dosages if any has fractions. */
export interface RangeCalls {
  packed: Uint8Array;
  dosages: BlockDosages | undefined;
}

/** Reads a range of a panel in the form that analyses use. */
export async function readRange(
  panel: Pick<PanelBlocks, 'readPacked' | 'dosages'>,
  { first, count }: MarkerRange,
): Promise<RangeCalls> {
  return { packed: await panel.readPacked(first, count), dosages: await panel.dosages?.read(first, count) };
}

/** The calls of a panel, range by range; reads ahead while the caller works on a range. */
export async function* packedRanges(
  panel: Pick<PanelBlocks, 'readPacked' | 'dosages'>,
  ranges: readonly MarkerRange[],
): AsyncGenerator<MarkerRange & RangeCalls> {
  const read = (range: MarkerRange | undefined): Promise<RangeCalls> | undefined => {
    const calls = range && readRange(panel, range);
    // A read-ahead failure is thrown when its range is requested, and ignored if the caller stops before.
    calls?.catch(() => {});
    return calls;
  };
  let next = read(ranges[0]);
  for (const [place, range] of ranges.entries()) {
    const calls = await next;
    next = read(ranges[place + 1]);
    if (calls !== undefined) yield { ...range, ...calls };
  }
}
