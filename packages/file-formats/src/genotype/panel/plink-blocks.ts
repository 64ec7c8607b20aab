import { type BimIndex, indexBim } from './bim-index.ts';
import { BED_MAGIC, packedLength } from './packed-calls.ts';
import type { PanelBlocks } from './panel-blocks.ts';
import { bedReader, checkBedHead, checkBedSize, type PlinkSources, parseFam, readText } from './plink-panel.ts';

/**
 * Opens a `.bed/.bim/.fam` set as `openPlinkPanel` does and with the same checks, but keeps of the `.bim` no more than
 * where its markers lie. With `isTrusted`, for sets that the product has written itself, the `.bim` is not read before
 * somebody asks for markers or chromosomes.
 */
export async function openPlinkBlocks(sources: PlinkSources, isTrusted = false): Promise<PanelBlocks> {
  const { bed, bim, fam } = sources;
  const samples = parseFam(await readText(fam), fam.name);
  checkBedHead(await bed.read(0, BED_MAGIC.length), bed.name);
  let index: Promise<BimIndex> | undefined;
  const indexed = (): Promise<BimIndex> => (index ??= indexBim(bim));
  let markerCount = (bed.size - BED_MAGIC.length) / packedLength(samples.length);
  if (!isTrusted || !Number.isInteger(markerCount)) {
    markerCount = (await indexed()).markerCount;
    checkBedSize(bed.size, samples.length, markerCount);
  }
  return {
    samples,
    markerCount,
    readPacked: bedReader(bed, samples.length, markerCount),
    readMarkers: async (first, count) => (await indexed()).readMarkers(first, count),
    chromosomeRuns: async () => (await indexed()).runs,
    close: async () => {
      await Promise.all([bed.close(), bim.close(), fam.close()]);
    },
  };
}
