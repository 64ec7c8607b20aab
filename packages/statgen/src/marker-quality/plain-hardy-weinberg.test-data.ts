/**
 * The exact test from its definition, in integers: every heterozygote count h compatible with the allele counts has
 * the weight 2^h n! / (h! (n_AA)! (n_BB)!); p is the share of the weights that do not exceed the observed one.
 */
export function plainHardyWeinberg(heterozygotes: number, homozygotesA1: number, homozygotesA2: number): number {
  const n = heterozygotes + homozygotesA1 + homozygotesA2;
  const copies = heterozygotes + 2 * homozygotesA1;
  const weights = new Map<number, bigint>();
  for (let h = copies % 2; h <= Math.min(copies, 2 * n - copies); h += 2) {
    const first = (copies - h) / 2;
    const second = n - h - first;
    weights.set(h, (2n ** BigInt(h) * factorial(n)) / (factorial(h) * factorial(first) * factorial(second)));
  }
  const observed = weights.get(heterozygotes) ?? 0n;
  let all = 0n;
  let extreme = 0n;
  for (const weight of weights.values()) {
    all += weight;
    if (weight <= observed) extreme += weight;
  }
  // 25 digits of the quotient, whatever its size.
  const digits = 25 + all.toString().length - extreme.toString().length;
  return Number(`${(extreme * 10n ** BigInt(digits)) / all}e-${digits}`);
}

const known = [1n];

function factorial(n: number): bigint {
  for (let k = known.length; k <= n; k++) known.push(known[k - 1] * BigInt(k));
  return known[n];
}
