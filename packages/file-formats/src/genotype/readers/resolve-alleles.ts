import { UNKNOWN_ALLELE } from '../panel/marker-columns.ts';
import { HET, HOM_A1, HOM_A2, MISSING } from '../panel/packed-calls.ts';
import { type AlleleCalls, NO_ALLELE, OTHER_CALL, pairOf, TABLED_SYMBOLS } from './allele-calls.ts';

/**
 * Calls of one marker as two symbols a sample: places in a list of allele names whose first entry stands for a
 * missing call.
 */
export interface SymbolRow {
  first: Uint8Array;
  second: Uint8Array;
}

export interface ResolvedAlleles {
  /** Reference first; at least two entries, `.` where the calls show no other allele. */
  alleles: string[];
  /** Calls with an allele that is not listed, set to missing. */
  otherCalls: number;
}

/**
 * Turns symbols into allele numbers. With two or more `listed` alleles (places in `symbols`) the first is the
 * reference and calls with any other allele become missing; with one it is the reference and the others follow; with
 * none the most frequent allele of the row is the reference (equal counts: alphabetically) and the others follow in
 * the same order.
 */
export function resolveAlleles(
  row: SymbolRow,
  symbols: readonly string[],
  listed: readonly number[],
  calls: AlleleCalls,
): ResolvedAlleles {
  const order = listed.length >= 2 ? [...listed] : [...listed, ...observed(row, symbols, listed)];
  const numberOf = new Uint8Array(symbols.length).fill(NO_ALLELE);
  for (const [number, symbol] of order.entries()) numberOf[symbol] = number;
  const alleles = order.map((symbol) => symbols[symbol]);
  while (alleles.length < 2) alleles.push(UNKNOWN_ALLELE);
  if (alleles.length === 2 && symbols.length <= TABLED_SYMBOLS) {
    return { alleles, otherCalls: calls.setCodes(row, codesOfPairs(numberOf)) };
  }
  let otherCalls = 0;
  for (let i = 0; i < row.first.length; i++) {
    const first = row.first[i];
    const second = row.second[i];
    if (first === 0 || second === 0) {
      calls.setMissing(i);
    } else if (numberOf[first] === NO_ALLELE || numberOf[second] === NO_ALLELE) {
      calls.setMissing(i);
      otherCalls++;
    } else {
      calls.set(i, numberOf[first], numberOf[second]);
    }
  }
  return { alleles, otherCalls };
}

/** Codes by the two symbols of a call, for a marker of two alleles. */
function codesOfPairs(numberOf: Uint8Array): Uint8Array {
  const codes = new Uint8Array(TABLED_SYMBOLS * TABLED_SYMBOLS).fill(MISSING);
  for (let first = 1; first < numberOf.length; first++) {
    for (let second = 1; second < numberOf.length; second++) {
      const isOther = numberOf[first] === NO_ALLELE || numberOf[second] === NO_ALLELE;
      const copies = numberOf[first] + numberOf[second];
      codes[pairOf(first, second)] = isOther ? OTHER_CALL : copies === 0 ? HOM_A1 : copies === 1 ? HET : HOM_A2;
    }
  }
  return codes;
}

function observed(row: SymbolRow, symbols: readonly string[], listed: readonly number[]): number[] {
  const counts = symbols.length <= TABLED_SYMBOLS ? countsByPairs(row, symbols.length) : countsOf(row, symbols.length);
  const found: number[] = [];
  for (let symbol = 1; symbol < counts.length; symbol++) {
    if (counts[symbol] > 0 && !listed.includes(symbol)) found.push(symbol);
  }
  return found.sort((a, b) => counts[b] - counts[a] || (symbols[a] < symbols[b] ? -1 : 1));
}

function countsOf({ first, second }: SymbolRow, symbols: number): Int32Array {
  const counts = new Int32Array(symbols);
  for (let i = 0; i < first.length; i++) {
    if (first[i] === 0 || second[i] === 0) continue;
    counts[first[i]]++;
    counts[second[i]]++;
  }
  return counts;
}

/**
 * As `countsOf`, with one count a call instead of two, and the next call counted elsewhere, so that none waits for
 * the one before it.
 */
function countsByPairs({ first, second }: SymbolRow, symbols: number): Int32Array {
  const pairs = TABLED_SYMBOLS * TABLED_SYMBOLS;
  const counts = new Int32Array(symbols);
  const pairCounts = new Int32Array(2 * pairs);
  for (let i = 0; i < first.length; i++) pairCounts[(i & 1) * pairs + pairOf(first[i], second[i])]++;
  for (let a = 1; a < symbols; a++) {
    for (let b = 1; b < symbols; b++) {
      const count = pairCounts[pairOf(a, b)] + pairCounts[pairs + pairOf(a, b)];
      counts[a] += count;
      counts[b] += count;
    }
  }
  return counts;
}
