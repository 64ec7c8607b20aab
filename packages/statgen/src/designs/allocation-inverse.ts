import { plainPotrf, plainPotri } from '@heterosis/linalg/plain/plain-cholesky';
import { type AllocatedLines, factorPrior, mirrored } from './allocation-contrasts.ts';
import type { PlotObjective } from './exchange-plots.ts';
import { type PlaceModel, standardized } from './place-model.ts';

/** Added to the diagonal of places, which are fixed: one without lines has no information. */
const PLACE_RIDGE = 1e-7;
/** Exchanges after which the matrices are computed afresh. */
const REFRESH = 1000;
/** Cells that an exchange changes, and their pairs. */
const CELLS = 4;
const PAIRS = 10;
/** What the inverse of a 4 × 4 matrix costs, in elements. */
const INVERSION_WORK = 200;

/** The matrices of a state. */
interface Matrices {
  inverse: Float64Array;
  gram: Float64Array;
}

/**
 * The sum of the weighted prediction error variances of lines, and what an exchange of two plots between places does to
 * it.
 *
 * Let G be the inverse of the mixed-model equations of factors × lines and places, and H = G C W C G with W the weights
 * of the lines and C centring them. An exchange adds two plots and takes two: G becomes G − G U (S⁻¹ + U′GU)⁻¹ U′G with
 * four columns of U of a handful of elements each, and the criterion falls by tr((S⁻¹ + U′GU)⁻¹ U′HU). So a trial costs
 * the same for any number of lines, and an exchange O(order²).
 */
export class AllocationInverse implements PlotObjective {
  /** Operations so far, in elements read or written. */
  work = 0;
  private readonly lineOf: Int32Array;
  private readonly placeOf: Int32Array;
  private readonly lines: number;
  private readonly kinship: Float64Array | null;
  private readonly model: PlaceModel;
  private readonly weights: Float64Array;
  private readonly factors: number;
  private readonly order: number;
  private readonly places: number;
  /** lines × places: whether a line stands there. */
  private readonly isThere: Uint8Array;
  private matrices: Matrices;
  private exchanges = 0;
  /** By factor and place, and of each place. */
  private readonly loading: Float64Array;
  private readonly cellLine = new Int32Array(CELLS);
  private readonly cellPlace = new Int32Array(CELLS);
  private readonly middle = new Float64Array(CELLS * CELLS);
  private readonly gramOfCells = new Float64Array(CELLS * CELLS);

  /** @param weights of the lines, n */
  constructor({ lineOf, placeOf, lines, kinship, model }: AllocatedLines, weights: Float64Array) {
    this.lineOf = lineOf;
    this.placeOf = placeOf;
    this.lines = lines;
    this.kinship = kinship;
    this.model = standardized(model);
    this.weights = weights;
    this.factors = this.model.loadings[0]?.length ?? 1;
    this.places = this.model.loadings.length;
    this.order = lines * this.factors + this.places;
    this.loading = Float64Array.from(this.model.loadings.flat());
    this.isThere = new Uint8Array(lines * this.places);
    lineOf.forEach((line, plot) => {
      this.isThere[line * this.places + placeOf[plot]] = 1;
    });
    this.matrices = this.compute();
  }

  /** What the criterion would change by; infinite where a line would stand twice at a place. */
  change(a: number, b: number): number {
    if (!this.setCells(a, b)) return Number.POSITIVE_INFINITY;
    this.fillMiddle();
    this.fill(this.gramOfCells, this.matrices.gram);
    invert(this.middle);
    this.work += INVERSION_WORK + 2 * PAIRS * (this.factors + 1) ** 2;
    let sum = 0;
    for (let k = 0; k < CELLS * CELLS; k++) sum += this.middle[k] * this.gramOfCells[k];
    return -sum;
  }

