import { FileFormatError } from '../../../problem.ts';
import { Tally } from '../../panel/tally.ts';

/** Bytes of all calls that are kept in memory. */
const MAX_CALL_BYTES = 1 << 30;
/** A call that was not given. */
const NOT_GIVEN = 255;
/** A call that was given twice, and not the same. */
const CONFLICT = 254;
/** Symbols of alleles, of which 0 stands for a missing call. */
export const MAX_ALLELE_SYMBOLS = 250;

/** Calls that come one by one, in any order, as two symbols each. */
export class LongCalls {
  readonly samples: Map<string, { index: number; line: number }> = new Map();
  readonly markers: Map<string, { line: number; calls: Uint8Array }> = new Map();
  /** Calls of one sample and marker that were given twice and differ. */
  readonly conflicts: Tally = new Tally();
  #bytes = 0;

  /** Takes a call; `first` and `second` are symbols, 0 when missing. */
  add(sample: string, marker: string, first: number, second: number, line: number): void {
    const { index } = this.#sample(sample, line);
    const calls = this.#callsOf(marker, index, line);
    const at = 2 * index;
    const [low, high] = first < second ? [first, second] : [second, first];
    if (calls[at] === NOT_GIVEN || calls[at] === 0) {
      calls[at] = low;
      calls[at + 1] = high;
    } else if (calls[at] !== CONFLICT && low !== 0 && (calls[at] !== low || calls[at + 1] !== high)) {
      calls[at] = CONFLICT;
      this.conflicts.add(line);
    }
  }

  #sample(name: string, line: number): { index: number } {
    let found = this.samples.get(name);
    if (found === undefined) {
      found = { index: this.samples.size, line };
      this.samples.set(name, found);
    }
    return found;
  }

  /** The calls of a marker, long enough for a sample. */
  #callsOf(marker: string, index: number, line: number): Uint8Array {
    const found = this.markers.get(marker);
    if (found !== undefined && found.calls.length > 2 * index + 1) return found.calls;
    const calls = new Uint8Array(Math.max(32, 4 * (index + 1))).fill(NOT_GIVEN);
    this.#bytes += calls.length - (found?.calls.length ?? 0);
    if (this.#bytes > MAX_CALL_BYTES) {
      throw new FileFormatError('E-TOO-LARGE', {
        line,
        message: `The table has too many samples and markers to be put into a matrix (${this.samples.size} and ${this.markers.size} so far).`,
        suggestion: 'Split it by marker; or have it as a VCF or as a matrix with markers in rows.',
      });
    }
    if (found !== undefined) calls.set(found.calls);
    this.markers.set(marker, { line: found?.line ?? line, calls });
    return calls;
  }

  /** Fills the symbols of a marker by sample, 0 where a call is missing, was not given, or was given in two ways. */
  row(calls: Uint8Array, first: Uint8Array, second: Uint8Array): void {
    for (let i = 0; i < first.length; i++) {
      const symbol = calls[2 * i] ?? NOT_GIVEN;
      first[i] = symbol >= CONFLICT ? 0 : symbol;
      second[i] = symbol >= CONFLICT ? 0 : calls[2 * i + 1];
    }
  }
}
