import type { ByteSource } from './byte-source.ts';
import { compressionOf, inflatedBytes } from './compression/inflated-bytes.ts';
import { archiveFiles, openZip, zipEntrySource } from './compression/zip-archive.ts';
import { CHOSEN_FILE_TYPE_NAMES, type ChosenFileType, isGenotypeFormat } from './file-kinds.ts';
import { markerListKind } from './genotype/readers/marker-list.ts';
import { FLAPJACK, PACK_PLINK, type TextKind, textKind } from './genotype/text-kind.ts';
import { FileFormatError, type FileProblem, fileProblem } from './problem.ts';
import { encodingOfHead } from './text/encoding.ts';
import { binarySignature } from './text/signature.ts';

/** What the content of a file shows it to be. */
export interface FileKind extends Omit<TextKind, 'format'> {
  format: TextKind['format'] | 'workbook';
  /** Name of the only file of a zip archive; null when the file itself is meant. */
  zipEntry: string | null;
  /** Name of the list of markers that lies beside the calls in a zip archive; null without one. */
  markerList: string | null;
}

/** A file that is no archive. */
const ALONE = { zipEntry: null, markerList: null } as const;
/** Formats whose markers can be placed by a list beside the calls. */
const TAKES_MARKER_LIST: ReadonlySet<string> = new Set([
  'flapjack',
  'letter-matrix',
  'numeric-matrix',
  'kasp',
  'dart',
  'long-dosages',
]);
/** Files of an archive that are looked into. */
const MAX_ARCHIVE_FILES = 20;

/** The first bytes of a gzip, which are no UTF-8, as text. */
const GZIP_AS_TEXT = '\x1F\uFFFD';

/** Bytes of text inspected: the header and first lines of all but the widest matrices. */
const HEAD_BYTES = 1 << 20;
/** The head grows to this size until it holds two whole lines. */
const MAX_HEAD_BYTES = 64 << 20;

/**
 * Detects the format of a file from its first bytes (inflated when compressed) and, for a zip archive, from the names
 * in it; the file's own name is ignored. A table of numbers is a numeric matrix when at least 80 % of its first cells
 * are genotype codes. Throws {@link FileFormatError} for a damaged archive and E-EMPTY for a file without text,
 * GzipError for a damaged gzip.
 *
 * @param ploidy copies of each chromosome, where the numbers of a matrix count them
 */
export async function detectFileKind(source: ByteSource, ploidy = 2): Promise<FileKind> {
  const start = await source.read(0, 512);
  const signature = binarySignature(start);
  if (start[0] === 0x50 && start[1] === 0x4b) return zipKind(source, ploidy);
  if (signature !== null) {
    const kind: FileKind = { format: 'other', label: signature, ...ALONE };
    return signature.includes('PLINK') ? { ...kind, advice: PACK_PLINK } : kind;
  }
  const head = await textHead(source);
  if (head.trim() === '') {
    throw new FileFormatError('E-EMPTY', {
      message: 'There is nothing in the file but blank lines.',
      suggestion: 'Choose the file again, or export it again.',
    });
  }
  if (compressionOf(start) !== 'none') {
    const inside = binarySignature(Buffer.from(head.slice(0, 16), 'latin1'));
    if (head.startsWith(GZIP_AS_TEXT)) {
      const advice = 'Unpack it once, and upload what comes out.';
      return { format: 'other', label: 'a file that was compressed twice', advice, ...ALONE };
    }
    if (inside !== null) return { format: 'other', label: `${inside} (compressed)`, ...ALONE };
  }
  return { ...textKind(head, ploidy), ...ALONE };
}

