import { bitCount, type MarkerPlanes } from './pairwise-r2.ts';

/**
 * r² of two markers between haplotypes, from calls without phase: haplotype frequencies by maximum likelihood, under
 * random mating, from the individuals called at both markers (Hill 1974, Heredity 33:229), then D²/(p_a q_a p_b q_b).
 * What `plink --clump` compares. Of homozygous lines it is the squared correlation of dosages. NaN where either marker
 * is constant among these individuals.
 */
export function haplotypeR2(planes: MarkerPlanes, first: number, second: number): number {
  const pair = countPair(planes, first, second);
  const gametes = 2 * pair.n;
  const p = (2 * pair.twoA + pair.oneA) / gametes;
  const q = (2 * pair.twoB + pair.oneB) / gametes;
  const spread = p * (1 - p) * q * (1 - q);
  if (!(spread > 0)) return Number.NaN;
  /** Haplotypes with A2 at both markers that are certain, as a share of all. */
  const known = (2 * pair.twoTwo + pair.twoOne + pair.oneTwo) / gametes;
  const doubles = pair.oneOne / gametes;
  const d = mostLikely(known, doubles, p, q) - p * q;
  return (d * d) / spread;
}

/** Individuals called at both markers by their calls: heterozygotes and two copies at each, and at both. */
interface PairCounts {
  n: number;
  oneA: number;
  twoA: number;
  oneB: number;
  twoB: number;
  /** Two copies of A2 at the first and two, or one, at the second; and so on. */
  twoTwo: number;
  twoOne: number;
  oneTwo: number;
  oneOne: number;
}

function countPair(planes: MarkerPlanes, first: number, second: number): PairCounts {
  const { words, called, heterozygous, homozygousA2 } = planes;
  const a = words * first;
  const b = words * second;
  const counts = { n: 0, oneA: 0, twoA: 0, oneB: 0, twoB: 0, twoTwo: 0, twoOne: 0, oneTwo: 0, oneOne: 0 };
  for (let w = 0; w < words; w++) {
    const both = called[a + w] & called[b + w];
    const oneA = heterozygous[a + w] & both;
    const oneB = heterozygous[b + w] & both;
    const twoA = homozygousA2[a + w] & both;
    const twoB = homozygousA2[b + w] & both;
    counts.n += bitCount(both);
    counts.oneA += bitCount(oneA);
    counts.twoA += bitCount(twoA);
    counts.oneB += bitCount(oneB);
    counts.twoB += bitCount(twoB);
    counts.twoTwo += bitCount(twoA & twoB);
    counts.twoOne += bitCount(twoA & oneB);
    counts.oneTwo += bitCount(oneA & twoB);
    counts.oneOne += bitCount(oneA & oneB);
  }
  return counts;
}

/**
 * The frequency x of haplotypes with A2 at both markers. Double heterozygotes have x and its complement, or the two
 * recombined ones: the likelihood is largest where x = known + doubles·x(1 − p − q + x)/(x(1 − p − q + x) + (p − x)(q −
 * x)), a cubic, or at an end of the range.
 */
function mostLikely(known: number, doubles: number, p: number, q: number): number {
  if (doubles === 0) return known;
  const rest = 1 - p - q;
  // (x − known)(2x² + (rest − p − q)x + pq) = doubles·x(rest + x)
  const b = rest - p - q;
  const roots = realRoots(
    (b - 2 * known - doubles) / 2,
    (p * q - known * b - doubles * rest) / 2,
    (-known * p * q) / 2,
  );
  const low = Math.max(known, 0);
  const high = known + doubles;
  const logLikelihood = (x: number): number => {
    const [together, apart] = [x * (rest + x), (p - x) * (q - x)];
    return (
      term(known, x) +
      term(p - known - doubles, p - x) +
      term(q - known - doubles, q - x) +
      term(rest + known, rest + x) +
      term(doubles, Math.max(0, together) + Math.max(0, apart))
    );
  };
  const inside = roots.filter((x) => x >= low - ROUNDING && x <= high + ROUNDING);
  return [low, high, ...inside.map((x) => Math.min(high, Math.max(low, x)))].reduce((best, x) =>
    logLikelihood(x) > logLikelihood(best) ? x : best,
  );
}

const ROUNDING = 1e-9;

/** weight·ln(x), of which nothing is left without weight. */
function term(weight: number, x: number): number {
  return weight <= ROUNDING ? 0 : weight * Math.log(Math.max(x, 0));
}

/** Real roots of x³ + ax² + bx + c (Viète). */
function realRoots(a: number, b: number, c: number): number[] {
  const q = (a * a - 3 * b) / 9;
  const r = (2 * a * a * a - 9 * a * b + 27 * c) / 54;
  if (r * r < q * q * q) {
    const angle = Math.acos(r / Math.sqrt(q * q * q));
    return [0, 2, -2].map((turn) => -2 * Math.sqrt(q) * Math.cos((angle + turn * Math.PI) / 3) - a / 3);
  }
  const s = -Math.sign(r) * Math.cbrt(Math.abs(r) + Math.sqrt(Math.max(0, r * r - q * q * q)));
  return [s + (s === 0 ? 0 : q / s) - a / 3];
}
