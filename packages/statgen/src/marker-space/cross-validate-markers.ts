import { createMatrix, matrixOf } from '@heterosis/linalg/matrix';
import { assembleFolds, type CrossValidation, type FoldPart, knownPart } from '../genomic-prediction/cross-validate.ts';
import {
  createFixedDesign,
  type FixedModel,
  fixedPartOf,
  MEAN_ONLY,
  markerPartOf,
} from '../genomic-prediction/fixed-effects.ts';
import { FEWEST_WITH_ONE_MAXIMUM, type FoldPrediction } from '../genomic-prediction/fold-inverses.ts';
import { type Folds, type Split, splitFolds } from '../genomic-prediction/folds.ts';
import type { KnownErrors } from '../genomic-prediction/known-errors.ts';
import { RemlProfile } from '../mixed-model/reml-profile.ts';
import type { SearchLimits } from '../mixed-model/two-variance-search.ts';
import { StatgenError } from '../statgen-error.ts';
import {
  createDominanceEquations,
  type DominanceKinships,
  dominanceKinships,
  dominanceProducts,
} from './dominance-equations.ts';
import { fitDominanceReml } from './dominance-reml.ts';
import { type CrossProducts, crossProducts, valuesOf } from './dosage-products.ts';
import { dominanceValuesOf } from './fit-dominance.ts';
import { remlOf } from './fit-marker-space.ts';
import {
  chosenOf,
  codedValues,
  fitAmong,
  heritabilityAmong,
  type WeighedModel,
  weighedProducts,
  weighedView,
} from './fit-weighed-markers.ts';
import { createMarkerEquations, type MarkerKinship, markerKinship, solveWith } from './marker-equations.ts';
import type { PackedMarkers } from './packed-markers.ts';

export interface MarkerCrossValidationOptions extends SearchLimits {
  markers: PackedMarkers;
  method: MarkerKinship['method'];
  /** With it the model is additive + dominance, p of all individuals observed; the limits are those of each fold. */
  dominance?: boolean;
  /** N values, NaN = not observed. */
  y: Float64Array;
  folds: Folds;
  fixed?: FixedModel;
  /** Known, independent errors of the values; a training part has those of its own individuals. */
  errors?: KnownErrors;
}

/** What all folds share. */
interface Observed {
  markers: PackedMarkers;
  y: Float64Array;
  fixed: FixedModel;
  observed: Int32Array;
  /** D'D of all individuals observed. */
  products: CrossProducts;
  scratch: Float64Array;
}

interface Shared extends Observed {
  kinship: MarkerKinship;
  /** log δ at the optimum of all individuals; undefined at a bound and where a fold may have another maximum. */
  start: number | undefined;
}

interface SharedWithDominance extends Observed {
  kinships: DominanceKinships;
  limits: SearchLimits;
}

/**
 * Cross-validation in marker space: D'D of a training part is that of all individuals less that of those left out,
 * exact where dosages are whole numbers. n·m² operations a repetition and some 14·m³/3 a fold, O(m²) memory; with
 * dominance 4n·m² and some 100·m³. The results are those of `crossValidate`.
 *
 * @yields folds done, of all
 * @throws StatgenError `shape-mismatch`, `bad-folds`, `too-few-individuals`, `not-finite`
 */
export function* markerCrossValidationSteps(
  options: MarkerCrossValidationOptions,
): Generator<{ done: number; total: number }, CrossValidation> {
  const { markers, y, folds } = options;
  const plan = splitFolds(y, folds, markers.panelSize);
  const total = plan.splits.length;
  yield { done: 0, total };
  const { predict, kinshipPve } = foldModel(options, plan.observed);
  const parts: FoldPart[] = [];
  for (const [k, split] of plan.splits.entries()) {
    parts.push(
      knownPart(
        plan.places[k],
        split,
        errorOr(() => predict(split)),
      ),
    );
    yield { done: k + 1, total };
  }
  return { ...assembleFolds(y, folds, plan, parts), kinshipPve };
}

/** How the folds of a cross-validation are predicted. */
interface FoldModel {
  predict(split: Split): FoldPrediction;
  kinshipPve: number | null;
}

function foldModel(options: MarkerCrossValidationOptions, observed: Int32Array): FoldModel {
  const { errors, dominance = false } = options;
  if (errors !== undefined) return weighedFolds({ ...options, errors }, observed);
  return dominance ? dominanceFolds(options, observed) : additiveFolds(options, observed);
}

/** The prediction of the individuals left out, or why the training part has none. */
function errorOr(predict: () => FoldPrediction): FoldPrediction | StatgenError {
  try {
    return predict();
  } catch (error) {
    if (error instanceof StatgenError) return error;
    throw error;
  }
}

function additiveFolds(options: MarkerCrossValidationOptions, observed: Int32Array): FoldModel {
  const { markers, method, y, fixed = MEAN_ONLY } = options;
  const shared: Shared = {
    ...{ markers, y, fixed, observed },
    kinship: markerKinship(markers, method),
    products: crossProducts(markers, chosenOf(observed, markers)),
    start: undefined,
    scratch: new Float64Array(markers.m ** 2),
  };
  const { logDelta, kinshipPve } = fitOptimum(shared, observed, shared.products);
  if (observed.length >= FEWEST_WITH_ONE_MAXIMUM) shared.start = logDelta;
  return { kinshipPve, predict: (split) => predictFold(shared, split) };
}

