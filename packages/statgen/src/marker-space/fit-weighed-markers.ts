import { createMatrix, type Matrix, matrixOf } from '@heterosis/linalg/matrix';
import {
  createFixedDesign,
  effectsOf,
  type FixedDesign,
  type FixedModel,
  MEAN_ONLY,
  standardErrorsOf,
  structureOf,
} from '../genomic-prediction/fixed-effects.ts';
import type { KnownErrorPrediction, KnownErrors } from '../genomic-prediction/known-errors.ts';
import type { MarkerEffects } from '../genomic-prediction/marker-effects.ts';
import { observedPositions } from '../genomic-prediction/rrblup.ts';
import { createErrorContrasts, type ErrorContrasts, orthonormalColumns } from '../mixed-model/error-contrasts.ts';
import { heritabilityOf } from '../mixed-model/heritability.ts';
import { averageError } from '../mixed-model/whitening.ts';
import { createDominanceEquations, type DominanceKinships, dominanceProducts } from './dominance-equations.ts';
import { type CrossProducts, crossProducts, rowTiles, tileRows, valuesOf, weightedDosages } from './dosage-products.ts';
import {
  centredCodings,
  dominanceReliabilities,
  dominanceValuesOf,
  effectsInUse,
  scaledRows,
  unknownReliabilities,
} from './fit-dominance.ts';
import { effectsPerCopy, reliabilities } from './fit-marker-space.ts';
import {
  createMarkerEquations,
  errorsAmong,
  inverseForm,
  type MarkerEquations,
  type MarkerKinship,
  ROUNDING,
} from './marker-equations.ts';
import type { LikelihoodEquations } from './marker-likelihood.ts';
import type { PackedMarkers } from './packed-markers.ts';
import { weighMarkers } from './weighed-markers.ts';
import { fitWeighedReml, type WeighedReml } from './weighed-reml.ts';

/** A model of values with known, independent errors. */
export interface WeighedModel {
  markers: PackedMarkers;
  additive: MarkerKinship;
  /** Both kinships of a model with dominance; null without. */
  dominance: DominanceKinships | null;
  /** N values, NaN = not observed. */
  y: Float64Array;
  /** Independent errors, without residual lines. */
  errors: KnownErrors;
  fixed?: FixedModel;
}

/** As `KnownErrorPrediction`, with the effects of the markers. */
export interface WeighedMarkerFit extends Omit<KnownErrorPrediction, 'weights' | 'structure'> {
  effects: MarkerEffects;
}

export interface WeighedFitOptions {
  /** Reliabilities cost N·m² operations, with dominance five times as many; NaN without. Default true. */
  withReliabilities?: boolean;
  onProgress?: (done: number, total: number) => void;
}

/**
 * The model of `predictWithKnownErrors` from the equations of the markers, all of them divided by the errors: n·m²
 * operations for C = Z'Ω⁻¹Z, in double precision, then some 15·m³, with dominance 4n·m² and some 100·m³.
 *
 * @throws StatgenError as `fitKnownErrors`; TypeError for correlated errors and residual lines, for which C would be a
 * product of its own at each variance of lines
 */
