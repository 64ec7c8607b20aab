import { solveLowerInPlace } from '@heterosis/linalg/cholesky';
import { type Matrix, requireSquare, selectRowsAndColumns, shapeOf } from '@heterosis/linalg/matrix';
import { multiplyVector } from '@heterosis/linalg/products';
import type { KinshipResult } from '../kinship/accumulate-kinship.ts';
import { contrastsOf, type ErrorContrasts } from '../mixed-model/error-contrasts.ts';
import { fitTwoKernels, fixedCovarianceOf, type TwoKernelFit } from '../mixed-model/fit-two-kernels.ts';
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
import { observedPositions } from './rrblup.ts';

export interface AdditiveDominanceOptions {
  /** Additive kinship, N × N over all genotyped individuals. */
  additive: Matrix;
  /** Dominance kinship, N × N. */
  dominance: Matrix;
  /** N values, NaN = not observed. */
  y: Float64Array;
  /** Time limit in seconds of the search for the variances, which then returns its best iterate. */
  optimizeSeconds?: number;
  /** Milliseconds since some start. */
  now?: () => number;
  /** Fixed effects besides the mean; an individual with a missing one must have no observation. */
  fixed?: FixedModel;
}

/** A model with additive and dominance effects of one trait; vectors have one value for each of the N individuals. */
export interface AdditiveDominanceFit {
  n: number;
  /** The value where all markers and fixed effects have their mean. */
  mean: number;
  /** Beside the mean. */
  fixed: FixedEffect[];
  varianceAdditive: number;
  varianceDominance: number;
  varianceResidual: number;
  heritability: Heritability;
  /** Components that ended at 0. */
  boundary: ('additive-zero' | 'dominance-zero' | 'residual-zero')[];
  logLikelihood: number;
  iterations: number;
  converged: boolean;
  /** mean + principal components + additive part. */
  breedingValue: Float64Array;
  dominanceDeviation: Float64Array;
  /** mean + additive + dominance part: what the individual itself is expected to show. */
  genotypicValue: Float64Array;
  /** 1 − PEV/(σ²a A_ii) of the additive part. */
  reliability: Float64Array;
  /** var(û − u) of the additive part. */
  pev: Float64Array;
  /** The same for additive plus dominance part. */
  genotypicReliability: Float64Array;
  /** Py, 0 for individuals without observation. */
  weights: Float64Array;
  /** As in `RrblupFit`. */
  structure: { weights: Float64Array; shift: number } | null;
  /** n × c, the fixed effects as fitted: the intercept, then columns centred and of unit length. */
  x: Matrix;
}

/**
 * Refuses a panel without heterozygotes: dominance deviations are then a multiple of the dosage, and the two
 * variances are not identifiable.
 *
 * @param individuals number with a phenotype (they also define the frequencies of the kinships)
 * @throws StatgenError `no-heterozygotes` when none of them is heterozygous at a kept marker
 */
export function requireHeterozygotes(
  { scan, hasHeterozygotes }: Pick<KinshipResult, 'scan' | 'hasHeterozygotes'>,
  individuals: number,
): void {
  if (hasHeterozygotes) return;
  throw new StatgenError(
    'no-heterozygotes',
    `every one of the ${individuals} individuals to learn from is homozygous at every marker, so dominance has no effect that could be estimated; fit the additive model`,
    { individuals, markers: scan.keptCount },
  );
}

/**
 * y = Xb + g_a + g_d + e with g_a ~ N(0, σ²a A), g_d ~ N(0, σ²d D), by REML (`fitTwoKernels`); O(n³) an iteration.
 *
 * @throws StatgenError `shape-mismatch`, `not-finite`, `too-few-individuals`, `constant-trait`
 */
export function fitAdditiveDominance(options: AdditiveDominanceOptions): AdditiveDominanceFit {
  const { additive, dominance, y, fixed: model = MEAN_ONLY, ...search } = options;
  const size = requireSquare(additive, 'the additive kinship');
  if (dominance.rows !== size || dominance.columns !== size) {
    throw new StatgenError(
      'shape-mismatch',
      `the additive kinship is ${shapeOf(additive)}, the dominance kinship ${shapeOf(dominance)}`,
    );
  }
  const observed = observedPositions(y, size);
  const seen = Float64Array.from(observed, (i) => y[i]);
  const design = createFixedDesign(model, observed);
  const kernels: [Matrix, Matrix] = [
    selectRowsAndColumns(additive, observed, observed),
    selectRowsAndColumns(dominance, observed, observed),
  ];
  const fit = fitTwoKernels({ kernels, x: design.x, y: seen, ...search });
  const [varianceAdditive, varianceDominance] = fit.variances;
  const weights = new Float64Array(size);
  for (let i = 0; i < observed.length; i++) weights[observed[i]] = fit.weights[i];
  const reliability = reliabilityOf(fit, observed, [additive], [varianceAdditive]);
  const { structure, ...result } = dominanceFit({
    ...{ model, design, observed, seen, fit },
    contrasts: fit.contrasts,
    meanEigenvalues: fit.meanEigenvalues,
    fixedCovariance: fixedCovarianceOf(fit, kernels),
    additive: multiplyVector(additive, weights).map((value) => value * varianceAdditive),
    dominance: multiplyVector(dominance, weights).map((value) => value * varianceDominance),
  });
  return {
    ...result,
    reliability,
    pev: reliability.map((share, i) => varianceAdditive * additive.data[i * (size + 1)] * (1 - share)),
    genotypicReliability: reliabilityOf(fit, observed, [additive, dominance], [varianceAdditive, varianceDominance]),
    weights,
    structure: model.components === null ? null : { weights: structure.weights, shift: structure.shift },
  };
}

