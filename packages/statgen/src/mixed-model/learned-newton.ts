import { choleskyInPlace, choleskySolveInPlace } from '@heterosis/linalg/cholesky';
import { LinalgError } from '@heterosis/linalg/linalg-error';
import { createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';

/** Parameters and the gradient of the likelihood there. */
export interface GradientAt {
  values: Float64Array;
  gradient: Float64Array;
}

/** An update whose curvature is a smaller share of its terms is not made. */
const SMALLEST_UPDATE = 1e-6;

/**
 * Updates what average information lacks of the observed one, from the last two points: a symmetric rank-one update of
 * the difference (after Dennis, Gay & Welsch 1981, ACM Trans Math Softw 7:348). Average information can be half of the
 * observed one along a direction, and steps would then overshoot for ever.
 *
 * @param lacking m × m, updated
 * @param isFixed parameters that are held
 */
export function learnLacking(
  lacking: Matrix,
  information: Matrix,
  { before, now }: { before: GradientAt; now: GradientAt },
  isFixed: readonly boolean[],
): void {
  const m = isFixed.length;
  const moved = now.values.map((value, k) => value - before.values[k]);
  const missing = now.values.map((_, k) => {
    if (isFixed[k]) return 0;
    let known = 0;
    for (let l = 0; l < m; l++) known += (information.data[k + l * m] + lacking.data[k + l * m]) * moved[l];
    return before.gradient[k] - now.gradient[k] - known;
  });
  let product = 0;
  let weight = 0;
  for (let k = 0; k < m; k++) {
    product += missing[k] * moved[k];
    weight += Math.abs(missing[k] * moved[k]);
  }
  // Otherwise the update would be mostly rounding.
  if (!(Math.abs(product) > SMALLEST_UPDATE * weight)) return;
  for (let l = 0; l < m; l++) {
    for (let k = 0; k < m; k++) lacking.data[k + l * m] += (missing[k] * missing[l]) / product;
  }
}

/**
 * (information + what it lacks + damping·diag)⁻¹ ∂ℓ over the parameters that are not fixed, 0 for the others; null
 * where the matrix is not positive definite.
 *
 * @param diagonal what is damped, m values ≥ 0; of the information unless told
 */
export function dampedStep({
  gradient,
  information,
  lacking,
  isFixed,
  damping,
  diagonal,
}: {
  gradient: Float64Array;
  information: Matrix;
  lacking: Matrix;
  isFixed: readonly boolean[];
  damping: number;
  diagonal?: ArrayLike<number>;
}): Float64Array | null {
  const moving = [...isFixed.keys()].filter((k) => !isFixed[k]);
  const m = moving.length;
  const damped = createMatrix(m, m);
  for (const [c, k] of moving.entries()) {
    for (const [r, l] of moving.entries()) {
      const place = l + k * information.rows;
      damped.data[r + c * m] = information.data[place] + lacking.data[place];
    }
    const size = diagonal?.[k] ?? information.data[k * (information.rows + 1)];
    damped.data[c + c * m] += damping * Math.max(size, Number.MIN_VALUE);
  }
  const solution = matrixOf(
    m,
    1,
    Float64Array.from(moving, (k) => gradient[k]),
  );
  try {
    choleskySolveInPlace(choleskyInPlace(damped), solution);
  } catch (error) {
    if (!(error instanceof LinalgError && error.code === 'not-positive-definite')) throw error;
    return null;
  }
  const change = new Float64Array(gradient.length);
  for (const [c, k] of moving.entries()) change[k] = solution.data[c];
  return change;
}
