import { type BimIndex, indexBim } from './bim-index.ts';
import { openDosages } from './dosage-file.ts';
import { type AlleleOrder, BED_MAGIC, packedLength } from './packed-calls.ts';
import type { PanelBlocks } from './panel-blocks.ts';
import { bedReader, checkBedHead, checkBedSize, type PlinkSources, parseFam, readText } from './plink-panel.ts';

/**
 * Opens a `.bed/.bim/.fam` set as `openPlinkPanel` does and with the same checks, but keeps only an index of the
 * `.bim`. With `isTrusted`, for sets that the product has written itself, the `.bim` is read only when markers or
 * chromosomes are asked for.
 */
export async function openPlinkBlocks(
  sources: PlinkSources,
  { order = 'alt-first', isTrusted = false }: { order?: AlleleOrder; isTrusted?: boolean } = {},
): Promise<PanelBlocks> {
  const { bed, bim, fam, dosage } = sources;
  const samples = parseFam(await readText(fam), fam.name);
  checkBedHead(await bed.read(0, BED_MAGIC.length), bed.name);
  let index: Promise<BimIndex> | undefined;
  const indexed = (): Promise<BimIndex> => (index ??= indexBim(bim, order));
  let markerCount = (bed.size - BED_MAGIC.length) / packedLength(samples.length);
  if (!isTrusted || !Number.isInteger(markerCount)) {
    markerCount = (await indexed()).markerCount;
    checkBedSize(bed.size, samples.length, markerCount);
  }
  return {
    samples,
    markerCount,
    dosages: dosage && (await openDosages(dosage, samples.length, markerCount)),
    readPacked: bedReader(bed, samples.length, markerCount, order),
    readMarkers: async (first, count) => (await indexed()).readMarkers(first, count),
    chromosomeRuns: async () => (await indexed()).runs,
    close: async () => {
      await Promise.all([bed, bim, fam, dosage].map((source) => source?.close()));
    },
  };
}
