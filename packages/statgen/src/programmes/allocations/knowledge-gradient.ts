/**
 * E max(aᵢ + bᵢZ) − max aᵢ for a standard normal Z: what an observation that moves the means a by bZ is worth to the
 * choice of the largest (Frazier, Powell & Dayanik 2009, algorithm 1 and eq. 14).
 */
export function expectedGain(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const order = Array.from({ length: a.length }, (_, i) => i).sort((i, k) => b[i] - b[k] || a[i] - a[k]);
  // Lines of the upper envelope, and from which z on each is the highest.
  const lines: number[] = [];
  const from: number[] = [];
  for (const i of order) {
    if (lines.length > 0 && b[lines[lines.length - 1]] === b[i]) {
      lines.pop();
      from.pop();
    }
    let begin = Number.NEGATIVE_INFINITY;
    while (lines.length > 0) {
      const top = lines[lines.length - 1];
      begin = (a[top] - a[i]) / (b[i] - b[top]);
      if (begin > from[from.length - 1]) break;
      lines.pop();
      from.pop();
      begin = Number.NEGATIVE_INFINITY;
    }
    lines.push(i);
    from.push(begin);
  }
  let gain = 0;
  for (let k = 1; k < lines.length; k++) gain += (b[lines[k]] - b[lines[k - 1]]) * lossBeyond(Math.abs(from[k]));
  return gain;
}

/** φ(z) − z(1 − Φ(z)), z ≥ 0. */
function lossBeyond(z: number): number {
  if (z > 30) return 0;
  return density(z) - z * upperTail(z);
}

const density = (z: number): number => Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI);

const SERIES_BELOW = 3;

/** 1 − Φ(z), z ≥ 0: by series or continued fraction (Abramowitz & Stegun 1964, 26.2.11 and 26.2.14). */
export function upperTail(z: number): number {
  if (z < SERIES_BELOW) {
    let term = z;
    let sum = z;
    for (let k = 3; term > 1e-17 * sum; k += 2) {
      term *= (z * z) / k;
      sum += term;
    }
    return 0.5 - density(z) * sum;
  }
  let fraction = z;
  for (let k = 120; k > 0; k--) fraction = z + k / fraction;
  return density(z) / fraction;
}