export function fitWeighedMarkers(model: WeighedModel, options: WeighedFitOptions = {}): WeighedMarkerFit {
  const { markers, additive, dominance, fixed = MEAN_ONLY } = model;
  const { withReliabilities = true } = options;
  const size = markers.panelSize;
  const view = weighedView(model);
  const products = weighedProducts(view, chosenOf(view.observed, markers), dominance, options.onProgress);
  const fit = fitAmong(model, view, view.observed, { products });
  const { design, equations, reml, coefficients } = fit;
  const among = inverseForm(reml.factor, scaledRows(equations.fixedProducts, reml.weights));
  const schur = (i: number, j: number): number => Number(i === j) + among.data[i + j * among.rows];
  const reliability = !withReliabilities
    ? unknownReliabilities(size)
    : dominance === null
      ? {
          ...unknownReliabilities(size),
          ...reliabilities(markers, additive, { lower: reml.factor.lower, lambda: 1, variance: reml.variances[0] }),
        }
      : dominanceReliabilities(markers, dominance, reml);
  const { breedingValue, dominanceDeviation } = codedValues(model, null, reml.effects);
  const [mean] = coefficients;
  const structure = structureOf(fixed, design, coefficients, size);
  for (let i = 0; i < size; i++) breedingValue[i] += mean + structure.values[i];
  const [varianceAdditive, varianceDominance = null] = reml.variances;
  const base = {
    intercept: mean - structure.shift,
    weights: fixed.components === null ? null : structure.weights,
  };
  return {
    n: view.observed.length,
    mean,
    fixed: effectsOf(design, coefficients, standardErrorsOf(equations.contrasts, schur)),
    ...{ varianceAdditive, varianceDominance, varianceResidual: fit.residual, residualLines: null },
    heritability: heritabilityAmong(model, view, fit),
    atBoundary: (['additive', 'dominance'] as const).filter((_, k) => reml.atBoundary[k]),
    logLikelihood: fit.logLikelihood,
    iterations: reml.iterations,
    converged: reml.converged,
    breedingValue,
    reliability: reliability.reliability,
    pev: reliability.pev,
    genotypic:
      dominanceDeviation === null
        ? null
        : {
            value: breedingValue.map((value, i) => value + dominanceDeviation[i]),
            reliability: reliability.genotypicReliability,
          },
    x: design.x,
    effects:
      dominance === null
        ? withName(effectsPerCopy(markers, additive, reml.effects, base))
        : effectsInUse(markers, dominance, reml.effects, base),
  };
}

const withName = ({ effects, intercept }: { effects: Float64Array; intercept: number }): MarkerEffects => ({
  additive: effects,
  intercept,
});

/** The individuals observed, and the markers divided by their errors. */
export interface WeighedView {
  observed: Int32Array;
  weighed: PackedMarkers;
}

/** @throws TypeError for correlated errors and residual lines */
export function weighedView({ markers, y, errors }: WeighedModel): WeighedView {
  const observed = observedPositions(y, markers.panelSize);
  const variances = errors.among(observed);
  if (!(variances instanceof Float64Array) || errors.residualLines) {
    throw new TypeError('the equations of the markers take independent errors without residual lines');
  }
  return { observed, weighed: weighMarkers(markers, chosenOf(observed, markers), variances) };
}

/** Null for all of the panel. */
export const chosenOf = (individuals: Int32Array, { panelSize }: PackedMarkers): Int32Array | null =>
  individuals.length === panelSize ? null : individuals;

/** Z'Ω⁻¹Z of raw dosages, with dominance of heterozygotes as well, of some of the individuals observed. */
export function weighedProducts(
  { weighed }: WeighedView,
  individuals: Int32Array | null,
  dominance: DominanceKinships | null,
  onTile?: (done: number, total: number) => void,
): CrossProducts {
  return dominance === null
    ? crossProducts(weighed, individuals, ['copies'], onTile)
    : dominanceProducts(weighed, individuals, onTile);
}

type ColumnEquations = LikelihoodEquations &
  Pick<MarkerEquations, 'contrasts' | 'logShift' | 'fixedProducts' | 'coefficients'>;

/** A fit of some of the individuals observed. */
export interface WeighedFit {
  design: FixedDesign;
  equations: ColumnEquations;
  reml: WeighedReml;
  /** Of X. */
  coefficients: Float64Array;
  /** Of the fixed effects as they are, not divided by the errors. */
  plain: ErrorContrasts;
  /** Mean eigenvalue of Ω among the contrasts. */
  residual: number;
  logLikelihood: number;
}

/** @param start variances from which to search; default from a grid */
export function fitAmong(
  { additive, dominance, y, fixed = MEAN_ONLY }: WeighedModel,
  { weighed }: WeighedView,
  individuals: Int32Array,
  { products, scratch, start }: { products: CrossProducts; scratch?: Float64Array; start?: readonly number[] },
): WeighedFit {
  const chosen = chosenOf(individuals, weighed);
  const design = createFixedDesign(fixed, individuals);
  const { x } = design;
  const traits = [Float64Array.from(individuals, (i) => y[i])];
  const common = { markers: weighed, individuals: chosen, products, x, traits };
  const equations =
    dominance === null
      ? additiveColumns(createMarkerEquations({ ...common, kinship: additive }, scratch))
      : createDominanceEquations({ ...common, kinships: dominance }, scratch);
  const reml = fitWeighedReml(equations, start);
  const plain = createErrorContrasts(x);
  const omega = errorsAmong(weighed, chosen) ?? new Float64Array(0);
  return {
    ...{ design, equations, reml, plain },
    coefficients: equations.coefficients(0, reml.effects),
    residual: averageError(omega, x, plain),
    logLikelihood: reml.logLikelihood + equations.logShift,
  };
}

