import type { ByteSource } from './byte-source.ts';
import { compressionOf, inflatedBytes } from './compression/inflated-bytes.ts';
import { openZip, type ZipArchive, zipEntrySource } from './compression/zip-archive.ts';
import { isCallText } from './genotype/call-text.ts';
import { findMatrixLayout } from './genotype/matrix-layout.ts';
import { FileFormatError, type FileProblem, fileProblem } from './problem.ts';
import { encodingOfHead } from './text/encoding.ts';
import { binarySignature } from './text/signature.ts';

/** What the product stores; the spellings of the API. */
export type ChosenFileType = 'GENOTYPE' | 'PHENOTYPE' | 'LINKAGE_MAP' | 'CROSSING_TABLE';

export type GenotypeFormat =
  | 'vcf'
  | 'hapmap'
  | 'plink-binary'
  | 'plink-text'
  | 'flapjack'
  | 'numeric-matrix'
  | 'letter-matrix';

/** What the content of a file shows it to be. */
export interface FileKind {
  /** A genotype format, or what else it is; `table` is any text table that is no genotype for certain. */
  format: GenotypeFormat | 'table' | 'workbook' | 'other';
  /** In words with article: `a VCF file`. */
  label: string;
  /** Name of the file inside a zip archive that holds just this one; null when the file itself is meant. */
  zipEntry: string | null;
}

/** Bytes of text looked at: the header and first lines of any but the widest matrix. */
const HEAD_BYTES = 1 << 20;
/** The head grows to this when it holds no two whole lines. */
const MAX_HEAD_BYTES = 64 << 20;
/** Cells of the first lines that must be genotype calls for a table to be a matrix of them. */
const MIN_CALL_SHARE = 0.8;
const JUDGED_LINES = 20;
const JUDGED_CELLS = 200;

/**
 * Tells what a file is from its first bytes (inflated when compressed) and, for a zip archive, from the names in it; the file's
 * own name does not count. A table of numbers counts as a numeric matrix when at least 80 % of its first cells are genotype codes.
 * Throws {@link FileFormatError} for a damaged archive and E-EMPTY for a file without text, GzipError for a damaged gzip.
 */
export async function detectFileKind(source: ByteSource): Promise<FileKind> {
  const start = await source.read(0, 512);
  const signature = binarySignature(start);
  if (start[0] === 0x50 && start[1] === 0x4b) return zipKind(source);
  if (signature !== null) return { format: 'other', label: signature, zipEntry: null };
  const head = await textHead(source);
  if (head.trim() === '') {
    throw new FileFormatError('E-EMPTY', {
      message: 'There is nothing in the file but blank lines.',
      suggestion: 'Choose the file again, or export it again.',
    });
  }
  if (compressionOf(start) !== 'none') {
    const inside = binarySignature(Buffer.from(head.slice(0, 16), 'latin1'));
    if (inside !== null) return { format: 'other', label: `${inside} (compressed)`, zipEntry: null };
  }
  return { ...textKind(head), zipEntry: null };
}

/** E-TYPE when a file is another type than the one chosen for it; null when it can be what was chosen. */
export function wrongTypeProblem(kind: FileKind, chosen: ChosenFileType): FileProblem | null {
  const isGenotype = GENOTYPE_FORMATS.has(kind.format);
  if (chosen === 'GENOTYPE' ? isGenotype : kind.format === 'table' || kind.format === 'workbook') return null;
  // A table of 0, 1 and 2 can be scores of a disease as well as calls.
  if (chosen !== 'GENOTYPE' && (kind.format === 'numeric-matrix' || kind.format === 'letter-matrix')) return null;
  return fileProblem('error', 'E-TYPE', {
    message: `This is ${kind.label}, you chose ${chosen}.`,
    suggestion: isGenotype
      ? 'Upload it as GENOTYPE.'
      : chosen === 'GENOTYPE'
        ? 'Genotypes are read from VCF, HapMap, PLINK (files in one zip), Flapjack (with its map in one zip) and matrix CSV files.'
        : 'Save it as CSV or .xlsx and upload that.',
  });
}

const GENOTYPE_FORMATS: ReadonlySet<string> = new Set<GenotypeFormat>([
  'vcf',
  'hapmap',
  'plink-binary',
  'plink-text',
  'flapjack',
  'numeric-matrix',
  'letter-matrix',
]);

