import { solveLowerInPlace } from '@heterosis/linalg/cholesky';
import { createMatrix, type Matrix, matrixOf, transpose } from '@heterosis/linalg/matrix';
import { type AdditiveDominanceFit, dominanceFit } from '../genomic-prediction/additive-dominance.ts';
import {
  createFixedDesign,
  type FixedDesign,
  type FixedModel,
  MEAN_ONLY,
} from '../genomic-prediction/fixed-effects.ts';
import type { MarkerEffects } from '../genomic-prediction/marker-effects.ts';
import { observedPositions } from '../genomic-prediction/rrblup.ts';
import type { SearchLimits } from '../mixed-model/two-variance-search.ts';
import { StatgenError } from '../statgen-error.ts';
import {
  createDominanceEquations,
  type DominanceEquations,
  type DominanceKinships,
  dominanceProducts,
} from './dominance-equations.ts';
import { type DominanceReml, fitDominanceReml } from './dominance-reml.ts';
import { rowTiles, tileRows, valuesOf, weightedDosages } from './dosage-products.ts';
import { unknownErrors } from './fit-marker-space.ts';
import { inverseForm } from './marker-equations.ts';
import type { Coding, PackedMarkers } from './packed-markers.ts';
import { squaresOfPart } from './part-sums.ts';

/** A model with dominance from the equations of its markers; vectors have one value for each of the N individuals. */
export interface MarkerDominanceFit extends Omit<AdditiveDominanceFit, 'weights' | 'structure'> {
  effects: Required<MarkerEffects>;
}

export interface MarkerDominanceOptions extends SearchLimits {
  markers: PackedMarkers;
  /** Both kinships, by the frequencies among the individuals observed. */
  kinships: DominanceKinships;
  fixed?: FixedModel;
  /** Reliabilities cost 5N·m² operations; NaN without. Default true. */
  withReliabilities?: boolean;
  onProgress?: (done: number, total: number) => void;
}

/**
 * Additive and dominance effects by REML in marker space, exactly the model of `fitAdditiveDominance`: 4n·m² operations
 * for the products of all traits, some 100·m³ a trait, and O(m²) memory instead of O(n³) an iteration and O(n²).
 *
 * @param traits N values each, NaN = not observed; all observed on the same individuals
 * @throws StatgenError `shape-mismatch`, `not-finite`, `too-few-individuals`, `constant-trait`,
 *   `collinear-fixed-effects`
 */
export function fitMarkerDominance(
  options: MarkerDominanceOptions,
  traits: readonly Float64Array[],
): MarkerDominanceFit[] {
  const { markers, kinships, fixed = MEAN_ONLY, onProgress } = options;
  const observed = observedPositions(traits[0], markers.panelSize);
  const key = observed.join();
  if (traits.some((y) => observedPositions(y, markers.panelSize).join() !== key)) {
    throw new StatgenError('shape-mismatch', 'the traits are not observed on the same individuals');
  }
  const individuals = observed.length === markers.panelSize ? null : observed;
  const products = dominanceProducts(markers, individuals, onProgress);
  const design = createFixedDesign(fixed, observed);
  const seen = traits.map((y) => Float64Array.from(observed, (i) => y[i]));
  const equations = createDominanceEquations({
    ...{ markers, kinships, individuals, products },
    ...{ x: design.x, traits: seen },
  });
  return seen.map((values, t) => fitTrait(options, equations, { observed, design, seen: values, trait: t }));
}

interface Observed {
  observed: Int32Array;
  design: FixedDesign;
  seen: Float64Array;
  /** Place among the traits of the equations. */
  trait: number;
}