const additiveColumns = (equations: MarkerEquations): ColumnEquations => ({
  ...equations,
  divisors: [equations.kinship.divisor],
  meanEigenvalues: [equations.meanEigenvalue],
  factor: ([weight]) => equations.scaledFactor(weight * weight),
});

/** Heritabilities, the shares of the phenotypic variance by the kinships as they are. */
export function heritabilityAmong(
  { markers, additive, dominance }: WeighedModel,
  { observed }: WeighedView,
  { design, plain, reml, residual }: WeighedFit,
): ReturnType<typeof heritabilityOf> {
  const [ofAdditive, ofDominance] = meanEigenvalues(markers, { additive, dominance }, observed, {
    q: orthonormalColumns(design.x, plain),
    order: plain.n - plain.fixed,
  });
  const [varianceAdditive, varianceDominance = null] = reml.variances;
  return heritabilityOf(
    { additive: varianceAdditive, dominance: varianceDominance, residual },
    { additive: ofAdditive, ...(dominance === null ? {} : { dominance: ofDominance }) },
    reml.covariance,
  );
}

/** Genetic values of some individuals from effects of coded columns; null for all. */
export function codedValues(
  { markers, additive, dominance }: Pick<WeighedModel, 'markers' | 'additive' | 'dominance'>,
  individuals: Int32Array | null,
  effects: Float64Array,
): { breedingValue: Float64Array; dominanceDeviation: Float64Array | null } {
  if (dominance !== null) return dominanceValuesOf(markers, individuals, dominance, effects);
  const values = valuesOf(markers, individuals, additive, matrixOf(markers.m, 1, effects));
  return { breedingValue: values.data, dominanceDeviation: null };
}

/** Mean eigenvalues of the kinships among the contrasts of X = QR: (tr FF' − tr Q'FF'Q)/divisor/order; O(nmc). */
function meanEigenvalues(
  markers: PackedMarkers,
  { additive, dominance }: Pick<WeighedModel, 'additive' | 'dominance'>,
  observed: Int32Array,
  { q, order }: { q: Matrix; order: number },
): [number, number] {
  const individuals = chosenOf(observed, markers);
  const share = (whole: number, explained: Float64Array, divisor: number): number => {
    const left = whole - explained.reduce((sum, value) => sum + value * value, 0);
    return left > ROUNDING * whole ? left / divisor / order : 0;
  };
  const ofAdditive = share(
    squaresOf(q.rows, markers.m, (rows, out) => {
      markers.decode(individuals, rows, { first: 0, count: markers.m }, additive, out);
    }),
    weightedDosages(markers, individuals, q, additive).data,
    additive.divisor,
  );
  if (dominance === null) return [ofAdditive, 0];
  const { copies, others } = centredCodings(dominance);
  const mix = dominance.frequencyA2.map((p) => 2 * p - 1);
  const byCopies = weightedDosages(markers, individuals, q, copies);
  const explained = weightedDosages(markers, individuals, q, others);
  for (let at = 0; at < explained.data.length; at++) explained.data[at] += mix[at % markers.m] * byCopies.data[at];
  const whole = squaresOf(q.rows, markers.m, (rows, out) => {
    const dosages = createMatrix(rows.count, markers.m).data;
    markers.decode(individuals, rows, { first: 0, count: markers.m }, copies, dosages);
    markers.decode(individuals, rows, { first: 0, count: markers.m }, others, out);
    for (let at = 0; at < dosages.length; at++) out[at] += mix[Math.floor(at / rows.count)] * dosages[at];
  });
  return [ofAdditive, share(whole, explained.data, dominance.divisor)];
}

/** Sum of the squares of all columns. */
function squaresOf(
  n: number,
  m: number,
  decode: (rows: { first: number; count: number }, out: Float64Array) => void,
): number {
  const tile = new Float64Array(Math.min(tileRows(m), n) * m);
  let sum = 0;
  for (const rows of rowTiles(n, m)) {
    decode(rows, tile);
    for (let at = 0; at < rows.count * m; at++) sum += tile[at] * tile[at];
  }
  return sum;
}