  /** Exchanges the lines of two plots, of which {@link change} is finite. */
  exchange(a: number, b: number): void {
    const { lineOf, placeOf, places, isThere, order, matrices } = this;
    this.setCells(a, b);
    this.fillMiddle();
    this.fill(this.gramOfCells, matrices.gram);
    invert(this.middle);
    const ofInverse = this.columnsOf(matrices.inverse);
    const ofGram = this.columnsOf(matrices.gram);
    // H − A Q F′ − F Q A′ + A Q E Q A′ with A = GU, F = HU, E = U′HU, as H − A P′ − P A′.
    const quadratic = product(product(this.middle, this.gramOfCells), this.middle);
    const scaled = combine(ofInverse, this.middle);
    const outer = combine(ofGram, this.middle);
    const half = combine(ofInverse, quadratic);
    outer.forEach((column, k) => {
      for (let i = 0; i < order; i++) column[i] -= half[k][i] / 2;
    });
    for (let j = 0; j < order; j++) {
      for (let k = 0; k < CELLS; k++) {
        const [own, other, third] = [ofInverse[k], outer[k], scaled[k]];
        const [forOwn, forOther, forThird] = [own[j], other[j], third[j]];
        for (let i = 0, at = j * order; i < order; i++, at++) {
          matrices.inverse[at] -= own[i] * forThird;
          matrices.gram[at] -= own[i] * forOther + other[i] * forOwn;
        }
      }
    }
    this.work += 4 * CELLS * order * order;
    const [i, j, p, q] = [lineOf[a], lineOf[b], placeOf[a], placeOf[b]];
    isThere[i * places + p] = isThere[j * places + q] = 0;
    isThere[i * places + q] = isThere[j * places + p] = 1;
    lineOf[a] = j;
    lineOf[b] = i;
    this.exchanges++;
    if (this.exchanges % REFRESH === 0) this.matrices = this.compute();
  }

  /** Keeps the state; what is answered goes back to it. */
  save(): () => void {
    const { lineOf, isThere, matrices, order } = this;
    const kept = { lineOf: lineOf.slice(), isThere: isThere.slice() };
    const [inverse, gram] = [matrices.inverse.slice(), matrices.gram.slice()];
    this.work += 2 * order ** 2;
    return () => {
      lineOf.set(kept.lineOf);
      isThere.set(kept.isThere);
      this.matrices.inverse.set(inverse);
      this.matrices.gram.set(gram);
      this.work += 2 * order ** 2;
    };
  }

  /** The cells that win and lose a line; false where a line would stand twice at a place, or nothing changes. */
  private setCells(a: number, b: number): boolean {
    const { lineOf, placeOf, places, isThere, cellLine, cellPlace } = this;
    const [i, j, p, q] = [lineOf[a], lineOf[b], placeOf[a], placeOf[b]];
    if (i === j || p === q || isThere[i * places + q] === 1 || isThere[j * places + p] === 1) return false;
    cellLine[0] = cellLine[2] = i;
    cellLine[1] = cellLine[3] = j;
    cellPlace[0] = cellPlace[3] = q;
    cellPlace[1] = cellPlace[2] = p;
    return true;
  }

  /** S⁻¹ + U′GU: plots that come count by their residual variance, those that go by minus it. */
  private fillMiddle(): void {
    this.fill(this.middle, this.matrices.inverse);
    for (let k = 0; k < CELLS; k++) {
      const residual = this.model.residual[this.cellPlace[k]] ?? 1;
      this.middle[k * (CELLS + 1)] += k < 2 ? residual : -residual;
    }
  }

  /** U′AU. */
  private fill(into: Float64Array, of: Float64Array): void {
    const { cellLine, cellPlace, factors, lines, order, loading } = this;
    const first = lines * factors;
    for (let x = 0; x < CELLS; x++) {
      for (let y = 0; y <= x; y++) {
        const [i, j, p, q] = [cellLine[x], cellLine[y], cellPlace[x], cellPlace[y]];
        let sum = of[first + p + (first + q) * order];
        for (let f = 0; f < factors; f++) {
          const ofX = loading[p * factors + f];
          const row = f * lines + i;
          sum += ofX * of[row + (first + q) * order];
          sum += loading[q * factors + f] * of[first + p + (f * lines + j) * order];
          for (let g = 0; g < factors; g++) sum += ofX * loading[q * factors + g] * of[row + (g * lines + j) * order];
        }
        into[x + y * CELLS] = into[y + x * CELLS] = sum;
      }
    }
  }

  /** A U. */
  private columnsOf(of: Float64Array): Float64Array[] {
    const { cellLine, cellPlace, factors, lines, order, loading } = this;
    return Array.from({ length: CELLS }, (_, x) => {
      const place = (lines * factors + cellPlace[x]) * order;
      const found = of.slice(place, place + order);
      for (let f = 0; f < factors; f++) {
        const weight = loading[cellPlace[x] * factors + f];
        const column = (f * lines + cellLine[x]) * order;
        for (let i = 0; i < order; i++) found[i] += weight * of[column + i];
      }
      return found;
    });
  }

