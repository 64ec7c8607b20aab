const DOT = 0x2e;
const SLASH = 0x2f;
const COLON = 0x3a;
const PIPE = 0x7c;

/** Where the field at place `index` of a cell begins. */
export function fieldStart(block: Buffer, start: number, end: number, index: number): number {
  let from = start;
  for (let skip = index; skip > 0 && from <= end; from++) {
    if (from === end) skip = 0;
    else if (block[from] === COLON) skip--;
  }
  return from;
}

/** Alleles of the GT of a cell, which stands at place `gtIndex`; 0 where it is missing and tells nothing (`./.`). */
export function allelesToldBy(block: Buffer, start: number, end: number, gtIndex: number): number {
  let alleles = 1;
  let hasDigit = false;
  const from = fieldStart(block, start, end, gtIndex);
  for (let i = from; i < end && block[i] !== COLON; i++) {
    // VCF 4.4 allows a phase sign before the first allele.
    if (block[i] === SLASH || block[i] === PIPE) alleles += Number(i > from);
    else if (block[i] !== DOT) hasDigit = true;
  }
  return hasDigit ? alleles : 0;
}
