import { deflateBgzf } from '../../compression/bgzf.ts';
import type { GenotypePanel } from '../genotype-panel.ts';
import { writeHapmap } from './write-hapmap.ts';
import { writeNumericByMarker, writeNumericBySample } from './write-numeric.ts';
import { writePlinkZip } from './write-plink.ts';
import { writeVcf } from './write-vcf.ts';

/** Formats in which a panel is handed out. */
export type PanelFormat = 'vcf' | 'hapmap' | 'plink' | 'numeric' | 'numeric_by_marker';

export interface WrittenFormat {
  /** Ending of the file's name, with its dot. */
  ending: string;
  contentType: string;
  chunks: AsyncGenerator<Uint8Array>;
}

/**
 * A panel in one of the formats, as bytes that are made while they are read; memory does not grow with the panel.
 *
 * @param name of the files inside an archive, without ending
 * @throws FileFormatError when the format cannot hold this panel
 */
export function writePanel(panel: GenotypePanel, format: PanelFormat, name: string): WrittenFormat {
  switch (format) {
    case 'vcf':
      return { ending: '.vcf.gz', contentType: 'application/gzip', chunks: deflateBgzf(writeVcf(panel)) };
    case 'hapmap':
      return { ending: '.hmp.txt', contentType: 'text/tab-separated-values', chunks: writeHapmap(panel) };
    case 'plink':
      return { ending: '.zip', contentType: 'application/zip', chunks: writePlinkZip(panel, name) };
    case 'numeric':
      return { ending: '.csv', contentType: 'text/csv; charset=utf-8', chunks: writeNumericBySample(panel) };
    case 'numeric_by_marker':
      return { ending: '.csv', contentType: 'text/csv; charset=utf-8', chunks: writeNumericByMarker(panel) };
  }
}
