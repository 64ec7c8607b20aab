import { type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import { addOuterProductSingle, multiplyVector } from '@heterosis/linalg/products';

/** Sums of products of dosages 0, 1, 2 stay below 2²⁴ for so many markers, and are exact in single precision. */
const EXACT_MARKERS = 2 ** 22;

/**
 * Σ (dosage − c_j)(dosage − c_j)ᵀ over markers whose dosages are all 0, 1 or 2: sums of products of raw dosages in
 * single precision, exact and at twice the speed of double, and centred in double precision at the end.
 */
export class WholeDosages {
  private readonly n: number;
  private sums: Float32Array | null = null;
  private singles = new Float32Array(0);
  private markers = 0;
  /** Σ_j c_j·dosage_ij. */
  private readonly weighted: Float64Array;
  private squares = 0;

  constructor(n: number) {
    this.n = n;
    this.weighted = new Float64Array(n);
  }

  /** How many more markers stay exact. */
  get room(): number {
    return EXACT_MARKERS - this.markers;
  }

  /**
   * @param dosages n × k, raw
   * @param centres k values
   */
  add(dosages: Matrix, centres: Float64Array): void {
    const { n } = this;
    const k = dosages.columns;
    this.sums ??= new Float32Array(n * n);
    if (this.singles.length < n * k) this.singles = new Float32Array(n * k);
    this.singles.set(dosages.data);
    addOuterProductSingle(this.sums, this.singles, n, k);
    const weighted = multiplyVector(matrixOf(n, k, dosages.data), centres);
    for (let i = 0; i < n; i++) this.weighted[i] += weighted[i];
    for (const centre of centres) this.squares += centre * centre;
    this.markers += k;
  }

  /** Adds the centred sums to the lower triangle of a matrix. */
  addTo({ data }: Matrix): void {
    const { n, sums, weighted, squares } = this;
    if (sums === null) return;
    for (let j = 0; j < n; j++) addColumn(sums, weighted, j, squares - weighted[j], data);
  }
}

function addColumn(sums: Float32Array, weighted: Float64Array, j: number, constant: number, into: Float64Array): void {
  const n = weighted.length;
  for (let i = j; i < n; i++) into[i + j * n] += sums[i + j * n] - weighted[i] + constant;
}
