import { solveLowerInPlace } from '@heterosis/linalg/cholesky';
import { columnBlock, createMatrix, type Matrix, matrixOf, transpose } from '@heterosis/linalg/matrix';
import { largestEigenpairsInPlace } from '@heterosis/linalg/symmetric-eigen';
import {
  coefficientsOf,
  createFixedDesign,
  effectsOf,
  type FixedDesign,
  type FixedModel,
  MEAN_ONLY,
  standardErrorsOf,
  structureOf,
} from '../genomic-prediction/fixed-effects.ts';
import { observedPositions, type RrblupFit } from '../genomic-prediction/rrblup.ts';
import type { PrincipalComponents } from '../kinship/principal-components.ts';
import { type ComponentCovariance, covarianceFrom, heritabilityOf } from '../mixed-model/heritability.ts';
import { type ProfileMaximum, RemlProfile } from '../mixed-model/reml-profile.ts';
import { StatgenError } from '../statgen-error.ts';
import { type CrossProducts, crossProducts, rowTiles, tileRows, valuesOf, weightedDosages } from './dosage-products.ts';
import {
  createMarkerEquations,
  inverseForm,
  type MarkerEquations,
  type MarkerKinship,
  markerKinship,
  solveWith,
} from './marker-equations.ts';
import type { PackedMarkers } from './packed-markers.ts';
import { squaresOfPart } from './part-sums.ts';

/** RR-BLUP of one trait from the equations of its markers; everything by the N individuals of the panel. */
export interface MarkerSpaceFit extends Omit<RrblupFit, 'weights' | 'structure'> {
  /** Value = intercept + Σ dosage·effect over the markers kept, a missing call at the mean dosage. */
  intercept: number;
  effects: Float64Array;
}

export interface MarkerSpaceModel {
  readonly markers: PackedMarkers;
  readonly kinship: MarkerKinship;
  /**
   * Fits traits observed on the same individuals; they share D'D and the factorisations.
   *
   * @param traits N values each, NaN = not observed
   * @throws StatgenError as `RrblupModel.fit`, `shape-mismatch` when they are observed on different individuals
   */
  fit(traits: readonly Float64Array[]): MarkerSpaceFit[];
}

export interface MarkerSpaceOptions {
  markers: PackedMarkers;
  method: MarkerKinship['method'];
  fixed?: FixedModel;
  /** Reliabilities cost N·m² operations; NaN without. Default true. */
  withReliabilities?: boolean;
  /** D'D of the individuals on which the traits are observed; computed where it is not given. */
  products?: CrossProducts;
  onProgress?: (done: number, total: number) => void;
}

/**
 * RR-BLUP by REML in marker space, exactly the model of `createRrblupModel`: n·m² + k·m³/3 operations and O(m²)
 * memory instead of O(n³) and O(n²), so it is for panels with more individuals than markers. Traits observed on the
 * same individuals share D'D.
 *
 * @throws StatgenError as `createMarkerEquations`
 */
export function createMarkerSpaceModel(options: MarkerSpaceOptions): MarkerSpaceModel {
  const { markers, fixed = MEAN_ONLY } = options;
  const kinship = markerKinship(markers, options.method);
  let shared: { key: string; products: CrossProducts } | undefined;
  const scratch = new Float64Array(markers.m ** 2);
  return {
    markers,
    kinship,
    fit(traits) {
      const observed = observedPositions(traits[0], markers.panelSize);
      const individuals = observed.length === markers.panelSize ? null : observed;
      const key = observed.join();
      if (traits.some((y) => observedPositions(y, markers.panelSize).join() !== key)) {
        throw new StatgenError('shape-mismatch', 'the traits are not observed on the same individuals');
      }
      if (shared?.key !== key) {
        shared = {
          key,
          products: options.products ?? crossProducts(markers, individuals, ['copies'], options.onProgress),
        };
      }
      const design = createFixedDesign(fixed, observed);
      const seen = traits.map((y) => Float64Array.from(observed, (i) => y[i]));
      const equations = createMarkerEquations(
        { markers, kinship, individuals, products: shared.products, x: design.x, traits: seen },
        scratch,
      );
      const { order, meanEigenvalue, evaluate } = equations;
      const profile = new RemlProfile({ order, scale: meanEigenvalue, evaluate });
      return seen.map((values, t) =>
        fitTrait(options, equations, profile, { observed, design, seen: values, trait: t }),
      );
    },
  };
}

interface Observed {
  observed: Int32Array;
  design: FixedDesign;
  seen: Float64Array;
  /** Place among the traits of the equations. */
  trait: number;
}

/** Variance components of one trait of some equations, and what follows from them at δ. */
export interface MarkerSpaceReml {
  boundary: RrblupFit['boundary'];
  varianceGenetic: number;
  varianceResidual: number;
  /** σ²e/σ²g; Infinity at `genetic-zero`. */
  delta: number;
  logLikelihood: number;
}

