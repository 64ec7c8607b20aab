import { hasGenotypeEnding } from '@heterosis/contracts/data/file-formats';
import type { FileType } from '@heterosis/contracts/data/files';
import { textKind } from '@heterosis/file-formats/genotype/text-kind';
import { layoutOfHeader } from '@heterosis/file-formats/move-in/layouts';
import { detectSeparator, splitLine } from '@heterosis/file-formats/tables/text/delimited-text';
import { tableTypeOf } from '@heterosis/file-formats/tables/text/table-type';

/** What a file probably is, and what tells so. */
export interface FileTypeGuess {
  type: FileType | null;
  /**
   * `ending` and `name`: of the file; `content`: its first line; `columns`: their headers; `program`: headers that
   * another program writes, which is what `columns` then holds; `calls`: most cells are
   * genotype calls; `rest`: a table in which nothing tells another type; `unknown`: no table.
   */
  reason: 'ending' | 'content' | 'columns' | 'program' | 'calls' | 'name' | 'rest' | 'unknown';
  /** Headers that tell the type, as they are written. */
  columns: string[];
}

/** A table of phenotypes has no more traits than this, one of markers usually has. */
const MOST_TRAITS = 1_000;
/** Fewer columns of small whole numbers could be scores of a trial. */
const FEWEST_MARKERS = 20;
const CALL = /^(-1|0|1|2|NA|)$/i;
/** A cell with two alleles. */
const CALL_OF_TWO = /[,;\t]"?[ACGT] ?[:/|] ?[ACGT]"?(?:[,;\t\r\n]|$)/;
/** Titles and notes above a header take no more lines. */
const MOST_LINES_ABOVE = 25;
const SHOWN_COLUMNS = 3;

/** How much of a file `guessFileType` looks at. */
export const HEAD_BYTES = 64_000;

const told = (type: FileType | null, reason: FileTypeGuess['reason'], columns: string[] = []): FileTypeGuess => ({
  type,
  reason,
  columns: columns.slice(0, SHOWN_COLUMNS),
});

/**
 * A first guess from the name and, for text, the first lines; users can correct it. The server decides from the whole
 * content.
 */
export function guessFileType(fileName: string, head = ''): FileTypeGuess {
  if (hasGenotypeEnding(fileName)) return told('GENOTYPE', 'ending');
  const base = fileName.toLowerCase();
  if (/\.gff3?(\.gz)?$/.test(base)) return told('GENES', 'ending');
  if (/^##gff-version\s+3/i.test(head)) return told('GENES', 'content');
  if (!/\.(csv|tsv|txt|xlsx|helium)(\.gz)?$/.test(base)) return told(null, 'unknown');
  const isText = !/\.(xlsx|gz)$/.test(base);
  const seen = isText ? guessFromHead(head) : undefined;
  if (seen) return seen;
  if (/geno|snp|matrix|dosage/.test(base)) return told('GENOTYPE', 'name');
  if (/pedigree|stammbaum/.test(base)) return told('PEDIGREE', 'name');
  if (/cross|kreuzung/.test(base)) return told('CROSSING_TABLE', 'name');
  if (/linkage|genetic.?map|link.?map|(^|[^a-z])map([^a-z]|$)/.test(base)) return told('LINKAGE_MAP', 'name');
  return told('PHENOTYPE', 'rest');
}

/** Formats of calls that the first lines show: VCF, HapMap, Flapjack, KASP, DArT, and grids of laboratories (A:G). */
/** Pasted cells, without empty rows, and whether the first row names the two parents of crosses. */
export function pastedRows(text: string): { rows: string[][]; namesParents: boolean } {
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  const separator = detectSeparator(lines[0] ?? '');
  const rows = lines.map((line) => splitLine(line, separator).map((cell) => cell.trim()));
  const type = tableTypeOf(rows[0] ?? [])?.type;
  return { rows, namesParents: type === 'CROSSING_TABLE' || type === 'PEDIGREE' };
}

function isGenotypeFile(head: string): boolean {
  const { format } = textKind(head);
  // Letters and numbers of a matrix can also be scores of a trial.
  if (format === 'letter-matrix') return CALL_OF_TWO.test(head);
  return format !== 'table' && format !== 'other' && format !== 'numeric-matrix';
}

function guessFromHead(head: string): FileTypeGuess | undefined {
  if (isGenotypeFile(head)) return told('GENOTYPE', 'content');
  if (/heliuminput\s*=\s*pedigree/i.test(head)) return told('PEDIGREE', 'content');
  if (/heliuminput\s*=\s*phenotype/i.test(head)) return told('PHENOTYPE', 'content');
  const rows = head
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .slice(0, MOST_LINES_ABOVE)
    .map((line) => splitLine(line.replace(/^\uFEFF/, ''), detectSeparator(line)));
  const [header = [], first = []] = rows;
  // The widest matrices would take long, and tell by their width.
  if (header.length > MOST_TRAITS) return told('GENOTYPE', 'calls');
  for (const names of rows) {
    const program = layoutOfHeader(names);
    if (program?.becomes === 'phenotypes') return told('PHENOTYPE', 'program', [`${program.program}: ${program.name}`]);
    const found = tableTypeOf(names);
    if (found !== null) return told(found.type, 'columns', found.columns);
  }
  // The second line may be cut; its last cell is left out.
  const calls = first.slice(1, -1);
  return calls.length >= FEWEST_MARKERS && calls.every((call) => CALL.test(call))
    ? told('GENOTYPE', 'calls')
    : undefined;
}
