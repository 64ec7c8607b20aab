import type { Backend } from '../backend.ts';

/**
 * Householder reduction of a symmetric matrix (lower triangle) to tridiagonal form, stored like LAPACK's `dsytrd`:
 * reflector k is v = (0, …, 0, 1, A[k+2.., k]) with factor `tau[k]`, Q = H(0)·H(1)·… (Golub & Van Loan 2013, §8.3.1).
 */
export const plainSytrd: Backend['sytrd'] = (n, a, lda, diagonal, offDiagonal, tau) => {
  const v = new Float64Array(n);
  const w = new Float64Array(n);
  for (let k = 0; k < n - 1; k++) {
    const column = k * lda;
    const head = a[column + k + 1];
    let tail = 0;
    for (let i = k + 2; i < n; i++) tail += a[column + i] * a[column + i];
    diagonal[k] = a[column + k];
    if (tail === 0) {
      tau[k] = 0;
      offDiagonal[k] = head;
      continue;
    }
    const beta = head >= 0 ? -Math.sqrt(head * head + tail) : Math.sqrt(head * head + tail);
    tau[k] = (beta - head) / beta;
    offDiagonal[k] = beta;
    v[k + 1] = 1;
    for (let i = k + 2; i < n; i++) {
      a[column + i] /= head - beta;
      v[i] = a[column + i];
    }
    symmetricTimes(n, k + 1, a, lda, v, tau[k], w);
    let dot = 0;
    for (let i = k + 1; i < n; i++) dot += v[i] * w[i];
    const correction = -0.5 * tau[k] * dot;
    for (let i = k + 1; i < n; i++) w[i] += correction * v[i];
    for (let j = k + 1; j < n; j++) {
      const vj = v[j];
      const wj = w[j];
      const start = j * lda;
      for (let i = j; i < n; i++) a[start + i] -= v[i] * wj + w[i] * vj;
    }
  }
  if (n > 0) diagonal[n - 1] = a[n - 1 + (n - 1) * lda];
  return 0;
};

/** w = τ·A·v on rows and columns from `first`, A by its lower triangle. */
function symmetricTimes(
  n: number,
  first: number,
  a: Float64Array,
  lda: number,
  v: Float64Array,
  tau: number,
  w: Float64Array,
): void {
  w.fill(0, first, n);
  for (let j = first; j < n; j++) {
    const start = j * lda;
    const vj = v[j];
    let sum = a[start + j] * vj;
    for (let i = j + 1; i < n; i++) {
      w[i] += a[start + i] * vj;
      sum += a[start + i] * v[i];
    }
    w[j] += sum;
  }
  for (let i = first; i < n; i++) w[i] *= tau;
}

/** C (n × columns) = Q·C or Qᵀ·C with the reflectors of `plainSytrd`. */
export const plainOrmtr: Backend['ormtr'] = (transposeQ, n, columns, reflectors, lda, tau, c, ldc) => {
  for (let j = 0; j < columns; j++) {
    const column = j * ldc;
    for (let step = 0; step < n - 1; step++) {
      const k = transposeQ ? step : n - 2 - step;
      if (tau[k] === 0) continue;
      const start = k * lda;
      let dot = c[column + k + 1];
      for (let i = k + 2; i < n; i++) dot += reflectors[start + i] * c[column + i];
      dot *= tau[k];
      c[column + k + 1] -= dot;
      for (let i = k + 2; i < n; i++) c[column + i] -= dot * reflectors[start + i];
    }
  }
  return 0;
};

/** Eigenvalues (ascending) and, if requested, eigenvectors, overwriting A; LAPACK's `dsyevd`. */
export const plainSyevd: Backend['syevd'] = (vectors, n, a, lda, values) => {
  const offDiagonal = new Float64Array(Math.max(1, n));
  const tau = new Float64Array(Math.max(1, n));
  plainSytrd(n, a, lda, values, offDiagonal, tau);
  const z = new Float64Array(vectors ? n * n : 0);
  if (vectors) {
    for (let j = 0; j < n; j++) z[j + j * n] = 1;
    plainOrmtr(false, n, n, a, lda, tau, z, n);
  }
  const info = implicitQl(n, values, offDiagonal, z);
  if (info !== 0) return info;
  const order = Array.from({ length: n }, (_, index) => index).sort((p, q) => values[p] - values[q]);
  const sorted = Float64Array.from(order, (index) => values[index]);
  values.set(sorted);
  if (vectors) for (let j = 0; j < n; j++) a.set(z.subarray(order[j] * n, (order[j] + 1) * n), j * lda);
  return 0;
};

/** Eigenpairs `first` … `last`, computed by way of all of them; LAPACK's `dsyevr` with an index range. */
export const plainSyevr: Backend['syevr'] = (n, a, lda, first, last, values, vectors) => {
  const info = plainSyevd(true, n, a, lda, values);
  if (info !== 0) return info;
  for (let j = first; j <= last; j++) vectors.set(a.subarray(j * lda, j * lda + n), (j - first) * n);
  values.copyWithin(0, first, last + 1);
  return 0;
};

/** Sweeps allowed per eigenvalue; two or three are usual, and LAPACK also gives up at 30. */
const MAX_SWEEPS = 30;

/**
 * Eigenvalues of a tridiagonal matrix by the implicit QL algorithm with Wilkinson's shift (Dubrulle, Martin &
 * Wilkinson 1968, Numer. Math. 12:377); applies the rotations to the columns of `z` (empty, or n × n). Not sorted.
 *
 * @returns 0, or the 1-based number of the eigenvalue that did not converge
 */
function implicitQl(n: number, d: Float64Array, e: Float64Array, z: Float64Array): number {
  const withVectors = z.length > 0;
  if (n > 0) e[n - 1] = 0;
  // Compare with the norm, not the neighbours: in the null space of a singular matrix both neighbours are rounding
  // errors.
  let norm = 0;
  for (let i = 0; i < n; i++) norm = Math.max(norm, Math.abs(d[i]) + Math.abs(e[i]));
  const negligible = Number.EPSILON * norm;
  for (let l = 0; l < n; l++) {
    for (let sweep = 0; ; sweep++) {
      let m = l;
      while (m < n - 1 && Math.abs(e[m]) > negligible) m++;
      if (m === l) break;
      if (sweep === MAX_SWEEPS) return l + 1;
      let g = (d[l + 1] - d[l]) / (2 * e[l]);
      let r = Math.hypot(g, 1);
      g = d[m] - d[l] + e[l] / (g + (g >= 0 ? r : -r));
      let s = 1;
      let c = 1;
      let p = 0;
      let i = m - 1;
      for (; i >= l; i--) {
        const f = s * e[i];
        const b = c * e[i];
        r = Math.hypot(f, g);
        e[i + 1] = r;
        if (r === 0) {
          d[i + 1] -= p;
          e[m] = 0;
          break;
        }
        s = f / r;
        c = g / r;
        g = d[i + 1] - p;
        r = (d[i] - g) * s + 2 * c * b;
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;
        if (withVectors) rotateColumns(z, n, i, c, s);
      }
      if (r === 0 && i >= l) continue;
      d[l] -= p;
      e[l] = g;
      e[m] = 0;
    }
  }
  return 0;
}

function rotateColumns(z: Float64Array, n: number, i: number, c: number, s: number): void {
  const left = i * n;
  const right = left + n;
  for (let k = 0; k < n; k++) {
    const f = z[right + k];
    const g = z[left + k];
    z[right + k] = s * g + c * f;
    z[left + k] = c * g - s * f;
  }
}