/** What the variances have been found from, and the genetic values at them. */
interface Solution {
  model: FixedModel;
  design: FixedDesign;
  /** Places of the n observed individuals among all N, and their values. */
  observed: Int32Array;
  seen: Float64Array;
  fit: Pick<TwoKernelFit, 'variances' | 'covariance' | 'atBoundary' | 'logLikelihood' | 'iterations' | 'converged'>;
  contrasts: ErrorContrasts;
  /** Of both kinships among the contrasts. */
  meanEigenvalues: readonly [number, number];
  /** As `standardErrorsOf` takes it. */
  fixedCovariance: (i: number, j: number) => number;
  /** Both parts of the N genetic values, without mean and fixed effects. */
  additive: Float64Array;
  dominance: Float64Array;
}

/** The model at its variances, whichever way found, all but reliabilities, errors and what predicts others. */
export function dominanceFit(solution: Solution): Omit<
  AdditiveDominanceFit,
  'reliability' | 'pev' | 'genotypicReliability' | 'weights' | 'structure'
> & {
  structure: ReturnType<typeof structureOf>;
} {
  const { model, design, observed, seen, fit, contrasts, meanEigenvalues, additive, dominance } = solution;
  const coefficients = coefficientsOf(contrasts, seen, (i) => additive[observed[i]] + dominance[observed[i]]);
  const [mean] = coefficients;
  const structure = structureOf(model, design, coefficients, additive.length);
  const breedingValue = additive.map((value, i) => value + (mean + structure.values[i]));
  const [varianceAdditive, varianceDominance, varianceResidual] = fit.variances;
  return {
    n: observed.length,
    mean,
    fixed: effectsOf(design, coefficients, standardErrorsOf(contrasts, solution.fixedCovariance)),
    varianceAdditive,
    varianceDominance,
    varianceResidual,
    heritability: heritabilityOf(
      { additive: varianceAdditive, dominance: varianceDominance, residual: varianceResidual },
      { additive: meanEigenvalues[0], dominance: meanEigenvalues[1] },
      fit.covariance,
    ),
    boundary: (['additive-zero', 'dominance-zero', 'residual-zero'] as const).filter((_, k) => fit.atBoundary[k]),
    logLikelihood: fit.logLikelihood,
    iterations: fit.iterations,
    converged: fit.converged,
    breedingValue,
    dominanceDeviation: dominance,
    genotypicValue: breedingValue.map((value, i) => value + dominance[i]),
    structure,
    x: design.x,
  };
}

/** cᵢᵀPcᵢ / var(gᵢ), c the covariance of an individual's genetic value with the observations; O(n²N). */
function reliabilityOf(
  fit: TwoKernelFit,
  observed: Int32Array,
  kernels: readonly Matrix[],
  variances: readonly number[],
): Float64Array {
  const size = kernels[0].rows;
  const n = observed.length;
  const covariance = selectRowsAndColumns(
    kernels[0],
    observed,
    Int32Array.from({ length: size }, (_, i) => i),
  );
  for (let j = 0; j < size; j++) {
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let k = 0; k < kernels.length; k++) sum += variances[k] * kernels[k].data[observed[i] + j * size];
      covariance.data[i + j * n] = sum;
    }
  }
  const contrasts = contrastsOf(fit.contrasts, covariance);
  solveLowerInPlace(fit.factor.lower, contrasts);
  const order = contrasts.rows;
  return Float64Array.from({ length: size }, (_, j) => {
    let explained = 0;
    for (let i = 0; i < order; i++) explained += contrasts.data[i + j * order] ** 2;
    let own = 0;
    for (let k = 0; k < kernels.length; k++) own += variances[k] * kernels[k].data[j + j * size];
    return own > 0 ? Math.min(1, explained / own) : 0;
  });
}
