import { headerKey, mostFrequentSeparator } from '../matrix-layout.ts';
import { splitDelimited } from '../split-delimited.ts';

/** Headers of a table of one dosage a row, as updog (multidog) and fitPoly write it. */
const HEADERS = {
  marker: 'snp markername marker markerid snpid locus',
  sample: 'ind samplename sample sampleid individual',
  geno: 'geno dosage',
  mean: 'postmean',
  counted: 'ref',
  depth: 'size',
} as const;

/** Where the columns stand; −1 for those that a table need not have. */
export interface LongDosageColumns {
  separator: string;
  count: number;
  marker: number;
  sample: number;
  /** Whole dosages. */
  geno: number;
  /** Their posterior mean. */
  mean: number;
  /** Reads of the counted allele, and all reads. */
  counted: number;
  depth: number;
  /** Copies of each chromosome by the columns of probabilities, Pr_0 … Pr_k or P0 … Pk; 0 without. */
  ploidy: number;
}

/** Columns of the widest such table. */
const MAX_COLUMNS = 200;

/** Cells of a row. */
export const longCells = (text: string, separator: string): string[] => splitDelimited(text, separator, MAX_COLUMNS);

/** The columns that a header names; null when it is not that of a table of one dosage a row. */
export function longDosageColumns(header: string): LongDosageColumns | null {
  const separator = mostFrequentSeparator(header);
  if (separator === null) return null;
  const cells = longCells(header, separator);
  const keys = cells.map(headerKey);
  const columnOf = (spellings: string): number =>
    spellings.split(' ').reduce((found, key) => (found < 0 ? keys.indexOf(key) : found), -1);
  const highest = Math.max(-1, ...keys.map((key) => Number(/^pr?(\d)$/.exec(key)?.[1] ?? -1)));
  const columns = {
    ...{ separator, count: cells.length, ploidy: Math.max(0, highest) },
    ...{ marker: columnOf(HEADERS.marker), sample: columnOf(HEADERS.sample), geno: columnOf(HEADERS.geno) },
    ...{ mean: columnOf(HEADERS.mean), counted: columnOf(HEADERS.counted), depth: columnOf(HEADERS.depth) },
  };
  return columns.marker < 0 || columns.sample < 0 || columns.geno < 0 ? null : columns;
}

/** Whether rows below a header hold dosages where it says so. */
export function holdsDosages(rows: readonly string[], { separator, geno }: LongDosageColumns): boolean {
  const cells = rows.map((row) => longCells(row, separator)[geno] ?? '');
  return (
    cells.length > 0 && 5 * cells.filter((cell) => /^\d(?:\.\d+)?$|^(?:NA)?$/.test(cell)).length >= 4 * cells.length
  );
}
