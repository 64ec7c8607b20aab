import { plainPotrf, plainPotri } from '@heterosis/linalg/plain/plain-cholesky';

/** Lines, and the blocks, rows and columns that are adjusted for, of plots. */
export interface PlotModel {
  /** v, the number of lines. */
  lines: number;
  /** Line of each plot, n. Exchanges change it. */
  lineOf: Int32Array;
  /** By factor the level of each plot, n, from 0. */
  factors: readonly Int32Array[];
  /** Residual variance over that of the effects of the factors; 0: they are fixed. */
  factorRatio?: number;
}

/**
 * Added to the diagonal of fixed factors, whose levels depend on each other. It moves a variance by less than a
 * thousandth; a smaller one lets exchanges that disconnect lines lose all digits.
 */
const FIXED_RIDGE = 1e-3;
/** A determinant nearer to 0 is rounding: the exchange would leave lines unconnected. */
const LEAST_DETERMINANT = 1e-8;
/** Share of its order after whose number of exchanges the inverse is computed afresh. */
const REFRESH = 4;

/**
 * The inverse G of the mixed-model equations of lines and factors, and what an exchange of two plots does to the sum of
 * the variances of the lines, each as the contrast with the mean of all.
 *
 * Let d = e_j − e_i for the lines i and j of plots a and b, and w = z_a − z_b for their levels of the factors. The
 * exchange changes the equations by d w′ + w d′, of rank two, and both vectors have a handful of elements that are not
 * 0. So a trial costs a few columns of G, O(v), and an exchange O((v + z)²) by the Sherman–Morrison–Woodbury identity.
 * Only sums, products and square roots are taken, so that all machines make the same design.
 */
export class TreatmentInverse {
  private readonly v: number;
  private readonly order: number;
  private readonly offsets: number[];
  private inverse: Float64Array;
  private readonly gd: Float64Array;
  private readonly gw: Float64Array;
  private exchanges = 0;
  /** Operations so far, in elements read or written. */
  work = 0;
  private readonly model: PlotModel;

  constructor(model: PlotModel) {
    this.model = model;
    this.v = model.lines;
    let order = model.lines;
    this.offsets = model.factors.map((levels) => {
      const offset = order;
      order += levels.reduce((most, level) => Math.max(most, level), -1) + 1;
      return offset;
    });
    this.order = order;
    this.gd = new Float64Array(order);
    this.gw = new Float64Array(order);
    this.inverse = this.computeInverse();
  }

  /** Σ_i var(line i − mean of the lines), in units of the residual variance. */
  criterion(): number {
    const { v, order, inverse } = this;
    let total = 0;
    const means = new Float64Array(v);
    for (let j = 0; j < v; j++) {
      let sum = 0;
      for (let i = 0; i < v; i++) sum += inverse[i + j * order];
      means[j] = sum / v;
      total += means[j] / v;
    }
    let sum = 0;
    for (let i = 0; i < v; i++) sum += inverse[i + i * order] - 2 * means[i] + total;
    return sum;
  }

  /**
   * What the criterion would change by; 0 exactly where both plots have all levels in common, and infinite where lines
   * would be left unconnected.
   */
  change(a: number, b: number): number {
    const { v, order, inverse, gd, gw } = this;
    const { lineOf } = this.model;
    const i = lineOf[a] * order;
    const j = lineOf[b] * order;
    if (i === j || !this.columnsOf(a, b, v)) return 0;
    let [dd, dw, ww, sumD, sumW] = [0, 0, 0, 0, 0];
    for (let k = 0; k < v; k++) {
      const x = inverse[j + k] - inverse[i + k];
      const y = gw[k];
      gd[k] = x;
      sumD += x;
      sumW += y;
      dd += x * x;
      dw += x * y;
      ww += y * y;
    }
    dd -= sumD * (sumD / v);
    dw -= sumD * (sumW / v);
    ww -= sumW * (sumW / v);
    this.work += 4 * v;
    const { alpha, beta, gamma, determinant } = this.middle(a, b);
    if (determinant > -LEAST_DETERMINANT) return Number.POSITIVE_INFINITY;
    return -(gamma * dd - 2 * beta * dw + alpha * ww) / determinant;
  }

