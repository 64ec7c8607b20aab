import { assertColumnCount, MAX_COLUMNS, splitDelimited } from './split-delimited.ts';

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
  /** Places of the lead columns; −1 when absent. For samples in rows only `id` is there. */
  lead: { id: number; chromosome: number; position: number; ref: number; alt: number; alleles: number };
  /** The first `limit` cells of a line, unquoted and trimmed. */
  split: (line: string, limit: number) => string[];
}

const SAMPLE_HEADERS = [
  '',
  'sample',
  'samples',
  'sampleid',
  'samplename',
  'taxa',
  'taxon',
  'id',
  'name',
  'ind',
  'individual',
];
const MORE_SAMPLE_HEADERS = [
  'line',
  'linename',
  'genotype',
  'germplasm',
  'germplasmname',
  'accession',
  'entry',
  'iid',
  'clone',
];
const SAMPLE_KEYS: ReadonlySet<string> = new Set([...SAMPLE_HEADERS, ...MORE_SAMPLE_HEADERS]);
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
 * SNP …, or when columns of chromosome and position are among the first six. Rows are samples when the first column
 * is called sample, taxa, id, name, ind … or has no name. Null when neither fits or there are fewer than two columns.
 * Throws E-TOO-LARGE for a header of more than ten million columns.
 *
 * @param told what the rows are, for a header that does not say it; their names are then in the first column
 */
export function findMatrixLayout(headerLine: string, firstLine: string, told?: MatrixRows): MatrixLayout | null {
  const separator = mostFrequentSeparator(headerLine);
  if (separator === null) return null;
  const split = (line: string, limit: number) => splitDelimited(line, separator, limit);
  let header = split(headerLine, MAX_COLUMNS + 1);
  assertColumnCount(header, null);
  const width = split(firstLine, header.length + 2).length;
  // R's write.table leaves out the header of the row names.
  if (width === header.length + 1 && header[0] !== '') header = ['', ...header];
  if (header.length < 2) return null;

  const lead = { id: -1, chromosome: -1, position: -1, ref: -1, alt: -1, alleles: -1 };
  let leadCount = 0;
  for (; leadCount < header.length; leadCount++) {
    const role = leadRole(header[leadCount]);
    if (role === null || lead[role] >= 0) break;
    lead[role] = leadCount;
  }
  const firstKey = headerKey(header[0]);
  if (lead.id < 0 && leadCount === 0 && (told !== undefined || SAMPLE_KEYS.has(firstKey))) {
    // `id,chrom,pos,…`: a plain first name, but the columns after it say that rows are markers.
    const rest = leadColumns(header, 1);
    if (told === 'markers' || (rest.lead.chromosome >= 0 && rest.lead.position >= 0)) {
      return { rows: 'markers', separator, header, split, leadCount: rest.count, lead: { ...rest.lead, id: 0 } };
    }
    const noLead = { id: 0, chromosome: -1, position: -1, ref: -1, alt: -1, alleles: -1 };
    return { rows: 'samples', separator, header, split, leadCount: 1, lead: noLead };
  }
  const isMarkerRows = lead.id >= 0 || (lead.chromosome >= 0 && lead.position >= 0);
  return isMarkerRows ? { rows: 'markers', separator, header, split, leadCount, lead } : null;
}

/** Rows above the header that are looked at for titles. */
export const MAX_TITLE_ROWS = 10;

/** Whether a row above the header is a title, as worksheets have: a text in the first cell and nothing beside it. */
export function isTitleRow(line: string): boolean {
  const [, first = '', rest = ''] = /^("(?:[^"]|"")*"|[^,;\t]*)(.*)$/s.exec(line) ?? [];
  const text = first.replaceAll('"', '').trim();
  // Other programs begin their files with a mark of their own: <Numeric>, [Header], >.
  if (/^[<[>{]/.test(text)) return false;
  const isHeader = SAMPLE_KEYS.has(headerKey(text)) || leadRole(text) !== null;
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
function headerKey(name: string): string {
  return name.toLowerCase().replace(/[\s_.-]/g, '');
}

function mostFrequentSeparator(header: string): string | null {
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