function fitTrait(
  options: MarkerDominanceOptions,
  equations: DominanceEquations,
  { observed, design, seen, trait }: Observed,
): MarkerDominanceFit {
  const { markers, kinships, fixed: model = MEAN_ONLY, withReliabilities = true } = options;
  const { contrasts } = equations;
  const size = markers.panelSize;
  const reml = fitDominanceReml(equations, trait, options);
  const among = inverseForm(reml.factor, scaledRows(equations.fixedProducts, reml.weights));
  const schur = (i: number, j: number): number => reml.residual * (Number(i === j) + among.data[i + j * among.rows]);
  const reliability = withReliabilities ? dominanceReliabilities(markers, kinships, reml) : unknownReliabilities(size);
  const { breedingValue, dominanceDeviation } = dominanceValuesOf(markers, null, kinships, reml.effects);
  const { structure, ...result } = dominanceFit({
    ...{ model, design, observed, seen, contrasts },
    fit: reml,
    meanEigenvalues: equations.meanEigenvalues,
    fixedCovariance: schur,
    additive: breedingValue,
    dominance: dominanceDeviation,
  });
  return {
    ...result,
    ...reliability,
    effects: effectsInUse(markers, kinships, reml.effects, {
      intercept: result.mean - structure.shift,
      weights: model.components === null ? null : structure.weights,
    }),
  };
}

/** Effects per copy of A2 and per heterozygote, as `createMarkerEffectAccumulator` gives them. */
export function effectsInUse(
  markers: PackedMarkers,
  { additive: kinship, frequencyA2 }: DominanceKinships,
  coded: Float64Array,
  base: { intercept: number; weights: Float64Array | null },
): Required<MarkerEffects> {
  const { m, panelSize } = markers;
  const { centre, scale, divisor } = kinship;
  const average = coded.slice(0, m);
  if (base.weights !== null) {
    const sums = weightedDosages(markers, null, matrixOf(panelSize, 1, base.weights), { centre, scale });
    for (let j = 0; j < m; j++) average[j] += sums.data[j] / divisor;
  }
  const dominance = coded.slice(m);
  const additive = new Float64Array(m);
  let { intercept } = base;
  for (let j = 0; j < m; j++) {
    const p = frequencyA2[j];
    const perCopy = average[j] * scale[j];
    additive[j] = perCopy + (2 * p - 1) * dominance[j];
    intercept -= 2 * p * perCopy + 2 * p * p * dominance[j];
  }
  return { intercept, additive, dominance, frequencyA2 };
}

/** Centred dosages X and heterozygotes H, of which Z = X·scale and W = H + (2p − 1)·X are made. */
export function centredCodings(kinships: DominanceKinships): { copies: Coding; others: Coding } {
  const { additive, frequencyA2, share } = kinships;
  return {
    copies: { centre: additive.centre, scale: new Float64Array(share.length).fill(1) },
    others: { centre: frequencyA2.map((p) => 2 * p * (1 - p)), scale: share, counted: 'heterozygotes' },
  };
}

/** Z·u and W·v for coded effects u and v of some individuals; null for all. */
export function dominanceValuesOf(
  markers: PackedMarkers,
  individuals: Int32Array | null,
  kinships: DominanceKinships,
  coded: Float64Array,
): { breedingValue: Float64Array; dominanceDeviation: Float64Array } {
  const { m } = markers;
  const { copies, others } = centredCodings(kinships);
  const dominance = coded.slice(m);
  const perCopy = createMatrix(m, 2);
  for (let j = 0; j < m; j++) {
    perCopy.data[j] = coded[j] * kinships.additive.scale[j];
    perCopy.data[j + m] = (2 * kinships.frequencyA2[j] - 1) * dominance[j];
  }
  const fromCopies = valuesOf(markers, individuals, copies, perCopy);
  const dominanceDeviation = valuesOf(markers, individuals, others, matrixOf(m, 1, dominance)).data;
  const count = fromCopies.rows;
  for (let i = 0; i < count; i++) dominanceDeviation[i] += fromCopies.data[count + i];
  return { breedingValue: fromCopies.data.slice(0, count), dominanceDeviation };
}

/** Rows of a matrix times weights. */
export function scaledRows(matrix: Matrix, weights: Float64Array): Matrix {
  return matrixOf(
    matrix.rows,
    matrix.columns,
    matrix.data.map((value, i) => value * weights[i % matrix.rows]),
  );
}

