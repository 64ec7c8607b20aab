import { createMatrix, type Matrix, requireSquare, selectRowsAndColumns } from '@heterosis/linalg/matrix';
import {
  createFixedDesign,
  effectsOf,
  type FixedDesign,
  type FixedModel,
  MEAN_ONLY,
  structureOf,
} from '../genomic-prediction/fixed-effects.ts';
import { observedPositions, type RrblupFit } from '../genomic-prediction/rrblup.ts';
import { createErrorContrasts } from '../mixed-model/error-contrasts.ts';
import { heritabilityOf } from '../mixed-model/heritability.ts';
import { averageError } from '../mixed-model/whitening.ts';
import { StatgenError } from '../statgen-error.ts';
import { type FitTraitsOptions, fitTraits, type TraitsFit } from './fit-traits.ts';
import { predictTraits, type TraitPredictions, traitWeights } from './predict-traits.ts';
import { createTraitRecords, type TraitRecords } from './trait-records.ts';

export interface MultiTraitModel extends FitTraitsOptions {
  /** N × N over all genotyped individuals. */
  kinship: Matrix;
  /** N values a trait, NaN = not observed; an individual that lacks a fixed effect must have none. */
  values: readonly Float64Array[];
  /** Fixed effects beside the mean, those of each trait for itself. */
  fixed?: FixedModel;
  /** Error variance of an individual relative to that of others, N values; 1 unless told. */
  errorWeights?: Float64Array;
}

/** One trait of several, as a fit of it alone is described; likelihood and iterations are those of all together. */
export type MultiTraitPart = Omit<RrblupFit, 'boundary' | 'logLikelihood' | 'iterations' | 'converged'>;

export interface MultiTraitBlup {
  fit: TraitsFit;
  traits: MultiTraitPart[];
}

/** More are not fitted with an unstructured G. */
export const MOST_TRAITS = 6;
/** More are not fitted with a factor-analytic one: R is unstructured all the same. */
export const MOST_TRAITS_OF_FACTORS = 12;

/**
 * GBLUP of several traits together by REML (see `fitTraits`): values of each trait rest on the records of all. The
 * `weights` of a trait are Σ_s G_ts Py_s/G_tt: its values are mean + G_tt·K·weights, as in a model of one trait.
 *
 * @throws StatgenError of `createTraitRecords` and `fitTraits`; `bad-option` for fewer than two traits or too many
 */
export function fitMultiTrait(model: MultiTraitModel): MultiTraitBlup {
  const { kinship, fixed = MEAN_ONLY } = model;
  const size = requireSquare(kinship, 'a kinship matrix');
  const count = model.values.length;
  const most = model.factors === undefined ? MOST_TRAITS : MOST_TRAITS_OF_FACTORS;
  if (count < 2 || count > most) {
    throw new StatgenError('bad-option', `two to ${most} traits can be fitted together, not ${count}`, { count });
  }
  const { records, lines, designs } = recordsAmong(model);
  const fit = fitTraits(records, model);
  const everyone = Int32Array.from({ length: size }, (_, i) => i);
  const own = Float64Array.from(everyone, (i) => kinship.data[i * (size + 1)]);
  const predicted = predictTraits(records, fit.point, selectRowsAndColumns(kinship, lines, everyone), own);
  const projected = traitWeights(records, fit.point).map((values) => {
    const all = new Float64Array(size);
    for (const [k, i] of lines.entries()) all[i] = values[k];
    return all;
  });
  return {
    fit,
    traits: designs.map(({ design, observed }, t) =>
      partOf({ kinship, fixed, fit, predicted, projected, t, design, observed }),
    ),
  };
}

/** Records of the individuals with any, and the design of each trait among those observed. */
export function recordsAmong({ kinship, values, fixed = MEAN_ONLY, errorWeights }: MultiTraitModel): {
  records: TraitRecords;
  /** Individuals with records. */
  lines: Int32Array;
  designs: { design: FixedDesign; observed: Int32Array }[];
} {
  const size = kinship.rows;
  const designs = values.map((own) => {
    const observed = observedPositions(own, size);
    return { observed, design: createFixedDesign(fixed, observed) };
  });
  const lines = Int32Array.from({ length: size }, (_, i) => i).filter((i) =>
    values.some((own) => !Number.isNaN(own[i])),
  );
  const placeOf = new Map(Array.from(lines, (i, k) => [i, k]));
  const records = createTraitRecords({
    kinship: selectRowsAndColumns(kinship, lines, lines),
    values: values.map((own) => Float64Array.from(lines, (i) => own[i])),
    designs: designs.map(({ design: { x }, observed }) => {
      const placed = createMatrix(lines.length, x.columns);
      for (const [k, i] of observed.entries()) {
        const row = placeOf.get(i) ?? 0;
        for (let c = 0; c < x.columns; c++) placed.data[row + c * lines.length] = x.data[k + c * x.rows];
      }
      return placed;
    }),
    ...(errorWeights === undefined ? {} : { errorWeights: Float64Array.from(lines, (i) => errorWeights[i]) }),
  });
  return { records, lines, designs };
}

function partOf({
  kinship,
  fixed,
  fit,
  predicted,
  projected,
  t,
  design,
  observed,
}: {
  kinship: Matrix;
  fixed: FixedModel;
  fit: TraitsFit;
  predicted: TraitPredictions;
  /** Py of each trait by individual. */
  projected: readonly Float64Array[];
  t: number;
  design: FixedDesign;
  observed: Int32Array;
}): MultiTraitPart {
  const size = kinship.rows;
  const coefficients = fit.coefficients[t];
  const [mean] = coefficients;
  const structure = structureOf(fixed, design, coefficients, size);
  const additive = fit.genetic[t][t];
  const weights = new Float64Array(size);
  if (additive > 0) {
    for (const [s, own] of projected.entries()) {
      const share = fit.genetic[t][s] / additive;
      for (let i = 0; i < size; i++) weights[i] += share * own[i];
    }
  }
  const among = selectRowsAndColumns(kinship, observed, observed);
  const covariance = fit.componentCovariances[t];
  return {
    n: observed.length,
    mean,
    fixed: effectsOf(design, coefficients, fit.fixedErrors[t]),
    varianceAdditive: additive,
    varianceResidual: fit.residual[t][t],
    heritability: heritabilityOf(
      { additive, dominance: null, residual: fit.residual[t][t] },
      { additive: averageError(among, design.x, createErrorContrasts(design.x)) },
      covariance === null ? null : { scale: 1, matrix: covariance },
    ),
    gebv: predicted.values[t].map((value, i) => value + (mean + structure.values[i])),
    reliability: predicted.reliabilities[t],
    pev: predicted.errorVariances[t],
    weights,
    structure: fixed.components === null ? null : { weights: structure.weights, shift: structure.shift },
    x: design.x,
  };
}