/** E-TYPE when a file cannot be of the type chosen for it; null when it can. */
export function wrongTypeProblem(kind: FileKind, chosen: ChosenFileType): FileProblem | null {
  const isGenotype = isGenotypeFormat(kind.format);
  if (chosen === 'GENOTYPE' ? isGenotype : kind.format === 'table' || kind.format === 'workbook') return null;
  // A table of 0, 1 and 2 can hold disease scores as well as calls.
  if (chosen !== 'GENOTYPE' && (kind.format === 'numeric-matrix' || kind.format === 'letter-matrix')) return null;
  return fileProblem('error', 'E-TYPE', {
    message:
      chosen === 'GENOTYPE' && kind.advice !== undefined
        ? `This is ${kind.label}, which is not read as it is.`
        : `This is ${kind.label}; you chose ${CHOSEN_FILE_TYPE_NAMES[chosen]}.`,
    suggestion: isGenotype
      ? `Upload it as ${CHOSEN_FILE_TYPE_NAMES.GENOTYPE}.`
      : chosen === 'GENOTYPE'
        ? (kind.advice ??
          'Genotypes are read from VCF, HapMap, PLINK and PLINK 2 (files in one zip), Flapjack (with its map in one zip), matrix CSV files, tables of updog and fitPoly, KASP tables and reports of LGC, Intertek, Agriplex and DArT.')
        : 'Save it as CSV or .xlsx and upload that.',
  });
}

async function zipKind(source: ByteSource, ploidy: number): Promise<FileKind> {
  const zip = await openZip(source);
  const names = archiveFiles(zip);
  if (names.length === 0) {
    throw new FileFormatError('E-EMPTY', {
      message: 'The zip archive holds no files.',
      suggestion: 'Pack the files into it again.',
    });
  }
  const has = (extension: string) => names.some((name) => name.toLowerCase().endsWith(extension));
  if (zip.has('xl/workbook.xml')) return { format: 'workbook', label: 'an Excel workbook', ...ALONE };
  if (has('.pgen')) return { format: 'plink2', label: 'a PLINK 2 set in a zip', ...ALONE };
  if (has('.bed')) return { format: 'plink-binary', label: 'a PLINK binary set in a zip', ...ALONE };
  if (has('.ped')) return { format: 'plink-text', label: 'a PLINK text set in a zip', ...ALONE };
  const calls: { kind: TextKind; name: string }[] = [];
  const lists: { kind: 'table' | 'map'; name: string }[] = [];
  for (const name of names.slice(0, MAX_ARCHIVE_FILES)) {
    const head = await textHead(zipEntrySource(zip, name, MAX_HEAD_BYTES));
    const kind = textKind(head, ploidy);
    const list = isGenotypeFormat(kind.format) ? null : (markerListKind(head) ?? (/\.map$/i.test(name) ? 'map' : null));
    if (names.length === 1) return { ...kind, zipEntry: name, markerList: null };
    if (list !== null) lists.push({ kind: list, name });
    else if (isGenotypeFormat(kind.format)) calls.push({ kind, name });
  }
  const found = calls.find(({ kind }) => TAKES_MARKER_LIST.has(kind.format));
  const [list] = lists;
  if (found === undefined || (list === undefined && found.kind.format !== 'flapjack'))
    return { format: 'other', label: 'a zip archive', ...ALONE };
  const isFlapjack = found.kind.format === 'letter-matrix' && list?.kind === 'map';
  const kind = isFlapjack ? FLAPJACK : found.kind;
  return { ...kind, zipEntry: found.name, markerList: list?.name ?? null };
}

/** The first lines of a source as text; the last may be incomplete. */
async function textHead(source: ByteSource): Promise<string> {
  const parts: Uint8Array[] = [];
  let gathered = 0;
  let partsWithLineEnd = 0;
  for await (const chunk of inflatedBytes(source, { maxInflatedBytes: Number.POSITIVE_INFINITY })) {
    parts.push(chunk);
    gathered += chunk.length;
    if (chunk.includes(10) || chunk.includes(13)) partsWithLineEnd++;
    if (gathered >= HEAD_BYTES && (gathered >= MAX_HEAD_BYTES || partsWithLineEnd >= 2)) break;
  }
  const bytes = Buffer.concat(parts);
  const head = encodingOfHead(bytes);
  return new TextDecoder(head?.encoding ?? 'utf-8').decode(bytes);
}
