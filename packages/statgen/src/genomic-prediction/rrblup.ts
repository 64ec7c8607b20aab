import { type Matrix, requireSquare, selectRowsAndColumns } from '@heterosis/linalg/matrix';
import { multiplyVector } from '@heterosis/linalg/products';
import {
  explainedKinship,
  fitReml,
  fixedCovariance,
  MINIMUM_INDIVIDUALS,
  type ReducedKernel,
  reduceKernel,
  rotateColumns,
  type VarianceBoundary,
} from '../mixed-model/fit-reml.ts';
import { type Heritability, heritabilityOf } from '../mixed-model/heritability.ts';
import { StatgenError } from '../statgen-error.ts';
import {
  coefficientsOf,
  createFixedDesign,
  effectsOf,
  type FixedDesign,
  type FixedEffect,
  type FixedModel,
  MEAN_ONLY,
  standardErrorsOf,
  structureOf,
} from './fixed-effects.ts';

/** RR-BLUP of one trait, in its equivalent form with a kinship (GBLUP). */
export interface RrblupFit {
  /** Individuals with an observation. */
  n: number;
  /** b̂: the mean of y where all markers have their mean dosage and all fixed effects their mean among the observed. */
  mean: number;
  /** Beside the mean. */
  fixed: FixedEffect[];
  /** σ²a on the scale of the kinship: g ~ N(0, σ²a K). */
  varianceAdditive: number;
  varianceResidual: number;
  heritability: Heritability;
  boundary: VarianceBoundary;
  logLikelihood: number;
  iterations: number;
  converged: boolean;
  /** N values: mean + principal components + g for every individual of the kinship, phenotyped or not. */
  gebv: Float64Array;
  /** N values: 1 − PEV/(σ²a K_ii); 0 when σ²a = 0 or an individual has no kinship to itself. */
  reliability: Float64Array;
  /** N values, var(ĝ − g): the prediction error variance of g, without that of the mean. */
  pev: Float64Array;
  /** N values, Py with 0 for individuals without observation: g = σ²a·K·weights, marker effects are built from it. */
  weights: Float64Array;
  /** Σ b·(v − v̄) over principal components v is K·structure.weights − structure.shift; null without components. */
  structure: { weights: Float64Array; shift: number } | null;
  /** n × c, the fixed effects as fitted: the intercept, then columns centred and of unit length. */
  x: Matrix;
}

export interface RrblupModel {
  /**
   * @param y N values, NaN = not observed
   * @throws StatgenError `shape-mismatch`, `not-finite`, `too-few-individuals`, `constant-trait`
   */
  fit(y: Float64Array): RrblupFit;
}

/**
 * Reductions cached for later traits. Each holds two matrices, and a thousand traits can have a thousand patterns of
 * missing values.
 */
const SHARED_REDUCTIONS = 4;

/**
 * RR-BLUP by REML for any number of traits over one kinship: y = 1b + g + e, g ~ N(0, σ²a K), e ~ N(0, σ²e I). With K
 * of `vanraden1` this is y = 1b + Zu + e, u ~ N(0, σ²u I) on allele counts, σ²u = σ²a/2Σp(1 − p) (Habier et al. 2007,
 * Genetics 177:2389; Endelman 2011, Plant Genome 4:250). Traits observed on the same individuals share the O(n³)
 * reduction.
 *
 * @param kinship N × N over all genotyped individuals
 * @param fixed fixed effects beside the mean; an individual that lacks one of them must have no observation
 * @throws StatgenError as `RrblupModel.fit` when fitting; LinalgError `shape-mismatch`
 */