function dominanceFolds(options: MarkerCrossValidationOptions, observed: Int32Array): FoldModel {
  const { markers, method, y, fixed = MEAN_ONLY } = options;
  const chosen = chosenOf(observed, markers);
  const shared: SharedWithDominance = {
    ...{ markers, y, fixed, observed, limits: options },
    kinships: dominanceKinships(markers, method, chosen),
    products: dominanceProducts(markers, chosen),
    scratch: new Float64Array(4 * markers.m ** 2),
  };
  const { equations, reml } = fitDominance(shared, observed, shared.products);
  const parts = [0, 1].map((k) => (reml.variances[k] ?? 0) * (equations.meanEigenvalues[k] ?? 0));
  const explained = parts.reduce((sum, part) => sum + part, 0);
  const [, , residual] = reml.variances;
  return {
    kinshipPve: explained > 0 ? explained / (explained + residual) : null,
    predict: (split) => predictWithDominance(shared, split),
  };
}

/** Values with known errors: the search of each fold starts from the variances of all. */
function weighedFolds(
  options: MarkerCrossValidationOptions & Pick<WeighedModel, 'errors'>,
  observed: Int32Array,
): FoldModel {
  const { markers, method, y, errors, fixed = MEAN_ONLY } = options;
  const dominance = options.dominance === true ? dominanceKinships(markers, method, chosenOf(observed, markers)) : null;
  const additive = dominance?.additive ?? markerKinship(markers, method);
  const model: WeighedModel = { ...{ markers, additive, dominance, y, errors, fixed } };
  const view = weighedView(model);
  const all = weighedProducts(view, chosenOf(observed, markers), dominance);
  const scratch = new Float64Array(all.length);
  const whole = fitAmong(model, view, observed, { products: all, scratch });
  const { kinshipPve, dominancePve } = heritabilityAmong(model, view, whole);
  const explained = kinshipPve + (dominancePve ?? 0);
  const start = whole.reml.atBoundary.includes(true) ? {} : { start: whole.reml.variances };
  return {
    kinshipPve: explained > 0 ? explained : null,
    predict({ train, test }) {
      const left = leftOutOf({ markers, observed }, train);
      const products = difference(all, weighedProducts(view, left, dominance));
      const { design, reml, coefficients, residual } = fitAmong(model, view, train, { products, scratch, ...start });
      const { breedingValue, dominanceDeviation } = codedValues(model, test, reml.effects);
      const [varianceAdditive, varianceDominance] = reml.variances;
      return {
        genetic: breedingValue.map(
          (value, i) =>
            coefficients[0] +
            markerPartOf(fixed, design, coefficients, test[i]) +
            value +
            (dominanceDeviation?.[i] ?? 0),
        ),
        fixedPart: Float64Array.from(test, (i) => fixedPartOf(fixed, design, coefficients, i)),
        varianceAdditive,
        ...(varianceDominance === undefined ? {} : { varianceDominance }),
        varianceResidual: residual,
        mean: coefficients[0],
      };
    },
  };
}

/** Equations and REML of some of the individuals observed. */
function fitDominance(shared: SharedWithDominance, individuals: Int32Array, products: CrossProducts) {
  const { markers, kinships, y, fixed, scratch, limits } = shared;
  const design = createFixedDesign(fixed, individuals);
  const traits = [Float64Array.from(individuals, (i) => y[i])];
  const equations = createDominanceEquations(
    { markers, kinships, individuals, products, x: design.x, traits },
    scratch,
  );
  return { equations, design, reml: fitDominanceReml(equations, 0, limits) };
}

function predictWithDominance(shared: SharedWithDominance, { train, test }: Split): FoldPrediction {
  const { markers, kinships, fixed } = shared;
  const products = difference(shared.products, dominanceProducts(markers, leftOutOf(shared, train)));
  const { equations, design, reml } = fitDominance(shared, train, products);
  const coefficients = equations.coefficients(0, reml.effects);
  const { breedingValue, dominanceDeviation } = dominanceValuesOf(markers, test, kinships, reml.effects);
  const [varianceAdditive, varianceDominance, varianceResidual] = reml.variances;
  const fixedPart = Float64Array.from(test, (i) => fixedPartOf(fixed, design, coefficients, i));
  const genetic = breedingValue.map(
    (value, k) => coefficients[0] + markerPartOf(fixed, design, coefficients, test[k]) + value + dominanceDeviation[k],
  );
  return { genetic, fixedPart, varianceAdditive, varianceDominance, varianceResidual, mean: coefficients[0] };
}

/** Individuals observed that are not in a training part. */
function leftOutOf({ markers, observed }: Pick<Observed, 'markers' | 'observed'>, train: Int32Array): Int32Array {
  const isTrain = new Uint8Array(markers.panelSize);
  for (const i of train) isTrain[i] = 1;
  return observed.filter((i) => isTrain[i] === 0);
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

function predictFold(shared: Shared, { train, test }: Split): FoldPrediction {
  const { markers, kinship, y, fixed, start, scratch } = shared;
  const products = difference(shared.products, crossProducts(markers, leftOutOf(shared, train)));
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
  const values = valuesOf(markers, test, kinship, matrixOf(markers.m, 1, u.data)).data;
  return {
    genetic: values.map((value, k) => coefficients[0] + markerPartOf(fixed, design, coefficients, test[k]) + value),
    fixedPart: Float64Array.from(test, (i) => fixedPartOf(fixed, design, coefficients, i)),
    varianceAdditive,
    varianceResidual,
    mean: coefficients[0],
  };
}

/** The products of all less those of some, in the memory of the second. */
function difference(all: CrossProducts, some: CrossProducts): CrossProducts {
  for (let i = 0; i < all.length; i++) some[i] = all[i] - some[i];
  return some;
}
