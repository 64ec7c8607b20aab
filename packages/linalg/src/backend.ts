/**
 * The routines of BLAS and LAPACK used by this package, with LAPACK's argument order and storage: column-major,
 * explicit leading dimensions, symmetric and triangular matrices in the **lower** triangle. A returned number is
 * LAPACK's `info`. Two implementations: the system's library, and plain TypeScript.
 */
export interface Backend {
  readonly name: 'openblas' | 'accelerate' | 'plain';
  /** Where the library was found, for the log; empty for the plain one. */
  readonly path: string;
  /** C (m × n) = α·op(A)·op(B) + β·C, op(A) is m × k. */
  gemm(
    transposeA: boolean,
    transposeB: boolean,
    m: number,
    n: number,
    k: number,
    alpha: number,
    a: Float64Array,
    lda: number,
    b: Float64Array,
    ldb: number,
    beta: number,
    c: Float64Array,
    ldc: number,
  ): void;
  /** y = α·op(A)·x + β·y, A is m × n. */
  gemv(
    transposeA: boolean,
    m: number,
    n: number,
    alpha: number,
    a: Float64Array,
    lda: number,
    x: Float64Array,
    beta: number,
    y: Float64Array,
  ): void;
  /** C (n × n, lower) = α·A·Aᵀ + β·C with A n × k, or α·Aᵀ·A + β·C with A k × n when transposed. */
  syrk(
    transposeA: boolean,
    n: number,
    k: number,
    alpha: number,
    a: Float64Array,
    lda: number,
    beta: number,
    c: Float64Array,
    ldc: number,
  ): void;
  /**
   * C (n × n, lower) = A·Aᵀ + C with A n × k, or Aᵀ·A + C with A k × n when transposed, in single precision: exact
   * while all sums are integers up to 2²⁴.
   */
  syrkSingle(
    transposeA: boolean,
    n: number,
    k: number,
    a: Float32Array,
    lda: number,
    c: Float32Array,
    ldc: number,
  ): void;
  /**
   * C (m × n) = Aᵀ·B + C with A k × m and B k × n, in single precision: exact while all sums are integers up to 2²⁴.
   */
  gemmSingle(
    m: number,
    n: number,
    k: number,
    a: Float32Array,
    lda: number,
    b: Float32Array,
    ldb: number,
    c: Float32Array,
    ldc: number,
  ): void;
  /** B (m × n) = op(L)⁻¹·B, L lower triangular of order m. */
  trsm(transposeL: boolean, m: number, n: number, l: Float64Array, ldl: number, b: Float64Array, ldb: number): void;
  /** Cholesky factor in place. */
  potrf(n: number, a: Float64Array, lda: number): number;
  /** Solves with the factor from `potrf`, in place. */
  potrs(n: number, columns: number, factor: Float64Array, lda: number, b: Float64Array, ldb: number): number;
  /** As `potrf`, in single precision. */
  potrfSingle(n: number, a: Float32Array, lda: number): number;
  potrsSingle(n: number, columns: number, factor: Float32Array, lda: number, b: Float32Array, ldb: number): number;
  /** Inverse of a lower triangular matrix in place, in single precision. */
  trtriSingle(n: number, a: Float32Array, lda: number): number;
  /** Inverse (lower triangle) from the factor of `potrf`, in place. */
  potri(n: number, factor: Float64Array, lda: number): number;
  /**
   * Eigenvalues ascending in `values`; with vectors, A is overwritten by the eigenvectors, otherwise it is destroyed.
   */
  syevd(vectors: boolean, n: number, a: Float64Array, lda: number, values: Float64Array): number;
  /**
   * Eigenpairs `first` … `last` (0-based, ascending) of A (destroyed), `values` of length n, vectors n × (last −
   * first + 1).
   */
  syevr(
    n: number,
    a: Float64Array,
    lda: number,
    first: number,
    last: number,
    values: Float64Array,
    vectors: Float64Array,
  ): number;
  /** A = Q·T·Qᵀ: T in `diagonal` (n) and `offDiagonal` (n − 1), Q as reflectors in A and `tau` (n − 1). */
  sytrd(
    n: number,
    a: Float64Array,
    lda: number,
    diagonal: Float64Array,
    offDiagonal: Float64Array,
    tau: Float64Array,
  ): number;
  /** C (n × columns) = Q·C or Qᵀ·C with the Q of `sytrd`. */
  ormtr(
    transposeQ: boolean,
    n: number,
    columns: number,
    reflectors: Float64Array,
    lda: number,
    tau: Float64Array,
    c: Float64Array,
    ldc: number,
  ): number;
}
