import type { ProblemCollector } from '../../problem.ts';
import type { MarkerRecord } from '../panel/marker-columns.ts';
import type { MarkerSink, RowAlleles } from '../panel/marker-sink.ts';
import { HET, HOM_A1, HOM_A2, MISSING, packCalls } from '../panel/packed-calls.ts';
import { counted, type Tally } from '../panel/tally.ts';

/** Allele index of a call that is missing. */
export const NO_ALLELE = 255;

/** Lists of at most so many symbols are worked through by tables of pairs. */
export const TABLED_SYMBOLS = 16;
/** Place of two symbols in such a table. */
export const pairOf = (first: number, second: number): number => (first << 4) | second;
/** In a table of codes: missing, because one allele is none of the marker's. */
export const OTHER_CALL: number = 4 | MISSING;

/** What to do with a row of more than two alleles: one marker for each alternative, or leave the row out. */
export type MultiallelicRule = 'split' | 'drop';

/** W-GT-MULTI, when there were rows with more than two alleles. */
export function reportMultiallelic(
  rows: Tally,
  noun: 'line' | 'marker',
  rule: MultiallelicRule,
  problems: ProblemCollector,
): void {
  if (rows.count === 0) return;
  const isOne = rows.count === 1;
  problems.warning('W-GT-MULTI', {
    line: rows.line,
    message: `${counted(rows.count, noun)} ${isOne ? 'has' : 'have'} more than two alleles and ${isOne ? 'was' : 'were'} ${rule === 'drop' ? 'left out' : 'split into one marker for each alternative allele'}.`,
    suggestion:
      rule === 'drop'
        ? 'Have them split into one marker for each alternative allele when they are wanted.'
        : 'In a split marker all other alleles count as the reference.',
  });
}

/** Calls of one row as two allele indices a sample (0 = reference, 1 = first alternative, …), 255 = missing. */
export class AlleleCalls implements RowAlleles {
  readonly first: Uint8Array;
  readonly second: Uint8Array;
  readonly unphased: Uint8Array;
  readonly #codes: Uint8Array;
  /** Whether the calls stand in `#codes` already, and not in `first` and `second`. */
  #hasCodes = false;

  constructor(sampleCount: number) {
    this.first = new Uint8Array(sampleCount);
    this.second = new Uint8Array(sampleCount);
    this.unphased = new Uint8Array(sampleCount);
    this.#codes = new Uint8Array(sampleCount);
  }

  set(sample: number, first: number, second: number, isPhased = false): void {
    this.first[sample] = first;
    this.second[sample] = second;
    this.unphased[sample] = isPhased || first === second ? 0 : 1;
  }

  setMissing(sample: number): void {
    this.first[sample] = NO_ALLELE;
    this.second[sample] = NO_ALLELE;
  }

  /**
   * Sets the calls of a marker of two alleles from pairs of symbols by a table of codes; returns how many were {@link
   * OTHER_CALL}.
   */
  setCodes({ first, second }: { first: Uint8Array; second: Uint8Array }, codesOfPairs: Uint8Array): number {
    const codes = this.#codes;
    let others = 0;
    for (let i = 0; i < codes.length; i++) {
      const code = codesOfPairs[pairOf(first[i], second[i])];
      codes[i] = code & 3;
      others += code >> 2;
    }
    this.#hasCodes = true;
    return others;
  }

  /**
   * Adds the row to the panel: one marker when it has one alternative, else one marker for each alternative, whose
   * dosage counts the copies of that alternative; all other alleles then count as reference. `alleles[0]` is the
   * reference.
   */
  addTo(sink: MarkerSink, marker: Omit<MarkerRecord, 'a1' | 'a2'>, alleles: readonly string[]): void {
    const { first, second } = this;
    const codes = this.#codes;
    const isSplit = alleles.length > 2;
    for (let alternative = 1; alternative < alleles.length; alternative++) {
      for (let i = 0; i < codes.length && !this.#hasCodes && !sink.needsAlleles; i++) {
        if (first[i] === NO_ALLELE || second[i] === NO_ALLELE) {
          codes[i] = MISSING;
          continue;
        }
        const copies = (first[i] === alternative ? 1 : 0) + (second[i] === alternative ? 1 : 0);
        codes[i] = copies === 0 ? HOM_A1 : copies === 1 ? HET : HOM_A2;
      }
      if (!sink.needsAlleles) packCalls(codes, sink.row);
      const [a1, a2] = [alleles[0] as string, alleles[alternative] as string];
      sink.add({ ...marker, id: isSplit ? null : marker.id, a1, a2, isSplit }, this, alternative);
    }
    this.#hasCodes = false;
  }
}
