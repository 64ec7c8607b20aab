import { chiSquareP, negLog10OfP } from './chi-square-tail.ts';

/** Median of χ² with 1 degree of freedom. */
const CHI_SQUARE_MEDIAN = 0.454936423119572;
/** Family-wise error, and false discovery rate, of the thresholds. */
const ALPHA = 0.05;

/** What all tests of one trait say together. */
export interface TestSummary {
  /** Markers tested: those with a finite statistic. */
  tested: number;
  /** Genomic inflation: median statistic over the median of χ²₁ (Devlin & Roeder 1999, Biometrics 55:997). */
  lambdaGc: number;
  /** −log₁₀ of the Bonferroni threshold 0.05/tested. */
  bonferroniNegLog10: number;
  /** Markers at or below that threshold. */
  hits: number;
  /** Largest p with a Benjamini–Hochberg q value of at most 0.05; null when there is none. */
  fdr: number | null;
  /** −log₁₀ p at the ranks that were asked for. */
  negLog10P: Float64Array;
  /** Benjamini–Hochberg q value (1995, J R Stat Soc B 57:289) of a marker with this statistic, one of those summarised. */
  qOf(statistic: number): number;
}

/**
 * Summarises the tests of a run from its statistics in ascending order, one pass, without keeping them. Only the places where the
 * q value changes are kept: few where there is little to find, at worst 16 bytes per marker.
 */
export class TestSummarizer {
  readonly #tested: number;
  readonly #ranks: readonly number[];
  readonly #negLog10P: Float64Array;
  readonly #bonferroniNegLog10: number;
  #count = 0;
  #ranksFound = 0;
  #median = 0;
  #hits = 0;
  #fdr: number | null = null;
  #smallestRate = 1;
  /** From each of these statistics on q is that of the same place, until the next. */
  readonly #stepStatistic: number[] = [];
  readonly #stepRate: number[] = [];

  /**
   * @param tested how many statistics will come
   * @param ranks ascending places (0-based, the weakest first) whose −log₁₀ p is wanted
   */
  constructor(tested: number, ranks: readonly number[] = []) {
    this.#tested = tested;
    this.#ranks = ranks;
    this.#negLog10P = new Float64Array(ranks.length);
    this.#bonferroniNegLog10 = tested === 0 ? Number.NaN : Math.log10(tested / ALPHA);
  }

  /** The next χ²₁ statistics: finite, ascending, none smaller than those before. */
  add(ascending: Float64Array): void {
    const tested = this.#tested;
    for (let i = 0; i < ascending.length; i++) {
      const statistic = ascending[i];
      const k = this.#count++;
      const p = chiSquareP(statistic);
      const negLog10P = negLog10OfP(statistic, p);
      // With an even number the median is the mean of two.
      if (k === (tested - 1) >> 1) this.#median += 0.5 * statistic;
      if (k === tested >> 1) this.#median += 0.5 * statistic;
      if (k === this.#ranks[this.#ranksFound]) this.#negLog10P[this.#ranksFound++] = negLog10P;
      // p falls along the statistics: both thresholds are where it first comes below them.
      this.#hits = negLog10P >= this.#bonferroniNegLog10 ? this.#hits + 1 : 0;
      const rate = rawRate(k, tested, negLog10P);
      if (this.#fdr === null && !(rate > ALPHA)) this.#fdr = p;
      // q₍ᵢ₎ = min over j ≥ i of m·p₍ⱼ₎/j. Equal p have equal q: that of their best rank.
      if (rate < this.#smallestRate) {
        this.#smallestRate = rate;
        this.#stepStatistic.push(statistic);
        this.#stepRate.push(Math.max(rate, Number.MIN_VALUE));
      }
    }
  }

  /** @throws RangeError when another number of statistics came than was announced */
  finish(): TestSummary {
    if (this.#count !== this.#tested) {
      throw new RangeError(`${this.#tested} statistics were announced and ${this.#count} came`);
    }
    const statistics = this.#stepStatistic;
    const rates = this.#stepRate;
    return {
      tested: this.#tested,
      lambdaGc: this.#tested === 0 ? Number.NaN : this.#median / CHI_SQUARE_MEDIAN,
      bonferroniNegLog10: this.#bonferroniNegLog10,
      hits: this.#hits,
      fdr: this.#fdr,
      negLog10P: this.#negLog10P,
      qOf: (statistic) => {
        if (!Number.isFinite(statistic)) return Number.NaN;
        const steps = stepsUpTo(statistics, statistic);
        return steps === 0 ? 1 : rates[steps - 1];
      },
    };
  }
}

/** m·p/rank of the k-th weakest of m tests, from logarithms so that no p is too small. */
function rawRate(k: number, tested: number, negLog10P: number): number {
  return 10 ** (Math.log10(tested / (tested - k)) - negLog10P);
}

/** How many of the ascending values are at most `value`. */
function stepsUpTo(ascending: readonly number[], value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