type Reliabilities = Pick<MarkerDominanceFit, 'reliability' | 'pev' | 'genotypicReliability'>;

export const unknownReliabilities = (size: number): Reliabilities => ({
  ...unknownErrors(size),
  genotypicReliability: new Float64Array(size).fill(Number.NaN),
});

/**
 * 1 − v'B⁻¹v/v'v of every individual of the panel, v = S·f with its additive columns f or with all: 1 − PEV over the
 * variance of its value. With additive rows first, L⁻¹ of both parts takes one solution of order 2m and one of order m.
 */
export function dominanceReliabilities(
  markers: PackedMarkers,
  kinships: DominanceKinships,
  reml: Pick<DominanceReml, 'factor' | 'weights'> & { variances: readonly number[] },
): Reliabilities {
  const { m, panelSize } = markers;
  const { lower } = reml.factor;
  const lowest = lastRowsOf(lower, m);
  // All additive columns have one weight, √σ²a on the scale of the search.
  const [weight] = reml.weights;
  const perSquare = weight > 0 ? reml.variances[0] / (weight ** 2 * kinships.additive.divisor) : 0;
  const { copies, others } = centredCodings(kinships);
  const result: Reliabilities = {
    reliability: new Float64Array(panelSize),
    pev: new Float64Array(panelSize),
    genotypicReliability: new Float64Array(panelSize),
  };
  const largest = Math.min(tileRows(2 * m), panelSize) * m;
  const dosages = new Float64Array(largest);
  const heterozygotes = new Float64Array(largest);
  for (const rows of rowTiles(panelSize, 2 * m)) {
    markers.decode(null, rows, { first: 0, count: m }, copies, dosages);
    markers.decode(null, rows, { first: 0, count: m }, others, heterozygotes);
    const { count } = rows;
    for (let j = 0; j < m; j++) {
      const mix = 2 * kinships.frequencyA2[j] - 1;
      for (let i = j * count; i < (j + 1) * count; i++) {
        heterozygotes[i] = reml.weights[m + j] * (heterozygotes[i] + mix * dosages[i]);
        dosages[i] *= reml.weights[j] * kinships.additive.scale[j];
      }
    }
    const own = transpose(matrixOf(count, m, dosages));
    const dominance = transpose(matrixOf(count, m, heterozygotes));
    const variances = Float64Array.from({ length: count }, (_, i) => squaresOfPart(own.data, i * m, m));
    const further = Float64Array.from({ length: count }, (_, i) => squaresOfPart(dominance.data, i * m, m));
    const solved = createMatrix(2 * m, count);
    for (let i = 0; i < count; i++) solved.data.set(own.data.subarray(i * m, (i + 1) * m), 2 * i * m);
    solveLowerInPlace(lower, solved);
    solveLowerInPlace(lowest, dominance);
    for (let i = 0; i < count; i++) {
      const unexplained = squaresOfPart(solved.data, 2 * i * m, 2 * m);
      const share = shareOf(variances[i], unexplained);
      result.reliability[rows.first + i] = share;
      result.pev[rows.first + i] = perSquare * variances[i] * (1 - share);
      for (let j = 0; j < m; j++) solved.data[(2 * i + 1) * m + j] += dominance.data[i * m + j];
      const together = squaresOfPart(solved.data, 2 * i * m, 2 * m);
      result.genotypicReliability[rows.first + i] = shareOf(variances[i] + further[i], together);
    }
  }
  return result;
}

const shareOf = (variance: number, unexplained: number): number =>
  variance > 0 ? Math.min(1, Math.max(0, 1 - unexplained / variance)) : 0;

/** The last m rows and columns of a factor of order 2m. */
function lastRowsOf(lower: Matrix, m: number): Matrix {
  const last = createMatrix(m, m);
  for (let j = 0; j < m; j++) {
    const start = (m + j) * 2 * m + m;
    last.data.set(lower.data.subarray(start, start + m), j * m);
  }
  return last;
}
