import { headerCells, MAX_COLUMNS, rowCells, splitDelimited } from './split-delimited.ts';

/** Whether rows are samples (columns markers) or rows are markers (columns samples). */
export type MatrixRows = 'samples' | 'markers';

/** How a genotype matrix is laid out, read from its header. */
export interface MatrixLayout {
  rows: MatrixRows;
  separator: string;
  /** Names of the columns, with an empty first one where R left the header of the row names out. */
  header: string[];
  /** Number of leading columns that are no calls. */
  leadCount: number;
  /** Whether an id of the laboratory follows the name of each sample, as in the grids of Intertek. */
  hasLabIds: boolean;
  /** Places of the lead columns; −1 when absent. For samples in rows only `id`, the column of their names, is there. */
  lead: { id: number; chromosome: number; position: number; ref: number; alt: number; alleles: number };
  /** The first `limit` cells of a line, unquoted and trimmed. */
  split: (line: string, limit: number) => string[];
}

/**
 * Headers of the column with the names of samples, as {@link headerKey} writes them: where a file has several of them
 * before its calls, the one that stands first here names the samples.
 */
const SAMPLE_KEYS: readonly string[] =
  `sample sampleid samplename samplenamelabid samples taxa taxon individual ind line linename germplasmname germplasm
  accession iid clone genotype entry id name dna`.split(/\s+/);
/** Headers of columns that laboratories put beside the names of samples. */
const LABORATORY_KEYS: ReadonlySet<string> = new Set(
  `platename plate plateid platebarcode masterplate daughterplate well wellid masterwell barcode batch status project
  projectid order ordernumber labid tissue species population pop family notes comment comments`.split(/\s+/),
);
/** What rows and columns are called in the corner of a grid, as in \`DNA \ Assay\` or \`Accession/Marker\`. */
const CORNER = /^(.+?)\s*[/\\|]\s*(.+)$/;
const MARKER_WORDS: ReadonlySet<string> = new Set([
  'marker',
  'markers',
  'assay',
  'assays',
  'snp',
  'snps',
  'locus',
  'loci',
]);
const LEAD_KEYS: Record<keyof MatrixLayout['lead'], ReadonlySet<string>> = {
  id: new Set([
    'marker',
    'markername',
    'markerid',
    'snp',
    'snpid',
    'snpname',
    'rs',
    'rs#',
    'locus',
    'variant',
    'variantid',
  ]),
  chromosome: new Set(['chrom', 'chr', 'chromosome', '#chrom', 'linkagegroup', 'lg']),
  position: new Set(['pos', 'position', 'bp', 'physpos', 'positionbp', 'physicalposition']),
  ref: new Set(['ref', 'reference', 'refallele', 'a1', 'allele1']),
  alt: new Set(['alt', 'alternate', 'altallele', 'a2', 'allele2']),
  alleles: new Set(['alleles', 'allele']),
};

/**
 * Reads the layout from the header and the first data line. Rows are markers when the first column is called marker,
 * SNP …, or when columns of chromosome and position are among the first six. Rows are samples when one of the columns
 * before the calls is called sample, taxa, id, name, ind …, or when the first has no name; columns of row numbers and
 * of the laboratory (plate, well, batch …) may stand beside it. Null when neither fits or there are fewer than two
 * columns. Separators at the end of the header make no columns. Throws E-TOO-LARGE for a header of more than ten
 * million columns.
 *
 * @param told what the rows are, for a header that does not say it; their names are then in the first column
 */
