import { readLetterCall } from '../call-text.ts';
import { headerKey, mostFrequentSeparator } from '../matrix-layout.ts';
import { splitDelimited } from '../split-delimited.ts';

/** Headers of a table of one call a row; of several for one column the one that stands first here counts. */
const KASP_HEADERS = {
  marker: 'snpid markername marker markerid snp snpname assayid assayname assay locus',
  sample: 'subjectid samplename sample sampleid dnaname dna dnaid individual germplasmname linename line accession',
  call: 'snpcall call genotypecall finalcall allelecall genotype',
} as const;

/** Where the columns of a table of one call a row stand. */
export interface KaspColumns {
  separator: string;
  marker: number;
  sample: number;
  call: number;
}

/** Columns of the widest such table. */
export const MAX_KASP_COLUMNS = 200;

/** The columns that a header names; null when it is not that of a table of one call a row. */
export function kaspColumns(header: string): KaspColumns | null {
  const separator = mostFrequentSeparator(header);
  if (separator === null) return null;
  const keys = splitDelimited(header, separator, MAX_KASP_COLUMNS).map(headerKey);
  const columnOf = (spellings: string) =>
    spellings.split(' ').reduce((found, key) => (found < 0 ? keys.indexOf(key) : found), -1);
  const columns = {
    marker: columnOf(KASP_HEADERS.marker),
    sample: columnOf(KASP_HEADERS.sample),
    call: columnOf(KASP_HEADERS.call),
  };
  return Object.values(columns).includes(-1) ? null : { separator, ...columns };
}

/** Whether rows below a header hold calls where it says so. */
export function holdsKaspCalls(rows: readonly string[], { separator, call }: KaspColumns): boolean {
  const calls = rows.map((row) => readKaspCall(splitDelimited(row, separator, MAX_KASP_COLUMNS)[call] ?? ''));
  return calls.length > 0 && 5 * calls.filter((found) => found !== null).length >= 4 * calls.length;
}

/** The first line of a report of KASP assays as LGC writes it. */
export const LGC_REPORT: RegExp = /^"?(?:KBiosciences|LGC)\b[^\n]*report/i;

const ALLELE = /^(?:[A-Z*+]{1,100}|-)$/;

/**
 * The two alleles of a KASP call: `A:G`, `AC:-`, `TA/TA`, or as matrices of letters have them. `-` beside a sign is an
 * allele, the deletion; both are empty for a call that is missing. Null when the text is no call.
 */
export function readKaspCall(text: string): readonly [string, string] | null {
  const cell = text.trim().toUpperCase();
  const pair = /^([^\s:/|]+) ?[:/|] ?([^\s:/|]+)$/.exec(cell);
  if (pair === null) return readLetterCall(cell);
  const [, first = '', second = ''] = pair;
  if (ALLELE.test(first) && ALLELE.test(second) && first !== 'N' && second !== 'N') return [first, second];
  return readLetterCall(cell);
}
