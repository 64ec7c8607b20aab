/** How the plants of a panel pass on alleles, and how their calls err. */
export interface Transmission {
  /** Copies of each chromosome k, even; 2 unless told. */
  ploidy?: number;
  /**
   * Probability that two genes of a gamete of polyploids are copies of one gene of its parent, 0 (default) to 1/6. At
   * most one pair of a gamete is taken to be such copies, which in tetraploids is all that can be.
   */
  doubleReduction?: number;
  /** Probability ε that a call is wrong, 0 < ε < 1. */
  errorRate: number;
}

type Descent = Omit<Transmission, 'errorRate'>;

/** Where a parent is not known or has no call, this stands in place of its 0 … k copies of A2. */
export const unknownParent = (ploidy: number): number => ploidy + 1;

/**
 * Probabilities that a gamete has 0 … k/2 copies of A2, from a parent with x of k copies. Without double reduction its
 * genes are drawn without replacement.
 */
export function gameteOf(copies: number, { ploidy = 2, doubleReduction = 0 }: Descent): number[] {
  const v = ploidy / 2;
  const doubled = Math.min(1, (doubleReduction * v * (v - 1)) / 2);
  const whole = drawn(ploidy, copies, v);
  if (doubled === 0) return whole;
  const ofA1 = drawn(ploidy - 1, copies, v - 2);
  const ofA2 = drawn(ploidy - 1, copies - 1, v - 2);
  const share = copies / ploidy;
  return whole.map((probability, g) => {
    const a1 = share === 1 ? 0 : (1 - share) * (ofA1[g] ?? 0);
    const a2 = share === 0 ? 0 : share * (ofA2[g - 2] ?? 0);
    return (1 - doubled) * probability + doubled * (a1 + a2);
  });
}

/** The gamete of any plant of a population in random mating, with A2 at frequency p. */
export function gameteOfPopulation(p: number, ploidy: number): number[] {
  const v = ploidy / 2;
  return Array.from({ length: v + 1 }, (_, g) => choose(v, g) * p ** g * (1 - p) ** (v - g));
}

/**
 * Fewest copies of a parent of which every gamete has a or more, by a = 1 … k/2; where there is no such parent, more
 * than k. With double reduction one gene may come twice, and others stay behind.
 */
export function fewestCopies({ ploidy = 2, doubleReduction = 0 }: Descent): number[] {
  const v = ploidy / 2;
  const mostOfOther = (copies: number): number => Math.min(v, (doubleReduction > 0 && v > 1 ? 2 : 1) * copies);
  return Array.from({ length: v }, (_, index) => {
    let copies = 0;
    while (copies <= ploidy && v - mostOfOther(ploidy - copies) < index + 1) copies++;
    return copies;
  });
}

/** Copies of A2 of a child of two gametes. */
export function union(female: readonly number[], male: readonly number[]): number[] {
  const child = Array<number>(female.length + male.length - 1).fill(0);
  for (const [a, ofFemale] of female.entries()) {
    for (const [b, ofMale] of male.entries()) child[a + b] = (child[a + b] ?? 0) + ofFemale * ofMale;
  }
  return child;
}

/**
 * Of children after generations of selfing.
 *
 * @param heterozygosity 2^−t for t generations, 0 for a fully inbred line
 */
export function selfedBy(heterozygosity: number, descent: Descent): (child: readonly number[]) => number[] {
  const { ploidy = 2 } = descent;
  if (heterozygosity === 0) {
    return (child) => {
      const a2 = child.reduce((sum, probability, x) => sum + (probability * x) / ploidy, 0);
      return child.map((_, x) => (x === 0 ? 1 - a2 : x === ploidy ? a2 : 0));
    };
  }
  const generations = Math.round(-Math.log2(heterozygosity));
  const progeny = Array.from({ length: ploidy + 1 }, (_, x) => {
    const gamete = gameteOf(x, descent);
    return union(gamete, gamete);
  });
  return (child) => {
    let now = [...child];
    for (let t = 0; t < generations; t++) {
      now = now.map((_, x) => now.reduce((sum, share, parent) => sum + share * (progeny[parent]?.[x] ?? 0), 0));
    }
    return now;
  };
}

/** Hypergeometric: copies among `count` genes drawn of `all`, `copies` of them A2; zeros where that cannot be. */
function drawn(all: number, copies: number, count: number): number[] {
  const ways = choose(all, count);
  return Array.from({ length: count + 1 }, (_, g) => (choose(copies, g) * choose(all - copies, count - g)) / ways);
}

function choose(n: number, k: number): number {
  if (k < 0 || k > n) return 0;
  let ways = 1;
  for (let i = 1; i <= k; i++) ways = (ways * (n - k + i)) / i;
  return ways;
}
