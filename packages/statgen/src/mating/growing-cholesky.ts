/** A pivot below this share of its diagonal element is rounding. */
const LEAST_PIVOT = 1e-14;

/**
 * Cholesky factor of a symmetric positive definite matrix whose rows come and go: adding a row to one of order f costs
 * O(f²), and so does removing one (by Givens rotations; Golub & Van Loan 2013, section 6.5.4) and solving.
 */
export class GrowingCholesky {
  /** Row i holds L_i0 … L_ii; entries behind are left over. */
  private readonly rows: Float64Array[] = [];

  get order(): number {
    return this.rows.length;
  }

  /** Adds a row and column at the end: its elements against the present ones, and its diagonal element. */
  append(against: Float64Array, diagonal: number): void {
    const f = this.rows.length;
    const row = new Float64Array(f + 1);
    let rest = diagonal;
    for (let i = 0; i < f; i++) {
      const other = this.rows[i];
      let sum = against[i];
      for (let j = 0; j < i; j++) sum -= other[j] * row[j];
      row[i] = sum / other[i];
      rest -= row[i] * row[i];
    }
    row[f] = Math.sqrt(Math.max(rest, LEAST_PIVOT * Math.abs(diagonal), Number.MIN_VALUE));
    this.rows.push(row);
  }

  /** Removes row and column k. */
  remove(k: number): void {
    this.rows.splice(k, 1);
    const f = this.rows.length;
    for (let j = k; j < f; j++) {
      const length = Math.hypot(this.rows[j][j], this.rows[j][j + 1]);
      const cosine = this.rows[j][j] / length;
      const sine = this.rows[j][j + 1] / length;
      for (let i = j; i < f; i++) {
        const row = this.rows[i];
        const one = row[j];
        const other = row[j + 1];
        row[j] = cosine * one + sine * other;
        row[j + 1] = cosine * other - sine * one;
      }
    }
  }

  /** Overwrites b (length ≥ order) by the solution x of L·Lᵀ·x = b. */
  solve(b: Float64Array): void {
    const f = this.rows.length;
    for (let i = 0; i < f; i++) {
      const row = this.rows[i];
      let sum = b[i];
      for (let j = 0; j < i; j++) sum -= row[j] * b[j];
      b[i] = sum / row[i];
    }
    for (let i = f - 1; i >= 0; i--) {
      const row = this.rows[i];
      const x = b[i] / row[i];
      b[i] = x;
      for (let j = 0; j < i; j++) b[j] -= row[j] * x;
    }
  }
}
