import type { ZipArchive } from '../../../compression/zip-archive.ts';
import { FileFormatError, type ProblemCollector } from '../../../problem.ts';
import { BED_MAGIC, exchangeAlleles, packedLength } from '../../panel/packed-calls.ts';
import type { PanelWriter } from '../../panel/panel-writer.ts';
import { checkBedHead, checkBedSize, parseBim, parseFam } from '../../panel/plink-panel.ts';
import { readEntryText, soleEntry } from '../zip-entries.ts';

export interface PlinkReadOptions {
  maxInflatedBytes: number;
  onLegacyText: () => void;
  signal?: AbortSignal | undefined;
  /** Called with the bytes of calls taken so far, and all of them. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Reads `.bed`, `.bim` and `.fam` of a zip archive into a panel. As in PLINK 2, column 6 of the `.bim` is the
 * reference allele (A1) and column 5 the alternative (A2, counted). Throws {@link FileFormatError} E-GT-TRIO when a
 * file is missing or they do not fit together.
 */
export async function readPlinkBinary(
  zip: ZipArchive,
  writer: PanelWriter,
  problems: ProblemCollector,
  options: PlinkReadOptions,
): Promise<void> {
  const [bed, bim, fam] = ['.bed', '.bim', '.fam'].map((extension) => soleEntry(zip, extension, 'E-GT-TRIO'));
  const samples = parseFam(await readEntryText(zip, fam, options), fam);
  const markers = parseBim(await readEntryText(zip, bim, options), { name: bim, order: 'alt-first' });
  if (samples.length === 0) {
    throw new FileFormatError('E-EMPTY', {
      value: fam,
      message: 'The .fam file lists no individuals.',
      suggestion: 'Write the files again with: plink --make-bed.',
    });
  }
  const stated = zip.sizeOf(bed);
  checkBedSize(stated, samples.length, markers.id.length);
  await writer.start(samples, (i) => ({ line: i + 1, column: null }));

  const rowBytes = packedLength(samples.length);
  let rest: Uint8Array = new Uint8Array(0);
  let hasHead = false;
  let marker = 0;
  let taken = 0;
  for await (const chunk of zip.stream(bed, options.maxInflatedBytes)) {
    options.signal?.throwIfAborted();
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    if (!hasHead) {
      if (bytes.length < BED_MAGIC.length) {
        rest = bytes;
        continue;
      }
      checkBedHead(bytes, bed);
      hasHead = true;
      at = BED_MAGIC.length;
    }
    for (; at + rowBytes <= bytes.length && marker < markers.id.length; at += rowBytes, marker++) {
      writer.row.set(exchangeAlleles(bytes.subarray(at, at + rowBytes), samples.length));
      const id = markers.id[marker];
      writer.add({
        id: id === '.' || id === '' ? null : id,
        chromosome: markers.chromosome[marker],
        positionBp: markers.positionBp[marker],
        a1: markers.a1[marker],
        a2: markers.a2[marker],
        line: marker + 1,
      });
    }
    rest = bytes.slice(at);
    taken += chunk.length;
    options.onProgress?.(taken, stated);
    await writer.drain();
  }
  const actual = taken;
  if (actual !== stated) checkBedSize(actual, samples.length, markers.id.length);
  problems.info('I-GT-COUNTED', {
    message:
      'Column 6 of the .bim is read as the reference allele (A1) and column 5 as the alternative (A2), as PLINK 2 does. A2 is counted.',
    suggestion:
      'Unless told --keep-allele-order, PLINK 1 puts the less frequent allele in column 5; effects then belong to that allele.',
  });
}