  /** Exchanges the lines of two plots, of which {@link change} is finite. */
  exchange(a: number, b: number): void {
    const { order, inverse, gd, gw } = this;
    const { lineOf } = this.model;
    const [i, j] = [lineOf[a], lineOf[b]];
    if (i === j) return;
    if (this.columnsOf(a, b, order)) {
      for (let k = 0; k < order; k++) gd[k] = inverse[j * order + k] - inverse[i * order + k];
      const { alpha, beta, gamma, determinant } = this.middle(a, b);
      for (let column = 0; column < order; column++) {
        const forD = (gamma * gd[column] - beta * gw[column]) / determinant;
        const forW = (alpha * gw[column] - beta * gd[column]) / determinant;
        const start = column * order;
        for (let k = 0; k < order; k++) inverse[start + k] -= gd[k] * forD + gw[k] * forW;
      }
      this.work += 2 * order * order;
    }
    lineOf[a] = j;
    lineOf[b] = i;
    this.exchanges++;
    if (this.exchanges >= REFRESH * order) this.refresh();
  }

  /** Keeps the state; what is answered goes back to it. */
  save(): () => void {
    const lineOf = this.model.lineOf.slice();
    const inverse = this.inverse.slice();
    return () => {
      this.model.lineOf.set(lineOf);
      this.inverse.set(inverse);
      this.work += this.order * this.order;
    };
  }

  private refresh(): void {
    this.inverse = this.computeInverse();
    this.exchanges = 0;
    this.work += this.order ** 3;
  }

  /** G w in its first `length` elements; false where w is 0. */
  private columnsOf(a: number, b: number, length: number): boolean {
    const { gw, inverse, order, offsets } = this;
    let isFirst = true;
    for (let f = 0; f < offsets.length; f++) {
      const levels = this.model.factors[f];
      if (levels[a] === levels[b]) continue;
      const plus = (offsets[f] + levels[a]) * order;
      const minus = (offsets[f] + levels[b]) * order;
      if (isFirst) for (let k = 0; k < length; k++) gw[k] = inverse[plus + k] - inverse[minus + k];
      else for (let k = 0; k < length; k++) gw[k] += inverse[plus + k] - inverse[minus + k];
      isFirst = false;
      this.work += 2 * length;
    }
    return !isFirst;
  }

  /** Elements of S + U′GU with U = [d w] and S exchanging both, and its determinant. */
  private middle(a: number, b: number): { alpha: number; beta: number; gamma: number; determinant: number } {
    const { gd, gw, inverse, order, offsets } = this;
    const { lineOf, factors } = this.model;
    const alpha = gd[lineOf[b]] - gd[lineOf[a]];
    const beta = 1 + gw[lineOf[b]] - gw[lineOf[a]];
    let gamma = 0;
    for (let f = 0; f < offsets.length; f++) {
      if (factors[f][a] === factors[f][b]) continue;
      for (let g = 0; g < offsets.length; g++) {
        const [plus, minus] = [(offsets[f] + factors[f][a]) * order, (offsets[f] + factors[f][b]) * order];
        const [up, down] = [offsets[g] + factors[g][a], offsets[g] + factors[g][b]];
        gamma += inverse[plus + up] - inverse[plus + down] - inverse[minus + up] + inverse[minus + down];
      }
    }
    return { alpha, beta, gamma, determinant: alpha * gamma - beta * beta };
  }

  private computeInverse(): Float64Array {
    const { v, order, offsets } = this;
    const { lineOf, factors, factorRatio = 0 } = this.model;
    const matrix = new Float64Array(order * order);
    for (let plot = 0; plot < lineOf.length; plot++) {
      const places = [lineOf[plot], ...factors.map((levels, f) => offsets[f] + levels[plot])];
      for (const row of places) for (const column of places) matrix[row + column * order] += 1;
    }
    for (let k = v; k < order; k++) matrix[k + k * order] += factorRatio === 0 ? FIXED_RIDGE : factorRatio;
    // Lines sum to zero: with fixed factors their level and that of the factors are one.
    const constraint = lineOf.length / (v * v);
    for (let j = 0; j < v; j++) {
      for (let i = 0; i < v; i++) matrix[i + j * order] += constraint;
    }
    if (plainPotrf(order, matrix, order) !== 0) throw new RangeError('the equations of a design are singular');
    plainPotri(order, matrix, order);
    for (let j = 0; j < order; j++) for (let i = j + 1; i < order; i++) matrix[j + i * order] = matrix[i + j * order];
    return matrix;
  }
}