/** REML of one trait from the maximum of its profile, with the boundaries of `fitReml`. */
export function remlOf(
  equations: Pick<MarkerEquations, 'order' | 'squares'>,
  trait: number,
  best: ProfileMaximum | undefined,
): MarkerSpaceReml {
  const { order } = equations;
  const square = equations.squares[trait];
  const without = -0.5 * order * (Math.log((2 * Math.PI * square) / order) + 1);
  if (best === undefined || best.atUpperEnd || best.value <= without) {
    return {
      boundary: 'genetic-zero',
      varianceGenetic: 0,
      varianceResidual: square / order,
      delta: Number.POSITIVE_INFINITY,
      logLikelihood: without,
    };
  }
  return {
    boundary: best.atLowerEnd ? 'residual-zero' : 'none',
    varianceGenetic: Number.NaN,
    varianceResidual: Number.NaN,
    delta: Math.exp(best.logDelta),
    logLikelihood: best.value,
  };
}

function fitTrait(
  { markers, withReliabilities = true, fixed: model = MEAN_ONLY }: MarkerSpaceOptions,
  equations: MarkerEquations,
  profile: RemlProfile,
  { observed, design, seen, trait }: Observed,
): MarkerSpaceFit {
  const { m, n, order, kinship, contrasts } = equations;
  const z = columnBlock(equations.z, trait, 1);
  const reml = remlOf(equations, trait, equations.meanEigenvalue > 0 ? profile.maximum(trait) : undefined);
  const { delta } = reml;
  const size = markers.panelSize;
  let solution = createMatrix(m, 1);
  let covariance: ComponentCovariance | null = null;
  let schur: (i: number, j: number) => number = (i, j) => (i === j ? reml.varianceResidual : 0);
  let errors = { reliability: new Float64Array(size), pev: new Float64Array(size) };
  if (Number.isFinite(delta)) {
    const lambda = kinship.divisor * delta;
    const factor = equations.factor(lambda);
    solution = solveWith(factor, z);
    const forms = quadraticForms(equations, solution, inverseForm(factor, solution).data[0], delta, trait);
    reml.varianceGenetic = forms[0] / order;
    reml.varianceResidual = reml.boundary === 'residual-zero' ? 0 : delta * reml.varianceGenetic;
    covariance = reml.boundary === 'none' ? componentCovariance(forms, delta, reml.varianceGenetic) : null;
    const among = inverseForm(factor, equations.fixedProducts);
    const residual = delta * reml.varianceGenetic;
    schur = (i, j) => residual * (Number(i === j) + among.data[i + j * among.rows]);
    errors = withReliabilities
      ? reliabilities(markers, kinship, { lower: factor.lower, lambda, variance: reml.varianceGenetic })
      : unknownErrors(size);
  }
  const gebv = valuesOf(markers, null, { centre: kinship.centre, scale: kinship.scale }, solution).data;
  const coefficients = coefficientsOf(contrasts, seen, (i) => gebv[observed[i]]);
  const [mean] = coefficients;
  const structure = structureOf(model, design, coefficients, size);
  for (let i = 0; i < size; i++) gebv[i] += mean + structure.values[i];
  return {
    n,
    mean,
    fixed: effectsOf(design, coefficients, standardErrorsOf(contrasts, schur)),
    varianceAdditive: reml.varianceGenetic,
    varianceResidual: reml.varianceResidual,
    heritability: heritabilityOf(
      { additive: reml.varianceGenetic, dominance: null, residual: reml.varianceResidual },
      { additive: equations.meanEigenvalue },
      covariance,
    ),
    boundary: reml.boundary,
    logLikelihood: reml.logLikelihood,
    iterations: profile.evaluations,
    converged: true,
    gebv,
    ...errors,
    x: design.x,
    ...effectsPerCopy(markers, kinship, solution.data, {
      intercept: mean - structure.shift,
      weights: model.components === null ? null : structure.weights,
    }),
  };
}

/**
 * Effects per copy of A2 from those of coded columns, and the intercept of raw dosages.
 *
 * @param base the mean, and what principal components add to the effects (`structureOf`)
 */
export function effectsPerCopy(
  markers: PackedMarkers,
  { centre, scale, divisor }: MarkerKinship,
  coded: Float64Array,
  base: { intercept: number; weights: Float64Array | null },
): Pick<MarkerSpaceFit, 'effects' | 'intercept'> {
  const average = coded.slice();
  if (base.weights !== null) {
    const sums = weightedDosages(markers, null, matrixOf(markers.panelSize, 1, base.weights), { centre, scale });
    for (let j = 0; j < average.length; j++) average[j] += sums.data[j] / divisor;
  }
  const effects = average.map((value, j) => value * scale[j]);
  return { effects, intercept: base.intercept - effects.reduce((sum, value, j) => sum + value * centre[j], 0) };
}

/**
 * ỹ'(K + δI)⁻ᵏỹ for k = 1, 2, 3, from u = A⁻¹z: with s = (K + δI)⁻¹ỹ = (ỹ − Z̃u)/δ, |s|² = (ỹ'ỹ − z'u − λu'u)/δ²
 * and Z̃'s = λu/δ.
 *
 * @param form u'A⁻¹u
 */
