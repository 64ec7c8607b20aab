import { type AlleleCalls, NO_ALLELE } from './allele-calls.ts';
import { UNKNOWN_ALLELE } from './marker-columns.ts';

/** Calls of one marker as two symbols a sample: places in a list of allele names whose first entry stands for a missing call. */
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
 * Turns symbols into allele numbers. With two or more `listed` alleles (places in `symbols`) the first is the reference and calls
 * with any other allele become missing; with one it is the reference and the others follow; with none the most frequent allele of the row is the reference
 * (equal counts: alphabetically) and the others follow in the same order.
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
  const alleles = order.map((symbol) => symbols[symbol]);
  while (alleles.length < 2) alleles.push(UNKNOWN_ALLELE);
  return { alleles, otherCalls };
}

function observed(row: SymbolRow, symbols: readonly string[], listed: readonly number[]): number[] {
  const counts = new Int32Array(symbols.length);
  for (let i = 0; i < row.first.length; i++) {
    if (row.first[i] === 0 || row.second[i] === 0) continue;
    counts[row.first[i]]++;
    counts[row.second[i]]++;
  }
  const found: number[] = [];
  for (let symbol = 1; symbol < counts.length; symbol++) {
    if (counts[symbol] > 0 && !listed.includes(symbol)) found.push(symbol);
  }
  return found.sort((a, b) => counts[b] - counts[a] || (symbols[a] < symbols[b] ? -1 : 1));
}
