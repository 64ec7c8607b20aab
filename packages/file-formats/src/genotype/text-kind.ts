import type { GenotypeFormat } from '../file-kinds.ts';
import { textLines } from '../text/text-lines.ts';
import { isCallText } from './readers/call-text.ts';
import { dartColumns, isStarRow, starColumns } from './readers/laboratory/dart-layout.ts';
import { holdsKaspCalls, kaspColumns, LGC_REPORT } from './readers/laboratory/kasp-layout.ts';
import { holdsDosages, longDosageColumns } from './readers/laboratory/long-dosage-columns.ts';
import { findMatrixLayout, isTitleRow, MAX_TITLE_ROWS, mostFrequentSeparator } from './readers/matrix-layout.ts';
import { MAX_COLUMNS, splitDelimited } from './readers/split-delimited.ts';

/** What the text of a file shows it to be. */
export interface TextKind {
  /** A genotype format or another kind; `table` is any text table not recognised as genotypes. */
  format: GenotypeFormat | 'table' | 'other';
  /** In words, with its article: `a VCF file`. */
  label: string;
  /** For a known format that is not supported: how to obtain a supported one. */
  advice?: string;
  /** Copies of each chromosome, where the text tells that they are not two. */
  ploidy?: number;
}

/** What to do with single files of PLINK. */
export const PACK_PLINK: string =
  'Pack the files of the data set (.bed, .bim, .fam, or .ped, .map, or .pgen, .pvar, .psam) into one zip and upload that.';

/** A format of another program that is not supported. */
interface ForeignFormat {
  /** Matches the beginning of its text. */
  pattern: RegExp;
  label: string;
  advice: string;
}

