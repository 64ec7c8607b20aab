import { createMatrix, matrixOf } from '@heterosis/linalg/matrix';
import {
  assembleFolds,
  type CrossValidation,
  type FoldPart,
  type Folds,
  knownPart,
  type Split,
  splitFolds,
} from '../genomic-prediction/cross-validate.ts';
import { createFixedDesign, type FixedModel, fixedPartOf, MEAN_ONLY } from '../genomic-prediction/fixed-effects.ts';
import type { FoldPrediction } from '../genomic-prediction/fold-inverses.ts';
import { RemlProfile } from '../mixed-model/reml-profile.ts';
import { StatgenError } from '../statgen-error.ts';
import { type CrossProducts, crossProducts, valuesOf } from './dosage-products.ts';
import { remlOf } from './fit-marker-space.ts';
import { createMarkerEquations, type MarkerKinship, markerKinship, solveWith } from './marker-equations.ts';
import type { PackedMarkers } from './packed-markers.ts';

export interface MarkerCrossValidationOptions {
  markers: PackedMarkers;
  method: MarkerKinship['method'];
  /** N values, NaN = not observed. */
  y: Float64Array;
  folds: Folds;
  fixed?: FixedModel;
}

/** What all folds share. */
interface Shared {
  markers: PackedMarkers;
  kinship: MarkerKinship;
  y: Float64Array;
  fixed: FixedModel;
  observed: Int32Array;
  /** D'D of all individuals observed. */
  products: CrossProducts;
  /** log δ at the optimum of all individuals; undefined at a bound. */
  start: number | undefined;
  scratch: Float64Array;
}

/**
 * Cross-validation in marker space: D'D of a training part is that of all individuals less that of those left out,
 * exact where dosages are whole numbers. n·m² operations a repetition and some 14·m³/3 a fold, O(m²) memory; the
 * results are those of `crossValidate`.
 *
 * @yields folds done, of all
 * @throws StatgenError `shape-mismatch`, `bad-folds`, `too-few-individuals`, `not-finite`
 */
export function* markerCrossValidationSteps(
  options: MarkerCrossValidationOptions,
): Generator<{ done: number; total: number }, CrossValidation> {
  const { markers, y, folds, fixed = MEAN_ONLY } = options;
  const plan = splitFolds(y, folds, markers.panelSize);
  const { observed } = plan;
  const total = plan.splits.length;
  yield { done: 0, total };
  const individuals = observed.length === markers.panelSize ? null : observed;
  const shared: Shared = {
    markers,
    kinship: markerKinship(markers, options.method),
    y,
    fixed,
    observed,
    products: crossProducts(markers, individuals),
    start: undefined,
    scratch: new Float64Array(markers.m ** 2),
  };
  const whole = fitOptimum(shared, observed, shared.products);
  shared.start = whole.logDelta;
  const parts: FoldPart[] = [];
  for (const [k, split] of plan.splits.entries()) {
    parts.push(knownPart(plan.places[k], split, predictFold(shared, split)));
    yield { done: k + 1, total };
  }
  return { ...assembleFolds(y, folds, plan, parts), kinshipPve: whole.kinshipPve };
}

/** The optimum of all individuals, from which the search of every fold starts. */
function fitOptimum(
  shared: Shared,
  individuals: Int32Array,
  products: CrossProducts,
): { logDelta: number | undefined; kinshipPve: number | null } {
  const { markers, kinship, y, fixed, scratch } = shared;
  const { x } = createFixedDesign(fixed, individuals);
  const traits = [Float64Array.from(individuals, (i) => y[i])];
  const equations = createMarkerEquations({ markers, kinship, individuals, products, x, traits }, scratch);
  const { order, meanEigenvalue, evaluate } = equations;
  if (!(meanEigenvalue > 0)) return { logDelta: undefined, kinshipPve: null };
  const best = new RemlProfile({ order, scale: meanEigenvalue, evaluate }).maximum(0);
  const { boundary, delta } = remlOf(equations, 0, best);
  if (boundary !== 'none') return { logDelta: undefined, kinshipPve: null };
  return { logDelta: best.logDelta, kinshipPve: meanEigenvalue / (meanEigenvalue + delta) };
}

/** The prediction of the individuals left out, or why the training part has none. */
function predictFold(shared: Shared, { train, test }: Split): FoldPrediction | StatgenError {
  const { markers, kinship, y, fixed, observed, start, scratch } = shared;
  try {
    const isTrain = new Uint8Array(markers.panelSize);
    for (const i of train) isTrain[i] = 1;
    const leftOut = observed.filter((i) => isTrain[i] === 0);
    const products = difference(shared.products, crossProducts(markers, leftOut));
    const design = createFixedDesign(fixed, train);
    const traits = [Float64Array.from(train, (i) => y[i])];
    const equations = createMarkerEquations(
      { markers, kinship, individuals: train, products, x: design.x, traits },
      scratch,
    );
    const { order, meanEigenvalue, evaluate, z } = equations;
    const profile = new RemlProfile({ order, scale: meanEigenvalue, evaluate });
    const best = meanEigenvalue > 0 ? profile.maximum(0, start) : undefined;
    const reml = remlOf(equations, 0, best);
    let u = createMatrix(markers.m, 1);
    let varianceAdditive = 0;
    let { varianceResidual } = reml;
    if (Number.isFinite(reml.delta)) {
      const { quadratics } = evaluate(Math.log(reml.delta));
      varianceAdditive = quadratics[0] / order;
      varianceResidual = reml.boundary === 'residual-zero' ? 0 : reml.delta * varianceAdditive;
      u = solveWith(equations.factor(kinship.divisor * reml.delta), z);
    }
    const coefficients = equations.coefficients(0, u.data);
    const genetic = valuesOf(markers, test, kinship, matrixOf(markers.m, 1, u.data)).data;
    return {
      predicted: genetic.map((value, k) => coefficients[0] + fixedPartOf(fixed, design, coefficients, test[k]) + value),
      varianceAdditive,
      varianceResidual,
      mean: coefficients[0],
    };
  } catch (error) {
    if (error instanceof StatgenError) return error;
    throw error;
  }
}

/** The products of all less those of some, in the memory of the second. */
function difference(all: CrossProducts, some: CrossProducts): CrossProducts {
  for (let i = 0; i < all.length; i++) some[i] = all[i] - some[i];
  return some;
}
