/** Spellings of a missing value in any text file, in lower case. */
const MISSING_SPELLINGS: ReadonlySet<string> = new Set(['', 'na', 'n/a', 'nan', 'null', '.', '-', '#n/a']);
/** Spellings that mean missing only where calls are letters. */
const MISSING_CALLS: ReadonlySet<string> = new Set([
  'n',
  'nn',
  '--',
  'n/n',
  '-/-',
  'n|n',
  '?',
  '??',
  './.',
  '.|.',
  '0/0',
  '00',
  '?:?',
  '?/?',
  // What laboratories write for an assay that gave no call, and for wells without a sample.
  ...['uncallable', 'uncalled', 'nocall', 'no call', 'unused', 'missing', 'empty', 'ntc', 'bad', 'dupe', 'short'],
  ...['over', 'fail', 'failed'],
]);

/**
 * Nucleotides of the two-fold IUPAC codes. Source: Cornish-Bowden 1985, Nucleic Acids Res 13:3021,
 * doi:10.1093/nar/13.9.3021.
 */
const IUPAC: ReadonlyMap<string, string> = new Map([
  ['R', 'AG'],
  ['Y', 'CT'],
  ['S', 'CG'],
  ['W', 'AT'],
  ['K', 'GT'],
  ['M', 'AC'],
]);

/** Whether a cell is one of the spellings of a missing value, whatever its case. */
export function isMissingText(cell: string): boolean {
  return MISSING_SPELLINGS.has(cell) || (cell.length <= 4 && MISSING_SPELLINGS.has(cell.toLowerCase()));
}

/**
 * What a cell of a matrix could be: a number as genotypes are coded (−1 to 4), letters of a call, missing, or
 * neither.
 */
export function isCallText(cell: string, ploidy = 2): 'number' | 'letters' | 'missing' | 'other' {
  if (isMissingText(cell)) return 'missing';
  if (/^[+-]?(?:\d+(?:[.,]\d+)?|[.,]\d+)(?:e-?\d+)?$/i.test(cell)) {
    const value = Number(cell.replace(',', '.'));
    if (Number.isInteger(value) || (value > -1 && value < ploidy))
      return value >= -1 && value <= Math.max(4, ploidy) ? 'number' : 'other';
    return 'other';
  }
  const call = readLetterCall(cell);
  return call === null ? 'other' : call === MISSING_CALL ? 'missing' : 'letters';
}

/** Two alleles of a call, each one character. */
export type LetterCall = readonly [string, string];

/** A call that is missing. */
const MISSING_CALL: LetterCall = ['', ''];

/**
 * Reads a call written as one IUPAC letter (`A`, `R`), two letters (`AG`) or two letters with a sign between (`A/G`,
 * `A|G`, `A:G`, `A / G`). Letters are upper-cased; `N` or `-` for one of two alleles makes the call missing. Null when
 * the text is no call. With `hasIndel`, `-` and `0` stand for the deletion and `+` for the insertion, and a single `0`
 * for one of each (TASSEL).
 */
export function readLetterCall(text: string, hasIndel = false): LetterCall | null {
  const cell = text.toUpperCase();
  if (hasIndel) return readIndelCall(cell);
  if (MISSING_CALLS.has(cell.toLowerCase()) || isMissingText(cell)) return MISSING_CALL;
  if (cell.length === 1) {
    const both = IUPAC.get(cell);
    if (both !== undefined) return [both[0], both[1]];
    return isAlleleLetter(cell) ? [cell, cell] : null;
  }
  const pair = splitPair(cell);
  if (pair === null) return null;
  const [first, second] = pair;
  const isKnown = (letter: string) => isAlleleLetter(letter) || letter === 'N' || letter === '-';
  if (!isKnown(first) || !isKnown(second)) return null;
  return isAlleleLetter(first) && isAlleleLetter(second) ? pair : MISSING_CALL;
}

function readIndelCall(cell: string): LetterCall | null {
  if (cell === 'N' || cell === 'NN' || cell === 'NA' || cell === '') return MISSING_CALL;
  if (cell === '0') return ['-', '+'];
  if (cell.length === 1) {
    const both = IUPAC.get(cell);
    if (both !== undefined) return [both[0], both[1]];
  }
  const pair = cell.length === 1 ? ([cell, cell] as const) : splitPair(cell);
  if (pair === null) return null;
  const [first, second] = pair.map((letter) => (letter === '0' ? '-' : letter));
  const isKnown = (letter: string) => isAlleleLetter(letter) || letter === '+' || letter === '-' || letter === 'N';
  if (!isKnown(first) || !isKnown(second)) return null;
  return first === 'N' || second === 'N' ? MISSING_CALL : [first, second];
}

function splitPair(cell: string): LetterCall | null {
  if (cell.length === 2) return [cell[0], cell[1]];
  const [, first, second] = /^(\S) ?[/|:] ?(\S)$/.exec(cell) ?? [];
  return first === undefined || second === undefined ? null : [first, second];
}

/** Letters that name an allele: the four bases, and the A/B coding of arrays. */
function isAlleleLetter(letter: string): boolean {
  return letter === 'A' || letter === 'C' || letter === 'G' || letter === 'T' || letter === 'B';
}