  private compute(): Matrices {
    const { order, lines, factors, lineOf, placeOf, loading, model } = this;
    const inverse = factorPrior(this.kinship, lines, factors, order);
    const first = lines * factors;
    for (let k = first; k < order; k++) inverse[k * (order + 1)] += PLACE_RIDGE;
    for (let plot = 0; plot < lineOf.length; plot++) {
      const place = placeOf[plot];
      const weight = 1 / (model.residual[place] ?? 1);
      const own = [
        [first + place, 1] as const,
        ...Array.from({ length: factors }, (_, f) => [f * lines + lineOf[plot], loading[place * factors + f]] as const),
      ];
      for (const [row, x] of own) for (const [column, y] of own) inverse[row + column * order] += x * y * weight;
    }
    if (plainPotrf(order, inverse, order) !== 0) throw new RangeError('the equations of an allocation are singular');
    plainPotri(order, inverse, order);
    this.work += order ** 3;
    return { inverse: mirrored(inverse, order), gram: this.gramOf(inverse) };
  }

  /** G C W C G, of the rows of the first factor. */
  private gramOf(inverse: Float64Array): Float64Array {
    const { order, lines, weights } = this;
    const centred = new Float64Array(lines * order);
    for (let j = 0; j < order; j++) {
      let mean = 0;
      for (let i = 0; i < lines; i++) mean += inverse[i + j * order] / lines;
      for (let i = 0; i < lines; i++) centred[i + j * lines] = inverse[i + j * order] - mean;
    }
    const gram = new Float64Array(order * order);
    for (let j = 0; j < order; j++) {
      for (let i = j; i < order; i++) {
        let sum = 0;
        for (let k = 0; k < lines; k++) sum += weights[k] * centred[k + i * lines] * centred[k + j * lines];
        gram[i + j * order] = sum;
      }
    }
    return mirrored(gram, order);
  }
}

/** Columns times a 4 × 4 matrix. */
function combine(columns: readonly Float64Array[], by: Float64Array): Float64Array[] {
  return columns.map((_, y) => {
    const sum = new Float64Array(columns[0].length);
    columns.forEach((column, x) => {
      const weight = by[x + y * CELLS];
      for (let i = 0; i < sum.length; i++) sum[i] += weight * column[i];
    });
    return sum;
  });
}

function product(a: Float64Array, b: Float64Array): Float64Array {
  const found = new Float64Array(CELLS * CELLS);
  for (let j = 0; j < CELLS; j++)
    for (let k = 0; k < CELLS; k++)
      for (let i = 0; i < CELLS; i++) found[i + j * CELLS] += a[i + k * CELLS] * b[k + j * CELLS];
  return found;
}

const INVERSE = new Float64Array(CELLS * CELLS);

/** Inverts a 4 × 4 matrix, which is symmetric and indefinite, in place: Gauss–Jordan with the largest pivots. */
function invert(matrix: Float64Array): void {
  INVERSE.fill(0);
  for (let k = 0; k < CELLS; k++) INVERSE[k * (CELLS + 1)] = 1;
  for (let k = 0; k < CELLS; k++) {
    let pivot = k;
    for (let i = k + 1; i < CELLS; i++)
      if (Math.abs(matrix[i + k * CELLS]) > Math.abs(matrix[pivot + k * CELLS])) pivot = i;
    const scale = matrix[pivot + k * CELLS];
    for (let at = 0; at < CELLS * CELLS; at += CELLS) {
      const [own, ofInverse] = [matrix[k + at], INVERSE[k + at]];
      matrix[k + at] = matrix[pivot + at] / scale;
      INVERSE[k + at] = INVERSE[pivot + at] / scale;
      if (pivot === k) continue;
      matrix[pivot + at] = own;
      INVERSE[pivot + at] = ofInverse;
    }
    for (let i = 0; i < CELLS; i++) {
      const factor = matrix[i + k * CELLS];
      if (i === k || factor === 0) continue;
      for (let at = 0; at < CELLS * CELLS; at += CELLS) {
        matrix[i + at] -= factor * matrix[k + at];
        INVERSE[i + at] -= factor * INVERSE[k + at];
      }
    }
  }
  matrix.set(INVERSE);
}
