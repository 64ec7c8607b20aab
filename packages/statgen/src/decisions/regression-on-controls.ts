/** Variance of a control, and its share that others leave, below which it says nothing. */
const LEAST_VARIANCE = 1e-14;
const LEAST_SHARE = 1e-9;

/**
 * Means of n variables of equal draws by regression on controls whose means are known to be 0: one of each variable,
 * and some that all have. The intercept is the mean, with the error of what the controls leave (Lavenberg and Welch
 * 1981). Its bias falls with the number of draws; the coefficients are few.
 */
export class RegressionOnControls {
  #count = 0;
  readonly #size: number;
  readonly #y: Float64Array;
  readonly #yy: Float64Array;
  /** Sums of the controls, the own one first, of their products with y, and of their own (lower triangle). */
  readonly #x: Float64Array;
  readonly #xy: Float64Array;
  readonly #xx: Float64Array;

  constructor(n: number, shared: number) {
    this.#size = 1 + shared;
    [this.#y, this.#yy] = [new Float64Array(n), new Float64Array(n)];
    [this.#x, this.#xy] = [new Float64Array(n * this.#size), new Float64Array(n * this.#size)];
    this.#xx = new Float64Array(n * this.#size ** 2);
  }

  /** One draw of all variables and controls. */
  add(y: Float64Array, own: Float64Array, shared: Float64Array): void {
    this.#count++;
    const size = this.#size;
    for (let i = 0; i < y.length; i++) {
      this.#y[i] += y[i];
      this.#yy[i] += y[i] * y[i];
      for (let k = 0; k < size; k++) {
        const x = k === 0 ? own[i] : shared[k - 1];
        this.#x[i * size + k] += x;
        this.#xy[i * size + k] += x * y[i];
        for (let l = 0; l <= k; l++) this.#xx[(i * size + k) * size + l] += x * (l === 0 ? own[i] : shared[l - 1]);
      }
    }
  }

  means(): Float64Array {
    return this.#y.map((_, i) => this.#fit(i).mean);
  }

  /** Largest of the standard errors of the means. */
  largestError(): number {
    let largest = 0;
    for (let i = 0; i < this.#y.length; i++) largest = Math.max(largest, this.#fit(i).variance);
    return Math.sqrt(largest);
  }

  /** The controls are swept out one after another; one that hardly varies, or repeats others, is left out. */
  #fit(i: number): { mean: number; variance: number } {
    const [size, count] = [this.#size, this.#count];
    let mean = this.#y[i] / count;
    let left = this.#yy[i] / count - mean * mean;
    const x = Array.from({ length: size }, (_, k) => this.#x[i * size + k] / count);
    const product = (k: number, l: number) => this.#xx[(i * size + Math.max(k, l)) * size + Math.min(k, l)] / count;
    const covariance = x.map((one, k) => x.map((other, l) => product(k, l) - one * other));
    const withY = x.map((one, k) => this.#xy[i * size + k] / count - one * mean);
    const variances = covariance.map((row, k) => row[k]);
    for (let k = 0; k < size; k++) {
      const pivot = covariance[k][k];
      if (pivot < Math.max(LEAST_VARIANCE, LEAST_SHARE * variances[k])) continue;
      const slope = withY[k] / pivot;
      mean -= slope * x[k];
      left -= slope * withY[k];
      for (let l = k + 1; l < size; l++) {
        const share = covariance[k][l] / pivot;
        x[l] -= share * x[k];
        withY[l] -= share * withY[k];
        for (let m = k + 1; m < size; m++) covariance[l][m] -= share * covariance[k][m];
      }
    }
    return { mean, variance: Math.max(0, left) / (count - size - 1) };
  }
}