const FOREIGN_FORMATS: readonly ForeignFormat[] = [
  {
    pattern: /^\[Header\]\s/i,
    label: 'a report of Illumina GenomeStudio',
    advice: 'Export it from GenomeStudio with the PLINK Input Report, and pack .ped and .map into one zip.',
  },
  {
    pattern: /^#%|^probeset_?id[\t,]/i,
    label: 'a file of calls of Axiom arrays',
    advice:
      'Export it as VCF, or call its first column "marker", remove the lines that begin with #% and write NA for calls that are missing.',
  },
  {
    pattern: /^"?\*"?[\t,]|^"?AlleleID"?[\t,]/i,
    label: 'a report of read counts or doses of DArT',
    advice:
      'Upload the report of SNPs (in one or two rows), of SilicoDArT, or of reads of DArTag (AlleleID, CloneID, AlleleSequence) that DArT delivers with it, or call the genotypes from the counts and upload them as VCF.',
  },
  {
    pattern: /^FID\s+IID\s+PAT\s+MAT\s+SEX\s+PHENOTYPE\s/i,
    label: 'a .raw file of PLINK',
    advice: 'Export VCF (plink --recode vcf) or PLINK binary files (plink --make-bed) instead.',
  },
  {
    pattern: /^#\s*\[1\]/,
    label: 'a table of bcftools query',
    advice: 'Upload the VCF itself.',
  },
  {
    pattern: /^<Numeric>/i,
    label: 'a numeric genotype file of TASSEL',
    advice: 'Save it from TASSEL as VCF or HapMap.',
  },
  { pattern: /^>/, label: 'a FASTA file', advice: 'Upload the genotype calls, for example as VCF.' },
  {
    pattern: /^\s*<(?:!doctype|html|\?xml)/i,
    label: 'a web page or an XML file',
    advice: 'A download that needs a sign-in may have saved the page of the sign-in: download the file again.',
  },
  {
    pattern: /^\s*\{\s*(?:"|$)/,
    label: 'a JSON file',
    advice: 'Export the genotypes as VCF, HapMap or a table.',
  },
  // Six fields and at least two alleles, or six fields with a position and two alleles.
  {
    pattern:
      /^\S+[ \t]+\S+[ \t]+\S+[ \t]+\S+[ \t]+[0-9-]+[ \t]+\S+(?:[ \t]+[ACGT0-4][ \t]+[ACGT0-4])+[ \t]*(?:\r|\n|$)/,
    label: 'a .ped file of PLINK',
    advice: PACK_PLINK,
  },
  {
    pattern: /^\S+\t\S+\t[0-9.]+\t\d+\t[ACGT0]+\t[ACGT0]+\r?\n/,
    label: 'a .bim file of PLINK',
    advice: PACK_PLINK,
  },
];

/** Cells of the first lines that must be genotype calls for a table to be a matrix of them. */
const MIN_CALL_SHARE = 0.8;
const JUDGED_LINES = 20;
const JUDGED_CELLS = 200;

export const FLAPJACK: TextKind = { format: 'flapjack', label: 'a Flapjack genotype file' };

/** How a report of DArT begins: with stars, or with the names of its first columns. */
const DART_START = /^\s*"?\*|CloneID|AlleleID/i;
const DART_START_LENGTH = 1000;

/** A report of SNPs or of SilicoDArT, by its header, below rows of stars. */
function dartKind(head: string): TextKind | null {
  if (!DART_START.test(head.slice(0, DART_START_LENGTH))) return null;
  let stars = 0;
  for (const { content } of textLines(head)) {
    if (content.trim() === '') continue;
    const cells = splitDelimited(content, mostFrequentSeparator(content) ?? ',', MAX_COLUMNS);
    if (isStarRow(cells)) {
      stars = Math.max(stars, starColumns(cells));
      continue;
    }
    const columns = dartColumns(cells, stars);
    if (columns === null) return null;
    const isOf = columns.isTag ? 'reads of DArTag' : columns.isSilico ? 'SilicoDArT' : 'DArTseq SNPs';
    return { format: 'dart', label: `a report of ${isOf}` };
  }
  return null;
}

/**
 * The format that the first lines of a text show.
 *
 * @param ploidy copies of each chromosome, up to which the numbers of a matrix run
 */
export function textKind(head: string, ploidy = 2): TextKind {
  if (/^##fileformat=VCF/i.test(head) || /^#CHROM[\t ]+POS[\t ]/i.test(head))
    return { format: 'vcf', label: 'a VCF file' };
  if (head.startsWith('##') && /^#CHROM[\t ]+POS[\t ]/im.test(head)) return { format: 'vcf', label: 'a VCF file' };
  if (/^"?rs#?"?[\t,]"?alleles"?[\t,]"?chrom"?[\t,]"?pos/i.test(head))
    return { format: 'hapmap', label: 'a HapMap file' };
  if (/^#\s*fjFile\s*=\s*GENOTYPE/i.test(head)) return FLAPJACK;
  if (head.includes('\0')) return { format: 'other', label: 'binary data' };
  if (LGC_REPORT.test(head)) return { format: 'kasp', label: 'a report of KASP genotypes of LGC' };
  const report = dartKind(head);
  if (report !== null) return report;
  const kind = matrixKind(head, ploidy);
  if (kind.format !== 'table') return kind;
  const foreign = FOREIGN_FORMATS.find(({ pattern }) => pattern.test(head));
  // It may still be a valid table of another type; the table readers report what they cannot read.
  return foreign === undefined ? kind : { format: 'table', label: foreign.label, advice: foreign.advice };
}

function matrixKind(head: string, ploidy: number): TextKind {
  const table: TextKind = { format: 'table', label: 'a table of other data' };
  const lines = head.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  const headerAt = headerPlace(lines);
  if (headerAt < 0) return table;
  const header = lines[headerAt] ?? '';
  // The last line of the head may be incomplete; it is judged only when it is the only data line.
  const rows = lines.slice(headerAt + 1, headerAt + 1 + JUDGED_LINES);
  const kasp = kaspColumns(header);
  if (kasp !== null && holdsKaspCalls(rows, kasp)) return { format: 'kasp', label: 'a table of KASP genotypes' };
  const dosages = longDosageColumns(header);
  if (dosages !== null && holdsDosages(rows, dosages))
    return {
      format: 'long-dosages',
      label: 'a table of dosages, one a row',
      ...(dosages.ploidy > 2 && { ploidy: dosages.ploidy }),
    };
  const known = findMatrixLayout(header, rows[0] ?? '');
  if (rows.length === 0) return known === null ? table : { format: 'numeric-matrix', label: 'a matrix without rows' };
  // A table of calls whose header does not say what its rows are: the reader reports that.
  const layout = known ?? findMatrixLayout(header.replace(/^[^,;\t]*/, 'sample'), rows[0] ?? '');
  if (layout === null) return header.includes(' ') && !/[,;\t]/.test(header) ? BLANK_SEPARATED : table;
  let numbers = 0;
  let letters = 0;
  let polyploid = 0;
  let lettersOfCall = 0;
  let beyondTwo = 0;
  let judged = 0;
  for (const row of rows) {
    const cells = layout.split(row, layout.leadCount + JUDGED_CELLS).slice(layout.leadCount);
    for (const cell of cells) {
      const kind = isCallText(cell, ploidy);
      if (kind === 'missing') continue;
      judged++;
      if (POLYPLOID_CALL.test(cell)) {
        polyploid++;
        lettersOfCall ||= cell.replaceAll('/', '').length;
      }
      if (cell === 'H' || cell === 'h') letters++;
      if (kind === 'number') {
        numbers++;
        if (cell === '3' || cell === '4') beyondTwo++;
      }
      if (kind === 'letters') letters++;
    }
  }
  if (judged > 0 && numbers >= MIN_CALL_SHARE * judged) {
    if (beyondTwo > 0 && FLAPJACK_CORNER.test(header)) return FLAPJACK;
    return { format: 'numeric-matrix', label: 'a numeric genotype matrix' };
  }
  if (judged > 0 && letters >= MIN_CALL_SHARE * judged) {
    return { format: 'letter-matrix', label: 'a genotype matrix of letters' };
  }
  if (judged > 0 && polyploid >= MIN_CALL_SHARE * judged)
    return { format: 'letter-matrix', label: 'a genotype matrix of letters of polyploids', ploidy: lettersOfCall };
  return judged > 0 && FLAPJACK_CORNER.test(header) ? FLAPJACK : table;
}

/** Where the header is, below comments and titles; −1 when there are only comments. */
function headerPlace(lines: readonly string[]): number {
  const first = lines.findIndex((line) => !line.startsWith('#'));
  const below = lines.findIndex((line, at) => at >= first && !line.startsWith('#') && !isTitleRow(line));
  return first >= 0 && below >= 0 && below - first <= MAX_TITLE_ROWS ? below : first;
}

/** What Flapjack calls rows and columns. What is neither a base nor a number of copies below it names an allele. */
const FLAPJACK_CORNER = /^"?(?:accessions?|lines?) ?[/\\] ?markers?"?\t/i;

const POLYPLOID_CALL = /^(?:[ACGTB]{3,16}|[ACGTB](?:\/[ACGTB]){2,15})$/i;

const BLANK_SEPARATED: TextKind = {
  format: 'table',
  label: 'a text whose columns are separated by blanks',
  advice: 'Save it with commas or tabs between the columns; in R, write.csv does so.',
};
