import { deflateBgzf } from '../../compression/bgzf.ts';
import { zipChunks } from '../../compression/zip-writer.ts';
import { FileFormatError, type FileProblem, fileProblem } from '../../problem.ts';
import { ploidyOf } from '../panel/dosages.ts';
import type { GenotypePanel } from '../panel/genotype-panel.ts';
import { packedLength } from '../panel/packed-calls.ts';
import { counted } from '../panel/tally.ts';
import { ploidiesInWords } from '../ploidies.ts';
import { DOSAGE_FORMATS, MIXED_FORMATS, type PanelFile, type PanelFormat, POLYPLOID_FORMATS } from './panel-format.ts';
import { writeFlapjack } from './write-flapjack.ts';
import { writeHapmap } from './write-hapmap.ts';
import { writeLetters } from './write-letters.ts';
import { writeLongDosages } from './write-long-dosages.ts';
import { writeNumericByMarker, writeNumericBySample } from './write-numeric.ts';
import { writePlinkBinary, writePlinkText } from './write-plink.ts';
import { writeVcf } from './write-vcf.ts';

/**
 * W-GT-DOSAGE-LOST when the format holds only whole numbers of copies and the panel has fractional dosages; null
 * otherwise.
 */
export function lostDosagesProblem(panel: Pick<GenotypePanel, 'dosages'>, format: PanelFormat): FileProblem | null {
  const markers = panel.dosages?.markerCount ?? 0;
  if (markers === 0 || DOSAGE_FORMATS.includes(format)) return null;
  return fileProblem('warning', 'W-GT-DOSAGE-LOST', {
    message: `${counted(markers, 'marker')} ${markers === 1 ? 'has' : 'have'} fractional dosages, which this format does not hold; the nearest whole number of copies was written.`,
    suggestion: 'Export VCF or numbers to keep the dosages.',
  });
}

export interface WrittenFormat extends PanelFile {
  contentType: string;
}

/**
 * A panel as the uncompressed files of a format. Their bytes are made as they are read; memory does not grow with the
 * panel.
 *
 * @throws FileFormatError when the format cannot hold this panel
 */
export function panelFiles(panel: GenotypePanel, format: PanelFormat): PanelFile[] {
  const ploidy = ploidyOf(panel);
  if (ploidy > 2 && !POLYPLOID_FORMATS.includes(format)) {
    throw new FileFormatError('E-GT-PLOIDY', {
      value: String(ploidy),
      message: `The plants have ${ploidy} copies of each chromosome, and this format holds diploid calls only.`,
      suggestion: 'Export VCF, numbers or letters.',
    });
  }
  const { ploidies } = panel.dosages ?? {};
  if (ploidies !== undefined && !MIXED_FORMATS.includes(format)) {
    throw new FileFormatError('E-GT-PLOIDY-MIX', {
      message: `The plants differ in ploidy (${ploidiesInWords(ploidies)}), which this format does not tell.`,
      suggestion: 'Export VCF, or read only the plants of one ploidy first.',
    });
  }
  switch (format) {
    case 'vcf':
      return [{ ending: '.vcf', chunks: writeVcf(panel) }];
    case 'hapmap':
      return [{ ending: '.hmp.txt', chunks: writeHapmap(panel) }];
    case 'plink':
      return writePlinkBinary(panel);
    case 'plink_text':
      return writePlinkText(panel);
    case 'flapjack':
      return writeFlapjack(panel);
    case 'numeric':
      return [{ ending: '.csv', chunks: writeNumericBySample(panel) }];
    case 'numeric_by_marker':
      return [{ ending: '.csv', chunks: writeNumericByMarker(panel) }];
    case 'letters':
      return [{ ending: '.csv', chunks: writeLetters(panel) }];
    case 'long_dosages':
      return [{ ending: '.csv', chunks: writeLongDosages(panel) }];
  }
}

/**
 * A panel as one file: VCF with blocked gzip, several files in a zip, the others as {@link panelFiles} gives them.
 *
 * @param name of the files inside an archive, without ending
 * @throws FileFormatError when the format or a zip cannot hold this panel
 */
export function writePanel(panel: GenotypePanel, format: PanelFormat, name: string): WrittenFormat {
  const files = panelFiles(panel, format);
  const [{ ending, chunks }] = files;
  if (files.length > 1) return zipOf(panel, files, name);
  switch (format) {
    case 'vcf':
      return { ending: '.vcf.gz', contentType: 'application/gzip', chunks: deflateBgzf(chunks) };
    case 'hapmap':
      return { ending, contentType: 'text/tab-separated-values', chunks };
    default:
      return { ending, contentType: 'text/csv; charset=utf-8', chunks };
  }
}

/** Larger archives need Zip64, which the zip writer does not support. */
const MAX_ZIPPED_BYTES = 0xffff_ffff;
/** Bytes of a call as text, ` A G`; names and longer alleles are not counted. */
const TEXT_BYTES_A_CALL = 4;

function zipOf(panel: GenotypePanel, files: readonly PanelFile[], name: string): WrittenFormat {
  const bytes = files.some(({ ending }) => ending === '.bed')
    ? panel.markers.id.length * packedLength(panel.samples.length)
    : panel.markers.id.length * panel.samples.length * TEXT_BYTES_A_CALL;
  if (bytes > MAX_ZIPPED_BYTES) {
    throw new FileFormatError('E-TOO-LARGE', {
      value: `${bytes} bytes`,
      message: 'This panel has more than 4 GB in this format, which does not fit into a zip.',
      suggestion: 'Export VCF instead.',
    });
  }
  return {
    ending: '.zip',
    contentType: 'application/zip',
    chunks: zipChunks(files.map(({ ending, chunks }) => [`${name}${ending}`, chunks])),
  };
}