export function findMatrixLayout(headerLine: string, firstLine: string, told?: MatrixRows): MatrixLayout | null {
  const separator = mostFrequentSeparator(headerLine);
  if (separator === null) return null;
  const split = (line: string, limit: number) => splitDelimited(line, separator, limit);
  let header = headerCells(split(headerLine, MAX_COLUMNS + 1), null);
  const width = rowCells(firstLine, split, header.length).length;
  // R's write.table leaves out the header of the row names.
  if (width === header.length + 1 && header[0] !== '') header = ['', ...header];
  if (header.length < 2) return null;

  const found = leadColumns(header, 0);
  const { lead } = found;
  if (lead.id < 0 && found.count === 0) {
    // `id,chrom,pos,…`: a plain first name, but the columns after it say that rows are markers.
    const rest = leadColumns(header, 1);
    const hasPlace = rest.lead.chromosome >= 0 && rest.lead.position >= 0;
    const corner = cornerRows(header[0]);
    const samples = sampleColumns(header);
    if (told === 'markers' || corner === 'markers' || (samples !== null && hasPlace))
      return {
        rows: 'markers',
        separator,
        header,
        split,
        leadCount: rest.count,
        lead: { ...rest.lead, id: 0 },
        hasLabIds: false,
      };
    const own = samples ?? (told === 'samples' || corner === 'samples' ? { id: 0, count: 1 } : null);
    if (own === null) return null;
    const noLead = { id: own.id, chromosome: -1, position: -1, ref: -1, alt: -1, alleles: -1 };
    return {
      rows: 'samples',
      separator,
      header,
      split,
      leadCount: own.count,
      lead: noLead,
      hasLabIds: headerKey(header[own.id]) === 'samplenamelabid',
    };
  }
  const isMarkerRows = lead.id >= 0 || (lead.chromosome >= 0 && lead.position >= 0);
  return isMarkerRows
    ? { rows: 'markers', separator, header, split, leadCount: found.count, lead, hasLabIds: false }
    : null;
}

/** The column that names the samples, and how many columns stand before the calls; null when none names them. */
function sampleColumns(header: readonly string[]): { id: number; count: number } | null {
  let id = -1;
  let best = Number.POSITIVE_INFINITY;
  let count = 0;
  for (; count < header.length; count++) {
    const key = headerKey(header[count]);
    const rank = key === '' && count === 0 ? SAMPLE_KEYS.length : SAMPLE_KEYS.indexOf(key);
    if (rank < 0 && !LABORATORY_KEYS.has(key)) break;
    if (rank >= 0 && rank < best) {
      best = rank;
      id = count;
    }
  }
  return id < 0 ? null : { id, count };
}

function cornerRows(name: string): MatrixRows | null {
  const [, rows = '', columns = ''] = CORNER.exec(name) ?? [];
  if (SAMPLE_KEYS.includes(headerKey(rows)) && MARKER_WORDS.has(headerKey(columns))) return 'samples';
  if (MARKER_WORDS.has(headerKey(rows)) && SAMPLE_KEYS.includes(headerKey(columns))) return 'markers';
  return null;
}

/** Rows above the header that are looked at for titles. */
export const MAX_TITLE_ROWS = 10;

/** Whether a row above the header is a title, as worksheets have: a text in the first cell and nothing beside it. */
export function isTitleRow(line: string): boolean {
  const [, first = '', rest = ''] = /^("(?:[^"]|"")*"|[^,;\t]*)(.*)$/s.exec(line) ?? [];
  const text = first.replaceAll('"', '').trim();
  // Other programs begin their files with a mark of their own: <Numeric>, [Header], >.
  if (/^[<[>{]/.test(text)) return false;
  const isHeader = SAMPLE_KEYS.includes(headerKey(text)) || leadRole(text) !== null;
  return !isHeader && /^[,;\t\s"]*$/.test(rest);
}

function leadColumns(header: readonly string[], from: number): { lead: MatrixLayout['lead']; count: number } {
  const lead = { id: -1, chromosome: -1, position: -1, ref: -1, alt: -1, alleles: -1 };
  let count = from;
  for (; count < header.length; count++) {
    const role = leadRole(header[count]);
    if (role === null || lead[role] >= 0) break;
    lead[role] = count;
  }
  return { lead, count };
}

function leadRole(name: string): keyof MatrixLayout['lead'] | null {
  const key = headerKey(name);
  for (const role of Object.keys(LEAD_KEYS) as (keyof MatrixLayout['lead'])[]) {
    if (LEAD_KEYS[role].has(key)) return role;
  }
  return null;
}

/** Header text for comparison: lower case without blanks, `_`, `-` and `.`. */
export function headerKey(name: string): string {
  return name.toLowerCase().replace(/[\s_.-]/g, '');
}

export function mostFrequentSeparator(header: string): string | null {
  let best: string | null = null;
  let most = 0;
  for (const separator of ['\t', ';', ',']) {
    let count = 0;
    for (let at = header.indexOf(separator); at >= 0; at = header.indexOf(separator, at + 1)) count++;
    if (count > most) {
      best = separator;
      most = count;
    }
  }
  return best;
}
