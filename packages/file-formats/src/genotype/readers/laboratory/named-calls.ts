import { FileFormatError, type ProblemCollector } from '../../../problem.ts';
import { readLetterCall } from '../call-text.ts';
import { type CallTable, LETTER_SYMBOLS, letterSymbol } from './letter-calls.ts';

/** Alleles are kept as one byte each. */
const MAX_NAMES = 255;
/** Names such as base pairs of a microsatellite. */
const NAME = /^[A-Z0-9+*.:]{1,20}$/;
const BAD = -1;
const MISSING = 0;

/**
 * Reads calls as Flapjack does: what is no call of bases is the name of an allele, alone of a homozygous call, in pairs
 * with a / between of a heterozygous one. Cells that are empty or "-" are missing. A name is kept as VCF writes alleles
 * that are no bases: <name>, which also tells an allele 0 from none.
 */
export class NamedCallTable implements CallTable {
  readonly symbols: string[] = [...LETTER_SYMBOLS];
  readonly #pairs = new Map<string, number>();
  /** Symbols of the names that are no bases. */
  readonly #named = new Map<string, number>();

  read(text: Buffer, start: number, end: number): number {
    return this.readText(text.toString('latin1', start, end));
  }

  readText(cell: string): number {
    let pair = this.#pairs.get(cell);
    if (pair === undefined) {
      pair = this.#parse(cell.trim());
      // Few texts are calls; others are not kept, or a spoilt file would fill memory.
      if (pair !== BAD) this.#pairs.set(cell, pair);
    }
    return pair;
  }

  symbolOf(allele: string): number {
    return this.#named.get(plainName(allele)) ?? letterSymbol(allele);
  }

  #parse(cell: string): number {
    const isNumber = /^\d/.test(cell);
    const call = isNumber ? null : readLetterCall(cell);
    if (call !== null && call[0] === '') return MISSING;
    const names = call ?? cell.split('/', 3);
    if (names.length === 2 && names.some((name) => name === '-' || name === 'N')) return MISSING;
    const symbols = names.length > 2 ? [] : names.map((name) => this.#symbolOfName(name));
    const [first = BAD, second = first] = symbols;
    return first === BAD || second === BAD ? BAD : first | (second << 8);
  }

  #symbolOfName(name: string): number {
    const known = this.symbolOf(name);
    if (known > 0) return known;
    const plain = plainName(name);
    if (!NAME.test(plain) || this.symbols.length >= MAX_NAMES) return BAD;
    const symbol = this.symbols.push(`<${plain}>`) - 1;
    this.#named.set(plain, symbol);
    return symbol;
  }

  /**
   * Reports I-GT-ALLELE-NAMES for names that are no bases.
   *
   * @throws FileFormatError `E-GT-CODING` when they are the numbers 0 to 2, which may be copies of an allele, and
   * `E-GT-PLOIDY` when they run from 0 beyond 3, as copies in a polyploid do
   */
  report(problems: ProblemCollector): void {
    const names = [...this.#named.keys()];
    if (names.length === 0) return;
    const highest = names.every((name) => /^\d$/.test(name)) ? Math.max(...names.map(Number)) : Number.NaN;
    if (highest < 3) {
      throw new FileFormatError('E-GT-CODING', {
        value: names.join(', '),
        message: `The calls are the numbers ${names.toSorted().join(', ')}: Flapjack takes each for an allele of its own, and they may be copies of one.`,
        suggestion:
          'If they are copies, remove the line "# fjFile = GENOTYPE"; if they are alleles, write letters instead.',
      });
    }
    if (highest > 3 && names.includes('0')) {
      throw new FileFormatError('E-GT-PLOIDY', {
        value: String(highest),
        message: `The calls are numbers from 0 to ${highest}: this looks like copies of an allele in a polyploid; only diploid genotypes can be analysed.`,
        suggestion: 'Call the genotypes as diploid, or export presence/absence of each allele.',
      });
    }
    problems.info('I-GT-ALLELE-NAMES', {
      value: names.slice(0, SHOWN_NAMES).join(', '),
      message: `Calls that are no bases are read as names of alleles, as in Flapjack: ${names.slice(0, SHOWN_NAMES).join(', ')}${names.length > SHOWN_NAMES ? ' …' : ''}. One name is a homozygous call.`,
      suggestion: 'Nothing to do if this is right.',
    });
  }
}

const plainName = (name: string): string => name.toUpperCase().replace(/^<(.*)>$/, '$1');

const SHOWN_NAMES = 10;