export function createRrblupModel(kinship: Matrix, fixed: FixedModel = MEAN_ONLY): RrblupModel {
  const size = requireSquare(kinship, 'a kinship matrix');
  const shared = new Map<string, Parts>();
  return {
    fit(y) {
      const observed = observedPositions(y, size);
      const key = observed.join();
      let parts = shared.get(key);
      if (parts === undefined) {
        const everyone = Int32Array.from({ length: size }, (_, i) => i);
        const design = createFixedDesign(fixed, observed);
        const reduced = reduceKernel(selectRowsAndColumns(kinship, observed, observed), design.x);
        const rotated = rotateColumns(reduced, selectRowsAndColumns(kinship, observed, everyone));
        parts = { observed, design, reduced, rotated };
        shared.set(key, parts);
        const [oldest] = shared.keys();
        if (shared.size > SHARED_REDUCTIONS && oldest !== undefined) shared.delete(oldest);
      }
      return fitObserved(kinship, fixed, parts, y);
    },
  };
}

/**
 * Positions of the values that are not NaN.
 *
 * @throws StatgenError `shape-mismatch`, `not-finite` (an infinite value), `too-few-individuals`
 */
export function observedPositions(y: Float64Array, size: number): Int32Array {
  if (y.length !== size) {
    throw new StatgenError('shape-mismatch', `the kinship has ${size} individuals, the trait ${y.length} values`);
  }
  const positions = new Int32Array(size);
  let count = 0;
  for (let i = 0; i < size; i++) {
    if (Number.isNaN(y[i])) continue;
    if (!Number.isFinite(y[i])) throw new StatgenError('not-finite', `the value of individual ${i + 1} is infinite`);
    positions[count++] = i;
  }
  if (count < MINIMUM_INDIVIDUALS) {
    throw new StatgenError(
      'too-few-individuals',
      `a model needs at least ${MINIMUM_INDIVIDUALS} individuals with genotype and phenotype, there are ${count}`,
      { n: count, minimum: MINIMUM_INDIVIDUALS },
    );
  }
  return positions.subarray(0, count);
}

/** Computations shared by traits observed on the same individuals. */
interface Parts {
  observed: Int32Array;
  design: FixedDesign;
  reduced: ReducedKernel;
  rotated: Matrix;
}

function fitObserved(
  kinship: Matrix,
  model: FixedModel,
  { observed, design, reduced, rotated }: Parts,
  y: Float64Array,
): RrblupFit {
  const n = observed.length;
  const size = kinship.rows;
  const seen = Float64Array.from(observed, (i) => y[i]);
  const fit = fitReml(reduced, seen);
  const weights = new Float64Array(size);
  for (let i = 0; i < n; i++) weights[observed[i]] = fit.weights[i];
  const gebv = multiplyVector(kinship, weights);
  for (let i = 0; i < size; i++) gebv[i] *= fit.varianceGenetic;
  const coefficients = coefficientsOf(reduced.contrasts, seen, (i) => gebv[observed[i]]);
  const [mean] = coefficients;
  const structure = structureOf(model, design, coefficients, size);
  for (let i = 0; i < size; i++) gebv[i] += mean + structure.values[i];
  const fixedErrors = standardErrorsOf(reduced.contrasts, fixedCovariance(reduced, fit));
  const reliability = explainedKinship(reduced, fit, rotated);
  const pev = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    const own = kinship.data[i + i * size];
    reliability[i] = own > 0 ? Math.min(1, Math.max(0, reliability[i] / own)) : 0;
    pev[i] = fit.varianceGenetic * own * (1 - reliability[i]);
  }
  return {
    n,
    mean,
    fixed: effectsOf(design, coefficients, fixedErrors),
    varianceAdditive: fit.varianceGenetic,
    varianceResidual: fit.varianceResidual,
    heritability: heritabilityOf(
      { additive: fit.varianceGenetic, dominance: null, residual: fit.varianceResidual },
      { additive: reduced.meanEigenvalue },
      fit.covariance,
    ),
    boundary: fit.boundary,
    logLikelihood: fit.logLikelihood,
    iterations: fit.iterations,
    converged: true,
    gebv,
    reliability,
    pev,
    weights,
    structure: model.components === null ? null : { weights: structure.weights, shift: structure.shift },
    x: design.x,
  };
}