export function quadraticForms(
  { squares, z, kinship }: Pick<MarkerEquations, 'squares' | 'z' | 'kinship'>,
  u: Matrix,
  form: number,
  delta: number,
  trait = 0,
): [number, number, number] {
  const m = z.rows;
  let product = 0;
  let own = 0;
  for (let j = 0; j < m; j++) {
    product += z.data[j + trait * m] * u.data[j];
    own += u.data[j] * u.data[j];
  }
  const { divisor } = kinship;
  const first = (squares[trait] - product) / delta;
  const second = (squares[trait] - product - divisor * delta * own) / (delta * delta);
  return [first, second, (second - divisor * divisor * form) / delta];
}

/** Inverse of the average information ½(KᵢPy)'P(KⱼPy) of σ²g and σ²e, as in `fitReml`. */
export function componentCovariance(
  [first, second, third]: readonly [number, number, number],
  delta: number,
  varianceGenetic: number,
): ComponentCovariance | null {
  // Divided by σ²g, so that it does not depend on the unit of the trait.
  const half = 0.5 / varianceGenetic;
  const cross = half * (second - delta * third);
  return covarianceFrom(
    [
      [half * (first - 2 * delta * second + delta * delta * third), cross],
      [cross, half * third],
    ],
    varianceGenetic,
  );
}

/** Of every individual of the panel. */
export interface MarkerErrors {
  /** 1 − PEV/(σ²g·K_ii). */
  reliability: Float64Array<ArrayBuffer>;
  pev: Float64Array<ArrayBuffer>;
}

export const unknownErrors = (size: number): MarkerErrors => ({
  reliability: new Float64Array(size).fill(Number.NaN),
  pev: new Float64Array(size).fill(Number.NaN),
});

/**
 * Reliabilities z'(I − λA⁻¹)z/z'z, from the factor of A, and prediction error variances.
 *
 * @param at the factor, λ, and σ²g on the scale of the kinship
 */
export function reliabilities(
  markers: PackedMarkers,
  kinship: MarkerKinship,
  { lower, lambda, variance }: { lower: Matrix; lambda: number; variance: number },
): MarkerErrors {
  const { m, panelSize } = markers;
  const reliability = new Float64Array(panelSize);
  const pev = new Float64Array(panelSize);
  const tile = new Float64Array(Math.min(tileRows(m), panelSize) * m);
  for (const rows of rowTiles(panelSize, m)) {
    markers.decode(null, rows, { first: 0, count: m }, kinship, tile);
    const columns = transpose(matrixOf(rows.count, m, tile));
    const own = Float64Array.from({ length: rows.count }, (_, i) => squaresOfPart(columns.data, i * m, m));
    solveLowerInPlace(lower, columns);
    for (let i = 0; i < rows.count; i++) {
      const explained = own[i] - lambda * squaresOfPart(columns.data, i * m, m);
      const share = own[i] > 0 ? Math.min(1, Math.max(0, explained / own[i])) : 0;
      reliability[rows.first + i] = share;
      pev[rows.first + i] = (variance * own[i] * (1 - share)) / kinship.divisor;
    }
  }
  return { reliability, pev };
}

/**
 * Principal components of the kinship of all individuals of the filter, from the eigenvectors w of the m × m matrix:
 * v = Zw/√(divisor·λ).
 *
 * @param individuals those of the filter; null for all of the panel
 * @param given D'D of these individuals; computed where it is not given
 * @throws StatgenError `bad-option` when there are more components than markers
 */
export function markerSpaceComponents(
  markers: PackedMarkers,
  kinship: MarkerKinship,
  individuals: Int32Array | null,
  count: number,
  given?: CrossProducts,
): PrincipalComponents | null {
  if (count === 0) return null;
  const n = individuals?.length ?? markers.panelSize;
  if (count > Math.min(n, markers.m)) {
    throw new StatgenError('bad-option', `${n} individuals and ${markers.m} markers do not have ${count} components`, {
      n,
      count,
    });
  }
  const products = given ?? crossProducts(markers, individuals);
  const { m, meanDosage } = markers;
  const matrix = createMatrix(m, m);
  for (let j = 0; j < m; j++) {
    for (let i = j; i < m; i++) {
      const [a, b] = [kinship.centre[i], kinship.centre[j]];
      const centred = products[i + j * m] - n * (meanDosage[i] * b + a * meanDosage[j] - a * b);
      matrix.data[i + j * m] = (centred * kinship.scale[i] * kinship.scale[j]) / kinship.divisor;
    }
  }
  let trace = 0;
  for (let j = 0; j < m; j++) trace += matrix.data[j + j * m];
  const { values, vectors } = largestEigenpairsInPlace(matrix, count);
  const axes = valuesOf(markers, individuals, kinship, vectors);
  for (let k = 0; k < count; k++) {
    const length = Math.sqrt(squaresOfPart(axes.data, k * n, n));
    const divisor = length > 0 ? length : 1;
    for (let i = 0; i < n; i++) axes.data[i + k * n] /= divisor;
  }
  return { axes, eigenvalues: values, shares: values.map((value) => (trace > 0 ? value / trace : 0)) };
}