/** Files of an archive without what macOS and others add. */
export function archiveFiles(zip: ZipArchive): string[] {
  return zip.names.filter((name) => !name.startsWith('__MACOSX/') && !/(?:^|\/)(?:\.|Thumbs\.db$)/i.test(name));
}

async function zipKind(source: ByteSource): Promise<FileKind> {
  const zip = await openZip(source);
  const names = archiveFiles(zip);
  const has = (extension: string) => names.some((name) => name.toLowerCase().endsWith(extension));
  if (zip.has('xl/workbook.xml')) return { format: 'workbook', label: 'an Excel workbook', zipEntry: null };
  if (has('.bed')) return { format: 'plink-binary', label: 'a PLINK binary set in a zip', zipEntry: null };
  if (has('.ped')) return { format: 'plink-text', label: 'a PLINK text set in a zip', zipEntry: null };
  for (const name of names) {
    const kind = textKind(await textHead(zipEntrySource(zip, name, MAX_HEAD_BYTES)));
    if (kind.format === 'flapjack') return { ...kind, zipEntry: null };
    if (names.length === 1) return { ...kind, zipEntry: name };
  }
  return { format: 'other', label: 'a zip archive', zipEntry: null };
}

/** The first lines of a source as text; its last line may be cut. */
async function textHead(source: ByteSource): Promise<string> {
  const parts: Uint8Array[] = [];
  let gathered = 0;
  for await (const chunk of inflatedBytes(source, { maxInflatedBytes: Number.POSITIVE_INFINITY })) {
    parts.push(chunk);
    gathered += chunk.length;
    const enough = gathered >= HEAD_BYTES && (gathered >= MAX_HEAD_BYTES || countLines(parts) >= 2);
    if (enough) break;
  }
  const bytes = Buffer.concat(parts);
  const head = encodingOfHead(bytes);
  return new TextDecoder(head?.encoding ?? 'utf-8').decode(bytes);
}

function countLines(parts: readonly Uint8Array[]): number {
  let count = 0;
  for (const part of parts) if (part.includes(10) || part.includes(13)) count++;
  return count;
}

function textKind(head: string): Pick<FileKind, 'format' | 'label'> {
  if (/^##fileformat=VCF/i.test(head) || /^#CHROM[\t ]+POS[\t ]/i.test(head))
    return { format: 'vcf', label: 'a VCF file' };
  if (head.startsWith('##') && /^#CHROM[\t ]+POS[\t ]/im.test(head)) return { format: 'vcf', label: 'a VCF file' };
  if (/^"?rs#?"?[\t,]"?alleles"?[\t,]"?chrom"?[\t,]"?pos/i.test(head))
    return { format: 'hapmap', label: 'a HapMap file' };
  if (/^#\s*fjFile\s*=\s*GENOTYPE/i.test(head)) return { format: 'flapjack', label: 'a Flapjack genotype file' };
  if (head.includes('\0')) return { format: 'other', label: 'binary data' };
  return matrixKind(head);
}

function matrixKind(head: string): Pick<FileKind, 'format' | 'label'> {
  const table = { format: 'table', label: 'a table of other data' } as const;
  const lines = head.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  const headerAt = lines.findIndex((line) => !line.startsWith('#'));
  if (headerAt < 0 || headerAt + 1 >= lines.length) return table;
  // The last line of the head may be cut; it is judged only when it is the one data line there is.
  const rows = lines.slice(headerAt + 1, headerAt + 1 + JUDGED_LINES);
  const layout = findMatrixLayout(lines[headerAt] ?? '', rows[0] ?? '');
  if (layout === null) return table;
  let numbers = 0;
  let letters = 0;
  let judged = 0;
  for (const row of rows) {
    const cells = layout.split(row, layout.leadCount + JUDGED_CELLS).slice(layout.leadCount);
    for (const cell of cells) {
      const kind = isCallText(cell);
      if (kind === 'missing') continue;
      judged++;
      if (kind === 'number') numbers++;
      else if (kind === 'letters') letters++;
    }
  }
  if (judged > 0 && numbers >= MIN_CALL_SHARE * judged) {
    return { format: 'numeric-matrix', label: 'a numeric genotype matrix' };
  }
  if (judged > 0 && letters >= MIN_CALL_SHARE * judged) {
    return { format: 'letter-matrix', label: 'a genotype matrix of letters' };
  }
  return table;
}
