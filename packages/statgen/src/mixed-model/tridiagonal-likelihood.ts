/**
 * The REML profile likelihood of contrasts z ~ N(0, σ²g(T + δI)) with T tridiagonal, as a function of log δ with its
 * first two derivatives, O(ν) per evaluation. Working arrays are allocated once.
 */
export class TridiagonalLikelihood {
  /** Profile log-likelihood at the last evaluation, −½(ν log(2π q/ν) + ν + log|T + δI|). */
  value = 0;
  /** Derivative of `value` by log δ. */
  slope = 0;
  /** Second derivative of `value` by log δ. */
  curvature = 0;
  /** zᵀ(T + δI)⁻¹z at the last evaluation. */
  quadratic = 0;
  /** (T + δI)⁻¹z at the last evaluation. */
  readonly solution: Float64Array;

  private readonly diagonal: Float64Array;
  private readonly offDiagonal: Float64Array;
  private readonly z: Float64Array;
  private readonly pivots: Float64Array;
  private readonly forward: Float64Array;

  constructor(diagonal: Float64Array, offDiagonal: Float64Array, z: Float64Array) {
    this.diagonal = diagonal;
    this.offDiagonal = offDiagonal;
    this.z = z;
    this.solution = new Float64Array(z.length);
    this.pivots = new Float64Array(z.length);
    this.forward = new Float64Array(z.length);
  }

  evaluate(logDelta: number): void {
    const { diagonal: a, offDiagonal: b, z, pivots, forward, solution } = this;
    const order = z.length;
    const delta = Math.exp(logDelta);
    // Pivots of LDLᵀ and their derivatives by δ give log|T + δI|, tr(T + δI)⁻¹ and −tr(T + δI)⁻² without cancellation.
    let pivot = 0;
    let pivot1 = 0;
    let pivot2 = 0;
    let previous = 0;
    let logDeterminant = 0;
    let trace = 0;
    let trace2 = 0;
    let quadratic = 0;
    for (let i = 0; i < order; i++) {
      if (i === 0) {
        pivot = a[0] + delta;
        pivot1 = 1;
        pivot2 = 0;
        previous = z[0];
      } else {
        const l = b[i - 1] / pivot;
        const l2 = l * l;
        pivot2 = l2 * (pivot2 - (2 * pivot1 * pivot1) / pivot);
        pivot1 = 1 + l2 * pivot1;
        pivot = a[i] + delta - b[i - 1] * l;
        previous = z[i] - l * previous;
      }
      pivots[i] = pivot;
      forward[i] = previous;
      logDeterminant += Math.log(pivot);
      const ratio = pivot1 / pivot;
      trace += ratio;
      trace2 += pivot2 / pivot - ratio * ratio;
      quadratic += (previous * previous) / pivot;
    }
    let next = 0;
    let square = 0;
    for (let i = order - 1; i >= 0; i--) {
      next = (forward[i] - (i + 1 < order ? b[i] * next : 0)) / pivots[i];
      solution[i] = next;
      square += next * next;
    }
    let half = 0;
    let second = 0;
    for (let i = 0; i < order; i++) {
      half = solution[i] - (i > 0 ? (b[i - 1] / pivots[i - 1]) * half : 0);
      second += (half * half) / pivots[i];
    }
    const first = -square / quadratic;
    this.quadratic = quadratic;
    this.value = -0.5 * (order * (Math.log((2 * Math.PI * quadratic) / order) + 1) + logDeterminant);
    this.slope = -0.5 * (order * first + trace) * delta;
    this.curvature = -0.5 * (order * ((2 * second) / quadratic - first * first) + trace2) * delta * delta + this.slope;
  }

  /**
   * wᵀ(T + δI)⁻¹w for each column w of a ν × k matrix, at the δ of the last evaluation.
   *
   * @param columns ν × k, column-major
   */
  quadraticForms(columns: Float64Array): Float64Array {
    const { offDiagonal: b, pivots } = this;
    const order = pivots.length;
    const forms = new Float64Array(columns.length / order);
    for (let j = 0; j < forms.length; j++) {
      const start = j * order;
      let half = 0;
      let sum = 0;
      for (let i = 0; i < order; i++) {
        half = columns[start + i] - (i > 0 ? (b[i - 1] / pivots[i - 1]) * half : 0);
        sum += (half * half) / pivots[i];
      }
      forms[j] = sum;
    }
    return forms;
  }

  /**
   * aᵀ(T + δI)⁻¹b for every pair of columns of a ν × k matrix, at the δ of the last evaluation.
   *
   * @param columns ν × k, column-major
   * @returns k × k, symmetric
   */
  bilinearForms(columns: Float64Array): number[][] {
    const { offDiagonal: b, pivots } = this;
    const order = pivots.length;
    const count = columns.length / order;
    const halves = new Float64Array(columns.length);
    for (let j = 0; j < count; j++) {
      let half = 0;
      for (let i = 0; i < order; i++) {
        half = columns[j * order + i] - (i > 0 ? (b[i - 1] / pivots[i - 1]) * half : 0);
        halves[j * order + i] = half;
      }
    }
    return Array.from({ length: count }, (_, j) =>
      Array.from({ length: count }, (__, k) => {
        let sum = 0;
        for (let i = 0; i < order; i++) sum += (halves[j * order + i] * halves[k * order + i]) / pivots[i];
        return sum;
      }),
    );
  }
}
