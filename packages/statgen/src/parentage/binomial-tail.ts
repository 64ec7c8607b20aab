/**
 * Probability of at least `count` successes in `trials`, each with probability `rate`. Terms of the smaller side are
 * added, so that small values keep their digits.
 */
export function binomialTail(count: number, trials: number, rate: number): number {
  if (count <= 0) return 1;
  if (count > trials || rate <= 0) return 0;
  if (rate >= 1) return 1;
  const odds = rate / (1 - rate);
  if (count > trials * rate) {
    let term = binomialTerm(count, trials, rate);
    let sum = 0;
    for (let k = count; k <= trials && term > sum * Number.EPSILON; k++) {
      sum += term;
      term *= ((trials - k) / (k + 1)) * odds;
    }
    return Math.min(1, sum);
  }
  let term = binomialTerm(count - 1, trials, rate);
  let sum = 0;
  for (let k = count - 1; k >= 0 && term > sum * Number.EPSILON; k--) {
    sum += term;
    term *= k / ((trials - k + 1) * odds);
  }
  return Math.max(0, 1 - sum);
}

function binomialTerm(count: number, trials: number, rate: number): number {
  return Math.exp(
    logFactorial(trials) -
      logFactorial(count) -
      logFactorial(trials - count) +
      count * Math.log(rate) +
      (trials - count) * Math.log1p(-rate),
  );
}

/** ln n! by Stirling's series, to 1e-12 from 8 on. */
function logFactorial(n: number): number {
  if (n < 8) {
    let product = 1;
    for (let k = 2; k <= n; k++) product *= k;
    return Math.log(product);
  }
  const x = n + 1;
  const inverse = 1 / (x * x);
  return (
    (x - 0.5) * Math.log(x) -
    x +
    0.5 * Math.log(2 * Math.PI) +
    (1 / 12 - (1 / 360 - (1 / 1260 - inverse / 1680) * inverse) * inverse) / x
  );
}
