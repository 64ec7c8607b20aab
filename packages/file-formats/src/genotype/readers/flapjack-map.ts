import type { ZipArchive } from '../../compression/zip-archive.ts';
import { archiveFiles } from '../../detect-file-kind.ts';
import { FileFormatError, type ProblemCollector } from '../../problem.ts';
import { textLines } from '../../text/text-lines.ts';
import { counted } from '../panel/tally.ts';
import type { MarkerPlaces } from './matrix-reader.ts';
import { readEntryText } from './zip-entries.ts';

/**
 * Finds the genotype and the map file of a Flapjack archive by their first lines. Throws E-GT-MAP when one is
 * missing.
 */
export async function flapjackEntries(zip: ZipArchive): Promise<{ genotype: string; map: string }> {
  let genotype: string | undefined;
  let map: string | undefined;
  for (const name of archiveFiles(zip)) {
    const first = await firstLine(zip, name);
    if (/^\uFEFF?#\s*fjFile\s*=\s*GENOTYPE/i.test(first)) genotype ??= name;
    else if (/^\uFEFF?#\s*fjFile\s*=\s*MAP/i.test(first) || /\.map$/i.test(name)) map ??= name;
  }
  if (genotype !== undefined && map !== undefined) return { genotype, map };
  throw new FileFormatError('E-GT-MAP', {
    message: 'A Flapjack genotype file needs its map file (first line "# fjFile = MAP") in the same zip.',
    suggestion: 'Pack the genotype and the map file into one zip.',
  });
}

async function firstLine(zip: ZipArchive, name: string): Promise<string> {
  for await (const chunk of zip.stream(name, Number.POSITIVE_INFINITY)) {
    return Buffer.from(chunk.subarray(0, 200))
      .toString('utf8')
      .split(/[\r\n]/)[0];
  }
  return '';
}

/**
 * Reads a Flapjack map: marker, chromosome, position, tab-separated, with or without a header row. Positions that are
 * all whole numbers are base pairs; else they are genetic and kept out of `positionBp`, with W-GT-NO-POS. Reports
 * E-GT-POS for a line without number.
 */
export async function readFlapjackMap(
  zip: ZipArchive,
  name: string,
  problems: ProblemCollector,
  options: { onLegacyText: () => void; signal?: AbortSignal | undefined },
): Promise<MarkerPlaces> {
  const text = await readEntryText(zip, name, options);
  const rows: { id: string; chromosome: string; position: number }[] = [];
  let hasRow = false;
  for (const { number, content: line } of textLines(text)) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [id = '', chromosome = '', positionText = ''] = line.split('\t', 3).map((cell) => cell.trim());
    // Thousands separators occur in exported maps.
    const position = positionText === '' ? Number.NaN : Number(positionText.replaceAll(',', ''));
    if (!Number.isFinite(position) || position < 0 || chromosome === '') {
      const isHeader = !hasRow;
      hasRow = true;
      if (isHeader) continue;
      problems.error('E-GT-POS', {
        line: number,
        column: name,
        value: line,
        message: `Line ${number} of the map is not: marker, chromosome, position.`,
        suggestion: 'Separate the three columns by tabs.',
      });
      continue;
    }
    hasRow = true;
    rows.push({ id, chromosome, position });
  }
  const isPhysical = rows.every(({ position }) => Number.isInteger(position));
  if (!isPhysical) {
    problems.warning('W-GT-NO-POS', {
      message: `The map gives genetic positions (${counted(rows.length, 'marker')}); they are not base pairs and were left out.`,
      suggestion: 'Upload them as a LINKAGE_MAP file.',
    });
  }
  return new Map(
    rows.map(({ id, chromosome, position }) => [id, { chromosome, positionBp: isPhysical ? position : 0 }]),
  );
}
