import { zstdDecompressSync } from 'node:zlib';
import { formatBytes } from '../../../compression/inflated-bytes.ts';
import { archiveFiles, type ZipArchive } from '../../../compression/zip-archive.ts';
import { FileFormatError } from '../../../problem.ts';
import { decodeText } from '../../../text/line-blocks.ts';
import { textLines } from '../../../text/text-lines.ts';
import { UNKNOWN_ALLELE } from '../../panel/marker-columns.ts';
import { individualNames } from '../../panel/plink-panel.ts';
import { MAX_LIST_BYTES, readEntryBytes, readEntryText, soleEntry } from '../zip-entries.ts';

interface ListOptions {
  onLegacyText: () => void;
  signal?: AbortSignal | undefined;
}

/** A variant of a `.pvar`: its place, and its alleles, the reference first. */
export interface PvarVariant {
  id: string | null;
  chromosome: string;
  positionBp: number;
  alleles: string[];
  line: number;
}

/** Columns of a `.pvar` without a header, which are those of a `.bim`. */
const BIM_COLUMNS = ['#CHROM', 'ID', 'CM', 'POS', 'ALT', 'REF'];

/**
 * The variants of the `.pvar` or `.bim` of an archive, also compressed by zstd: lines of a VCF without calls, or of a
 * `.bim`.
 * Throws {@link FileFormatError} E-GT-TRIO when there is none or a line is none of a variant.
 */
export async function readPvar(zip: ZipArchive, options: ListOptions): Promise<PvarVariant[]> {
  const name = oneOf(zip, ['.pvar', '.pvar.zst', '.bim', '.bim.zst']);
  const text = name.toLowerCase().endsWith('.zst')
    ? decodeText(unpackZstd(await readEntryBytes(zip, name, options), name), options.onLegacyText)
    : await readEntryText(zip, name, options);
  const variants: PvarVariant[] = [];
  let columns: Columns | null = null;
  for (const { number, content } of textLines(text)) {
    if (content === '' || content.startsWith('##')) continue;
    const fields = content.includes('\t') ? content.split('\t') : content.trim().split(/\s+/);
    if (columns === null) {
      const hasHeader = content.startsWith('#');
      columns = columnsOf(hasHeader ? fields : BIM_COLUMNS.filter((column) => fields.length > 5 || column !== 'CM'));
      if (columns === null) throw badLine(name, number, content);
      if (hasHeader) continue;
    }
    const [chromosome = '', position = '', id = '', ref = '', alt = ''] = columns.map((column) => fields[column]);
    const positionBp = Number(position);
    if (chromosome === '' || position === '' || !Number.isSafeInteger(positionBp) || ref === '' || alt === '')
      throw badLine(name, number, content);
    variants.push({
      id: id === '' || id === '.' ? null : id,
      chromosome,
      positionBp: Math.max(0, positionBp),
      alleles: [ref, ...alt.split(',')].map((allele) => (allele === '0' ? UNKNOWN_ALLELE : allele)),
      line: number,
    });
  }
  return variants;
}

/** Places of #CHROM, POS, ID, REF and ALT. */
type Columns = readonly number[];

function columnsOf(header: readonly string[]): Columns | null {
  const places = ['#CHROM', 'POS', 'ID', 'REF', 'ALT'].map((name) => header.indexOf(name));
  return places.includes(-1) ? null : places;
}

/**
 * The names of the samples of the `.psam` (or `.fam`) of an archive: IID, or FID_IID where an IID repeats. Throws
 * {@link FileFormatError} E-GT-TRIO when there is none or a line has no name.
 */
export async function readPsam(zip: ZipArchive, options: ListOptions): Promise<string[]> {
  const name = oneOf(zip, ['.psam', '.fam']);
  const families: string[] = [];
  const individuals: string[] = [];
  let columns: { family: number; individual: number } | null = null;
  for (const { number, content } of textLines(await readEntryText(zip, name, options))) {
    const isHeader = /^#[FI]ID\b/.test(content);
    if (content.trim() === '' || (content.startsWith('#') && !isHeader)) continue;
    const fields = content.includes('\t') ? content.split('\t') : content.trim().split(/\s+/);
    if (isHeader) {
      const names = fields.map((field) => field.replace('#', ''));
      columns = { family: names.indexOf('FID'), individual: names.indexOf('IID') };
      continue;
    }
    columns ??= { family: 0, individual: 1 };
    const individual = fields[columns.individual] ?? '';
    if (individual === '') throw badLine(name, number, content);
    families.push(fields[columns.family] ?? '0');
    individuals.push(individual);
  }
  return individualNames(families, individuals);
}

/** The file of an archive with one of these endings. */
function oneOf(zip: ZipArchive, endings: readonly string[]): string {
  const names = archiveFiles(zip).map((name) => name.toLowerCase());
  const found = endings.find((ending) => names.some((name) => name.endsWith(ending)));
  return soleEntry(zip, found ?? endings[0] ?? '', 'E-GT-TRIO');
}

function unpackZstd(bytes: Uint8Array, name: string): Uint8Array {
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: MAX_LIST_BYTES });
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new FileFormatError(
      isLarge ? 'E-TOO-LARGE' : 'E-GT-TRIO',
      {
        value: name,
        message: isLarge
          ? `${name} unpacks to more than ${formatBytes(MAX_LIST_BYTES)}.`
          : `${name} cannot be unpacked: it is damaged, or not compressed by zstd.`,
        suggestion: 'Write it without compression, with: plink2 --make-pgen.',
      },
      { cause: error },
    );
  }
}

function badLine(name: string, line: number, value: string): FileFormatError {
  return new FileFormatError('E-GT-TRIO', {
    line,
    value,
    message: `Line ${line} of ${name} is not one of PLINK 2: a column is missing, empty or no whole number.`,
    suggestion: 'Write the files again with: plink2 --make-pgen.',
  });
}
