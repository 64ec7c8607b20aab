/** Variance components of a trait on the scale of their kinships, as a model reports them. */
export interface VarianceComponents {
  additive: number;
  /** Null without dominance. */
  dominance: number | null;
  residual: number;
}

/**
 * Sampling covariance of variance components by the inverse of the average information at the REML optimum.
 * Components are first divided by `scale`: with very large or small traits, squared variances would leave the range
 * of doubles.
 */
export interface ComponentCovariance {
  scale: number;
  /** Of the components in the order additive, dominance (when fitted), residual, each divided by `scale`. */
  matrix: number[][];
}

/** Ratios of variance components; `T` is `number` or `number | null`. */
interface Ratios<T> {
  /** σ²a/(σ²a + σ²d + σ²e). */
  h2: T;
  /** (σ²a + σ²d)/(σ²a + σ²d + σ²e); equals h2 without dominance. */
  H2: T;
  /** Share of the phenotypic variance among the individuals analysed that additive effects explain. */
  kinshipPve: T;
}

export interface Heritability extends Ratios<number> {
  /** The same for dominance effects; null in a model without dominance. */
  dominancePve: number | null;
  /** Null at a boundary, without convergence, and where the components cannot be separated. */
  standardErrors:
    | (Ratios<number> & { dominancePve: number | null; additive: number; dominance: number | null; residual: number })
    | null;
}

/** Below this ratio of its determinant to its diagonal product, an information matrix is numerically singular. */
const SINGULAR_SHARE = 1e-10;

/**
 * Heritabilities of one trait. h2 and H2 are ratios of the variance components themselves. In the shares of the
 * phenotypic variance (PVE), each component is multiplied by k̄, the mean eigenvalue of its kinship among the error
 * contrasts: the average variance that it contributes among these individuals. For inbred lines k̄ is near 2, so PVE
 * differs from h2.
 *
 * Standard errors by the delta method, SE² = gᵀCg with g the gradient of the ratio and C the inverse average
 * information (Gilmour, Thompson & Cullis 1995, Biometrics 51:1440; Lynch & Walsh 1998, appendix 1).
 *
 * @param meanEigenvalues k̄ of the additive and the dominance kinship
 * @param covariance null when standard errors are unknown
 */
export function heritabilityOf(
  components: VarianceComponents,
  meanEigenvalues: { additive: number; dominance?: number },
  covariance: ComponentCovariance | null,
): Heritability {
  const { additive, dominance, residual } = components;
  const hasDominance = dominance !== null;
  const scale = covariance?.scale ?? 1;
  const values = (hasDominance ? [additive, dominance, residual] : [additive, residual]).map((value) => value / scale);
  const ones = values.map(() => 1);
  const means = hasDominance
    ? [meanEigenvalues.additive, meanEigenvalues.dominance ?? 0, 1]
    : [meanEigenvalues.additive, 1];
  const isAdditive = values.map((_, k) => k === 0);
  const isDominance = values.map((_, k) => hasDominance && k === 1);
  const isGenetic = values.map((_, k) => k < values.length - 1);
  const ratios = {
    h2: ratioOf(values, ones, isAdditive, covariance),
    H2: ratioOf(values, ones, isGenetic, covariance),
    kinshipPve: ratioOf(values, means, isAdditive, covariance),
    dominancePve: hasDominance ? ratioOf(values, means, isDominance, covariance) : null,
  };
  const errorOf = (k: number): number => scale * Math.sqrt(covariance?.matrix[k][k] ?? Number.NaN);
  return {
    h2: ratios.h2.value,
    H2: ratios.H2.value,
    kinshipPve: ratios.kinshipPve.value,
    dominancePve: ratios.dominancePve?.value ?? null,
    standardErrors:
      covariance === null
        ? null
        : {
            additive: errorOf(0),
            dominance: hasDominance ? errorOf(1) : null,
            residual: errorOf(values.length - 1),
            h2: ratios.h2.standardError,
            H2: ratios.H2.standardError,
            kinshipPve: ratios.kinshipPve.standardError,
            dominancePve: ratios.dominancePve?.standardError ?? null,
          },
  };
}

/** Σ c·θ over the chosen components divided by Σ c·θ over all, with its standard error (0 without a covariance). */
function ratioOf(
  values: readonly number[],
  coefficients: readonly number[],
  isChosen: readonly boolean[],
  covariance: ComponentCovariance | null,
): { value: number; standardError: number } {
  let total = 0;
  let chosen = 0;
  for (let k = 0; k < values.length; k++) {
    total += coefficients[k] * values[k];
    if (isChosen[k]) chosen += coefficients[k] * values[k];
  }
  // If individuals do not differ, neither the kinship nor a residual at its boundary contributes variance.
  const value = total > 0 ? chosen / total : 0;
  if (covariance === null) return { value, standardError: 0 };
  const gradient = coefficients.map((coefficient, k) => (coefficient * (Number(isChosen[k]) - value)) / total);
  let variance = 0;
  for (let k = 0; k < gradient.length; k++) {
    for (let l = 0; l < gradient.length; l++) variance += gradient[k] * covariance.matrix[k][l] * gradient[l];
  }
  return { value, standardError: Math.sqrt(Math.max(0, variance)) };
}

/**
 * Covariance of variance components from their information matrix, 2 × 2 or 3 × 3; null when that is
 * numerically singular.
 *
 * @param information symmetric, of components divided by `scale`
 */
export function covarianceFrom(information: readonly (readonly number[])[], scale: number): ComponentCovariance | null {
  const size = information.length;
  // Scale to a unit diagonal first, because kinships can have any magnitude.
  const lengths = information.map((row, k) => Math.sqrt(row[k]));
  if (!lengths.every((length) => length > 0 && Number.isFinite(length))) return null;
  const rows = information.map((row, k) => [
    ...row.map((value, l) => value / (lengths[k] * lengths[l])),
    ...row.map((_, l) => Number(k === l)),
  ]);
  // Gauss–Jordan without pivoting: if every pivot passes the test, the correlation matrix is positive definite.
  for (let k = 0; k < size; k++) {
    const pivot = rows[k][k];
    if (!(pivot > SINGULAR_SHARE)) return null;
    for (let l = 0; l < 2 * size; l++) rows[k][l] /= pivot;
    for (let i = 0; i < size; i++) {
      const factor = rows[i][k];
      if (i === k || factor === 0) continue;
      for (let l = 0; l < 2 * size; l++) rows[i][l] -= factor * rows[k][l];
    }
  }
  return {
    scale,
    matrix: rows.map((row, k) => row.slice(size).map((value, l) => value / (lengths[k] * lengths[l]))),
  };
}
